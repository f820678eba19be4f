"""Kernel IR of variables: reads and updates, whose sites do the same by the kernels."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.visible_lock import VisibleLock


class Place(NamedTuple):
    """Where the value of a variable is kept, by numbers of objects of the module: its storage, and
    the context variable with the values of the session that runs, if it has one for each session.
    """

    storage: int
    values: int | None = None


class VariableAccess(ir.Compute):
    """Read or update of a variable at once; where native code cannot do it, its kernel does.

    variable.read   gives the value
    variable.peek   gives the array, or the storage where there is none
    variable.write  replaces it by the argument
    variable.add    adds the argument to it, and gives the sum; so does variable.sub
    variable.set    writes an element of its array, and gives it; the arguments are the value and
                    an index for each axis
    variable.count  adds 1 to it if it is less than ``limit``, and gives the value before
    """

    __slots__ = ("limit", "place")

    def __init__(
        self, opcode: str, place: Place, args: ir.Registers,
        results: ir.Registers, site: ir.Site | None, limit: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(f"variable.{opcode}", args, results, site)
        self.place = place
        self.limit = limit

    @property
    def number(self) -> ir.Scalar | None:
        """Type of the variable if it is a number; None for arrays."""
        if self.opcode == "variable.set":
            return None
        type = (*self.args, *self.results)[0].type
        return type if isinstance(type, ir.Scalar) else None

    @property
    def writes(self) -> bool:
        """Whether it changes the variable."""
        return self.opcode not in ("variable.read", "variable.peek")


class Update(NamedTuple):
    """Assignment by which a fusion ends: the variable's value becomes the result of an operation.

    output  the value of the fusion that the variable gets
    place   where the variable's value is kept
    previous  the argument that is the value before; it must not have changed meanwhile
    """

    output: int
    place: Place
    previous: int


@cache
def offset(cls: type, name: str) -> int:
    """Return the offset in objects of a class at which a slot lies; 0 if it is not known."""
    instance: Any = object.__new__(cls)
    mark = object()
    setattr(instance, name, mark)
    for place in range(object.__basicsize__, cls.__basicsize__, 8):
        if ctypes.c_int64.from_address(id(instance) + place).value == id(mark):
            return place
    return 0


@cache
def is_storage_known() -> bool:
    """Return whether storages, and the arrays in them, lie in memory as native code expects."""
    slots: list[tuple[Any, str]] = [
        (VariableStorage, "array"), (VariableStorage, "lock"), (VisibleLock, "held"),
    ]  # fmt: skip
    return is_layout_known() and all(offset(cls, name) for cls, name in slots)
