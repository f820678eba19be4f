"""Who may import whom: `autograph` never imports `runtime`, and files import only downwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the ground up.  A name ending in "/" is a folder: one layer, whose files may import each
# other as long as no cycle appears.  A file that is not listed fails the test: give it a place.
ORDER = {
    "autograph": (
        "errors",
        "places",
        "classes",
        "exceptions",
        "attempts",
        "callees",
        "features",
        "flags",
        "dumps",
        "optionals",
        "capabilities",
        "lists",
        "aliases",
        "staging",
        "texts",
        "syntax/",
        "tracebacks",
        "analysis/",
        "converters/",
        "pipeline",
        "plain_calls",
        "plain_items",
        "plain_half",
        "conversion",
        "operators/",
        "api",
        "experimental",
        "__init__",
        "files",
        "checks/",
        "scripts",
        "trials",
        "commands/",
        "cli",
        "__main__",
    ),
    "runtime": (
        "errors",
        "flags",
        "switches",
        "dtypes",
        "types",
        "value",
        "nest",
        "composites",
        "interpreter",
        "seeds",
        "values",
        "promotion",
        "text",
        "locations",
        "op",
        "inputs",
        "facets/",
        "ops/",
        "derivatives/",
        "references",
        "exchange",
        "eager",
        "messages",
        "converting",
        "definitions",
        "collected",
        "devices",
        "scopes",
        "number_parts",
        "printer",
        "graph_base",
        "symbolic",
        "regions",
        "lists",
        "optionals",
        "attempts",
        "lookups",
        "graph",
        "subgraph",
        "order",
        "numbers",
        "failures",
        "written",
        "workers",
        "parallel",
        "execute",
        "tracing",
        "passes/",
        "syntax",
        "reading",
        "codegen/",
        "config",
        "defaults",
        "feeds",
        "options",
        "session",
        "indexed_slices",
        "updates",
        "creations",
        "variable_creators",
        "variables",
        "python_functions",
        "ragged_tensors",
        "ragged_operations",
        "splitting",
        "queues",
        "tables",
        "tensor_arrays",
        "type_specs",
        "generators",
        "initializers",
        "named_variables",
        "modules",
        "variable_scopes",
        "initialization",
        "templates",
        "logged",
        "branches",
        "joins",
        "turns",
        "records",
        "data/",
        "prints",
        "sequences",
        "iterators",
        "builtins",
        "pulled",
        "items",
        "tries",
        "recursion",
        "staging",
        "loops",
        "ragged_rows",
        "folds",
        "keys",
        "descriptions",
        "arguments",
        "packing",
        "mutations",
        "concrete",
        "traces",
        "exclusive",
        "retracing",
        "methods",
        "quick",
        "function",
        "decorators",
        "autodiff/",
        "checkpoint",
        "layers/",
        "optimizers",
        "older",
        "later",
        "testing/",
        "array_api/",
        "dlpack",
        # the public submodules: names only
        "bitwise",
        "debugging",
        "experimental",
        "io",
        "linalg",
        "lookup",
        "math",
        "nn",
        "queue",
        "ragged",
        "random",
        "signal",
        "strings",
        "test",
        "train",
        "__init__",
    ),
}

# The roof may import anything, lazily: the command line shows both packages at work.
ROOF = {"autograph.cli", "autograph.trials", "autograph.__main__"}


def module_name(path: Path) -> str:
    """`autograph/syntax/__init__.py` -> "autograph.syntax"; the package root keeps `__init__`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[-1] == "__init__" and len(parts) > 2:
        parts = parts[:-1]
    return ".".join(parts)


FILES = {module_name(p): p for top in ORDER for p in sorted((ROOT / top).rglob("*.py"))}


def imports(name: str) -> Iterator[tuple[int, str]]:
    """Yields (line, module) for every import of our two packages, also inside functions.

    What stands under `if TYPE_CHECKING` is left out: it is never imported.
    """
    package = [part for part in name.split(".") if part != "__init__"]
    if FILES[name].name != "__init__.py":
        package = package[:-1]
    for node in walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            targets = [".".join([*base, alias.name]) for alias in node.names]
        else:
            continue
        for target in targets:
            if target.split(".")[0] in ORDER:
                yield node.lineno, owner(target)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below, except what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from walk(child)


def owner(target: str) -> str:
    """The module that holds `target`, which may be a name inside a module."""
    while target not in FILES and "." in target:
        target = target.rpartition(".")[0]
    return target if "." in target else f"{target}.__init__"


def layer(name: str) -> int:
    """The height of a module in its package's order."""
    top, second, *deeper = name.split(".")
    folder = deeper or FILES[name].parent != ROOT / top
    return ORDER[top].index(second + "/" if folder else second)


def test_every_file_has_a_layer() -> None:
    homeless = []
    for name in FILES:
        try:
            layer(name)
        except ValueError:
            homeless.append(name)
    assert not homeless, f"give these a place in ORDER: {homeless}"


@pytest.mark.parametrize("name", sorted(set(FILES) - ROOF))
def test_imports_point_downwards(name: str) -> None:
    top = name.split(".")[0]
    for line, target in imports(name):
        where = f"{FILES[name].relative_to(ROOT)}:{line}"
        if target.split(".")[0] != top:
            assert top == "runtime", f"{where}: autograph must not import {target}"
            continue
        assert target == name or layer(target) <= layer(name), f"{where}: {target} is above {name}"


def test_no_cycle_inside_a_layer() -> None:
    edges = {
        name: {t for _, t in imports(name) if t != name and t.split(".")[0] == name.split(".")[0]}
        for name in FILES
        if name not in ROOF
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, "import cycle: " + " -> ".join([*path, name])
        if name not in done:
            for target in sorted(edges.get(name, ())):
                visit(target, (*path, name))
            done.add(name)

    for name in edges:
        visit(name, ())


def test_the_checker_sees_relative_and_lazy_imports(tmp_path, monkeypatch) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text("def f():\n    from . import errors\n    from runtime.types import DType\n")
    monkeypatch.setitem(FILES, "autograph.probe", probe)
    found = dict(imports("autograph.probe"))
    assert found[2] == "autograph.errors"
    assert found[3].startswith("runtime")
