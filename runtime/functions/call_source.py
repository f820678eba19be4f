"""Python text of fast calls: the one writer of such text for traced functions.

``direct_call.py`` decides what the direct call of a trace has to do, and writes it in these words.
A function that is written out gives MISS wherever the general way has to be taken, which gives the
same result or raises the error.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph import staging
from runtime.eager.tensor import Tensor, silent_copy, wrap
from runtime.functions.list_layouts import are_distinct
from runtime.graph.python_values import weak_array
from runtime.types.node_types import NodeType
from runtime.types.python_source import MISS, PythonSource
from runtime.types.settings import SETTINGS
from runtime.types.treedef import TreeDef

_ARRAYS_OF: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64}
"""By class of a Python number: what makes an array of it in a fifth of the usual time."""

_DEEPEST = 50
"""Python's parser takes about 100 brackets one inside the other."""

_COUNTED = (int, float, complex, str, bytes, bool, type(None))
"""Classes of values that are compared by value: an equal one may be another object."""


class CallSource(PythonSource):
    """Text of the function that makes the fast call of a trace."""

    def __init__(self, **values: Any) -> None:
        super().__init__(
            MISS=MISS, settings=SETTINGS, Tensor=Tensor, new=object.__new__, wrap=wrap,
            errstate=np.errstate, copy=silent_copy, **values,
        )  # fmt: skip
        self._holders: dict[int, str] = {}
        """Names of the dicts that hold slots, by the identity of the holder."""

    def miss_if(self, condition: str) -> None:
        """Take the general way on a condition."""
        self.line(f"if {condition}: return MISS")

    def lines_of(self, lines: Sequence[str], depth: int = 1) -> None:
        """Add several lines."""
        for text in lines:
            self.line(text, depth)

    # -- arguments ----------------------------------------------------------------------------

    def check_class(self, name: str, cls: type) -> None:
        """Take the general way for values of other classes."""
        self.miss_if(f"type({name}) is not {self.known(cls, 'k')}")

    def check_literal(self, name: str, value: Any) -> None:
        """Take the general way for other values than a number, text, bytes or None."""
        if value is None:
            self.miss_if(f"{name} is not None")
            return
        self.check_class(name, type(value))
        if type(value) is float:  # 0.0 is equal to -0.0, and NaN to nothing
            self.miss_if(f"{name}.hex() != {value.hex()!r}")
        else:
            self.miss_if(f"{name} != {self.known(value, 'c')}")

    def check_array(
        self, array: str, dtype: np.dtype[Any], dims: Sequence[int | None] | None, is_number: bool
    ) -> None:
        """Take the general way for arrays of other types; ``is_number``: of NumPy's, perhaps."""
        number = f"type({array}) is not {self.known(dtype.type, 'k')} and " if is_number else ""
        same = self.known(dtype, "d")  # comes from a file as another object
        self.miss_if(f"{number}{array}.dtype is not {same} and {array}.dtype != {same}")
        if dims is None:
            return
        if None not in dims:
            self.miss_if(f"{number}{array}.shape != {tuple(dims)}")
            return
        self.miss_if(f"len({array}.shape) != {len(dims)}")
        for axis, size in enumerate(dims):
            if size is not None:
                self.miss_if(f"{array}.shape[{axis}] != {size}")

    def check_items(self, name: str, depth: int) -> None:
        """Take the general way where lists, nested so deep, hold no item that is no list: the types
        of items are not known.
        """
        shallow = name if depth == 1 else f"any({name})"
        deep = f"{self.known(_holds_items, 'f')}({name}, {depth})"
        self.miss_if(f"not {deep if depth > 2 else shallow}")

    def check_distinct(self, depths: dict[str, int]) -> None:
        """Take the general way where one list is given twice; ``depths``: how deep they nest."""
        if len(depths) > 3 or max(depths.values(), default=0) > 1:
            pairs = "".join([f"({name}, {depth}), " for name, depth in depths.items()])
            self.miss_if(f"not {self.known(are_distinct, 'f')}(({pairs}))")
            return
        for first, second in itertools.combinations(depths, 2):
            self.miss_if(f"{first} is {second}")

    # -- state ----------------------------------------------------------------------------------

    def check_links(self, links: Sequence[Any]) -> None:
        """Take the general way where a link refers to another object by now."""
        for link in links:
            self.miss_if(f"not ({self._holds(link)})")

    def _holds(self, link: Any) -> str:
        """The expression that tells whether a link refers to what it did."""
        empty = getattr(link, "empty", None)
        if empty is not None:
            return f"not {self.known(empty, 'd')}"
        general = f"{self.known(link, 'l')}.holds"
        if not isinstance(link, staging.Link) or not link.holds:
            return general
        slot: Any = link.slot
        holder, value = self._dict_of(slot), slot.read()
        if holder is None:
            return general
        if value is staging.UNDEFINED:
            return f"{slot.key!r} not in {holder}"
        present = f"{holder}.get({slot.key!r}, MISS)"
        if type(value) in _COUNTED or value is not link.target:
            return f"{present} is {self.known(value, 'v')} or {general}"  # or one that is equal
        try:
            return f"{present} is {self.known(weakref.ref(value), 't')}()"
        except TypeError:
            return f"{present} is {self.known(value, 'v')}"

    def _dict_of(self, slot: Any) -> str | None:
        """The name of the dict that holds a slot; None where it is held otherwise."""
        holder = slot.holder()
        if holder is None or type(slot.key) is not str:
            return None
        name = self._holders.get(id(holder))
        if name is None:
            if type(holder) is dict:
                name = self.known(holder, "d")
            elif not _has_plain_dict(holder, slot.key):
                return None
            else:
                name, target = self.fresh("d"), self.fresh("h")
                self.line(f"{target} = {self.known(weakref.ref(holder), 'r')}()")
                self.miss_if(f"{target} is None")
                self.line(f"{name} = {target}.__dict__")
            self._holders[id(holder)] = name
        return name

    def read_slot(self, slot: Any) -> str:
        """The name of what a slot holds."""
        holder, value = self._dict_of(slot), self.fresh("v")
        read = f"{holder}.get({slot.key!r}, MISS)" if holder else f"{self.known(slot.read, 'r')}()"
        self.line(f"{value} = {read}")
        return value

    def array_of(self, cls: type, name: str) -> str:
        """The expression of the array of a Python number or text of a class."""
        return f"{self.known(_ARRAYS_OF.get(cls, weak_array), 'm')}({name})"

    def write_slots(self, written: Sequence[Any], texts: Sequence[str | None], lock: Any) -> bool:
        """Write what expressions give to slots; whether all of these are plain."""
        lock_name = self.known(lock, "lock")
        self.lines_of([f"{lock_name}.enter()", "try:", "    pass"])
        for value, text in zip(written, texts, strict=True):
            if text is None or value.writes_arrays:
                return False
            holder = self._dict_of(value.slot)
            write = f"{self.known(value.slot.write, 'w')}({text})"
            self.line(f"{holder}[{value.slot.key!r}] = {text}" if holder else write, 2)
        self.lines_of(["finally:", f"    {lock_name}.leave()"])
        return True

    # -- results --------------------------------------------------------------------------------

    def numpy_number(self, cls: type[np.generic], text: str) -> str:
        """The expression that makes a NumPy number of a Python number that has its value.

        Adding a zero takes a third of the time of calling the class.  0.0 would make -0.0 positive.
        """
        if issubclass(cls, np.bool_):
            return f"{self.known(cls, 'n')}({text})"
        zero = cls(-0.0) if issubclass(cls, np.floating) else cls(0)
        return f"({self.known(zero, 'z')} + {text})"

    def nest(self, layout: TreeDef, leaves: Sequence[str | None]) -> str | None:
        """The expression that makes a nest of those of its leaves; None where there is none."""
        if None in leaves or not _has_text(layout):
            return None
        text: str = layout.fold(leaves, partial(_node, self))
        return text


def _node(source: CallSource, kind: NodeType, data: Any, metadata: Any, entries: list[str]) -> str:
    """The expression that makes a collection of those of its entries."""
    if kind.cls is dict:
        by_key = dict(zip(kind.keys(data, len(entries)), entries, strict=True))
        keys = source.known(data[1], "keys")
        items = [f"{keys}[{i}]: {by_key[key]}" for i, key in enumerate(data[1])]
        return f"{{{', '.join(items)}}}"
    inner = "".join([f"{entry}, " for entry in entries])
    if kind.cls is list:
        return f"[{inner}]"
    return f"({inner})" if kind.cls is tuple else f"{source.known(kind.cls, 'kind')}({inner})"


def _has_text(structure: TreeDef) -> bool:
    """Whether ``_node`` writes out a structure: of plain collections, not too deep."""
    classes = {node[0] for node in structure.skeleton if node is not None}
    if not all(cls in (dict, list, tuple) or hasattr(cls, "_make") for cls in classes):
        return False
    return max(map(len, structure.paths()), default=0) <= _DEEPEST


def _has_plain_dict(holder: Any, key: str) -> bool:
    """Whether an attribute is in the object's dict, and its class has no slot of that name."""
    cls = type(holder)
    if isinstance(holder, type) or "__dict__" not in dir(cls) and not hasattr(holder, "__dict__"):
        return False
    try:
        weakref.ref(holder)
        attributes = object.__getattribute__(holder, "__dict__")
    except (TypeError, AttributeError):
        return False
    return (
        type(attributes) is dict
        and holder.__dict__ is attributes
        and not any(key in getattr(base, "__slots__", ()) for base in cls.__mro__)
    )


def _holds_items(value: Any, depth: int) -> bool:
    """Whether lists, nested so deep, hold any item that is no list."""
    if depth == 1:
        return bool(value)
    return any(type(item) is list and _holds_items(item, depth - 1) for item in value)
