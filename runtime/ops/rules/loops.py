"""Rules for ops that are loops over whole arrays: along an axis, or to computed places.

Each rule is given a ``Case`` and returns the plan of the loop, or None where the kernel has to
compute the result.  ``engine/llvm/array_loops/`` has the code of each kind of plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops.rules.elements import pick_of
from runtime.ops.rules.lowering import Case


class Scan(NamedTuple):
    """Each element combined with the result of the one before along an axis.

    opcode     ``add``, ``mul``, ``logaddexp``; ``linear``: the product with a factor, plus the
               element; the factors are the first input
    unit       what stands first if the elements themselves are left out (``exclusive``)
    lagged     whether the factor of the element before counts
    """

    opcode: str
    axis: int
    reverse: bool
    exclusive: bool = False
    unit: float = 0
    lagged: bool = False


class Extreme(NamedTuple):
    """Position of the first greatest, or least, element along an axis; NaN comes before all."""

    greatest: bool
    axis: int


class Ordering(NamedTuple):
    """Elements in order along an axis, or their positions; NaN is the greatest.

    results  for each result whether it is positions
    limit    input that says how many come out, or None: all
    """

    axis: int
    descending: bool
    results: tuple[bool, ...]
    limit: int | None = None


class Search(NamedTuple):
    """Positions where values would be inserted in sorted rows, left or right of equal ones."""

    right: bool


class Scatter(NamedTuple):
    """Rows of an array combined with updates at indexes, one after the other.

    how      ``update``, ``add``, ``sub``, ``mul``, ``max``, ``min``; ``count``: without updates
    indices  input of the indexes; ``updates`` of what they are combined with
    base     input that is changed; None: an array that is filled with ``start``
    axis     axis of the array that is indexed
    depth    None; or how many axes a tuple of indexes is for, the last axis of the indices
    below    what indexes below 0 mean: nothing exists (``""``), ``wrap`` around, ``drop``
    rows     what says how many rows there are: the input of a shape or number; None: the greatest
             index, or, of ``sorted`` indexes, the last one
    empty    number in rows of sorted indexes that have no updates
    """

    how: str
    indices: int
    updates: int
    base: int | None = None
    start: float = 0
    axis: int = 0
    depth: int | None = None
    below: str = ""
    rows: int | None = None
    sorted: bool = False
    empty: float = 0


class Compaction(NamedTuple):
    """Rows of an array that a mask chooses, or the positions of what is true in the mask.

    data   input of the rows, whose first axes are those of the mask; None: positions
    parts  whether the mask holds the number of the result that each row goes to
    """

    mask: int
    data: int | None = None
    parts: bool = False


class Expansion(NamedTuple):
    """Rows of an input, one after the other, written to the rows of another that a mask chooses.

    There are as many as the mask chooses.
    """

    mask: int
    updates: int
    base: int = 0


class Decomposition(NamedTuple):
    """Call of LAPACK for each matrix: ``solve``, ``inv``, ``cholesky``, ``eigh``, ``eigvalsh``."""

    function: str


LoopPlan = (
    Scan | Extreme | Ordering | Search | Scatter | Compaction | Expansion | Decomposition
)
Rule = Callable[[Case], LoopPlan | None]


def _axis(case: Case, input: int = 0) -> int | None:
    rank, axis = len(case.dims[input]), case.attrs["axis"]
    return axis % rank if -rank <= axis < rank else None


# -- along an axis --------------------------------------------------------------------------------


def scan(opcode: str, unit: float) -> Rule:
    """Return the rule of a scan that begins with a unit if it is exclusive."""

    def rule(case: Case) -> Scan | None:
        axis = _axis(case)
        kinds = "iuf" if opcode == "logaddexp" else "iufc"
        if axis is None or case.dtypes[0].kind not in kinds:
            return None
        return Scan(opcode, axis, case.attrs["reverse"], case.attrs["exclusive"], unit)

    return rule


def recurrence(case: Case) -> Scan | None:
    """A scan of two inputs: factors, and what is added."""
    axis = _axis(case, 1)
    if axis is None or len(case.dims[0]) != len(case.dims[1]) or case.dtypes[0].kind not in "fc":
        return None
    return Scan("linear", axis, case.attrs["reverse"], lagged=case.attrs["lagged"])


def extreme(greatest: bool) -> Rule:
    """Return the rule of a position of an extreme."""

    def rule(case: Case) -> Extreme | None:
        axis = _axis(case)
        return None if axis is None else Extreme(greatest, axis)

    return rule


def ordering(positions: bool) -> Rule:
    """Return the rule of sorted elements, or of their positions."""

    def rule(case: Case) -> Ordering | None:
        axis = _axis(case)
        return None if axis is None else Ordering(axis, case.attrs["descending"], (positions,))

    return rule


def greatest_first(case: Case) -> Ordering | None:
    """The greatest elements along the last axis, and their positions."""
    rank = len(case.dims[0])
    if not rank or case.dims[1] != () or case.dtypes[1].kind not in "iu":
        return None
    return Ordering(rank - 1, True, (False, True), 1)


def search(case: Case) -> Search | None:
    """The positions of values in sorted rows."""
    if len(case.dims[0]) != len(case.dims[1]) or not case.dims[0]:
        return None
    return Search(case.attrs["side"] == "right") if case.dtypes[0] == case.dtypes[1] else None


# -- to computed places ---------------------------------------------------------------------------


def _is_index(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "i" or (dtype.kind == "u" and dtype.itemsize < 8)


def _combines(how: str, dtype: np.dtype[Any]) -> bool:
    return how == "update" or dtype.kind in ("iuf" if how in ("max", "min") else "iufc")


def _by_tuples(plan: Scatter, case: Case) -> Scatter | None:
    dims = case.dims[plan.indices]
    depth = dims[-1] if dims else None
    if not depth or depth > len(case.result) or not _is_index(case.dtypes[plan.indices]):
        return None
    if not _combines(plan.how, case.dtypes[plan.updates]):
        return None
    if len(case.dims[plan.updates]) != len(dims) - 1 + len(case.result) - depth:
        return None
    return plan._replace(depth=depth)


def added_to_zeros(case: Case) -> Scatter | None:
    """Updates at tuples of indexes, added to zeros of a shape."""
    return _by_tuples(Scatter("add", 0, 1, rows=2), case)


def changed_at_tuples(how: str) -> Rule:
    """Return the rule of updates at tuples of indexes of the first input."""
    return lambda case: _by_tuples(Scatter(how, 2, 1, base=0), case)


def rows_changed(case: Case) -> Scatter | None:
    """Rows of the first input, combined with updates, or with one number."""
    how, updates = case.attrs["how"], case.dims[1]
    if how == "div" or not _combines(how, case.dtypes[0]) or not _is_index(case.dtypes[2]):
        return None
    if updates and len(updates) != len(case.dims[2]) + len(case.dims[0]) - 1:
        return None
    return Scatter(how, 2, 1, base=0)


def _at_key(plan: Scatter, dims: Any, case: Case) -> Scatter | None:
    """A plan for a key that is full slices and one array of ints."""
    pick = pick_of(dims, case.attrs["key"], case.dims[2:], case.dtypes[2:])
    if pick is None or any(step != (0, 1) for step in pick.ways):
        return None
    updates = len(case.dims[plan.updates])
    if updates not in (len(case.dims[2]) + len(dims) - 1, 0) or not _is_index(case.dtypes[2]):
        return None
    return plan._replace(axis=pick.axis)


def added_at_key(case: Case) -> Scatter | None:
    """The first input, added at a key to zeros of a shape."""
    if not _combines("add", case.dtypes[0]) or not case.dims[0]:
        return None
    return _at_key(Scatter("add", 2, 0, rows=1, below="wrap"), case.result, case)


def written_at_key(case: Case) -> Scatter | Expansion | None:
    """The second input, written to the first at a key."""
    if case.dtypes[0] != case.dtypes[1]:
        return None
    base, updates, *masks = case.dims
    if len(case.attrs["key"]) == len(masks) == 1 and case.dtypes[2].kind == "b":
        fits = 0 < len(masks[0]) <= len(base) == len(updates) + len(masks[0]) - 1
        return Expansion(2, 1) if fits else None
    return _at_key(Scatter("update", 2, 1, base=0, below="wrap"), case.dims[0], case)


def _start(how: str, dtype: np.dtype[Any]) -> float:
    """What a segment begins with: the dtype's end for extremes."""
    if how in ("add", "mul"):
        return int(how == "mul")
    limits: Any = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    least, greatest = limits.min, limits.max
    extreme = least if how == "max" else greatest
    return int(extreme) if dtype.kind in "iu" else float(extreme)


def by_segment(how: str, sorted: bool) -> Rule:
    """Return the rule of a reduction of rows by the numbers of their segments."""

    def rule(case: Case) -> Scatter | None:
        data, ids = case.dims[:2]
        if not _combines(how, case.dtypes[0]) or not _is_index(case.dtypes[1]):
            return None
        if not ids or len(data) < len(ids) or (sorted and len(ids) != 1):
            return None
        start = _start(how, case.dtypes[0])
        if sorted:
            return Scatter(how, 1, 0, start=start, sorted=True, empty=int(how == "mul"))
        return Scatter(how, 1, 0, start=start, below="drop", rows=2)

    return rule


def kept_by_mask(case: Case) -> Compaction | None:
    """Rows of the first input that the mask in the key chooses."""
    if len(case.attrs["key"]) != 1 or len(case.dims) != 2 or case.dtypes[1].kind != "b":
        return None
    return Compaction(1, 0) if 0 < len(case.dims[1]) <= len(case.dims[0]) else None


def true_positions(case: Case) -> Compaction | None:
    """Positions of the elements that are not zero."""
    return Compaction(0) if case.dims[0] else None


def parted(case: Case) -> Compaction | None:
    """Rows of the first input, by the number of the result that each goes to."""
    data, numbers = case.dims[:2]
    if not numbers or len(data) < len(numbers) or not _is_index(case.dtypes[1]):
        return None
    return Compaction(1, 0, True)


def counted(case: Case) -> Scatter | None:
    """How often each number occurs."""
    dtype = case.attrs["dtype"].as_numpy_dtype
    if np.dtype(dtype).kind != "i" or not _is_index(case.dtypes[0]) or not case.dims[0]:
        return None
    return Scatter("count", 0, 0) if case.dims[1] == () else None


# -- matrices -------------------------------------------------------------------------------------


def decomposition(function: str) -> Rule:
    """Return the rule of a function of matrices, or of matrices and right-hand sides."""

    def rule(case: Case) -> Decomposition | None:
        batches = {tuple(dims[:-2]) for dims in case.dims}
        same = len(batches) == 1 and len({len(dims) for dims in case.dims}) == 1
        is_real = set(case.dtypes) in ({np.dtype(np.float32)}, {np.dtype(np.float64)})
        return Decomposition(function) if same and is_real else None

    return rule
