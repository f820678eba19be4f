"""LLVM code of the lists of keys and values that stand for dicts and sets.

A key is looked up in the list of keys; what stands at its place in the list of values is its value.
Python goes through a set in the order of its hash table: Python's own set, made of the boxed items
by functions written in C, gives the order, unions and the like.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.list_code import existing_position
from runtime.engine.llvm.list_handles import Emitted, ListOperation, NativeListHandle
from runtime.engine.llvm.python_code import require_object
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import number_type


def _find(operation: ListOperation) -> Emitted:
    """Emit the search for a key; it fails if there is no memory for an index."""
    handle = operation.list
    fields = zip(handle.type.fields, operation.args[1:], strict=True)
    key = [f"{llvm_type(field)} {name}" for field, name in fields]
    place = operation.code.call(handle.function("find"), handle, *key, gives=ir.INT64)
    return operation.unless(place == -2, place)


_EmitExisting = Callable[[ListOperation], NativeListHandle]
"""Emits what happens to the entry at a place, and returns the list."""


def _append_or(emit_existing: _EmitExisting, operation: ListOperation) -> Emitted:
    """Emit one more entry where the place is negative, else what ``emit_existing`` emits."""
    code, slot = operation.code, operation.code.pointer()
    place = code.value(operation.args[1], number_type(operation.instruction.args[1].type))
    for appends in code.text.either((place < 0).name):
        if appends:
            handle = operation.list.push(operation.args[2:], operation.fail)
            if handle.type.keyed:
                code.run(handle.function("note"), handle)
        else:
            handle = emit_existing(operation)
        slot.store(handle)
    return operation.done(slot.load_address())


def _replace(operation: ListOperation) -> NativeListHandle:
    place, values = existing_position(operation), operation.args[2:]
    return operation.list.replace(operation.references, place, values, operation.fail)


def _keep(operation: ListOperation) -> NativeListHandle:
    for value, name in zip(operation.instruction.args[2:], operation.args[2:], strict=True):
        if value.type.managed:
            operation.references.drop(value.type, name)
    return operation.list


# -- whole sets ----------------------------------------------------------------------------------

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
    two = "ptr %list, ptr %other"
    for name, gives, params, write, traits in (
        ("as_set", "ptr", "ptr %list", _write_set, ""),
        ("of_set", "ptr", "ptr %set", _write_list, ""),
        ("ordered", "ptr", "ptr %list", _write_ordered, "noinline"),
        ("combined", "ptr", f"{two}, ptr %operator", _write_union, "noinline"),
        ("counted", "i64", two, _write_count, "noinline"),
    ):
        module.define(f"{list_name(type)}.{name}", gives, params, partial(_write, write, type),
                      traits)  # fmt: skip


def _write(
    write: Callable[[NativeListHandle], None], type: ir.NativeList, text: FunctionText
) -> None:
    write(NativeListHandle(Builder(text), type, "%list"))


def _write_set(handle: NativeListHandle) -> None:
    """Write the function that gives Python's set of a list; null after an error."""
    code = handle.code
    items = code.call_address(handle.function("box"), handle)
    code.give_if(items.is_null(), "ptr null")
    result = code.call_address("PySet_New", items, extern=True)
    code.run("Py_DecRef", items, extern=True)
    code.give(result)


def _write_list(handle: NativeListHandle) -> None:
    """Write the function that gives the list of a set, which it takes over; null, without an
    exception, after an error.
    """
    code = handle.code
    require_object(code.text, "%set", "none")
    items = code.call_address("PySequence_List", "ptr %set", extern=True)
    code.run("Py_DecRef", "ptr %set", extern=True)
    require_object(code.text, items.name, "none")
    result = code.call_address(handle.function("unbox"), items)
    code.run("Py_DecRef", items, extern=True)
    require_object(code.text, result.name, "none")
    code.give(result)
    code.text.start("none")
    code.give("ptr null")


def _write_ordered(handle: NativeListHandle) -> None:
    code = handle.code
    with code.text.leaving((handle.length() > 1).name, likely=None):
        of_items = code.call_address(handle.function("as_set"), handle)
        code.give(code.call_address(handle.function("of_set"), of_items))
    References(code.text).retain(handle.type, handle.name)
    code.give(handle)


def _write_union(handle: NativeListHandle) -> None:
    """Write the function that applies an operator to two sets."""
    code = handle.code
    result = code.pointer("null")
    with ExitStack() as ends:
        operands = list[Address]()
        for source in (handle, code.address("%other")):
            operands.append(code.call_address(handle.function("as_set"), source))
            ends.enter_context(code.only_if(operands[-1].exists()))
            ends.callback(code.run, "Py_DecRef", operands[-1], extern=True)
        call = f"call ptr %operator({', '.join([f'ptr {operand}' for operand in operands])})"
        result.store(code.address(code.text.value(call)))
    code.give(code.call_address(handle.function("of_set"), result.load_address()))


def _write_count(handle: NativeListHandle) -> None:
    code = handle.code
    count = CodeVariable(code, SIZE, "0")
    with code.each(handle.length()) as place:
        args = handle, code.address("%other"), place
        place_there = code.call(handle.function("find_of"), *args, gives=ir.INT64)
        code.give_if(place_there == -2, -1)
        count.set(count.get() + (place_there >= 0).to(SIZE))
    code.give(count.get())


def _order(operation: ListOperation) -> Emitted:
    return operation.done(operation.list.ready("ordered", operation.fail, operation.list))


def _combine(operation: ListOperation) -> Emitted:
    args = [*operation.args, f"@{_OPERATORS[operation.attrs['method']]}"]
    return operation.done(
        operation.list.ready("combined", operation.fail, *[f"ptr {arg}" for arg in args])
    )


def _compare(operation: ListOperation) -> Emitted:
    handle, rival, method = operation.list, operation.list_at(1), operation.attrs["method"]
    shared = operation.code.call(handle.function("counted"), handle, rival, gives=ir.INT64)
    size = operation.code.value(0) if method == "isdisjoint" else handle.length()
    result = shared == size
    if method == "__eq__":
        result = result & (size == rival.length())
    return operation.unless(shared < 0, result)


EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.find": _find, "list.put": partial(_append_or, _replace),
    "list.add": partial(_append_or, _keep),
    "list.order": _order, "list.combine": _combine, "list.compare": _compare,
}  # fmt: skip
"""Functions that emit the operations of dicts and sets."""
