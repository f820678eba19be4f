"""C header of an export: the structure of a call, and a documented function for each trace."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from runtime.export.native_code.interface import Interface, Slot
from runtime.export.native_code.stand_ins import MESSAGE_BYTES
from runtime.export.native_code.targets import Platform

_PRELUDE = f"""
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

#ifndef AUTOGRAPH_CALL
#define AUTOGRAPH_CALL

/* What functions return. */
enum {{
  AUTOGRAPH_OK = 0,
  AUTOGRAPH_RAISED = 1,    /* Python would raise the exception that the call holds */
  AUTOGRAPH_NO_MEMORY = 2, /* the allocator gave none, or there is no allocator */
  AUTOGRAPH_INVALID = 3,   /* a size of an argument is wrong: nothing was done */
  AUTOGRAPH_TOO_SMALL = 4  /* a buffer has no room for its result, whose sizes are written */
}};

/* A call of functions, one for each thread.  Functions that need no memory, and whose errors are of
   no interest, take NULL in its place. */
typedef struct autograph_call {{
  /* Gives so many bytes, NULL if there are none.  NULL where functions need no memory. */
  void *(*allocate)(void *memory, size_t bytes);
  /* Takes back what `allocate` gave.  NULL where nothing is taken back, as in arenas. */
  void (*release)(void *memory, void *block);
  /* First argument of both. */
  void *memory;
  /* Written by a function that returns AUTOGRAPH_RAISED or another status than AUTOGRAPH_OK: the
     class of the exception in Python, the line of Python that raises it, and its text. */
  const char *exception;
  const char *file;
  int32_t line;
  char message[{MESSAGE_BYTES}]; /* UTF-8, cut off where it is longer */
}} autograph_call;

#ifndef AUTOGRAPH_WITHOUT_MALLOC
#include <stdlib.h>

static inline void *autograph_malloc(void *memory, size_t bytes) {{
  (void)memory;
  return malloc(bytes);
}}
static inline void autograph_free(void *memory, void *block) {{
  (void)memory;
  free(block);
}}
/* Makes a call whose memory is that of malloc. */
static inline autograph_call autograph_call_of_malloc(void) {{
  autograph_call call = {{autograph_malloc, autograph_free, NULL, "", "", 0, {{0}}}};
  return call;
}}
#endif
#endif
"""


def c_header(interfaces: Sequence[Interface], stem: str, target: Platform) -> str:
    """Return the header of some functions."""
    guard = f"AUTOGRAPH_{''.join(c if c.isalnum() else '_' for c in stem).upper()}_H"
    head = f"/* Functions of {stem}, exported for {target.triple} ({target.cpu}). */"
    functions = "\n\n".join(map(declaration, interfaces))
    return (
        f"{head}\n#ifndef {guard}\n#define {guard}\n{_PRELUDE}\n{functions}\n\n"
        f"#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    )


def parameters(interface: Interface) -> list[str]:
    """Return the parameters of a function in C, but for the call."""
    params: list[str] = []
    for slot in interface.arguments:
        if slot.dims is None:
            params.append(f"{slot.c_type} {slot.name}")
            continue
        params.append(f"const {slot.c_type} *{slot.name}")
        params += [f"int64_t {slot.size_name(axis)}" for axis in slot.unknown]
    for slot in interface.results:
        params.append(f"{slot.c_type} *{slot.name}")
        if slot.unknown:
            params += [f"int64_t {slot.name}_capacity", f"int64_t *{slot.name}_sizes"]
    return params


def declaration(interface: Interface) -> str:
    """Return the comment and the declaration of a function, and of that of sizes if it has one."""
    lines = [*_about(interface)]
    comment = "\n".join(["/*", *(f"   {line}".rstrip() for line in lines), "*/"])
    state = [f"{interface.name}_state *state"] if interface.state else []
    params = ", ".join([*parameters(interface), *state, "autograph_call *call"])
    head = _wrapped(f"int32_t {interface.name}({params});")
    return f"{_state(interface)}{comment}\n{head}{_sizes_function(interface)}"


_STATE = """\
/* Variables that {name} changes: the caller's, one for each program or thread. */
typedef struct {name}_state {{
  {fields}
}} {name}_state;

/* Gives the variables the values that they had when {name} was exported. */
void {name}_init({name}_state *state);

"""


def _state(interface: Interface) -> str:
    """Return the structure of the variables that a function writes; empty without any."""
    if not interface.state:
        return ""
    fields = "\n  ".join(variable.declaration for variable in interface.state)
    return _STATE.format(name=interface.name, fields=fields)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 96, subsequent_indent="    ", break_long_words=False)


def _about(interface: Interface) -> Iterator[str]:
    """Yield the lines that say what a function takes and gives."""
    yield from textwrap.wrap(interface.about or f"{interface.name}.", 92)
    yield ""
    for slot in interface.arguments:
        yield from _slot_lines(slot, "takes")
    for slot in interface.results:
        yield from _slot_lines(slot, "gives")
    yield "Returns AUTOGRAPH_OK, or another status; `call` says more."


def _slot_lines(slot: Slot, verb: str) -> list[str]:
    """Return what is said of an argument or a result."""
    text = f"{verb} {slot.name}: {slot.described}"
    if slot.dims is not None:
        text += ", row by row"
        if slot.dtype.kind == "c":
            text += ", two floats each"
        if slot.dtype.name in ("float16", "bfloat16"):
            text += ", its bits"
    if slot.unknown and verb == "gives":
        text += (
            f"; {slot.name}_capacity is the room in elements, and {slot.name}_sizes gets its "
            f"{len(slot.dims or ())} sizes"
        )
    return textwrap.wrap(text, 92, subsequent_indent="  ")


def _sizes_function(interface: Interface) -> str:
    """Return the function that says the sizes of results; empty where all are known."""
    unknown = [slot for slot in interface.results if slot.unknown]
    if not unknown or len(unknown) < len(interface.results) or interface.state:
        return ""
    arguments = Interface(interface.name, interface.arguments, (), "")
    params = [*parameters(arguments), *(f"int64_t *{slot.name}_sizes" for slot in unknown)]
    given = [name for slot in interface.arguments for name in argument_names(slot)]
    given += [text for slot in unknown for text in ("NULL", "0", f"{slot.name}_sizes")]
    listed = ", ".join([*params, "autograph_call *call"])
    head = _wrapped(f"static inline int32_t {interface.name}_sizes({listed}) {{")
    body = _wrapped(f"return {interface.name}({', '.join([*given, 'call'])});")
    about = f"/* Gives the sizes of the results of {interface.name}, by computing them. */"
    return f"\n{about}\n{head}\n  {body}\n}}"


def argument_names(slot: Slot) -> list[str]:
    """Return the names of the C arguments that are one argument."""
    return [slot.name, *(slot.size_name(axis) for axis in slot.unknown)]
