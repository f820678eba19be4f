"""LLVM code of large fusions as tasks: parts of the outermost loop, which threads share.

The function of a fusion (loop_nest.py) computes any part of the space: a task calls it with fewer
elements, and addresses further on.  How many tasks there are depends on the sizes alone.  Where a
reduction goes along the loop, each task has a result of its own; these *parts* are combined in the
order of the tasks.  So results are equal to the bit for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.combination import is_in_order, total_of
from runtime.engine.llvm.arrays.functions import is_vectorized
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.arrays.task_code import FRAME, define_run, frame_of
from runtime.engine.llvm.builder import ArrayElements, Builder
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.loop_facts import PARALLEL
from runtime.engine.llvm.size_code import is_constant, product, times
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.workspace_code import GIVE, TAKE

GAVE_UP, INTERRUPTED = 1, 2
"""What the function of shared tasks returns if an operation gave up, or a signal's handler raised;
0 otherwise.  All elements are computed then, too.
"""
LARGE, TASK = 1 << 22, 1 << 18
"""Work that is worth several threads, about 0.3 ms, and that of a task: elements times what one
costs (``cost``)."""
_OF_FUNCTION = 8
"""What a mathematical function costs; an operation, or an access to memory, costs 1."""
_LEAST_INNER = 64
"""Shortest rows that are as fast as one loop over all elements."""
_CELLS = 8
"""A task computes at least so many elements for each cell of its part of a result."""

def may_share(fusion: Fusion, nest: LoopNest) -> bool:
    """Return whether threads may share a fusion: nobody else sees what it writes to, and no
    operation asks for the position along the outermost loop, or goes along it in order.  A fusion
    that is known to be small runs as it is.
    """
    if fusion.target is not None or fusion.update is not None or fusion.sums_halves:
        return False
    if any(member.opcode == "axis" and member.detail == nest.axes[0] for member in fusion.members):
        return False
    for member in fusion.members:
        split = member.reduction is not None and nest.axes[0] in member.reduction.axes
        if split and is_in_order(member.opcode, member.type):
            return False
    total = 1
    for size in fusion.dims:
        total *= 1 if size is None else size
    return None in fusion.dims or total * cost(fusion) > LARGE


def cost(fusion: Fusion) -> int:
    """Return what an element of a fusion costs."""
    total = len([layout for layout in fusion.layouts if layout is not None]) + len(fusion.outputs)
    for member in fusion.members:
        is_function = member.type.kind in "fc" and is_vectorized(member.opcode)
        total += _OF_FUNCTION if is_function else 1
    return max(total, 1)


def is_large(text: FunctionText, fusion: Fusion, sizes: Sequence[str]) -> str:
    """Return whether a fusion over so many elements is worth several threads."""
    total = product(text, *sizes)
    least = LARGE // cost(fusion)
    if is_constant(total):
        return "true" if int(total) > least else "false"
    return text.value(f"icmp ugt i64 {total}, {least}")


def keeps_rows(fusion: Fusion, nest: LoopNest) -> bool:
    """Return whether large fusions go by rows, where one loop over all elements is possible, too:
    rows are what tasks consist of.
    """
    row_length = fusion.dims[nest.axes[-1]]
    return row_length is None or row_length >= _LEAST_INNER


class FusionTasks:
    """Functions of a fusion that is computed by tasks."""

    def __init__(self, nest: LoopNest, function: str) -> None:
        self._nest = nest
        self._fusion = nest.fusion
        self._function = function
        self._params = nest.params()
        self._gives = "i1" if nest.may_give_up else "void"
        self._name = f"{nest.name}_all"
        self._split_outputs = nest.split_outputs()

    def define(self, module: FunctionText) -> str:
        """Add the functions; return the name of that which takes whether the fusion is large, and
        the arguments of the fusion's function, and returns a status.
        """
        define_run(module)
        module.define("share_all", "i32", "ptr %task, ptr %frame", _write_share)
        task = "ptr %frame, i64 %task, ptr %scratch"
        module.define(self._task_name, "void", task, self._write_task)
        params = ", ".join(["i1 %large", *self._params])
        return module.define(self._name, "i32", params, self._write_all)

    @property
    def _task_name(self) -> str:
        return f"{self._nest.name}_task"

    def _write_all(self, text: FunctionText) -> None:
        """Write the function that runs all tasks, or the whole at once."""
        inner = self._inner(text)
        rows = text.value(f"udiv i64 {TASK // cost(self._fusion)}, {inner}")
        step = text.call("i64", "llvm.umax.i64", f"i64 {rows}", "i64 1")
        cells = {number: self._cells(text, number) for number in self._split_outputs}
        for size in cells.values():  # parts are few
            least = text.value(f"udiv i64 {times(text, size, str(_CELLS))}, {inner}")
            step = text.call("i64", "llvm.umax.i64", f"i64 {step}", f"i64 {least}")
        padded = text.value(f"sub i64 {text.value(f'add i64 %n0, {step}')}, 1")
        count = text.value(f"udiv i64 {padded}, {step}")
        several = text.value(f"icmp ugt i64 {count}, 1")
        pays = text.value(f"and i1 %large, {several}")
        with text.leaving(pays, likely=None, holds=False):
            status = self._call(text, self._function, [*map(_name, self._params)])
            self._divide(text)
            text.line(f"ret i32 {status}")
        self._share(text, step, count, cells)

    def _share(self, text: FunctionText, step: str, count: str, cells: dict[int, str]) -> None:
        """Run the tasks, and combine what they give."""
        places = {}
        for number, size in cells.items():
            item = stored_size(self._fusion.result_type(number))
            total_bytes = product(text, size, count, str(item))
            places[number] = text.call("ptr", TAKE, f"i64 {total_bytes}")
        if places:
            self._check_memory(text, places)
        arguments = [*self._params, *(f"ptr {place}" for place in places.values())]
        frame = frame_of(text, count, "1", [f"i64 {step}"], arguments)
        status = text.value(f"call i32 @share_all(ptr @{self._task_name}, ptr {frame})")
        for number, place in places.items():
            self._combine(text, number, place, cells[number], count)
            text.call("void", GIVE, f"ptr {place}")
        self._divide(text)
        text.line(f"ret i32 {status}")

    def _check_memory(self, text: FunctionText, places: dict[int, str]) -> None:
        """Give up where there is no memory for parts: nothing has been computed yet."""
        missing = "false"
        for place in places.values():
            none = text.is_null(place)
            missing = none if missing == "false" else text.value(f"or i1 {missing}, {none}")
        with text.leaving(missing):
            for place in places.values():
                text.call("void", GIVE, f"ptr {place}")
            text.line(f"ret i32 {GAVE_UP}")

    def _combine(
        self, text: FunctionText, number: int, partials: str, cells: str, count: str
    ) -> None:
        """Combine the parts of a result, cell by cell, in the order of the tasks."""
        code, type = _builder(text), self._fusion.result_type(number)
        results, parts = (
            ArrayElements(code, type, f"%o{number}"),
            ArrayElements(code, type, partials),
        )
        total = total_of(code, self._fusion.opcode_of(number), type)
        with code.each(cells) as cell:
            total.begin()
            with code.each(count) as task:
                total.add(parts[code.value(times(text, task.name, cells)) + cell])
            results[cell] = total.result()

    def _divide(self, text: FunctionText) -> None:
        """Divide the sums that the function leaves by their numbers."""
        for number in self._split_outputs:
            reduction = self._fusion.reduction_of(self._fusion.outputs[number])
            if reduction is not None and reduction.mean:
                self._nest.divide(_builder(text), number)

    def _write_task(self, text: FunctionText) -> None:
        """Write the function of a task: of the frame, its number, and memory that it does not need.
        """
        step = text.load(text.gep('%frame', 8 * len(FRAME)), "i64")
        for place, param in enumerate(self._params):
            kind, name = param.rsplit(" ", 1)
            text.line(f"{name} = load {kind}, ptr {text.gep('%frame', _at(place))}, align 8")
        first = text.value(f"mul i64 %task, {step}")
        remaining = text.value(f"sub i64 %n0, {first}")
        names = {name: name for name in map(_name, self._params)}
        names["%n0"] = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {step}")
        for number, layout in enumerate(self._fusion.layouts):
            if layout is None or number in self._fusion.computed.free:
                continue
            axis = self._nest.axes_of(number)[0]
            if axis is not None:
                offset = text.value(f"mul i64 {first}, %a{number}s{axis}")
                names[f"%a{number}"] = text.gep(f"%a{number}", offset)
        for number in range(len(self._fusion.outputs)):
            names[f"%o{number}"] = self._result(text, number, first)
        status = self._call(text, self._function, [*names.values()])
        if status != "0":
            with text.only_if(text.value(f"icmp ne i32 {status}, 0")):
                flag = text.gep("%frame", 32)
                text.line(f"store atomic i64 {GAVE_UP}, ptr {flag} monotonic, align 8")
        text.line("ret void")

    def _result(self, text: FunctionText, number: int, first: str) -> str:
        """Return the address of the elements of a result that a task gives."""
        item = str(stored_size(self._fusion.result_type(number)))
        if number in self._split_outputs:
            place = len(self._params) + self._split_outputs.index(number)
            partials = text.value(f"load ptr, ptr {text.gep('%frame', _at(place))}, align 8")
            cells = self._cells(text, number)
            return text.gep(partials, product(text, "%task", cells, item))
        width = self._nest.cells(text, number, after_first=True)
        return text.gep(f"%o{number}", product(text, first, width, item))

    def _call(self, text: FunctionText, function: str, names: Sequence[str]) -> str:
        """Call the function of the fusion; return 0, or GAVE_UP."""
        kinds = [param.rsplit(" ", 1)[0] for param in self._params]
        arguments = ", ".join(map("{} {}".format, kinds, names))
        if self._gives == "void":
            text.line(f"call void @{function}({arguments})")
            return "0"
        bad = text.value(f"call i1 @{function}({arguments})")
        return text.value(f"zext i1 {bad} to i32")

    def _inner(self, text: FunctionText) -> str:
        """Return how many elements an iteration of the outermost loop computes; at least 1."""
        count = product(text, *[f"%n{loop}" for loop in range(1, len(self._nest.axes))])
        return text.call("i64", "llvm.umax.i64", f"i64 {count}", "i64 1")

    def _cells(self, text: FunctionText, number: int) -> str:
        return self._nest.cells(text, number)


def _write_share(text: FunctionText) -> None:
    """Write the function that has threads share the tasks of a frame, and runs what is left after a
    signal's handler raised.
    """
    code = Builder(text)
    frame = code.address("%frame")
    args = f"ptr @run_tasks, ptr %task, ptr %frame, i64 {(frame + 8).load()}"
    status = code.value(text.value(f"call i32 @share_tasks({args})"), ir.INT32)
    stopped = frame + 8 * FRAME.index("stopped")
    text.line(f"store atomic i64 0, ptr {stopped} monotonic, align 8")
    text.value("call i64 @run_tasks(ptr %task, ptr %frame, i64 -1)")
    gave_up = (frame + 8 * FRAME.index("missing")).load(ir.INT64).to(ir.INT32)
    code.finish(f"i32 {(status == 0).choose(gave_up, status)}")


def _builder(text: FunctionText) -> Builder:
    code = Builder(text)
    code.mark = PARALLEL
    return code


def _name(param: str) -> str:
    return param.rsplit(" ", 1)[1]


def _at(place: int) -> int:
    """Return the offset of an argument in the frame."""
    return 8 * (len(FRAME) + 1 + 2 * place)
