"""LLVM code of the entry, which Python calls: it takes and gives Python objects.

The context says what becomes of results that are objects.  If it holds a function for them, each
goes through that, unless it is an array of its own already: one that nobody else refers to.  If it
holds None, kernels' values are wanted, and lists of numbers are given as bytes (packed_lists.py).
Arrays of other layouts than row_layouts.py says go to the code for any layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import array_code, packed_lists
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import layout_check, word
from runtime.engine.llvm.python_code import (
    ANY_LAYOUT,
    ARRAY_CLASS,
    RESULT,
    box,
    call_function,
    context_entry,
    object_constant,
    unbox,
)
from runtime.engine.llvm.references import References
from runtime.engine.llvm.row_layouts import KnownLayouts
from runtime.engine.llvm.text import FunctionText


def entry_function(main: ir.KernelFunction, layouts: KnownLayouts, declared: dict[str, str]) -> str:
    """Return the function that Python calls: ``entry(self, args, nargs)``, METH_FASTCALL."""
    text = FunctionText("define ptr @entry(ptr %ctx, ptr %args, i64 %count)")
    _check_layouts(text, layouts)
    arguments: list[tuple[ir.Type, str]] = []
    slots = [text.slot("ptr", "null") if v.type.managed else "" for v in main.block.params]
    for number, value in enumerate(main.block.params):
        argument = text.load(_argument(text, number))
        name = _unbox_argument(text, value.type, argument)
        if slots[number]:
            text.line(f"store ptr {name}, ptr {slots[number]}")
        arguments.append((value.type, name))
    names = [name for _, name in arguments]
    results = call_function(text, main.name, [t for t, _ in arguments], main.gives, names, "failed")
    changed = len(layouts.in_place)  # what these hold are the last results
    owned = _own_objects(text, main.gives, results, len(results) - changed)
    text.line(f"ret ptr {_pack_results(text, main.gives, owned)}")
    text.start("fail")
    for value, slot in zip(main.block.params, slots, strict=True):
        if slot:
            References(text).drop(value.type, text.load(slot))
    text.jump("failed")
    text.start("failed")
    text.line("ret ptr null")
    declared.update(text.declared)
    return text.text()


def _unbox_argument(text: FunctionText, type: ir.Type, argument: str) -> str:
    """Return the value of an argument; branch to ``fail`` if it is of another type."""
    if not packed_lists.is_packable(type):
        return unbox(text, type, argument, "fail")
    name = packed_lists.unpack_list(text, type, argument)
    text.refuse(text.is_null(name), "fail")
    return name


def _argument(text: FunctionText, position: int) -> str:
    """Return the address of an argument."""
    return text.value(f"getelementptr ptr, ptr %args, i64 {position}")


def _check_layouts(text: FunctionText, layouts: KnownLayouts) -> None:
    """Leave what is given arrays of other layouts to the code for any layout."""
    good = "true"
    arrays = [
        (text.load(_argument(text, position)), layout)
        for position, layout in layouts.params.items()
    ]
    arrays += [(object_constant(text, index), layout) for index, layout in layouts.objects.items()]
    for array, layout in arrays:
        check, cls = layout_check(text, layout), context_entry(text, str(ARRAY_CLASS))
        data = text.value(f"call ptr @{check}(ptr {array}, ptr {cls})")
        same = text.value(f"icmp ne ptr {data}, null")
        good = text.value(f"and i1 {good}, {same}")
    if good == "true":
        return
    with text.leaving(good, likely=True, holds=False):
        function = context_entry(text, str(ANY_LAYOUT))
        result = text.call(
            "ptr", "PyObject_Vectorcall", f"ptr {function}", "ptr %args", "i64 %count", "ptr null"
        )
        text.line(f"ret ptr {result}")


def _own_objects(
    text: FunctionText, gives: Sequence[ir.Type], names: Sequence[str], count: int
) -> Sequence[str]:
    """Return results, the first of them with objects of their own, as the context wants them."""
    if ir.OBJECT not in gives[:count]:
        return names
    text.define("own_result", "ptr", "ptr %ctx, ptr %object", _write_own_result)
    owned = list(names)
    for number, type in enumerate(gives[:count]):
        if type is not ir.OBJECT:
            continue
        owned[number] = text.value(f"call ptr @own_result(ptr %ctx, ptr {names[number]})")
        with text.leaving(text.is_null(owned[number]), "failed"):
            for position, (kind, name) in enumerate(zip(gives, owned, strict=True)):
                if kind.managed and position != number:
                    References(text).drop(kind, name)
    return owned


def _write_own_result(text: FunctionText) -> None:
    """Write the function that makes an object of its own of a result, whose reference is used up;
    it gives null after an error.
    """
    convert = context_entry(text, str(RESULT))
    is_callable = text.call("i32", "PyCallable_Check", f"ptr {convert}")
    text.give_if(text.value(f"icmp eq i32 {is_callable}, 0"), "ptr %object", likely=None)
    if array_code.is_layout_known():
        cls = word(text, "%object", array_code.CLASS, "ptr")
        is_array = text.value(f"icmp eq ptr {cls}, {context_entry(text, str(ARRAY_CLASS))}")
        with text.only_if(is_array):
            is_plain = array_code.is_plain(text, "%object")
            alone = text.value(f"icmp eq i64 {text.value('load i64, ptr %object')}, 1")
            text.give_if(text.value(f"and i1 {is_plain}, {alone}"), "ptr %object", likely=None)
    converted = text.call(
        "ptr", "PyObject_CallFunctionObjArgs", f"ptr {convert}", "ptr %object", "ptr null"
    )
    text.call("void", "Py_DecRef", "ptr %object")
    text.line(f"ret ptr {converted}")


def _pack_results(text: FunctionText, gives: Sequence[ir.Type], names: Sequence[str]) -> str:
    """Return the Python object of results, whose references are used up: a tuple, or the only one.
    """
    boxes = []
    for type, name in zip(gives, names, strict=True):
        if packed_lists.is_packable(type):
            boxes.append(packed_lists.pack_list(text, type, name))
        else:
            boxes.append(name if type is ir.OBJECT else box(text, type, name))
        if isinstance(type, ir.NativeList):
            References(text).drop(type, name)
    if len(boxes) == 1:
        return boxes[0]
    result = text.call("ptr", "PyTuple_New", f"i64 {len(boxes)}")
    for number, name in enumerate(boxes):
        text.call("i32", "PyTuple_SetItem", f"ptr {result}", f"i64 {number}", f"ptr {name}")
    return result
