"""LLVM code of tasks that are some rows of places, or all those of an image."""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm.arrays.task_code import entry_function, run_tasks, task_function
from runtime.engine.llvm.arrays.vectors import Vector
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.values import LaneValue

_NUMBERS = 1 << 16
"""Elements of windows of a task."""

Rows = tuple[LaneValue, LaneValue]
"""The first row of places of a task, and the first one after them."""


def row_tasks(
    name: str, vector: Vector, body: Callable[[Windows, Vector, Rows], None], by_image: bool
) -> list[str]:
    """Return the function of a name, which runs tasks, and that of a task, whose code ``body``
    adds.
    """
    task = vector.code(task_function(f"{name}_task"))
    windows = Windows(task)
    step = _rows_of_task(windows, by_image)
    first = task.value("%task") * step
    count = (windows.rows - first).call("umin", step)
    body(windows, vector, (first, first + count))
    entry = vector.code(entry_function(name))
    windows = Windows(entry)
    step = _rows_of_task(windows, by_image)
    task_count = (windows.rows + step - 1) // step
    status = run_tasks(entry.text, f"{name}_task", task_count.name)
    return [task.finish(), entry.finish(f"i32 {status}")]


def _rows_of_task(windows: Windows, by_image: bool) -> LaneValue:
    """Return how many rows of places a task has."""
    if by_image:
        return windows.product("places0", "places1")
    row = windows.product("places2", "window0", "window1", "window2", windows.channels)
    is_long = row > _NUMBERS
    return is_long.choose(1, row.constant(_NUMBERS) // row)
