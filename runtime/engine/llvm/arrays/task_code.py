"""LLVM code of tasks: parts of the work of a function, which several threads may run.

A *frame* holds what all tasks of a call share: the number of the next task, how many there are, the
bytes of memory that a thread needs meanwhile, whether to stop, whether memory was missing, and the
arguments.  A task is a function of the frame, its number, and the memory of the thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Builder, CodeVariable
from runtime.engine.llvm.python_code import poll
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.workspace_code import GIVE, TAKE

FRAME = ("next", "count", "scratch", "stopped", "missing")
"""Words at the begin of a frame.  shared_tasks.py knows where ``stopped`` is."""
ARGUMENTS = ("ptr %x", "ptr %other", "ptr %result", "ptr %words", "i64 %batch")
"""Arguments of functions on windows: inputs, result, words of windows, size of the batch."""
MISSING = 1
"""What a function returns if there is no memory."""



def define_run(module: FunctionText) -> None:
    """Add the function that runs up to so many tasks of a frame, and gives how many it ran; -1 if
    there is no memory.  Threads call it at the same time.
    """
    module.declared["share_tasks"] = "declare i32 @share_tasks(ptr, ptr, ptr, i64)"
    module.define("run_tasks", "i64", "ptr %task, ptr %frame, i64 %limit", _write_run)


def _write_run(text: FunctionText) -> None:
    code = Builder(text)
    frame = code.address("%frame")
    stopped, missing = (frame + 8 * FRAME.index(name) for name in ("stopped", "missing"))
    count, size = (frame + 8).load(), (frame + 16).load()
    scratch = code.address(text.call("ptr", TAKE, f"i64 {size}"))
    with text.leaving(scratch.is_null().name, likely=None):
        for flag in (missing, stopped):
            text.line(f"store atomic i64 1, ptr {flag} monotonic, align 8")
        text.line("ret i64 -1")
    done, number = CodeVariable(code, SIZE, "0"), CodeVariable(code, SIZE)

    def goes_on() -> LaneValue:
        stop = code.value(text.value(f"load atomic i64, ptr {stopped} monotonic, align 8"))
        return stop == 0

    def takes_one() -> LaneValue:
        number.set(text.value("atomicrmw add ptr %frame, i64 1 monotonic"))
        return number.get() < count

    def runs() -> LaneValue:
        is_allowed = done.get() < code.value("%limit")
        return is_allowed.and_then(goes_on).and_then(takes_one)

    with code.repeat_while(runs):
        text.line(f"call void %task(ptr %frame, i64 {number.get()}, ptr {scratch})")
        done.set(done.get() + 1)
    text.call("void", GIVE, f"ptr {scratch}")
    code.finish(f"i64 {done.get()}")


def define_tasks(module: FunctionText) -> None:
    """Add the function that runs all tasks of a frame, in several threads if they may share them;
    it gives 0, or a failure.
    """
    define_run(module)
    module.define("all_tasks", "i32", "ptr %task, ptr %frame, i1 %shared", _write_all)


def _write_all(text: FunctionText) -> None:
    code, status = Builder(text), CodeVariable(Builder(text), ir.INT32, "0")
    frame = code.address("%frame")
    for is_shared in text.either("%shared"):
        if is_shared:
            args = f"ptr @run_tasks, ptr %task, ptr %frame, i64 {(frame + 8).load()}"
            status.set(text.value(f"call i32 @share_tasks({args})"))
        else:
            text.value("call i64 @run_tasks(ptr %task, ptr %frame, i64 -1)")
    is_missing = (frame + 8 * FRAME.index("missing")).load() != 0
    code.finish(f"i32 {is_missing.choose(MISSING, status.get())}")


def tasks_code() -> str:
    """Return ``all_tasks``, and what it needs, for a library."""
    module = FunctionText("")
    define_tasks(module)
    return "\n".join(sorted(module.declared.values(), key=lambda text: text[:7] != "declare"))


def entry_function(name: str) -> FunctionText:
    """Begin a function that runs tasks; ``%shared`` says whether several threads may run them."""
    return FunctionText(f"define i32 @{name}({', '.join(ARGUMENTS)}, i1 %shared)")


def task_function(name: str, arguments: Sequence[str]) -> FunctionText:
    """Begin the function of a task, which finds the arguments in the frame."""
    text = FunctionText(
        f"define internal void @{name}(ptr %frame, i64 %task, ptr %scratch) noinline"
    )
    for place, argument in enumerate(arguments, len(FRAME)):
        kind, name = argument.split()
        text.line(f"{name} = load {kind}, ptr {text.gep('%frame', 8 * place)}")
    return text


def frame_of(
    text: FunctionText, count: str, scratch: str, arguments: Sequence[str],
    wide_arguments: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return the frame of so many tasks, which need so many bytes; arguments have their types, and
    take a word, or two.
    """
    words = ["i64 0", f"i64 {count}", f"i64 {scratch}", "i64 0", "i64 0", *arguments]
    frame = text.slot(f"[{len(words) + 2 * len(wide_arguments)} x i64]")
    for place, value in enumerate(words):
        text.line(f"store {value}, ptr {text.gep(frame, 8 * place)}")
    for place, value in enumerate(wide_arguments):
        text.line(f"store {value}, ptr {text.gep(frame, 8 * len(words) + 16 * place)}, align 8")
    return frame


def run_tasks(
    text: FunctionText, task: str, count: str, arguments: Sequence[str], scratch: str = "1",
    shared: str = "%shared",
) -> str:  # fmt: skip
    """Run so many tasks; the arguments have their types.  Return 0, or a failure."""
    frame = frame_of(text, count, scratch, arguments)
    return text.value(f"call i32 @all_tasks(ptr @{task}, ptr {frame}, i1 {shared})")


def end_tasks(text: FunctionText, status: str, slot: str, slow: str, failure: str) -> None:
    """Go on where a function returned 0; else release the array in the slot, and branch to
    ``slow``, or to ``failure`` if a signal's handler raised.
    """
    with text.leaving(text.value(f"icmp ne i32 {status}, 0"), slow):
        text.call("void", "Py_DecRef", f"ptr {text.load(slot)}")
        text.line(f"store ptr null, ptr {slot}")
        with text.only_if(text.value(f"icmp ugt i32 {status}, {MISSING}"), likely=False):
            poll(text, failure)
