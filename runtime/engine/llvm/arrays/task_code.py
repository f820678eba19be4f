"""LLVM code of tasks: parts of the work of a function, which several threads may run.

A *frame* holds what all tasks of a call share: the number of the next task, how many there are, the
bytes of memory that a thread needs meanwhile, whether to stop, whether memory was missing, and the
arguments.  A task is a function of the frame, its number, and the memory of the thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.python_code import poll
from runtime.engine.llvm.text import FunctionText

FRAME = ("next", "count", "scratch", "stopped", "missing")
"""Words at the begin of a frame.  shared_tasks.py knows where ``stopped`` is."""
ARGUMENTS = ("ptr x", "ptr other", "ptr result", "ptr words", "i64 batch")
"""Arguments of functions on windows: inputs, result, words of windows, size of the batch."""
MISSING = 1
"""What a function returns if there is no memory."""

TASKS = """
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare i32 @share_tasks(ptr, ptr, ptr, i64)

define internal i64 @run_tasks(ptr %task, ptr %frame, i64 %limit) noinline {
entry:
  %count_at = getelementptr i64, ptr %frame, i64 1
  %scratch_at = getelementptr i64, ptr %frame, i64 2
  %stopped_at = getelementptr i64, ptr %frame, i64 3
  %missing_at = getelementptr i64, ptr %frame, i64 4
  %count = load i64, ptr %count_at
  %size = load i64, ptr %scratch_at
  %scratch = call ptr @malloc(i64 %size)
  %none = icmp eq ptr %scratch, null
  br i1 %none, label %missing, label %head
missing:
  store atomic i64 1, ptr %missing_at monotonic, align 8
  store atomic i64 1, ptr %stopped_at monotonic, align 8
  ret i64 -1
head:
  %done = phi i64 [0, %entry], [%more, %run]
  %full = icmp uge i64 %done, %limit
  br i1 %full, label %out, label %check
check:
  %stopped = load atomic i64, ptr %stopped_at monotonic, align 8
  %goes = icmp eq i64 %stopped, 0
  br i1 %goes, label %take, label %out
take:
  %number = atomicrmw add ptr %frame, i64 1 monotonic
  %exists = icmp ult i64 %number, %count
  br i1 %exists, label %run, label %out
run:
  call void %task(ptr %frame, i64 %number, ptr %scratch)
  %more = add i64 %done, 1
  br label %head
out:
  call void @free(ptr %scratch)
  ret i64 %done
}

define internal i32 @all_tasks(ptr %task, ptr %frame, i1 %shared) noinline {
entry:
  br i1 %shared, label %several, label %alone
several:
  %count_at = getelementptr i64, ptr %frame, i64 1
  %count = load i64, ptr %count_at
  %status = call i32 @share_tasks(ptr @run_tasks, ptr %task, ptr %frame, i64 %count)
  br label %end
alone:
  call i64 @run_tasks(ptr %task, ptr %frame, i64 -1)
  br label %end
end:
  %found = phi i32 [%status, %several], [0, %alone]
  %missing_at = getelementptr i64, ptr %frame, i64 4
  %missing = load i64, ptr %missing_at
  %failed = icmp ne i64 %missing, 0
  %result = select i1 %failed, i32 1, i32 %found
  ret i32 %result
}
"""


def entry_function(name: str) -> FunctionText:
    """Begin a function that runs tasks; ``%shared`` says whether several threads may run them."""
    params = ", ".join(argument.replace(" ", " %") for argument in ARGUMENTS)
    return FunctionText(f"define i32 @{name}({params}, i1 %shared)")


def task_function(name: str, extra: Sequence[str] = ()) -> FunctionText:
    """Begin the function of a task, which finds the arguments, and ``extra``, in the frame."""
    text = FunctionText(
        f"define internal void @{name}(ptr %frame, i64 %task, ptr %scratch) noinline"
    )
    for place, argument in enumerate((*ARGUMENTS, *extra), len(FRAME)):
        kind, name = argument.split()
        text.line(f"%{name} = load {kind}, ptr {text.gep('%frame', 8 * place)}")
    return text


def run_tasks(
    text: FunctionText, task: str, count: str, scratch: str = "1", extra: Sequence[str] = ()
) -> str:
    """Run so many tasks; ``extra`` are typed values for the frame.  Return 0, or a failure."""
    arguments = [argument.replace(" ", " %") for argument in ARGUMENTS]
    values = ["i64 0", f"i64 {count}", f"i64 {scratch}", "i64 0", "i64 0", *arguments, *extra]
    frame = text.slot(f"[{len(values)} x i64]")
    for place, value in enumerate(values):
        text.line(f"store {value}, ptr {text.gep(frame, 8 * place)}")
    return text.value(f"call i32 @all_tasks(ptr @{task}, ptr {frame}, i1 %shared)")


def end_tasks(text: FunctionText, status: str, slot: str, slow: str, failure: str) -> None:
    """Go on where a function returned 0; else release the array in the slot, and branch to
    ``slow``, or to ``failure`` if a signal's handler raised.
    """
    with text.leaving(text.value(f"icmp ne i32 {status}, 0"), slow):
        text.call("void", "Py_DecRef", f"ptr {text.value(f'load ptr, ptr {slot}')}")
        text.line(f"store ptr null, ptr {slot}")
        with text.only_if(text.value(f"icmp ugt i32 {status}, {MISSING}"), likely=False):
            poll(text, failure)
