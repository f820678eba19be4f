"""Separation of the LLVM IR of long functions: loops over arrays, and the code between them.

LLVM's time grows fast with the length of a function, and pays where code runs often: in the loops.
So the functions of loops (fusions and array loops) become a module of their own, which LLVM
optimises; all the rest, which calls them, is compiled quickly.
"""

from __future__ import annotations

import re
from collections import Counter

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.instructions import OF_ARRAYS
from runtime.engine.llvm.loop_facts import METADATA

LONG = 30_000
"""Characters of a module from which on its loops are taken apart."""

_FUNCTION = re.compile(r"define [^@\n]*@(?:\"?)([\w.]+)")
_USED = re.compile(r"[@(]([\w.]+)")
"""Also in brackets: so attributes of calls name the functions of several lanes."""
_COUNTED = re.compile(r"^(?:head|strip)\d+:$", re.MULTILINE)
_CALL = re.compile(r"call \w+ @(fusion\w+)\((.*?)i1 ")
_PARAM = re.compile(r"%n(\d+)\b")
_OF_GRAPH = ("main", "entry")


class SplitModule(NamedTuple):
    """Modules of LLVM IR that are linked with each other."""

    outer: str
    loops: str


def is_separable(module: ir.KernelModule) -> bool:
    """Return whether the loops of a module are those over arrays, and loops around them."""
    return len(module.functions) == 1 and all(
        not isinstance(instruction, ir.WhileLoop) or _uses_arrays(instruction)
        for instruction, _ in ir.instructions(module.entry.block)
    )


def _uses_arrays(loop: ir.WhileLoop) -> bool:
    return any(
        isinstance(instruction, (Fusion, *OF_ARRAYS))
        for instruction, _ in ir.instructions(loop.body)
    )


def loops_apart(text: str) -> SplitModule | None:
    """Return the loops of a module and the rest; None if it has no loops."""
    functions, declarations = _functions(text)
    uses = {name: set(_USED.findall(body)) & functions.keys() for name, body in functions.items()}
    moved, todo = set[str](), [
        name for name, body in functions.items()
        if name not in _OF_GRAPH and "." not in name and _COUNTED.search(body)
    ]  # fmt: skip
    if not todo:
        return None
    while todo:
        name = todo.pop()
        if name not in moved:
            moved.add(name)
            todo += uses[name]
    stay = functions.keys() - moved
    called = {name for user in stay for name in uses[user]} & moved
    sizes = _sizes_of_calls([*functions.values()])
    loops = [_with_sizes(functions[name], sizes.get(name)) for name in functions if name in moved]
    loops = [_with_external_linkage(body) if _name(body) in called else body for body in loops]
    outer = [functions[name] for name in functions if name in stay]
    # in the order of the text: a set's differs between processes, which would miss the object cache
    outer += [_declaration(functions[name]) for name in functions if name in called]
    head = "\n".join(declarations)
    return SplitModule("\n".join([head, *outer, METADATA]), "\n".join([head, *loops, METADATA]))


def _functions(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the definitions of functions by name, and all other lines but metadata."""
    functions: dict[str, str] = {}
    declarations: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if not line.startswith("define "):
            if not line.startswith("!"):
                declarations.append(line)
            continue
        body = [line]
        while body[-1] != "}":
            body.append(next(lines))
        functions[_name(line)] = "\n".join(body)
    return functions, declarations


def _name(definition: str) -> str:
    match = _FUNCTION.match(definition)
    assert match is not None
    return match[1]


def _sizes_of_calls(bodies: list[str]) -> dict[str, list[str]]:
    """Return the sizes that fusions are called with, of those that are called once."""
    calls = [call for body in bodies for call in _CALL.findall(body)]
    count = Counter(name for name, _ in calls)
    sizes = {
        name: [argument[4:] for argument in arguments.split(", ") if argument]
        for name, arguments in calls
    }
    return {name: arguments for name, arguments in sizes.items() if count[name] == 1}


def _with_sizes(definition: str, sizes: list[str] | None) -> str:
    """Return a fusion with sizes that are known in place of its parameters."""
    if not sizes or not all(size.isdigit() for size in sizes):
        return definition
    head, body = definition.split("\n", 1)
    return f"{head}\n{_PARAM.sub(lambda match: sizes[int(match[1])], body)}"


def _with_external_linkage(definition: str) -> str:
    return re.sub(r"^define (?:internal|hidden) ", "define ", definition)


def _declaration(definition: str) -> str:
    """Return the declaration of a function that another module defines."""
    head = _with_external_linkage(definition.split("\n", 1)[0]).replace("define ", "declare ", 1)
    return head.rstrip(" {")
