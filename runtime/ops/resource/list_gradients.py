"""Op definitions of the gradients of lists: which entries have one, and what it is.

The gradient of a list is a value like the list: for some entries a tuple of arrays, one for each of
the entry's values that can have a gradient; an entry without one counts as zero.  So the gradient
of reading, writing or dropping one entry costs the same however long the list is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.array.shape import shape_op
from runtime.ops.op import Missing, OpDef, define
from runtime.types.dtypes import SMOOTH, Array, int64, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__: list[str] = []

Entry = tuple[Any, ...]
GRADIENT = TensorSpec(SCALAR_SHAPE, variant)
_NO_SAMPLES = Missing("gradients of lists are no arrays")
_lock = fork_safe_lock()


def differentiable(tensor: Any) -> bool:
    """Whether a tensor can have a gradient: floats, complex numbers, lists; no Python numbers."""
    spec = getattr(tensor, "spec", None)
    if spec is None:  # an eager tensor
        dtype: Any = getattr(tensor._array, "dtype", variant)
    elif tensor.weak:
        return False
    else:
        dtype = spec.dtype
    return dtype is variant or dtype.kind in SMOOTH


class ListGradient:
    """The gradients of some entries, by their number.

    Values are never changed, but versions share one dictionary: the newest owns it, each older one
    knows how it differs from the next.  So a change costs what it changes.
    """

    __slots__ = ("_entries", "_next", "_undo")

    def __init__(self, entries: dict[int, Entry]) -> None:
        self._entries: dict[int, Entry] | None = entries
        self._next: ListGradient | None = None
        self._undo: dict[int, Entry | None] = {}

    def entries(self) -> Mapping[int, Entry]:
        """The entries that have a gradient; not to be changed, nor kept."""
        if self._entries is not None:
            return self._entries
        chain: list[ListGradient] = []
        version: ListGradient = self
        while version._next is not None:
            chain.append(version)
            version = version._next
        assert version._entries is not None
        entries = dict(version._entries)
        for older in reversed(chain):
            _apply(entries, older._undo)
        return entries

    def changed(self, changes: Mapping[int, Entry | None]) -> ListGradient:
        """With other gradients for some entries; None takes one away."""
        with _lock:
            entries = self._entries
            if entries is None:
                entries = dict(self.entries())
                _apply(entries, changes)
                return ListGradient(entries)
            self._undo = {number: entries.get(number) for number in changes}
            _apply(entries, changes)
            newer = ListGradient(entries)
            self._entries, self._next = None, newer
            return newer

    def __repr__(self) -> str:
        return f"<gradients of {len(self.entries())} entries>"


def _apply(entries: dict[int, Entry], changes: Mapping[int, Entry | None]) -> None:
    for number, entry in changes.items():
        if entry is None:
            entries.pop(number, None)
        else:
            entries[number] = entry


def _sum(first: Any, second: Any) -> Any:
    return _added(first, second) if isinstance(first, ListGradient) else np.add(first, second)


def _added(x: ListGradient, y: ListGradient) -> ListGradient:
    if len(x.entries()) < len(y.entries()):
        x, y = y, x
    entries = x.entries()
    changes: dict[int, Entry | None] = {}
    for number, entry in y.entries().items():
        old = entries.get(number)
        changes[number] = entry if old is None else tuple(map(_sum, old, entry))
    return x.changed(changes)


def _gradient(*_: Any, **__: Any) -> TensorSpec:
    return GRADIENT


def _define(name: str, inputs: str, kernel: Callable[..., Any], doc: str, grad: Any) -> OpDef:
    return define(
        name, inputs=inputs, same_dtype_inputs=None, kernel=kernel, infer=_gradient, grad=grad,
        samples=_NO_SAMPLES, doc=doc,
    )  # fmt: skip


no_entries = _define(
    "gradient_none", "", lambda: ListGradient({}), "The gradient of a list, all zero.", None
)

add_lists = _define(
    "gradient_add", "x y", _added, "The sum of two gradients of one list.",
    lambda x, y, z, dz: (dz, dz),
)  # fmt: skip


# -- one entry ------------------------------------------------------------------------------------


def _place(length: Array, index: Array) -> int:
    """The number of an entry; the forward pass has checked that there is one."""
    return int(index) % max(int(length), 1)


def _of_entry(length: Array, index: Array, *values: Any) -> ListGradient:
    return ListGradient({_place(length, index): values})


of_entry: OpDef = _define(
    "gradient_of_entry", "length index *values", _of_entry,
    "The gradient of a list of which one entry has one.",
    lambda length, index, *rest: (None, None, *entry(rest[-1], length, index, rest[:-2])),
)  # fmt: skip


def _entry(x: ListGradient, length: Array, index: Array, *sizes: Any, specs: Sequence[TensorSpec]
           ) -> tuple[Any, ...]:  # fmt: skip
    entry_values = x.entries().get(_place(length, index))
    if entry_values is not None:
        return entry_values
    sizes_left = iter(sizes)
    return tuple([_zero(spec, sizes_left) for spec in specs])


def _zero(spec: TensorSpec, sizes: Any) -> Any:
    if spec.dtype is variant:
        return ListGradient({})
    dims = spec.shape.dims if spec.shape.is_fully_defined() else next(sizes).tolist()
    return np.zeros(dims, spec.dtype.as_numpy_dtype)


def _entry_grad(x: Any, length: Any, index: Any, *values: Any, specs: Any) -> tuple[Any, ...]:
    count = len(specs)
    sizes = values[: len(values) - 2 * count]
    return (
        of_entry(length, index, *values[len(values) - count :]),
        None,
        None,
        *[None for _ in sizes],
    )


entry_op: OpDef = define(
    "gradient_entry",
    inputs="x length index *sizes",
    same_dtype_inputs=None,
    kernel=_entry,
    infer=lambda *_, specs: tuple(specs),
    grad=_entry_grad,
    samples=_NO_SAMPLES,
    doc="The gradients of the values of one entry; ``sizes`` are those of unknown shapes.",
)


def entry(x: Any, length: Any, index: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """The gradients of the values of an entry, of their types."""
    specs, sizes = [], []
    for value in values:
        spec = spec_of(value)
        specs.append(spec)
        if spec.dtype is not variant and not spec.shape.is_fully_defined():
            sizes.append(shape_op(value, out_type=int64))
    entry_values = entry_op(x, length, index, *sizes, specs=tuple(specs))
    return tuple(entry_values) if specs else ()


def spec_of(value: Any) -> TensorSpec:
    """The type of a tensor, eager or of a graph."""
    array = getattr(value, "_array", None)
    if array is None:
        return TensorSpec(value.shape, value.dtype)
    is_array = isinstance(array, np.ndarray | np.generic)
    return TensorSpec(array.shape, array.dtype) if is_array else GRADIENT


without_entry: OpDef = _define(
    "gradient_without", "x length index",
    lambda x, length, index: x.changed({_place(length, index): None}),
    "The gradient of a list, zero for one entry.",
    lambda x, length, index, y, dy: (without_entry(dy, length, index), None, None),
)  # fmt: skip


# -- entries that move ----------------------------------------------------------------------------


def _moved(x: ListGradient, first: int, by: int) -> ListGradient:
    entries = x.entries()
    if all(number < first for number in entries):
        return x
    return ListGradient({n + by if n >= first else n: e for n, e in entries.items()})


def _opened(x: ListGradient, length: Array, index: Array) -> ListGradient:
    position = _place(length, index)
    return x if position == int(length) - 1 else _moved(x, position, 1)


def _closed(x: ListGradient, length: Array, index: Array) -> ListGradient:
    position = _place(length, index)
    x = x.changed({position: None})
    return x if position == int(length) - 1 else _moved(x, position, -1)


opened: OpDef = _define(
    "gradient_opened", "x length index", _opened,
    "The gradient of a list of which an entry is dropped.",
    lambda x, length, index, y, dy: (closed(dy, length, index), None, None),
)  # fmt: skip
closed: OpDef = _define(
    "gradient_closed", "x length index", _closed,
    "The gradient of a list without one of its entries.",
    lambda x, length, index, y, dy: (opened(dy, length, index), None, None),
)  # fmt: skip


def _numbers(length: Array, bounds: Sequence[Array], key: slice) -> range:
    (filled,) = map_key((key,), lambda p: int(bounds[p.index]) if isinstance(p, KeyInput) else p)
    return range(int(length))[filled]


def _spread(x: ListGradient, length: Array, *bounds: Array, key: slice) -> ListGradient:
    numbers = _numbers(length, bounds, key)
    return ListGradient({numbers[k]: e for k, e in x.entries().items() if k < len(numbers)})


def _picked(x: ListGradient, length: Array, *bounds: Array, key: slice) -> ListGradient:
    entries = x.entries()
    numbers = enumerate(_numbers(length, bounds, key))
    return ListGradient({k: entries[n] for k, n in numbers if n in entries})


spread: OpDef = _define(
    "gradient_spread", "x length *bounds", _spread,
    "The gradient of a list, given that of a slice of it.",
    lambda x, length, *rest, key: (
        picked(rest[-1], length, *rest[:-2], key=key), *[None for _ in rest[1:]]
    ),
)  # fmt: skip
picked: OpDef = _define(
    "gradient_picked", "x length *bounds", _picked,
    "The gradient of a slice of a list, given that of the list.",
    lambda x, length, *rest, key: (
        spread(rest[-1], length, *rest[:-2], key=key), *[None for _ in rest[1:]]
    ),
)  # fmt: skip


def _layout(length: Array, other_length: Array, bounds: Sequence[Array], key: slice
            ) -> list[tuple[int, int]]:  # fmt: skip
    """Where each entry of a spliced list comes from: which list, and its number there."""
    (filled,) = map_key((key,), lambda p: int(bounds[p.index]) if isinstance(p, KeyInput) else p)
    layout = [(0, k) for k in range(int(length))]
    layout[filled] = [(1, k) for k in range(int(other_length))]
    return layout


def _unspliced(x: ListGradient, length: Array, other_length: Array, *bounds: Array, key: slice
               ) -> tuple[Any, ...]:  # fmt: skip
    gradients: tuple[dict[int, Entry], dict[int, Entry]] = ({}, {})
    layout = _layout(length, other_length, bounds, key)
    for number, values in x.entries().items():
        which, position = layout[number]
        gradients[which][position] = values
    return ListGradient(gradients[0]), ListGradient(gradients[1])


def _spliced(x: ListGradient, y: ListGradient, length: Array, other_length: Array, *bounds: Array,
             key: slice) -> ListGradient:  # fmt: skip
    entries = (x.entries(), y.entries())
    layout = enumerate(_layout(length, other_length, bounds, key))
    return ListGradient({n: entries[w][k] for n, (w, k) in layout if k in entries[w]})


unspliced: OpDef = define(
    "gradient_unspliced",
    inputs="x length other *bounds",
    same_dtype_inputs=None,
    kernel=_unspliced,
    infer=lambda *_, key: (GRADIENT, GRADIENT),
    grad=lambda x, length, other, *rest, key: (
        spliced(*rest[-2:], length, other, *rest[:-4], key=key), *[None for _ in rest[2:]]
    ),
    samples=_NO_SAMPLES,
    doc="The gradients of a list and of another that replaced a slice of it.",
)  # fmt: skip
spliced: OpDef = _define(
    "gradient_spliced", "x y length other *bounds", _spliced,
    "The gradient of a list of which a slice was replaced.",
    lambda x, y, length, other, *rest, key: (
        *unspliced(rest[-1], length, other, *rest[:-2], key=key), *[None for _ in rest]
    ),
)  # fmt: skip


# -- all entries ----------------------------------------------------------------------------------

unstacked: OpDef = _define(
    "gradient_unstacked", "x",
    lambda x: ListGradient({k: (row,) for k, row in enumerate(x)}),
    "The gradient of a list, given that of its entries stacked.",
    lambda x, y, dy: (stacked(dy, shape_op(x, out_type=int64), spec=spec_of(x)),),
)  # fmt: skip


def _stacked(x: ListGradient, sizes: Array, *, spec: TensorSpec) -> Any:
    result = np.zeros(sizes.tolist(), spec.dtype.as_numpy_dtype)
    for number, (value,) in x.entries().items():
        result[number] = value
    return result


stacked: OpDef = define(
    "gradient_stacked",
    inputs="x shape",
    same_dtype_inputs=None,
    kernel=_stacked,
    infer=lambda x, shape, *, spec: spec,
    grad=lambda x, shape, y, dy, *, spec: (unstacked(dy), None),
    samples=_NO_SAMPLES,
    doc="The gradients of the entries of a list, along a new leading axis.",
)
