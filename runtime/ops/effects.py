"""Rows with effects: print, assert and raise.  They run in program order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import nest
from runtime.errors import InvalidArgumentError
from runtime.facets.infer import nothing
from runtime.interpreter import Value, conversion_for, convert
from runtime.op import RAISES, STATEFUL, TAKES_WEAK, define
from runtime.types import TensorSpec

__all__ = ["Assert", "print"]


def _print(*values: Any, render: Callable[..., str], stream: Any) -> tuple[()]:
    file = stream() if callable(stream) else stream
    file.write(render(*values))
    file.flush()
    return ()


print_op = define(
    "print",
    inputs="*inputs",
    together=None,
    kernel=_print,
    infer=nothing,
    grad=None,
    label="PrintV2",
    traits=(STATEFUL, TAKES_WEAK),
    doc="Writes ``render(*arrays)`` to ``stream`` (a file, or a function that gives one).",
)


def _element(item: Any) -> str:
    """One number as TensorFlow prints it: the shortest of two precisions that reads back."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    if isinstance(item, np.bool_):
        return "1" if item else "0"
    if isinstance(item, np.floating):
        wide = item if item.dtype == np.float64 else np.float32(item)  # halves print as floats
        digits, more = (15, 17) if item.dtype == np.float64 else (6, 9)
        short = f"{wide:.{digits}g}"
        return short if type(wide)(short) == wide or wide != wide else f"{wide:.{more}g}"
    return str(item)


def _quoted(item: Any) -> str:
    return f'"{_element(item)}"' if isinstance(item, bytes) else _element(item)


def _text(value: Any, summarize: int) -> str:
    """An array as TensorFlow prints it, ``summarize`` entries at both ends of each axis."""
    array = np.asarray(value)
    if array.ndim == 0:
        return _element(array[()])
    edge = summarize if summarize >= 0 else array.size
    shown = 0 if max(array.shape) > 2 * edge else array.size + 1
    return np.array2string(
        array, edgeitems=max(edge, 1), threshold=shown, separator=" ", formatter={"all": _quoted},
        max_line_width=10**9,
    )  # fmt: skip


def shown(value: Any, summarize: int) -> str:
    """An array in a text of ``strings.format``: as printed, single strings in quotes, too."""
    array = np.asarray(value)
    return _quoted(array[()]) if array.ndim == 0 else _text(array, summarize)


_STREAMS: dict[Any, Callable[[], Any]] = {
    "stdout": lambda: sys.stdout,
    "stderr": lambda: sys.stderr,
}


def print(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> Any:
    """Print values when they are known; in a graph, an operation that prints when it runs.

    ``inputs`` are tensors, variables, Python values and nests of them.  Writes to ``output_stream``
    (``sys.stderr`` by default); arrays show ``summarize`` entries at each end (-1: all).
    """
    inputs = tuple([nest.map_structure(_read, value) for value in inputs])
    leaves = [leaf for value in inputs for leaf in nest.flatten(value)]
    tensors = [leaf for leaf in leaves if isinstance(leaf, Value)]
    edge = 3 if summarize is None else summarize

    def render(*arrays: Any) -> str:
        known = iter(arrays)
        texts = [
            nest.map_structure(
                lambda v: _Verbatim(_text(next(known), edge) if isinstance(v, Value) else str(v)),
                value,
            )
            for value in inputs
        ]
        return sep.join(str(text) for text in texts) + end

    stream = output_stream
    if stream is None or stream is sys.stderr:
        stream = _STREAMS["stderr"]  # looked up when it prints: the user may redirect it
    elif stream is sys.stdout:
        stream = _STREAMS["stdout"]
    return print_op(*tensors, render=render, stream=stream, name=name)


def _read(leaf: Any) -> Any:
    """The value of a variable; other values as they are."""
    return leaf if conversion_for(leaf) is None else convert(leaf)


class _Verbatim(str):
    """A text that shows without quotes inside a structure."""

    def __repr__(self) -> str:
        return str(self)


def _assert(condition: Any, *data: Any, fail: Callable[..., BaseException]) -> tuple[()]:
    if not np.all(condition):
        raise fail(*data)
    return ()


assert_op = define(
    "assert",
    inputs="condition *data",
    together=None,
    kernel=_assert,
    infer=nothing,
    grad=None,
    label="Assert",
    traits=(STATEFUL, RAISES, TAKES_WEAK),
    doc="Raises ``fail(*arrays)`` unless every element of the condition is true.",
)


def Assert(
    condition: Any, data: Any, summarize: int | None = 3, name: str | None = None
) -> Any:
    """InvalidArgumentError, showing ``data``, unless every element of ``condition`` is true."""
    edge = 3 if summarize is None else summarize

    def fail(*arrays: Any) -> BaseException:
        shown = ", ".join(_text(a, edge) for a in arrays)
        return InvalidArgumentError(f"assertion failed: [{shown}]")

    return assert_op(condition, *data, fail=fail, name=name)


def _raise(*data: Any, make: Callable[..., BaseException]) -> tuple[TensorSpec, ...]:
    raise make(*data)


raise_op = define(
    "raise",
    inputs="*data",
    together=None,
    kernel=_raise,
    infer=nothing,
    grad=None,
    traits=(STATEFUL, RAISES, TAKES_WEAK),
    doc="Raises ``make(*arrays)``.",
)
