"""How long converting a 62-line function takes, and how many lines come out.

Target: 8 ms, 155 lines.  The peer is what reading any function costs: inspect, parse, compile.
"""

from __future__ import annotations

import ast
import inspect

import programs
from timing import medians, pin, report

import autograph


def parse_and_compile() -> None:
    """The least that any source-to-source conversion does."""
    source = inspect.getsource(programs.settle)
    compile(ast.parse(source), "programs.py", "exec")


def convert_unknown() -> object:
    """Converts a copy with a code object of its own, which no cache knows."""
    function = programs.settle
    copy = type(function)(function.__code__.replace(), function.__globals__, function.__name__)
    return autograph.to_graph(copy)


def main() -> None:
    """Prints times and line counts."""
    pin()
    lines_in = len(inspect.getsource(programs.settle).splitlines())
    lines_out = len(autograph.to_code(programs.settle).splitlines())
    results = medians(
        {
            "parse and compile": parse_and_compile,
            "to_graph, first time": convert_unknown,
            "to_graph, known function": lambda: autograph.to_graph(programs.settle),
        }
    )
    report(f"conversion of {lines_in} lines", results, "parse and compile")
    print(f"  lines out: {lines_out}, {lines_out / lines_in:.2f} per line in")


if __name__ == "__main__":
    main()
