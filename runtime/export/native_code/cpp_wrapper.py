"""C++ wrapper of an export: a function that returns results, and throws what Python would raise."""

from __future__ import annotations

from runtime.export.native_code.c_header import argument_names
from runtime.export.native_code.interface import Interface, Slot

_HEAD = """\
/* {name} in C++17: results are returned, and what Python would raise is thrown. */
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "{header}"

#ifndef AUTOGRAPH_ERROR
#define AUTOGRAPH_ERROR
namespace autograph {{

/* What Python would raise: its text, the class of the exception, and the line of Python. */
struct error : std::runtime_error {{
  std::string exception, file;
  int line, status;
  error(int status, const autograph_call &call)
      : std::runtime_error(call.message), exception(call.exception), file(call.file),
        line(call.line), status(status) {{}}
}};

}}  // namespace autograph
#endif

namespace autograph {{

"""


def cpp_wrapper(interface: Interface, header: str) -> str:
    """Return the text of the wrapper."""
    params = [param for slot in interface.arguments for param in _params(slot)]
    if interface.state:
        params.append(f"{interface.name}_state &state")
    results = [_type(slot) for slot in interface.results]
    gives = results[0] if len(results) == 1 else f"std::tuple<{', '.join(results)}>"
    lines = [f"inline {gives if results else 'void'} {interface.name}({', '.join(params)}) {{"]
    lines.append("  autograph_call call = autograph_call_of_malloc();")
    lines += [_room(slot) for slot in interface.results]
    plain = [_pointer(slot) for slot in interface.results]
    unknown = [slot for slot in interface.results if slot.unknown]
    if unknown:
        lines.append("  // the first call says the sizes, the second one gives the elements")
        first = ["nullptr, 0, " + f"{s.name}_sizes" if s.unknown else _pointer(s)
                 for s in interface.results]  # fmt: skip
        lines.append(_call(interface, first))
        lines += [f"  {slot.name}.resize({_count(slot)});" for slot in unknown]
    lines.append(_call(interface, plain))
    names = ", ".join(slot.name for slot in interface.results)
    if results:
        lines.append(f"  return {names};" if len(results) == 1 else f"  return {{{names}}};")
    body = "\n".join([*lines, "}", "", "}  // namespace autograph", ""])
    return _HEAD.format(name=interface.name, header=header) + body


def _params(slot: Slot) -> list[str]:
    if slot.dims is None:
        return [f"{slot.c_type} {slot.name}"]
    sizes = [f"std::int64_t {slot.size_name(axis)}" for axis in slot.unknown]
    return [f"const {slot.c_type} *{slot.name}", *sizes]


def _type(slot: Slot) -> str:
    return slot.c_type if slot.dims is None else f"std::vector<{_element(slot)}>"


def _element(slot: Slot) -> str:
    """Return the type of the elements of a vector, of which C++ packs bools."""
    return "unsigned char" if slot.c_type == "bool" else slot.c_type


def _count(slot: Slot) -> str:
    sizes = [
        f"{slot.name}_sizes[{axis}]" if size is None else str(size)
        for axis, size in enumerate(slot.dims or ())
    ]
    parts = ["2"] if slot.dtype.kind == "c" else []
    return " * ".join([*parts, *sizes]) or "1"


def _room(slot: Slot) -> str:
    """Return the line that makes room for a result."""
    if slot.dims is None:
        return f"  {slot.c_type} {slot.name}{{}};"
    if slot.unknown:
        sizes = f"std::int64_t {slot.name}_sizes[{len(slot.dims)}]{{}};"
        return f"  {_type(slot)} {slot.name};\n  {sizes}"
    return f"  {_type(slot)} {slot.name}({_count(slot)});"


def _pointer(slot: Slot) -> str:
    if slot.dims is None:
        return f"&{slot.name}"
    data = f"{slot.name}.data()"
    if slot.c_type == "bool":
        data = f"reinterpret_cast<bool *>({data})"
    if not slot.unknown:
        return data
    return f"{data}, static_cast<std::int64_t>({slot.name}.size()), {slot.name}_sizes"


def _call(interface: Interface, results: list[str]) -> str:
    given = [name for slot in interface.arguments for name in argument_names(slot)]
    state = ["&state"] if interface.state else []
    args = ", ".join([*given, *results, *state, "&call"])
    return (
        f"  if (int status = ::{interface.name}({args}); status != AUTOGRAPH_OK)\n"
        "    throw error(status, call);"
    )
