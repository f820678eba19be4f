"""LLVM code of batches of products of matrices, which threads share: a task is some products.

BLAS's own threads would share each product, and wait for one another at its end.
"""

from __future__ import annotations

from runtime.engine.llvm.arrays.blas_code import TYPES, blas_code
from runtime.engine.llvm.arrays.library_names import FITS, MULTIPLY, MULTIPLY_BATCH
from runtime.engine.llvm.arrays.task_code import run_tasks, task_function, tasks_code
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
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
    text = FunctionText(f"define i32 @{MULTIPLY_BATCH}_{name}({', '.join(_PARAMS)})")
    padded = text.value(f"sub i64 {text.value('add i64 %count, %step')}, 1")
    count = text.value(f"udiv i64 {padded}, %step")
    status = run_tasks(text, f"batch_task_{name}", count, _PARAMS, shared="true")
    text.line(f"ret i32 {status}")
    return text.text()


def _task(name: str) -> str:
    """Return the function of a task: of the frame, its number, and memory that it does not need."""
    text = task_function(f"batch_task_{name}", _PARAMS)
    element = TYPES[name].element
    cells = text.value("mul i64 %m, %n")
    c_next = text.value(f"mul i64 {cells}, {TYPES[name].item}")
    threads = text.value("call i32 @blas_threads()")
    in_tiles = text.value(f"icmp sgt i32 {threads}, 1")
    first = text.value("mul i64 %task, %step")
    stop = text.call("i64", "llvm.umin.i64", f"i64 {text.value(f'add i64 {first}, %step')}",
                     "i64 %count")  # fmt: skip
    done = text.slot("i1")
    with text.counted_loop(stop, first) as number:
        places = [
            text.gep(data, text.value(f"mul i64 {number}, {step}"))
            for data, step in (("%a", "%a_next"), ("%b", "%b_next"), ("%c", c_next))
        ]
        args = (
            f"ptr {places[0]}, i64 %am, i64 %ak, ptr {places[1]}, i64 %bk, i64 %bn, "
            f"ptr {places[2]}, i64 %m, i64 %n, i64 %k"
        )
        text.line(f"store i1 false, ptr {done}")
        with text.only_if(in_tiles):
            multiplied = text.value(f"call i1 @{TILED}_{element}({args})")
            text.line(f"store i1 {multiplied}, ptr {done}")
        is_done = text.value(f"load i1, ptr {done}")
        with text.only_if(text.value(f"xor i1 {is_done}, true")):
            text.line(f"call void @{MULTIPLY}_{name}({args})")
    text.line("ret void")
    return "\n".join([*text.declared.values(), text.text()])
