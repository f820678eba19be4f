"""LLVM code shared by all graphs: the call of a site, and numbers as Python objects.

It is compiled once for a process and linked to the code of graphs by the names of its functions.
Numbers travel in *cells* of 64 bits, with a letter for each type: b, i, u, f (64 bits), g (32
bits), o (an object) and p (an object whose reference is used up).
"""

from __future__ import annotations

from runtime.engine.llvm import workspace_code
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts import text_memory

_OF_MEMORY = (*text_memory.FUNCTIONS, *workspace_code.FUNCTIONS)
EXPORTED = ("rt_call_site", "rt_call_context", *(name for name, *_ in _OF_MEMORY))
"""Functions that the code of graphs calls."""


_BOXES = {
    "b": ("PyBool_FromLong", "i64"), "i": ("PyLong_FromLongLong", "i64"),
    "u": ("PyLong_FromUnsignedLongLong", "i64"), "f": ("PyFloat_FromDouble", "double"),
    "g": ("PyFloat_FromDouble", "float"),
}  # fmt: skip
"""By letter of a number: the function that makes a Python object of it, and its type."""
_UNBOXES = {
    "b": ("PyObject_IsTrue", "i32"), "i": ("PyLong_AsLongLong", "i64"),
    "u": ("PyLong_AsUnsignedLongLong", "i64"), "f": ("PyFloat_AsDouble", "double"),
    "g": ("PyFloat_AsDouble", "double"),
}  # fmt: skip
"""The same of the function that gives the number of an object."""


def support_code() -> str:
    """Return the functions that the code of graphs calls, and what they need."""
    module = FunctionText("")
    module.define("box", "ptr", "i8 %code, i64 %cell", _write_box, "")
    module.define("unbox", "i64", "i8 %code, ptr %object", _write_unbox, "")
    text_memory.declare_pool(module)
    workspace_code.declare_workspace(module)
    for name, gives, params, write in (
        ("rt_call_site", "i1", "ptr %ctx, i64 %index, ptr %cells, ptr %takes, i64 %count, "
                               "ptr %gives, i64 %results", _write_call),
        ("rt_call_context", "i1", "ptr %ctx, i64 %entry_number", _write_call_of_context),
        *_OF_MEMORY,
    ):  # fmt: skip
        module.define(name, gives, params, write, "")
        module.declared[name] = module.declared[name].replace("define internal", "define", 1)
    return "\n".join(sorted(module.declared.values(), key=lambda text: text[:7] != "declare"))


def _is_letter(text: FunctionText, code_letter: str) -> str:
    return text.value(f"icmp eq i8 %code, {ord(code_letter)}")


def _write_box(text: FunctionText) -> None:
    """Write the function that gives the Python object of a cell."""
    for code_letter, (function, kind) in _BOXES.items():
        with text.leaving(_is_letter(text, code_letter), likely=None):
            number = "%cell"
            if kind == "double":
                number = text.value("bitcast i64 %cell to double")
            elif kind == "float":
                low = text.value("trunc i64 %cell to i32")
                single = text.value(f"bitcast i32 {low} to float")
                number, kind = text.value(f"fpext float {single} to double"), "double"
            text.line(f"ret ptr {text.call('ptr', function, f'{kind} {number}')}")
    pointer = text.value("inttoptr i64 %cell to ptr")
    with text.only_if(_is_letter(text, "p"), holds=False):
        text.call("void", "Py_IncRef", f"ptr {pointer}")
    text.line(f"ret ptr {pointer}")


def _write_unbox(text: FunctionText) -> None:
    """Write the function that gives the cell of a Python object."""
    for code_letter, (function, kind) in _UNBOXES.items():
        with text.leaving(_is_letter(text, code_letter), likely=None):
            cell = text.call(kind, function, "ptr %object")
            if code_letter == "b":
                cell = text.value(f"zext i1 {text.value(f'icmp ne i32 {cell}, 0')} to i64")
            elif code_letter == "f":
                cell = text.value(f"bitcast double {cell} to i64")
            elif code_letter == "g":
                single = text.value(f"fptrunc double {cell} to float")
                low = text.value(f"bitcast float {single} to i32")
                cell = text.value(f"zext i32 {low} to i64")
            text.line(f"ret i64 {cell}")
    text.call("void", "Py_IncRef", "ptr %object")
    text.line(f"ret i64 {text.value('ptrtoint ptr %object to i64')}")


def _letter_at(text: FunctionText, letters: str, number: str) -> str:
    return f"i8 {text.value(f'load i8, ptr {text.gep(letters, number)}')}"


def _word_at(text: FunctionText, words: str, number: str) -> str:
    return text.value(f"getelementptr i64, ptr {words}, i64 {number}")


def _write_call(text: FunctionText) -> None:
    """Write the call of a site: its arguments are boxed, its results unboxed into the cells."""
    room = text.value("add i64 %count, 1")
    boxes = text.value(f"alloca ptr, i64 {room}")
    missing, result = text.slot("i1", "false"), text.slot("ptr", "null")
    with text.counted_loop("%count") as number:
        cell = text.value(f"load i64, ptr {_word_at(text, '%cells', number)}")
        takes = _letter_at(text, "%takes", number)
        box = text.value(f"call ptr @box({takes}, i64 {cell})")
        text.line(f"store ptr {box}, ptr {_word_at(text, boxes, number)}")
        with text.only_if(text.value(f"icmp eq ptr {box}, null")):
            text.line(f"store i1 true, ptr {missing}")
    with text.only_if(text.value(f"load i1, ptr {missing}"), holds=False):
        last = text.value(f"sub i64 {text.call('i64', 'PyTuple_Size', 'ptr %ctx')}, 1")
        position = text.value(f"sub i64 {last}, %index")
        function = text.call("ptr", "PyTuple_GetItem", "ptr %ctx", f"i64 {position}")
        called = text.call(
            "ptr", "PyObject_Vectorcall", f"ptr {function}", f"ptr {boxes}", "i64 %count",
            "ptr null",
        )  # fmt: skip
        text.line(f"store ptr {called}, ptr {result}")
    with text.counted_loop("%count") as number:
        box = text.value(f"load ptr, ptr {_word_at(text, boxes, number)}")
        text.call("void", "Py_DecRef", f"ptr {box}")
    value = text.value(f"load ptr, ptr {result}")
    text.give_if(text.value(f"icmp eq ptr {value}, null"), "i1 false", likely=None)
    for is_single in text.either(text.value("icmp eq i64 %results, 1")):
        if is_single:
            _store_cell(text, "0", value)
            continue
        with text.counted_loop("%results") as number:
            item = text.call("ptr", "PyTuple_GetItem", f"ptr {value}", f"i64 {number}")
            _store_cell(text, number, item)
    text.call("void", "Py_DecRef", f"ptr {value}")
    error = text.call("ptr", "PyErr_Occurred")
    text.line(f"ret i1 {text.value(f'icmp eq ptr {error}, null')}")


def _store_cell(text: FunctionText, number: str, value: str) -> None:
    """Store the number of a Python object in a cell."""
    gives = _letter_at(text, "%gives", number)
    cell = text.value(f"call i64 @unbox({gives}, ptr {value})")
    text.line(f"store i64 {cell}, ptr {_word_at(text, '%cells', number)}")


def _write_call_of_context(text: FunctionText) -> None:
    function = text.call("ptr", "PyTuple_GetItem", "ptr %ctx", "i64 %entry_number")
    result = text.call("ptr", "PyObject_CallNoArgs", f"ptr {function}")
    failed = text.value(f"icmp eq ptr {result}, null")
    text.call("void", "Py_DecRef", f"ptr {result}")
    text.line(f"ret i1 {failed}")
