"""LLVM code shared by all graphs: the call of a site, and numbers as Python objects.

It is compiled once for a process and linked to the code of graphs by the names of its functions.
Numbers travel in *cells* of 64 bits, with a letter for each type: b, i, u, f (64 bits), g (32
bits), o (an object) and p (an object whose reference is used up).
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import workspace_code
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts import text_memory
from runtime.engine.llvm.values import LaneValue

_OF_MEMORY = (*text_memory.FUNCTIONS, *workspace_code.FUNCTIONS)
EXPORTED = ("rt_call_site", "rt_call_context", *(name for name, *_ in _OF_MEMORY))
"""Functions that the code of graphs calls."""


_BOXES = {
    "b": "PyBool_FromLong", "i": "PyLong_FromLongLong", "u": "PyLong_FromUnsignedLongLong",
    "f": "PyFloat_FromDouble", "g": "PyFloat_FromDouble",
}  # fmt: skip
"""By letter of a number: the function that makes a Python object of it."""
_UNBOXES = {
    "b": ("PyObject_IsTrue", ir.INT32), "i": ("PyLong_AsLongLong", ir.INT64),
    "u": ("PyLong_AsUnsignedLongLong", ir.INT64), "f": ("PyFloat_AsDouble", ir.FLOAT64),
    "g": ("PyFloat_AsDouble", ir.FLOAT64),
}  # fmt: skip
"""The same of the function that gives the number of an object, and its type."""
_LETTER, _SHORT = ir.Scalar("u", 8), ir.Scalar("u", 32)


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


def _write_box(text: FunctionText) -> None:
    """Write the function that gives the Python object of a cell."""
    code = Builder(text)
    letter, cell = code.value("%code", _LETTER), code.value("%cell")
    for code_letter, function in _BOXES.items():
        with text.leaving((letter == ord(code_letter)).name, likely=None):
            number = cell
            if code_letter == "f":
                number = cell.floats()
            elif code_letter == "g":
                number = cell.to(_SHORT).floats().to(ir.FLOAT64)
            code.give(code.call_address(function, number, extern=True))
    pointer = code.address(text.value("inttoptr i64 %cell to ptr"))
    with text.only_if((letter == ord("p")).name, holds=False):
        code.run("Py_IncRef", pointer, extern=True)
    code.give(pointer)


def _write_unbox(text: FunctionText) -> None:
    """Write the function that gives the cell of a Python object."""
    code = Builder(text)
    letter, source = code.value("%code", _LETTER), code.address("%object")
    for code_letter, (function, type) in _UNBOXES.items():
        with text.leaving((letter == ord(code_letter)).name, likely=None):
            cell = code.call(function, source, gives=type, extern=True)
            if code_letter == "b":
                cell = (cell != 0).to(SIZE)
            elif code_letter == "f":
                cell = cell.bits()
            elif code_letter == "g":
                cell = cell.to(ir.Scalar("f", 32)).bits().as_type(_SHORT).to(SIZE)
            code.give(cell)
    code.run("Py_IncRef", source, extern=True)
    code.give(f"i64 {text.value('ptrtoint ptr %object to i64')}")


def _write_call(text: FunctionText) -> None:
    """Write the call of a site: its arguments are boxed, its results unboxed into the cells."""
    code = Builder(text)
    cells, count = code.address("%cells"), code.value("%count")
    boxes = code.address(text.value(f"alloca ptr, i64 {count + 1}"))
    is_missing, result = CodeVariable(code, ir.BOOL, "false"), code.pointer("null")
    with code.each(count) as number:
        cell = cells.element(SIZE, number).load()
        letter = (code.address("%takes") + number).load(_LETTER)
        box = code.call_address("box", letter, cell)
        boxes.element(SIZE, number).store(box)
        with code.only_if(box.is_null()):
            is_missing.set("true")
    with text.only_if(is_missing.get().name, holds=False):
        last_index = code.call("PyTuple_Size", "ptr %ctx", extern=True) - 1
        position = last_index - code.value("%index")
        function = code.call_address("PyTuple_GetItem", "ptr %ctx", position, extern=True)
        args = function, boxes, count, "ptr null"
        result.store(code.call_address("PyObject_Vectorcall", *args, extern=True))
    with code.each(count) as number:
        box = boxes.element(SIZE, number).load_address()
        code.run("Py_DecRef", box, extern=True)
    value = result.load_address()
    code.give_if(value.is_null(), "i1 false", None)
    results = code.value("%results")
    for is_single in text.either((results == 1).name):
        if is_single:
            _store_cell(cells, code.value(0), value)
            continue
        with code.each(results) as number:
            item = code.call_address("PyTuple_GetItem", value, number, extern=True)
            _store_cell(cells, number, item)
    code.run("Py_DecRef", value, extern=True)
    code.give(code.call_address("PyErr_Occurred", extern=True).is_null())


def _store_cell(cells: Address, number: LaneValue, value: Address) -> None:
    """Store the number of a Python object in a cell."""
    letter = (cells.code.address("%gives") + number).load(_LETTER)
    cell = cells.code.call("unbox", letter, value)
    cells.element(SIZE, number).store(cell)


def _write_call_of_context(text: FunctionText) -> None:
    code = Builder(text)
    entry = "ptr %ctx", "i64 %entry_number"
    function = code.call_address("PyTuple_GetItem", *entry, extern=True)
    result = code.call_address("PyObject_CallNoArgs", function, extern=True)
    has_failed = result.is_null()
    code.run("Py_DecRef", result, extern=True)
    code.give(has_failed)
