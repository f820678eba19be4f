"""Templates of texts and exceptions with staged values in them, which graph texts can hold.

staging/values/descriptions.py makes one where all that is needed is a plain value, a tensor or an
f-string of those.  A template is a nest of tuples:

    ("value", v)              the value itself
    ("tensor", n, weak)       the n-th array: as a tensor, or as a Python number or text
    ("text", (piece, ...))    an f-string: texts, and fields (template, conversion, template)
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from runtime.eager.tensor import wrap
from runtime.ops import dispatch
from runtime.ops.control_flow.print_assert import ExceptionMaker
from runtime.types import errors
from runtime.types.graph_literals import graph_literal

Template = tuple[Any, ...]

PLAIN = (bool, int, float, complex, str, bytes, type(None))
"""The classes whose values stand in templates themselves."""
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value, "s": str, "r": repr, "a": ascii,
}  # fmt: skip


def check_template(template: Any) -> None:
    """Raise ValueError for what is no template."""
    kind, *fields = template
    if kind == "value" and len(fields) == 1 and type(fields[0]) in PLAIN:
        return
    if kind == "tensor" and len(fields) == 2 and type(fields[0]) is int and fields[0] >= 0:
        return
    if kind != "text" or len(fields) != 1:
        raise ValueError(f"{template!r} is no template")
    for piece in fields[0]:
        if not isinstance(piece, str):
            value, conversion, form = piece
            if conversion not in _CONVERSIONS:
                raise ValueError(f"{conversion!r} is no conversion of a text")
            check_template(value)
            check_template(form)


def filled(template: Template, arrays: Sequence[Any]) -> Any:
    """Return the value of a template for arrays."""
    if template[0] == "value":
        return template[1]
    if template[0] == "tensor":
        array = arrays[template[1]]
        if not template[2]:
            return wrap(array)
        value = array.item() if hasattr(array, "item") else array
        return value.decode() if isinstance(value, bytes) else value
    texts = []
    for piece in template[1]:
        if isinstance(piece, str):
            texts.append(piece)
        else:
            value = _CONVERSIONS[piece[1]](filled(piece[0], arrays))
            texts.append(format(value, filled(piece[2], arrays)))
    return "".join(texts)


@graph_literal("joined_text", templates=(tuple,), sep=(str,), end=(str,))
class JoinedText:
    """Function from arrays to the texts of templates, one after the other."""

    def __init__(self, templates: tuple[Template, ...], sep: str, end: str) -> None:
        for template in templates:
            check_template(template)
        self.templates = templates
        self.sep = sep
        self.end = end

    def __call__(self, *arrays: Any) -> str:
        """Return the text for these arrays."""
        with dispatch.executing():
            texts = [str(filled(template, arrays)) for template in self.templates]
            return self.sep.join(texts) + self.end


def exception_class(name: str) -> type[Exception]:
    """Return an exception class of Python's or of the runtime by name; ValueError if none."""
    for module in (builtins, errors):
        cls = getattr(module, name, None)
        if isinstance(cls, type) and issubclass(cls, Exception):
            return cls
    raise ValueError(f"there is no exception {name!r}")


@graph_literal("exception", cls=(str,), args=(tuple,))
class DescribedException(ExceptionMaker):
    """Function from arrays to an exception of a known class with templates as arguments."""

    __slots__ = ("args", "cls", "made")

    def __init__(
        self, cls: str, args: tuple[Template, ...], sample: BaseException | None = None,
        holes: Sequence[Any] = (),
    ) -> None:  # fmt: skip
        self.made = exception_class(cls)
        for template in args:
            check_template(template)
        self.cls = cls
        self.args = args
        super().__init__(self._exception, sample, holes)

    def _exception(self, *arrays: Any) -> BaseException:
        return self.made(*[filled(template, arrays) for template in self.args])


@graph_literal("noted_exception", cls=(str,), args=(tuple,), notes=(tuple,))
class NotedException(DescribedException):
    """Function from arrays to an exception as above, with notes."""

    __slots__ = ("notes",)

    def __init__(
        self, cls: str, args: tuple[Template, ...], notes: tuple[str, ...],
        sample: BaseException | None = None, holes: Sequence[Any] = (),
    ) -> None:  # fmt: skip
        if not all(isinstance(note, str) for note in notes):
            raise ValueError(f"{notes!r} are no notes")
        self.notes = notes
        super().__init__(cls, args, sample, holes)

    def _exception(self, *arrays: Any) -> BaseException:
        exception = super()._exception(*arrays)
        for note in self.notes:
            exception.add_note(note)
        return exception
