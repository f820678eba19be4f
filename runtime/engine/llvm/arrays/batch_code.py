"""LLVM code of batches of products of matrices, which threads share: a task is some products.

BLAS's own threads would share each product, and wait for one another at its end.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.blas_code import TYPES, blas_code
from runtime.engine.llvm.arrays.library_names import FITS, MULTIPLY, MULTIPLY_BATCH
from runtime.engine.llvm.arrays.task_code import run_tasks, task_function, tasks_code
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
from runtime.engine.llvm.builder import Builder, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.vector_math.processor import Processor

_PARAMS = (
    "ptr %a", "i64 %am", "i64 %ak", "ptr %b", "i64 %bk", "i64 %bn", "ptr %c", "i64 %m", "i64 %n",
    "i64 %k", "i64 %count", "i64 %a_next", "i64 %b_next", "i64 %step",
)  # fmt: skip
"""A product, how many there are, the bytes to the next matrices, and the products of a task."""


def batch_code(name: str, processor: Processor) -> str:
    """Return the LLVM code for a type."""
    code = blas_code(name, processor)
    code = code.replace(f"define i1 @{FITS}", f"define internal i1 @{FITS}")
    code = code.replace(f"define void @{MULTIPLY}", f"define internal void @{MULTIPLY}")
    if f"@{TILED}_" not in code:
        code += "\n" + tiled_code(TYPES[name].element, processor)
    code += "\ndeclare i32 @blas_threads()\n" + tasks_code()
    lines, declared = [], set[str]()
    for line in code.split("\n"):
        if not line.startswith("declare ") or line not in declared:
            lines.append(line)
            declared.add(line)
    return "\n".join([*lines, _task(name), _entry(name)])


def _entry(name: str) -> str:
    """Return the function of a batch; it returns 0, or why it failed."""
    code = Builder(FunctionText(f"define i32 @{MULTIPLY_BATCH}_{name}({', '.join(_PARAMS)})"))
    step = code.value("%step")
    count = (code.value("%count") + step - 1) // step
    status = run_tasks(code.text, f"batch_task_{name}", count.name, _PARAMS, shared="true")
    return code.finish(f"i32 {status}")


def _task(name: str) -> str:
    """Return the function of a task: of the frame, its number, and memory that it does not need."""
    code = Builder(task_function(f"batch_task_{name}", _PARAMS))
    c_next = code.value("%m") * code.value("%n") * TYPES[name].item
    in_tiles = code.call("blas_threads", gives=ir.INT32) > 1
    step = code.value("%step")
    first = code.value("%task") * step
    stop = (first + step).call("umin", code.value("%count"))
    is_done = CodeVariable(code, ir.BOOL)
    with code.each(stop, first) as number:
        a, b, c = (
            code.address(data) + number * distance for data, distance in
            (("%a", code.value("%a_next")), ("%b", code.value("%b_next")), ("%c", c_next))
        )  # fmt: skip
        args = a, "i64 %am, i64 %ak", b, "i64 %bk, i64 %bn", c, "i64 %m, i64 %n, i64 %k"
        is_done.set("false")
        with code.only_if(in_tiles):
            is_done.set(code.call(f"{TILED}_{TYPES[name].element}", *args, gives=ir.BOOL))
        with code.only_if(~is_done.get()):
            code.run(f"{MULTIPLY}_{name}", *args)
    definition = code.finish()
    return "\n".join([*code.text.declared.values(), definition])
