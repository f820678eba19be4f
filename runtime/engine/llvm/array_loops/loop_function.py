"""Functions of loops over whole arrays, which are called where the loops stand.

    function = LoopFunction(frame)
    x, count = function.array("x", elements), function.number("count", size)
    with function.each_vector(count) as number:
        x[number] = x[number] * 2
    function.call()

Parameters and what they are given in the call stand together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.elements import apply_opcode
from runtime.engine.llvm.builder import SIZE, ArrayElements, Builder
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue


class LoopFunction(Builder):
    """Function of a loop, which is called where the loop stands."""

    def __init__(self, frame: Any, suffix: str = "", gives: str = "void") -> None:
        super().__init__(FunctionText(""), apply_opcode)
        self._frame = frame
        self._name = frame.name(suffix)
        self._gives = gives
        self._params: list[str] = []
        self._args: list[str] = []

    def number(self, name: str, value: object, type: ir.Scalar = SIZE) -> LaneValue:
        """Return a number that the function is given."""
        self._params.append(f"{llvm_type(type)} %{name}")
        self._args.append(f"{llvm_type(type)} {value}")
        return self.value(f"%{name}", type)

    def array(self, name: str, elements: ArrayElements) -> ArrayElements:
        """Return the elements of an array that the function is given."""
        self._params.append(f"ptr %{name}")
        self._args.append(f"ptr {elements.address}")
        return ArrayElements(self, elements.type, f"%{name}")

    def extents(self, sizes: Sequence[str], axis: int) -> tuple[LaneValue, LaneValue, LaneValue]:
        """Return how many elements there are before, along and after an axis."""
        product = self._frame.product
        before, after = product(sizes[:axis]), product(sizes[axis + 1 :])
        along = self.number("outer", before), self.number("n", sizes[axis])
        return *along, self.number("inner", after)

    def by_columns(self, inner: LaneValue) -> Iterator[LaneValue | None]:
        """Run the lines that are added meanwhile for one column, whose number is constant (None),
        and again for several.
        """
        for is_single in self.text.either((inner == 1).name):
            yield None if is_single else inner

    def finish_and_call(self, result: object = "") -> str:
        """End the function with a result; add it, and a call of it.  Return what that gives."""
        self.text.line(f"ret {self._gives} {result}".rstrip())
        head = f"define internal {self._gives} @{self._name}({', '.join(self._params)}) noinline"
        outer = self._frame.text
        self.text.head = head
        outer.declared.update(self.text.declared)
        outer.declared[self._name] = self.text.text()
        call = f"call {self._gives} @{self._name}({', '.join(self._args)})"
        if self._gives == "void":
            outer.line(call)
            return ""
        return str(outer.value(call))
