"""LLVM code of whole sets: their order, their union and the like, and comparisons.

Python goes through a set in the order of its hash table.  So Python's own set gives the order: it
is made of the boxed items by functions written in C, without a call of Python code.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Builder, CodeVariable
from runtime.engine.llvm.list_handles import Emitted, ListOperation, NativeListHandle
from runtime.engine.llvm.python_code import require_object
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText

__all__ = ["EMITTERS", "define_set_functions"]

_OPERATORS = {
    "union": "PyNumber_Or", "intersection": "PyNumber_And", "difference": "PyNumber_Subtract",
    "symmetric_difference": "PyNumber_Xor",
}  # fmt: skip
"""By method of a set: the function of Python's that gives the same set."""


def define_set_functions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions of a keyed list type that take it for a set.

    ordered   the items in the order in which Python goes through the set; null without memory
    combined  those of what an operator gives for two sets; null without memory
    counted   how many items another set has, too; -1 without memory
    """
    for name in _OPERATORS.values():
        module.declared[name] = f"declare ptr @{name}(ptr, ptr)"
    name, two = list_name(type), "ptr %list, ptr %other"
    module.define(f"{name}.as_set", "ptr", "ptr %list", partial(_write_set, name), "")
    module.define(f"{name}.of_set", "ptr", "ptr %set", partial(_write_list, name), "")
    module.define(f"{name}.ordered", "ptr", "ptr %list", partial(_write_ordered, type))
    module.define(f"{name}.combined", "ptr", f"{two}, ptr %operator", partial(_write_union, name))
    module.define(f"{name}.counted", "i64", two, partial(_write_count, type))


def _write_set(name: str, text: FunctionText) -> None:
    """Write the function that gives Python's set of a list; null after an error."""
    items = text.value(f"call ptr @{name}.box(ptr %list)")
    with text.leaving(text.value(f"icmp eq ptr {items}, null")):
        text.line("ret ptr null")
    result = text.call("ptr", "PySet_New", f"ptr {items}")
    text.call("void", "Py_DecRef", f"ptr {items}")
    text.line(f"ret ptr {result}")


def _write_list(name: str, text: FunctionText) -> None:
    """Write the function that gives the list of a set, which it takes over; null, without an
    exception, after an error.
    """
    require_object(text, "%set", "none")
    items = text.call("ptr", "PySequence_List", "ptr %set")
    text.call("void", "Py_DecRef", "ptr %set")
    require_object(text, items, "none")
    result = text.value(f"call ptr @{name}.unbox(ptr {items})")
    text.call("void", "Py_DecRef", f"ptr {items}")
    require_object(text, result, "none")
    text.line(f"ret ptr {result}")
    text.start("none")
    text.line("ret ptr null")


def _write_ordered(type: ir.NativeList, text: FunctionText) -> None:
    name = list_name(type)
    length = NativeListHandle(text, type, "%list").length()
    with text.leaving(text.value(f"icmp ugt i64 {length}, 1"), likely=None):
        of_items = text.value(f"call ptr @{name}.as_set(ptr %list)")
        text.line(f"ret ptr {text.value(f'call ptr @{name}.of_set(ptr {of_items})')}")
    References(text).retain(type, "%list")
    text.line("ret ptr %list")


def _write_union(name: str, text: FunctionText) -> None:
    """Write the function that applies an operator to two sets."""
    result = text.slot("ptr", "null")
    with ExitStack() as ways:
        operands = []
        for source in ("%list", "%other"):
            operand = text.value(f"call ptr @{name}.as_set(ptr {source})")
            ways.enter_context(text.only_if(text.value(f"icmp ne ptr {operand}, null")))
            ways.callback(text.call, "void", "Py_DecRef", f"ptr {operand}")
            operands.append(f"ptr {operand}")
        combined = text.value(f"call ptr %operator({', '.join(operands)})")
        text.line(f"store ptr {combined}, ptr {result}")
    whole = text.value(f"load ptr, ptr {result}")
    text.line(f"ret ptr {text.value(f'call ptr @{name}.of_set(ptr {whole})')}")


def _write_count(type: ir.NativeList, text: FunctionText) -> None:
    code = Builder(text)
    count = CodeVariable(code, SIZE, "0")
    with code.each(NativeListHandle(text, type, "%list").length()) as place:
        args = f"ptr %list, ptr %other, i64 {place}"
        there = code.value(
            text.value(f"call i64 @{list_name(type)}.find_of({args})"), ir.INT64
        )
        with text.leaving((there == -2).name):
            text.line("ret i64 -1")
        count.set(count.get() + (there >= 0).to(SIZE))
    text.line(f"ret i64 {count.get()}")


def _call(operation: ListOperation, call: str) -> Emitted:
    """Emit the call of a function that gives a list, or null."""
    handle = operation.list
    return operation.done(handle.ready(handle.call(call), operation.fail))


def _order(operation: ListOperation) -> Emitted:
    return _call(operation, f"ordered(ptr {operation.list})")


def _combine(operation: ListOperation) -> Emitted:
    function, (left, right) = _OPERATORS[operation.attrs["method"]], operation.args
    return _call(operation, f"combined(ptr {left}, ptr {right}, ptr @{function})")


def _compare(operation: ListOperation) -> Emitted:
    text, handle, other = operation.text, operation.list, operation.list_at(1)
    shared = handle.call(f"counted(ptr {handle}, ptr {other})", "i64")
    method = operation.attrs["method"]
    size = "0" if method == "isdisjoint" else handle.length()
    result = text.value(f"icmp eq i64 {shared}, {size}")
    if method == "__eq__":
        same = text.value(f"icmp eq i64 {size}, {other.length()}")
        result = text.value(f"and i1 {result}, {same}")
    return operation.unless(text.value(f"icmp slt i64 {shared}, 0"), result)


EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.order": _order, "list.combine": _combine, "list.compare": _compare,
}  # fmt: skip
"""Functions that emit the operations of whole sets."""
