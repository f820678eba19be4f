"""``main.c`` of an export: a program that calls the function, as an example of its use."""

from __future__ import annotations

from runtime.export.native_code.c_header import argument_names
from runtime.export.native_code.interface import Interface, Slot

UNKNOWN_SIZE = 2
"""Size that the example takes where the caller says it."""
MOST = 65536
"""Elements for which the example makes room where a result says its size."""
_HEAD = """\
/* Calls {name}: numbers come from the command line, arrays are filled with 0, 1, 2 ... */
#include <inttypes.h>
#include <stdio.h>

#include "{header}"

int main(int count, char **arguments) {{
  autograph_call call = autograph_call_of_malloc();
  int next = 1;
"""
_FAILED = """\
  if (status != AUTOGRAPH_OK) {{
    fprintf(stderr, "%s: %s (%s:%d)\\n", call.exception, call.message, call.file, (int)call.line);
    return status;
  }}
"""


def main_program(interface: Interface, header: str) -> str:
    """Return the program."""
    lines = [_HEAD.format(name=interface.name, header=header)]
    if interface.state:
        lines.append(f"  static {interface.name}_state state;\n  {interface.name}_init(&state);\n")
    for slot in interface.arguments:
        lines += _argument(slot)
    for slot in interface.results:
        lines += _result(slot)
    given = [name for slot in interface.arguments for name in argument_names(slot)]
    for slot in interface.results:
        given.append(f"&{slot.name}" if slot.dims is None else slot.name)
        if slot.unknown:
            given += [f"{MOST}", f"{slot.name}_sizes"]
    given += ["&state"] if interface.state else []
    lines.append(f"  int32_t status = {interface.name}({', '.join([*given, '&call'])});\n")
    lines.append(_FAILED.format())
    for slot in interface.results:
        lines += _shown(slot)
    lines.append("  (void)count, (void)arguments, (void)next;\n  return 0;\n}\n")
    return "".join(lines)


def _count(slot: Slot) -> int:
    count = 2 if slot.dtype.kind == "c" else 1
    for size in slot.dims or ():
        count *= UNKNOWN_SIZE if size is None else size
    return count


def _argument(slot: Slot) -> list[str]:
    """Return the lines that make an argument."""
    if slot.dims is None:
        read = "atof" if slot.dtype.kind == "f" else "atoll"
        kind = slot.c_type
        return [f"  {kind} {slot.name} = ({kind})(next < count ? {read}(arguments[next++]) : 0);\n"]
    lines = [f"  int64_t {slot.size_name(axis)} = {UNKNOWN_SIZE};\n" for axis in slot.unknown]
    lines.append(f"  static {slot.c_type} {slot.name}[{max(_count(slot), 1)}];\n")
    lines.append(
        f"  for (int i = 0; i < {_count(slot)}; i++) {slot.name}[i] = ({slot.c_type})i;\n"
    )
    return lines


def _result(slot: Slot) -> list[str]:
    """Return the lines that make room for a result."""
    if slot.dims is None:
        return [f"  {slot.c_type} {slot.name} = 0;\n"]
    if slot.unknown:
        return [
            f"  static {slot.c_type} {slot.name}[{MOST}];\n",
            f"  int64_t {slot.name}_sizes[{len(slot.dims)}];\n",
        ]
    return [f"  static {slot.c_type} {slot.name}[{max(_count(slot), 1)}];\n"]


def _shown(slot: Slot) -> list[str]:
    """Return the lines that print a result."""
    form, cast = _format(slot)
    if slot.dims is None:
        return [f'  printf("{slot.name} = {form}\\n", {cast}{slot.name});\n']
    total = " * ".join(
        f"{slot.name}_sizes[{axis}]" if size is None else str(size)
        for axis, size in enumerate(slot.dims)
    )
    parts = "2 * " if slot.dtype.kind == "c" else ""
    return [
        f'  printf("{slot.name} =");\n',
        f"  for (int64_t i = 0; i < {parts}{total or '1'}; i++)\n",
        f'    printf(" {form}", {cast}{slot.name}[i]);\n',
        '  printf("\\n");\n',
    ]


def _format(slot: Slot) -> tuple[str, str]:
    """Return the format of ``printf`` for an element, and the cast before it."""
    if slot.c_type in ("float", "double"):
        return ("%.9g" if slot.c_type == "float" else "%.17g"), "(double)"
    return ("%llu", "(unsigned long long)") if slot.dtype.kind == "u" else ("%lld", "(long long)")
