"""Who may import whom: rooms import only rooms above them in one list; `autograph` no `runtime`.

The rooms inside of `autograph.operators` have such a list, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.types.annexes import ANNEXES
from tests.support import ROOT
from tests.support.sources import tree_of

# From the ground up, a line a floor.  A room is a folder, or a file at the top of a package;
# inside of one, parts that stand on a floor of their own.
ROOMS = """
autograph.deprecation
autograph.collection_pause autograph.errors autograph.flags autograph.named_tuples
autograph.tracing
autograph.features
autograph.syntax
autograph.drawing
autograph.diagnostics
autograph.staging
autograph.library
autograph.analysis
autograph.converters
autograph.pipeline
autograph.conversion
autograph.operators
autograph.staging.__init__
autograph.backends
autograph.api autograph.experimental
autograph
autograph.lint
autograph.cli
autograph.__main__
runtime.types
runtime.ops
runtime.eager
runtime.graph
runtime.staging.conversion
runtime.staging.values
runtime.staging.python_numbers
runtime.staging.numpy_arrays
runtime.engine
runtime.devices
runtime.state
runtime.control_flow
runtime.autodiff
runtime.functions
runtime.staging
runtime.composite
runtime.containers
runtime.data
runtime.distribute
runtime.train
runtime.summaries
runtime.export
runtime.keras
runtime.compat
runtime.testing
runtime.array_api
runtime.experimental
"""
FLOOR = {room: floor for floor, line in enumerate(ROOMS.split("\n")) for room in line.split()}
ROOF = len(FLOOR) + 1

# The rooms of `autograph.operators`, from the ground up.
OPERATORS = "state joins control names containers iteration calls namespaces".split()

# Files outside of `runtime.staging` that import `autograph.staging`: they carry staged values and
# state over the boundary of calls.  The list may only shrink: what stages goes to
# `runtime.staging`, or `runtime.staging` registers it in a hook (`runtime.graph.staging_hooks`).
STAGES_ELSEWHERE = """
runtime.functions.array_arguments
runtime.functions.cache_key runtime.functions.call_source runtime.functions.carried_containers
runtime.functions.carried_state runtime.functions.carrying_function
runtime.functions.choice.jit_function runtime.functions.container_arguments
runtime.functions.direct_call
runtime.functions.function runtime.functions.mutation_check
runtime.functions.number_arguments
runtime.functions.results
runtime.functions.returned_objects runtime.functions.state_trace
runtime.functions.type_format
"""

# The command line may import anything: it shows both packages at work.
SEES_ALL = "autograph.cli"

DERIVATIVES = "runtime.ops.gradients"


def module_name(path: Path) -> str:
    """`autograph/syntax/__init__.py` -> "autograph.syntax"."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PACKAGES = ("autograph", "runtime")
FILES = {module_name(p): p for top in PACKAGES for p in sorted((ROOT / top).rglob("*.py"))}
PUBLIC = {
    name for name, p in FILES.items()
    if p.parent == ROOT / "runtime" and name not in FLOOR and name != "runtime"
}  # fmt: skip


def imports(name: str) -> list[tuple[int, str]]:
    """Each import of a module, read once."""
    if name not in READ:
        READ[name] = list(read_imports(name))
    return READ[name]


READ: dict[str, list[tuple[int, str]]] = {}


def read_imports(name: str) -> Iterator[tuple[int, str]]:
    """Yields (line, module) for every import of our two packages, also inside functions.

    What stands under `if TYPE_CHECKING` is left out: it is never imported.
    """
    package = name.split(".")
    if FILES[name].name != "__init__.py":
        package = package[:-1]
    for node in walk(tree_of(FILES[name])):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            targets = [".".join([*base, alias.name]) for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) == "written":
            targets = [DERIVATIVES]
        elif isinstance(node, (ast.Constant, ast.JoinedStr)):
            targets = addressed(node)
        else:
            continue
        for target in targets:
            if target.split(".")[0] in PACKAGES:
                yield node.lineno, owner(target)


def addressed(text: ast.Constant | ast.JoinedStr) -> list[str]:
    """The module that a string names: all of it, or what is fixed of it, as f"runtime.ops.{x}"."""
    if isinstance(text, ast.JoinedStr):
        first = text.values[0]
        fixed = str(first.value) if isinstance(first, ast.Constant) else ""
        name = fixed[:-1] if fixed.endswith(".") else ""
    else:
        name = str(text.value)
    return [name] if "." in name and name in FILES else []


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below, except what only type checkers read and questions what was imported."""
    levels = [ast.iter_child_nodes(node)]
    while levels:
        for child in levels[-1]:
            unread = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            asked = (
                isinstance(child, ast.Compare)
                and isinstance(child.ops[-1], ast.In | ast.NotIn)
                and ast.unparse(child).endswith("in sys.modules")
            )
            if not unread and not asked:
                yield child
                levels.append(ast.iter_child_nodes(child))
                break
        else:
            levels.pop()


def owner(target: str) -> str:
    """The module that holds `target`, which may be a name inside a module."""
    while target not in FILES and "." in target:
        target = target.rpartition(".")[0]
    return target


def is_lazy(target: str) -> bool:
    """Whether a module is imported when a derivative is first asked for.

    Derivatives are made of ops, and ops have derivatives: that circle is closed at run time only.
    """
    return target.startswith(DERIVATIVES)


def room(name: str) -> str:
    """The room of a module: `runtime.ops.math.scans` -> "runtime.ops"."""
    if name == "autograph.staging":  # the door for backends: it hands out operators, too
        return "autograph.staging.__init__"
    inner = ".".join(name.split(".")[:3])
    return inner if inner in FLOOR else ".".join(name.split(".")[:2])


def floor(name: str) -> int:
    """The height of a module's room in the list; public modules stand on the roof."""
    return ROOF if name in PUBLIC or name == "runtime" else FLOOR[room(name)]


def test_every_folder_and_file_at_the_top_is_a_room() -> None:
    assert {room(name) for name in FILES} - PUBLIC - {"runtime"} == set(FLOOR)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_page_of_rooms_names_the_folders_in_this_order(package: str) -> None:
    page = (ROOT / "docs" / "rooms.md").read_text()
    paragraph = page.split(f"- [{package}/](../{package})")[1].split("\n- ")[0]
    rooms = [name for name in FLOOR if name.startswith(f"{package}.") and name.count(".") == 1]
    folders = [name.split(".")[1] for name in rooms if (ROOT / name.replace(".", "/")).is_dir()]
    assert [name for name in re.findall("`(\\w+)`", paragraph) if name in folders] == folders


def test_public_modules_are_thin_lists_of_names() -> None:
    allowed = (
        ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.If,
    )  # fmt: skip
    for name in sorted(PUBLIC):
        text = FILES[name].read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 65, f"{name} is no thin list of names"
        for node in ast.parse(text).body:
            is_dir = isinstance(node, ast.FunctionDef) and node.name in ("__dir__", "__getattr__")
            body = node.body if isinstance(node, ast.With) else [node]
            names = all(isinstance(part, allowed) for part in body)
            assert is_dir or names, f"{name}:{node.lineno} is no list of names"


def test_imports_point_downwards() -> None:
    wrong = [
        f"{FILES[name].relative_to(ROOT)}:{line} imports {target}"
        for name in FILES
        for line, target in imports(name)
        if floor(target) > floor(name) and not name.startswith(SEES_ALL) and name != "runtime"
    ]
    assert not wrong, "\n".join(wrong)


def is_annex(name: str) -> bool:
    """Whether a module belongs to an annex."""
    return room(name) in [f"runtime.{annex}" for annex in ANNEXES]


def test_the_core_imports_no_annex() -> None:
    roof = {"runtime", *PUBLIC}
    wrong = [
        f"{FILES[name].relative_to(ROOT)}:{line} imports {target}"
        for name in FILES
        if name.startswith("runtime.") and name not in roof and not is_annex(name)
        for line, target in imports(name)
        if is_annex(target)
    ]
    assert not wrong, "\n".join(wrong)


def test_operators_stand_in_rooms_and_import_downwards() -> None:
    """`autograph.operators.control.loops` may import rooms before `control` in the list."""
    inside = [name.split(".") for name in FILES if name.startswith("autograph.operators.")]
    assert {parts[2] for parts in inside} == set(OPERATORS)
    wrong = [
        f"{FILES['.'.join(parts)].relative_to(ROOT)}:{line} imports {target}"
        for parts in inside
        for line, target in imports(".".join(parts))
        if target.startswith("autograph.operators.")
        and OPERATORS.index(target.split(".")[2]) > OPERATORS.index(parts[2])
    ]
    assert not wrong, "\n".join(wrong)


def test_autograph_knows_no_tensors() -> None:
    for name in FILES:
        if name.startswith("autograph") and not name.startswith(SEES_ALL):
            for line, target in imports(name):
                assert not target.startswith("runtime"), f"{FILES[name]}:{line}: {target}"


def test_the_backend_of_autograph_stands_in_one_room() -> None:
    users = {
        name for name in FILES
        if name.startswith("runtime") and not name.startswith("runtime.staging")
        and any(target.startswith("autograph.staging") for _, target in imports(name))
    }  # fmt: skip
    assert users == set(STAGES_ELSEWHERE.split())


def test_no_cycle_between_files() -> None:
    edges = {
        name: {target for _, target in imports(name) if target != name and not is_lazy(target)}
        for name in FILES
        if not name.startswith(SEES_ALL)
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


def test_the_reader_sees_relative_lazy_and_string_imports(tmp_path, monkeypatch) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(
        "def f():\n    from . import errors\n    from runtime.types.dtypes import DType\n"
        "    import_module('runtime.data')\n    written('nn.gelu')\n"
        "    name = f'runtime.ops.{name}'\n    'runtime.cast'\n"
    )
    monkeypatch.setitem(FILES, "autograph.probe", probe)
    assert [target for _, target in imports("autograph.probe")] == [
        "autograph.errors", "runtime.types.dtypes", "runtime.data", "runtime.ops.gradients",
        "runtime.ops",
    ]  # fmt: skip
