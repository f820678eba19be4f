"""LLVM code of whole sets: their order, their union and the like, and comparisons.

Python goes through a set in the order of its hash table.  So Python's own set gives the order: it
is made of the boxed items by functions written in C, without a call of Python code.
"""

from __future__ import annotations

from collections.abc import Callable
from string import Template

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import Emitted, ListOperation
from runtime.engine.llvm.references import list_name

__all__ = ["EMITTERS", "set_functions"]

_OPERATORS = {
    "union": "PyNumber_Or", "intersection": "PyNumber_And", "difference": "PyNumber_Subtract",
    "symmetric_difference": "PyNumber_Xor",
}  # fmt: skip
"""By method of a set: the function of Python's that gives the same set."""


def set_functions(type: ir.NativeList, declared: dict[str, str]) -> list[str]:
    """Return the functions of a keyed list type that take it for a set.

    ordered   the items in the order in which Python goes through the set; null without memory
    combined  those of what an operator gives for two sets; null without memory
    counted   how many items another set has, too; -1 without memory
    """
    for name in ("PySet_New", "PySequence_List"):
        declared[name] = f"declare ptr @{name}(ptr)"
    for name in _OPERATORS.values():
        declared[name] = f"declare ptr @{name}(ptr, ptr)"
    declared["Py_DecRef"] = "declare void @Py_DecRef(ptr)"
    declared["PyErr_Clear"] = "declare void @PyErr_Clear()"
    return [Template(_TEXT).substitute({"list": list_name(type)})]


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


_TEXT = """
define internal ptr @$list.as_set(ptr %list) {
entry:
  %items = call ptr @$list.box(ptr %list)
  %failed = icmp eq ptr %items, null
  br i1 %failed, label %end, label %make
make:
  %set = call ptr @PySet_New(ptr %items)
  call void @Py_DecRef(ptr %items)
  br label %end
end:
  %result = phi ptr [null, %entry], [%set, %make]
  ret ptr %result
}

define internal ptr @$list.of_set(ptr %set) {   ; which it takes over; the error is forgotten
entry:
  %none = icmp eq ptr %set, null
  br i1 %none, label %failed, label %sort
sort:
  %items = call ptr @PySequence_List(ptr %set)
  call void @Py_DecRef(ptr %set)
  %missing = icmp eq ptr %items, null
  br i1 %missing, label %failed, label %take
take:
  %list = call ptr @$list.unbox(ptr %items)
  call void @Py_DecRef(ptr %items)
  %no_list = icmp eq ptr %list, null
  br i1 %no_list, label %failed, label %end
end:
  ret ptr %list
failed:
  call void @PyErr_Clear()
  ret ptr null
}

define internal ptr @$list.ordered(ptr %list) noinline {
entry:
  %length_at = getelementptr i64, ptr %list, i64 1
  %length = load i64, ptr %length_at
  %several = icmp ugt i64 %length, 1
  br i1 %several, label %sort, label %same
same:
  %count = load i64, ptr %list
  %more = add i64 %count, 1
  store i64 %more, ptr %list
  ret ptr %list
sort:
  %set = call ptr @$list.as_set(ptr %list)
  %found = call ptr @$list.of_set(ptr %set)
  ret ptr %found
}

define internal ptr @$list.combined(ptr %left, ptr %right, ptr %operator) noinline {
entry:
  %one = call ptr @$list.as_set(ptr %left)
  %no_left = icmp eq ptr %one, null
  br i1 %no_left, label %none, label %second
second:
  %other = call ptr @$list.as_set(ptr %right)
  %no_right = icmp eq ptr %other, null
  br i1 %no_right, label %combined, label %combine
combine:
  %both = call ptr %operator(ptr %one, ptr %other)
  call void @Py_DecRef(ptr %other)
  br label %combined
combined:
  %set = phi ptr [null, %second], [%both, %combine]
  call void @Py_DecRef(ptr %one)
  br label %none
none:
  %whole = phi ptr [null, %entry], [%set, %combined]
  %found = call ptr @$list.of_set(ptr %whole)
  ret ptr %found
}

define internal i64 @$list.counted(ptr %list, ptr %other) noinline {
entry:
  %length_at = getelementptr i64, ptr %list, i64 1
  %length = load i64, ptr %length_at
  br label %next
next:
  %place = phi i64 [0, %entry], [%following, %look]
  %count = phi i64 [0, %entry], [%counted, %look]
  %more = icmp ult i64 %place, %length
  br i1 %more, label %look, label %end
look:
  %found = call i64 @$list.find_of(ptr %list, ptr %other, i64 %place)
  %there = icmp sge i64 %found, 0
  %one = zext i1 %there to i64
  %counted = add i64 %count, %one
  %following = add i64 %place, 1
  %failed = icmp eq i64 %found, -2
  br i1 %failed, label %no_memory, label %next
end:
  ret i64 %count
no_memory:
  ret i64 -1
}
"""
