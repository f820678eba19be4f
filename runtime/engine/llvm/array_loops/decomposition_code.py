"""LLVM code that has LAPACK decompose each matrix of an array.

What LAPACK refuses, such as a singular matrix, goes to the kernel, which raises.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.arrays import library_names as names_of
from runtime.engine.llvm.arrays.blas import type_name
from runtime.engine.llvm.builder import ArrayElements, CodeVariable
from runtime.engine.llvm.values import LaneValue
from runtime.ops.rules.loops import Decomposition

_FUNCTIONS = {
    "cholesky": names_of.CHOLESKY, "eigh": names_of.EIGENVECTORS,
    "eigvalsh": names_of.EIGENVALUES, "inv": names_of.INVERT, "solve": names_of.SOLVE,
}  # fmt: skip
_LONG = 48
"""So many rows let other Python threads run meanwhile."""


def emit(frame: LoopFrame, plan: Decomposition) -> None:
    """Emit the decompositions of a batch."""
    *batch, rows, columns = frame.sizes(0)
    frame.equal(rows, columns)
    frame.refuse(frame.text.value(f"icmp eq i64 {rows}, 0"))
    width = rows
    if plan.function == "solve":
        *of_right, height, width = frame.sizes(1)
        frame.all_equal([*batch, rows], [*of_right, height])
        frame.refuse(frame.text.value(f"icmp eq i64 {width}, 0"))
    shapes = [[*batch, rows, width]]
    if plan.function in ("eigh", "eigvalsh"):
        shapes = [[*batch, rows], [*batch, rows, rows]][: len(frame.loop.results)]
    arrays = [frame.array(number) for number in range(len(frame.names))]
    arrays += [frame.result(number, shape) for number, shape in enumerate(shapes)]

    code = LoopFunction(frame, "", "i1")
    params = [code.array(f"p{number}", array) for number, array in enumerate(arrays)]
    count = code.number("count", frame.product(batch))
    n, k = code.number("n", rows), code.number("k", width)
    extents = [n * n] * len(params)
    if plan.function == "solve":
        extents = [n * n, n * k, n * k]
    if plan.function in ("eigh", "eigvalsh"):
        extents[1] = n
    holds = CodeVariable(code, ir.BOOL, "true")
    name = f"{_FUNCTIONS[plan.function]}_{type_name(frame.element(0))}"
    with code.each(count) as number:
        args = [
            f"ptr {_matrix(param, number * extent)}"
            for param, extent in zip(params, extents, strict=True)
        ]
        args += [f"i64 {k}", f"i64 {n}"] if plan.function == "solve" else [f"i64 {n}"]
        success = code.value(code.text.call("i1", name, *args), ir.BOOL)
        holds.set(holds.get() & success)
    is_long = frame.text.value(f"icmp ugt i64 {rows}, {_LONG}")
    with frame.text.without_lock(is_long):
        holds_for_all = code.finish_and_call(holds.get())
    frame.require(holds_for_all)


def _matrix(elements: ArrayElements, start: LaneValue) -> str:
    return elements.at(start)
