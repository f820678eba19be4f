"""LLVM code that speaks with Python: sites, numbers and lists as Python objects.

The code contains no addresses: what it needs of Python stands in a tuple, the *context*, which is
the ``self`` of the entry.  So machine code can be cached on disk.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.size_code import widened
from runtime.engine.llvm.text import FunctionText, Join, llvm_type

POLL, TOO_DEEP, LOWEST_ADDRESS, ARRAY_CLASS, RESULT, ANY_LAYOUT = 1, 2, 3, 4, 5, 6
"""Entries of the context: functions without arguments, the class of arrays, the function of an
object that is a result, or None, and the function to call with arrays of other layouts than those
that the code takes for granted.  Entry 0 keeps the machine code alive.
"""
FIRST_OBJECT = 7
"""Entry of the first object; the sites' functions follow the objects."""


def returned_type(gives: Sequence[ir.Type]) -> str:
    """Return the LLVM type that a function with such results returns."""
    return f"{{{', '.join([*map(llvm_type, gives), 'i1'])}}}"


def return_values(text: FunctionText, gives: Sequence[ir.Type], names: Sequence[str]) -> None:
    """Return values, and that the function succeeded."""
    returns, aggregate = returned_type(gives), "undef"
    for position, (type, name) in enumerate(zip(gives, names, strict=True)):
        aggregate = text.value(
            f"insertvalue {returns} {aggregate}, {llvm_type(type)} {name}, {position}"
        )
    done = text.value(f"insertvalue {returns} {aggregate}, i1 true, {len(gives)}")
    text.line(f"ret {returns} {done}")


def call_function(
    text: FunctionText, name: str, takes: Sequence[ir.Type], gives: Sequence[ir.Type],
    args: Sequence[str], fail: str, before: Sequence[str] = (),
) -> list[str]:  # fmt: skip
    """Call a function of the module; branch to ``fail`` if it fails; return its results."""
    returns = returned_type(gives)
    operands = ", ".join(["ptr %ctx", *before, *_typed_args(takes, args)])
    text.before_others()
    aggregate = text.value(f"call {returns} @{name}({operands})")
    succeeded = text.value(f"extractvalue {returns} {aggregate}, {len(gives)}")
    text.require(succeeded, fail)
    text.after_others()
    return [text.value(f"extractvalue {returns} {aggregate}, {n}") for n in range(len(gives))]


def _typed_args(takes: Sequence[ir.Type], args: Sequence[str]) -> list[str]:
    return [f"{llvm_type(type)} {name}" for type, name in zip(takes, args, strict=True)]


def context_entry(text: FunctionText, index: str) -> str:
    """Return an entry of the context, a borrowed reference."""
    return text.call("ptr", "PyTuple_GetItem", "ptr %ctx", f"i64 {index}")


def array_class(text: FunctionText) -> str:
    """Return the class of arrays, which is read once in a function."""
    if not text.array_class:
        text.declared["PyTuple_GetItem"] = "declare ptr @PyTuple_GetItem(ptr, i64)"
        text.array_class = "%class"
        text.slots.append(f"  %class = call ptr @PyTuple_GetItem(ptr %ctx, i64 {ARRAY_CLASS})")
    return text.array_class


def object_constant(text: FunctionText, index: int) -> str:
    """Return an object of the module, a borrowed reference."""
    return context_entry(text, str(FIRST_OBJECT + index))


def call_context(text: FunctionText, entry: int) -> str:
    """Call a function of the context without arguments; return whether it did not raise."""
    text.before_others()
    failed = text.call("i1", "rt_call_context", "ptr %ctx", f"i64 {entry}")
    return text.value(f"xor i1 {failed}, true")


def poll(text: FunctionText, failure: str) -> None:
    """Look at signals and other threads; branch to ``failure`` if a handler raised."""
    text.require(call_context(text, POLL), failure, None)
    text.after_others()


def stack_limits(text: FunctionText) -> tuple[str, str]:
    """Return how many recursive calls are allowed, and the lowest address of the stack."""
    most = text.call("i32", "Py_GetRecursionLimit")
    depth = text.value(f"sext i32 {most} to i64")
    function = context_entry(text, str(LOWEST_ADDRESS))
    number = text.call("ptr", "PyObject_CallNoArgs", f"ptr {function}")
    floor = text.call("i64", "PyLong_AsLongLong", f"ptr {number}")
    text.call("void", "Py_DecRef", f"ptr {number}")
    return depth, floor


def check_depth(text: FunctionText, failure: str) -> None:
    """Fail where too many calls are under way, or the stack is nearly used up."""
    frame = text.call("ptr", "llvm.frameaddress.p0", "i32 0")
    address = text.value(f"ptrtoint ptr {frame} to i64")
    low = text.value(f"icmp slt i64 {address}, %floor")
    deep = text.value("icmp slt i64 %depth, 0")
    bad = text.value(f"or i1 {low}, {deep}")
    with text.leaving(bad, failure):
        call_context(text, TOO_DEEP)


# -- numbers --------------------------------------------------------------------------------------


def box(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return a new reference to the Python object of a value; null after an error."""
    if isinstance(type, ir.NativeList):
        return text.value(f"call ptr @{list_name(type)}.box(ptr {name})")
    if type is ir.OBJECT:
        text.call("void", "Py_IncRef", f"ptr {name}")
        return name
    assert isinstance(type, ir.Scalar)
    if type.kind == "f":
        wide = name if type.bits == 64 else text.value(f"fpext float {name} to double")
        return text.call("ptr", "PyFloat_FromDouble", f"double {wide}")
    function = {
        "b": "PyBool_FromLong", "i": "PyLong_FromLongLong", "u": "PyLong_FromUnsignedLongLong",
    }[type.kind]  # fmt: skip
    return text.call("ptr", function, f"i64 {widened(text, type, name)}")


def unbox(text: FunctionText, type: ir.Type, name: str, fail: str) -> str:
    """Return the value of a Python object; branch to ``fail`` if it is of another type."""
    if isinstance(type, ir.NativeList):
        value = text.value(f"call ptr @{list_name(type)}.unbox(ptr {name})")
        text.refuse(text.is_null(value), fail)
        return value
    if type is ir.OBJECT:
        text.call("void", "Py_IncRef", f"ptr {name}")
        return name
    assert isinstance(type, ir.Scalar)
    if type.kind == "b":
        truth = text.call("i32", "PyObject_IsTrue", f"ptr {name}")
        text.refuse(text.value(f"icmp slt i32 {truth}, 0"), fail)
        return text.value(f"icmp ne i32 {truth}, 0")
    if type.kind == "f":
        value = text.call("double", "PyFloat_AsDouble", f"ptr {name}")
        odd = text.value(f"fcmp oeq double {value}, -1.0")
    elif type.kind == "u" and type.bits == 64:  # which takes no NumPy number
        integer = text.call("ptr", "PyNumber_Index", f"ptr {name}")
        text.refuse(text.is_null(integer), fail)
        value = text.call("i64", "PyLong_AsUnsignedLongLong", f"ptr {integer}")
        text.call("void", "Py_DecRef", f"ptr {integer}")
        odd = text.value(f"icmp eq i64 {value}, -1")
    else:
        value = text.call("i64", "PyLong_AsLongLong", f"ptr {name}")
        odd = text.value(f"icmp eq i64 {value}, -1")
    _check_error(text, odd, fail)
    if type.bits == 64:
        return value
    if type.kind == "f":
        return text.value(f"fptrunc double {value} to float")
    return text.value(f"trunc i64 {value} to i{type.bits}")


def _check_error(text: FunctionText, odd: str, fail: str) -> None:
    """Branch to ``fail`` if an odd result means that an exception is set."""
    with text.only_if(odd, likely=False):
        error = text.call("ptr", "PyErr_Occurred")
        text.refuse(text.value(f"icmp ne ptr {error}, null"), fail)


def require_object(text: FunctionText, name: str, otherwise: str) -> None:
    """Branch away, without an exception, where a function gave no object: there is no memory."""
    with text.leaving(text.is_null(name), otherwise):
        text.call("void", "PyErr_Clear")


# -- sites ----------------------------------------------------------------------------------------


def call_site(text: FunctionText, site: ir.Site, args: Sequence[str], fail: str) -> list[str]:
    """Call a site; branch to ``fail`` if it raises; return its results."""
    name, index = _site_function(text, site), f"i64 {site.index}"
    return call_function(text, name, site.takes, site.gives, args, fail, before=(index,))


def call_rare_site(
    text: FunctionText, site: ir.Site, args: Sequence[str], done: Join, fail: str
) -> None:
    """Call a site with one result, and end the block: bring the result to a join, or branch to
    ``fail`` if it raises.
    """
    returns, aggregate = _call_site(text, site, args)
    result = text.value(f"extractvalue {returns} {aggregate}, 0")
    text.go_on(text.value(f"extractvalue {returns} {aggregate}, 1"), done.label, fail)
    done.note(result)


def call_raising_site(text: FunctionText, site: ir.Site, args: Sequence[str], fail: str) -> None:
    """Call a site that raises, and end the block: branch to ``fail``."""
    _call_site(text, site, args)
    text.jump(fail)


class RaisingSites:
    """Blocks that call sites that raise: operations of the same types share a block, which receives
    the number of the site and the arguments.  A block for each was much of the code of long
    functions, and of the time that they took to compile.
    """

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._blocks: dict[tuple[str, str], tuple[ir.Site, Join]] = {}

    def label(self, site: ir.Site, args: Sequence[str], fail: str) -> str:
        """Return the label to branch to, at the end of the current block, so that a site is called
        and then ``fail`` is next.
        """
        key = _site_function(self._text, site), fail
        if key not in self._blocks:
            self._blocks[key] = site, self._text.join("i64", *map(llvm_type, site.takes))
        join = self._blocks[key][1]
        join.note(str(site.index), *args)
        return join.label

    def write(self) -> None:
        """Write the blocks."""
        text = self._text
        for (function, fail), (site, join) in self._blocks.items():
            index, *names = join.values()
            operands = ", ".join(["ptr %ctx", f"i64 {index}", *_typed_args(site.takes, names)])
            text.before_others()
            text.value(f"call {returned_type(site.gives)} @{function}({operands})")
            text.jump(fail)


def _call_site(text: FunctionText, site: ir.Site, args: Sequence[str]) -> tuple[str, str]:
    """Call a site; return the type and the name of what its function gives."""
    returns = returned_type(site.gives)
    takes = ", ".join(["ptr %ctx", f"i64 {site.index}", *_typed_args(site.takes, args)])
    text.before_others()
    return returns, text.value(f"call {returns} @{_site_function(text, site)}({takes})")


def site_name(site: ir.Site) -> str:
    """Return the name of the function that calls sites of such types."""
    takes, gives = (
        "_".join([list_name(t) if isinstance(t, ir.NativeList) else str(t) for t in types])
        for types in (site.takes, site.gives)
    )
    return f"site.{takes}.{gives}"


def site_head(site: ir.Site) -> str:
    """Return the head of the function that calls sites of such types."""
    params = [f"{llvm_type(type)} %p{number}" for number, type in enumerate(site.takes)]
    return (
        f"define internal {returned_type(site.gives)} @{site_name(site)}"
        f"({', '.join(['ptr %ctx', 'i64 %index', *params])}) noinline cold"
    )


def _site_function(text: FunctionText, site: ir.Site) -> str:
    """Return the name of the function that calls sites of such types; add it."""
    name = site_name(site)
    if name not in text.declared:
        text.declared[name] = ""
        inner = FunctionText(site_head(site))
        names = [f"%p{number}" for number in range(len(site.takes))]
        return_values(inner, site.gives, _call_kernel(inner, site, names, "fail"))
        inner.start("fail")
        inner.line(f"ret {returned_type(site.gives)} zeroinitializer")
        text.declared.update(inner.declared)
        text.constants.update(inner.constants)
        text.declared[name] = inner.text()
    return name


def _letter(type: ir.Type) -> str:
    """Return the letter of a type for support_code.py; lists travel as boxed objects."""
    if isinstance(type, ir.Scalar):
        return "g" if type.kind == "f" and type.bits == 32 else type.kind
    return "p" if isinstance(type, ir.NativeList) else "o"


def _call_kernel(text: FunctionText, site: ir.Site, args: Sequence[str], fail: str) -> list[str]:
    cells = text.cells(max(len(site.takes), len(site.gives), 1))
    for number, (type, name) in enumerate(zip(site.takes, args, strict=True)):
        place = text.value(f"getelementptr i64, ptr {cells}, i64 {number}")
        text.line(f"store i64 {_to_cell(text, type, name)}, ptr {place}")
    codes = [text.constant("".join(map(_letter, types))) for types in (site.takes, site.gives)]
    succeeded = text.call(
        "i1", "rt_call_site", "ptr %ctx", "i64 %index", f"ptr {cells}", f"ptr {codes[0]}",
        f"i64 {len(site.takes)}", f"ptr {codes[1]}", f"i64 {len(site.gives)}",
    )  # fmt: skip
    text.require(succeeded, fail)
    results = []
    for number, type in enumerate(site.gives):
        place = text.value(f"getelementptr i64, ptr {cells}, i64 {number}")
        results.append(_from_cell(text, type, text.load(place, "i64"), fail))
    return results


def _to_cell(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return the bits of a value; a list is boxed."""
    if isinstance(type, ir.NativeList):
        name = box(text, type, name)
    if not isinstance(type, ir.Scalar):
        return text.value(f"ptrtoint ptr {name} to i64")
    if type.kind == "f":
        bits = text.value(f"bitcast {llvm_type(type)} {name} to i{type.bits}")
        return bits if type.bits == 64 else text.value(f"zext i32 {bits} to i64")
    return widened(text, type, name)


def _from_cell(text: FunctionText, type: ir.Type, cell: str, fail: str) -> str:
    """Return the value of some bits; a list, the only result of its site, is unboxed."""
    if isinstance(type, ir.NativeList):
        box = text.value(f"inttoptr i64 {cell} to ptr")
        handle = text.value(f"call ptr @{list_name(type)}.unbox(ptr {box})")
        text.call("void", "Py_DecRef", f"ptr {box}")
        text.refuse(text.is_null(handle), fail)
        return handle
    if not isinstance(type, ir.Scalar):
        return text.value(f"inttoptr i64 {cell} to ptr")
    if type.bits == 64:
        return cell if type.kind != "f" else text.value(f"bitcast i64 {cell} to double")
    low = text.value(f"trunc i64 {cell} to i{type.bits}")
    return text.value(f"bitcast i32 {low} to float") if type.kind == "f" else low
