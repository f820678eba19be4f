"""LLVM code of failures: the table of what sites raise, and the functions that sites call."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.python_code import returned_type, site_head, site_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.export.native_code.failures import ANY, Failure
from runtime.export.native_code.reshaping import add_reshapes
from runtime.export.native_code.stand_ins import NO_MEMORY, RAISED, RECURSION_SITE
from runtime.types.source_location import UNKNOWN_LOCATION

_ROW = "{i32, i32, i64, i32, ptr, ptr, ptr}"
_TOO_DEEP = Failure(ANY, "RecursionError", "maximum recursion depth exceeded", UNKNOWN_LOCATION)
_CALLED = re.compile(r"call [^@\n]*@(site\.[\w.$]*)\(ptr %ctx, i64 (%?\w+)")


def string_constant(value: str) -> tuple[str, str]:
    """Return the name and definition of the constant of a text, with a 0 at its end."""
    data = value.encode("utf-8", "replace").replace(b"\0", b"?") + b"\0"
    name = f"@rt_string_{hashlib.sha256(data).hexdigest()[:16]}"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return name, f'{name} = private unnamed_addr constant [{len(data)} x i8] c"{escaped}"'


def site_functions(sites: Iterable[ir.Site]) -> dict[str, str]:
    """Return the functions that note the failure of sites, by name."""
    by_name: dict[str, list[ir.Site]] = {}
    for site in sites:
        by_name.setdefault(site_name(site), []).append(site)
    return {name: _site_function(several) for name, several in by_name.items()}


def _site_function(sites: Sequence[ir.Site]) -> str:
    """Return the function of sites of the same types."""
    site = sites[0]
    text = FunctionText(site_head(site))
    add_reshapes(text, sites)
    cells = text.slot(f"[{max(len(site.takes), 1)} x i64]")
    pattern = "0"
    for number, type in enumerate(site.takes):
        name = f"%p{number}"
        text.line(f"store i64 {_cell(text, type, name)}, ptr {text.gep(cells, 8 * number)}")
        is_zero = _is_zero(text, type, name)
        if is_zero and number < 63:
            bit = text.value(f"select i1 {is_zero}, i64 {1 << number}, i64 0")
            pattern = text.value(f"or i64 {pattern}, {bit}")
    text.call("void", "rt_fail", "ptr %ctx", "i64 %index", f"i64 {pattern}", f"ptr {cells}")
    text.line(f"ret {returned_type(site.gives)} zeroinitializer")
    return text.text()


def _cell(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return the 64 bits of a value."""
    if not isinstance(type, ir.Scalar):
        return text.value(f"ptrtoint ptr {name} to i64")
    kind = llvm_type(type)
    if type.kind == "f":
        name = text.value(f"bitcast {kind} {name} to i{64 if kind == 'double' else 32}")
        return name if kind == "double" else text.value(f"zext i32 {name} to i64")
    if type.bits == 64:
        return name
    return text.value(f"{'sext' if type.kind == 'i' else 'zext'} {kind} {name} to i64")


def _is_zero(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return whether a value is zero or empty; nothing for arrays."""
    if isinstance(type, ir.NativeList):
        length = text.value(f"load i64, ptr {text.gep(name, 8)}")
        return text.value(f"icmp eq i64 {length}, 0")
    if not isinstance(type, ir.Scalar):
        return ""
    if type.kind == "f":
        return text.value(f"fcmp oeq {llvm_type(type)} {name}, 0.0")
    return text.value(f"icmp eq {llvm_type(type)} {name}, 0")


def called_sites(text: str, sites: Sequence[ir.Site]) -> list[ir.Site]:
    """Return the sites that LLVM code calls; all of a type where it calls one by a variable."""
    numbers: set[int] = set()
    for name, index in _CALLED.findall(text):
        if index.isdigit():
            numbers.add(int(index))
        else:
            numbers |= {site.index for site in sites if site_name(site) == name}
    return [site for site in sites if site.index in numbers]


def failure_table(failures: Sequence[tuple[int, Failure]]) -> str:
    """Return the table of failures, each with the number of its site."""
    strings: dict[str, str] = {}

    def string(value: str) -> str:
        name, definition = string_constant(value)
        strings[name] = definition
        return f"ptr {name}"

    rows = []
    for site, failure in (*failures, (RECURSION_SITE, _TOO_DEEP)):
        status = NO_MEMORY if failure.exception == "MemoryError" else RAISED
        rows.append(
            f"{_ROW} {{i32 {site}, i32 {failure.location.line}, i64 {failure.pattern}, "
            f"i32 {status}, {string(failure.exception)}, {string(failure.location.file)}, "
            f"{string(failure.message)}}}"
        )
    table = f"@rt_failures = constant [{len(rows)} x {_ROW}] [{', '.join(rows)}]"
    return "\n".join([*strings.values(), table])
