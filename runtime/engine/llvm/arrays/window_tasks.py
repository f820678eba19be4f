"""LLVM code of tasks that are some rows of places, or all those of an image."""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm.arrays.task_code import entry_function, run_tasks, task_function
from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.arrays.window_loops import Windows

_NUMBERS = 1 << 16
"""Elements of windows of a task."""

Rows = tuple[str, str]
"""The first row of places of a task, and the first one after them."""


def row_tasks(
    name: str, vector: Vector, body: Callable[[Windows, Vector, Rows], None], by_image: bool
) -> list[str]:
    """Return the function of a name, which runs tasks, and that of a task, whose code ``body``
    adds.
    """
    task = task_function(f"{name}_task")
    windows = Windows(task)
    step = _rows_of_task(windows, by_image)
    first = windows.product("%task", step)
    remaining = task.value(f"sub i64 {windows.rows}, {first}")
    count = task.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {step}")
    body(windows, vector, (first, windows.sum(first, count)))
    task.line("ret void")
    entry = entry_function(name)
    windows = Windows(entry)
    step = _rows_of_task(windows, by_image)
    padded = entry.value(f"sub i64 {windows.sum(windows.rows, step)}, 1")
    status = run_tasks(entry, f"{name}_task", entry.value(f"udiv i64 {padded}, {step}"))
    entry.line(f"ret i32 {status}")
    return [task.text(), entry.text()]


def _rows_of_task(windows: Windows, by_image: bool) -> str:
    """Return how many rows of places a task has."""
    if by_image:
        return windows.product("places0", "places1")
    row = windows.product("places2", "window0", "window1", "window2", windows.channels)
    least = windows.text.value(f"icmp ugt i64 {row}, {_NUMBERS}")
    rows = windows.text.value(f"udiv i64 {_NUMBERS}, {row}")
    return windows.text.value(f"select i1 {least}, i64 1, i64 {rows}")
