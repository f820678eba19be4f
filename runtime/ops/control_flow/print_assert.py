"""Op definitions with effects: print, assert and raise.  They run in program order."""

from __future__ import annotations

import pprint
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops.dispatch import conversion_for, convert
from runtime.ops.op import CONTAINED, RAISES, STATEFUL, TAKES_WEAK, define
from runtime.ops.rules.inference import nothing
from runtime.ops.rules.lowering import ByKernel, Control
from runtime.types import nest
from runtime.types.aliases import TensorLike
from runtime.types.errors import InvalidArgumentError
from runtime.types.graph_literals import graph_literal
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

__all__ = ["Assert", "print"]


def _print(*values: Any, render: Callable[..., str], stream: Any) -> tuple[()]:
    file = stream() if callable(stream) else stream
    file.write(render(*values))
    file.flush()
    return ()


print_op = define(
    "print",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_print,
    infer=nothing,
    grad=None,
    node_name="PrintV2",
    traits=(STATEFUL, TAKES_WEAK),
    raises=(),
    doc="Writes ``render(*arrays)`` to ``stream`` (a file, or a function that gives one).",
)


def _element(item: Any) -> str:
    """One number as TensorFlow prints it: the shortest of two precisions that reads back."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    if isinstance(item, np.bool_):
        return "1" if item else "0"
    if isinstance(item, np.floating) or getattr(item, "dtype", item) == "bfloat16":
        wide = item if item.dtype == np.float64 else np.float32(item)  # halves print as floats
        digits, most_digits = (15, 17) if item.dtype == np.float64 else (6, 9)
        short = f"{wide:.{digits}g}"
        return short if type(wide)(short) == wide or wide != wide else f"{wide:.{most_digits}g}"
    return str(item)


_ESCAPES = {i: f"\\{i:03o}" for i in (*range(32), 127)} | str.maketrans(
    {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
)


def _quoted(item: Any) -> str:
    """As ``escaped``, but a text in quotes."""
    return f'"{escaped(item)}"' if isinstance(item, bytes) else _element(item)


def escaped(item: Any) -> str:
    """As ``_element``, but a text with escapes, as C writes it."""
    text = _element(item)
    return text.translate(_ESCAPES) if isinstance(item, bytes) else text


def shown(value: Any, summarize: int) -> str:
    """An array as TensorFlow prints it, ``summarize`` entries at both ends of each axis."""
    array = np.asarray(value)
    if array.ndim == 0:
        return _quoted(array[()])
    edge = summarize if summarize >= 0 else array.size
    most = 0 if max(array.shape) > 2 * edge else array.size + 1
    return np.array2string(
        array, edgeitems=max(edge, 1), threshold=most, separator=" ", formatter={"all": _quoted},
        max_line_width=10**9,
    )  # fmt: skip


@graph_literal("stream", name=(str,))
class StandardStream:
    """Function that gives ``sys.stdout`` or ``sys.stderr``, which the user may redirect."""

    def __init__(self, name: str) -> None:
        if name not in ("stdout", "stderr"):
            raise ValueError(f"there is no standard stream {name!r}")
        self.name = name

    def __call__(self) -> Any:
        return getattr(sys, self.name)


_STREAMS = {name: StandardStream(name) for name in ("stdout", "stderr")}


@graph_literal("appended_file", path=(str,))
class AppendedFile:
    """A file that grows by what is printed; opened each time."""

    def __init__(self, path: str) -> None:
        self.path = path

    def write(self, text: str) -> None:
        """Add the text to the file."""
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def written_to(stream: Any) -> Any:
    """Where to print: a file, or a function that gives one, which the user may redirect."""
    if stream is None or stream is sys.stderr:
        return _STREAMS["stderr"]
    if stream is sys.stdout:
        return _STREAMS["stdout"]
    if isinstance(stream, str) and stream.startswith("file://"):
        return AppendedFile(stream.removeprefix("file://"))
    if not hasattr(stream, "write"):
        raise ValueError(
            f"Unknown output stream, output stream type, or unsupported: {stream!r}. Use "
            "sys.stdout, sys.stderr, an open file or 'file://' and a path."
        )
    return stream


def print(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> Any:
    """Print values; in a graph, make an operation that prints when it runs.

    Args:
        inputs: tensors, variables, Python values and nests of them, which show as ``pprint`` shows
            them.
        output_stream: where to write: ``sys.stderr`` by default, an open file, or ``file://`` and a
            path.
        summarize: number of entries at each end of an axis that arrays show; -1 for all.
        sep: text between two values.
        end: text after the last one.
    Returns:
        None; in a graph the operation.
    Raises:
        ValueError: ``output_stream`` is something else.
    """
    inputs = tuple([nest.map_structure(_read, value) for value in inputs])
    leaves = [leaf for value in inputs for leaf in nest.flatten(value)]
    tensors = [leaf for leaf in leaves if isinstance(leaf, Value)]
    edge = 3 if summarize is None else summarize
    templates = [_template(value) for value in inputs]

    render = PrintedText(templates, edge, sep, end)
    return print_op(*tensors, render=render, stream=written_to(output_stream), name=name)


_ONE_TEXT = re.compile(r"(?:[^%]|%%|%s)*", re.DOTALL)


@graph_literal("printed", templates=(tuple,), edge=(int,), sep=(str,), end=(str,))
class PrintedText:
    """Function from arrays to the text that ``print`` writes.

    ``templates`` are pairs of a text with ``%s`` for each of its tensors, and their number.
    """

    def __init__(self, templates: Any, edge: int, sep: str, end: str) -> None:
        self.templates = tuple([(str(text), int(count)) for text, count in templates])
        for text, count in self.templates:
            if not _ONE_TEXT.fullmatch(text) or text.replace("%%", "").count("%s") != count:
                raise ValueError(f"{text!r} is no text with {count} places for tensors")
        self.edge = edge
        self.sep = sep
        self.end = end

    def __call__(self, *arrays: Any) -> str:
        if self.templates == (("%s", 1),) and np.ndim(arrays[0]) == 0:
            return _element(np.asarray(arrays[0])[()]) + self.end
        values = iter(arrays)
        texts = [text % tuple(shown(next(values), self.edge) for _ in range(count))
                 for text, count in self.templates]  # fmt: skip
        return self.sep.join(texts) + self.end


def _template(value: Any) -> tuple[str, int]:
    """What one input shows, with ``%s`` in place of tensors, and how many those are."""
    if isinstance(value, str):
        return value.replace("%", "%%"), 0
    if hasattr(value, "row_splits"):
        raise TypeError(
            "print: a ragged tensor is not printed by a graph; print its flat_values and row_splits"
        )
    leaves = nest.flatten(value)
    count = sum(isinstance(leaf, Value) for leaf in leaves)
    if leaves and leaves[0] is value and count:
        return "%s", 1
    packed = nest.map_structure(lambda v: _Hole() if isinstance(v, Value) else v, value)
    text = pprint.pformat(packed).replace("%", "%%")
    return text.replace(_Hole.MARK, "%s"), count


class _Hole:
    """Stands for a tensor where a structure is made a text; as wide as TensorFlow's, ``'{}'``."""

    MARK = "\x00" * 4

    def __repr__(self) -> str:
        return self.MARK


def _read(leaf: Any) -> Any:
    """The value of a variable; other values as they are."""
    return leaf if conversion_for(leaf) is None else convert(leaf)


def _assert(condition: Any, *data: Any, fail: Callable[..., BaseException]) -> tuple[()]:
    if not np.all(condition):
        raise fail(*data)
    return ()


assert_op = define(
    "assert",
    inputs="condition *data",
    same_dtype_inputs=None,
    kernel=_assert,
    infer=nothing,
    grad=None,
    node_name="Assert",
    traits=(STATEFUL, RAISES, CONTAINED, TAKES_WEAK),
    lower=Control("check"),
    doc="Raises ``fail(*arrays)`` unless every element of the condition is true.",
)


def Assert(
    condition: TensorLike, data: TensorLike, summarize: int | None = 3, name: str | None = None
) -> Any:
    """Assert that every element of a condition is true.

    Args:
        condition: tensor of dtype bool.
        data: list of tensors that the message shows.
        summarize: number of entries at each end of an axis that it shows; -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: an element is false, eagerly or when the graph runs.
    """
    fail = AssertedData(3 if summarize is None else summarize)
    return assert_op(condition, *data, fail=fail, name=name)


@graph_literal("asserted_data", edge=(int,))
class AssertedData:
    """Function from the arrays that ``Assert`` shows to its exception."""

    def __init__(self, edge: int) -> None:
        self.edge = edge

    def __call__(self, *arrays: Any) -> BaseException:
        texts = ", ".join([shown(a, self.edge) for a in arrays])
        return InvalidArgumentError(f"assertion failed: [{texts}]")


class ExceptionMaker:
    """Function from the arrays of an exception's staged parts to the exception."""

    __slots__ = ("_make", "parts", "sample")

    def __init__(
        self, make: Callable[..., BaseException], sample: BaseException | None, parts: Sequence[Any]
    ) -> None:
        self._make = make
        self.sample = sample
        """Exception of the class and form that it makes; None if these are not known."""
        self.parts = tuple(parts)
        """The staged parts of the sample."""

    def __call__(self, *arrays: Any) -> BaseException:
        """Return the exception for these arrays."""
        return self._make(*arrays)


def _raise(*data: Any, make: Callable[..., BaseException]) -> tuple[TensorSpec, ...]:
    raise make(*data)


raise_op = define(
    "raise",
    inputs="*data",
    same_dtype_inputs=None,
    kernel=_raise,
    infer=nothing,
    grad=None,
    traits=(STATEFUL, RAISES, CONTAINED, TAKES_WEAK),
    raises=(),
    lower=ByKernel("it makes a Python exception, and runs once"),
    doc="Raises ``make(*arrays)``.",
)
