"""Real code: every function of many library modules, compared with the compiler's own scopes."""

from __future__ import annotations

import importlib.util
import symtable
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import gast
import pytest

from autograph.analysis.manager import Analyses
from tests.support.nightly import always

MODULES = """
    argparse ast asyncio.base_events asyncio.tasks bisect calendar locale collections
    concurrent.futures.thread configparser contextlib copy csv dataclasses datetime difflib dis
    email.message enum fractions ftplib functools heapq http.client inspect ipaddress json.decoder
    logging mailbox optparse pathlib pdb pickle platform pprint random re shutil statistics
    string subprocess tarfile textwrap threading tokenize traceback turtle typing unittest.mock
    urllib.parse uuid zipfile
""".split()

ALWAYS = ["bisect", "contextlib", "dataclasses", "functools", "heapq", "shutil", "turtle"]

INLINE = ("listcomp", "setcomp", "dictcomp")


def source_of(name: str) -> tuple[str, str]:
    path = Path(importlib.util.find_spec(name).origin)
    return path.read_text(encoding="utf-8"), str(path)


def functions(node: gast.AST, class_name: str = "") -> Iterator[tuple[gast.AST, str]]:
    """Each function and lambda, with the name of the class it stands in, which mangles names."""
    for child in gast.iter_child_nodes(node):
        if isinstance(child, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)):
            yield child, class_name
        yield from functions(child, child.name if isinstance(child, gast.ClassDef) else class_name)


def tables(table: symtable.SymbolTable) -> Iterator[symtable.Function]:
    for child in table.get_children():
        if child.get_type() == "function" and child.get_name() not in (*INLINE, "genexpr"):
            yield child
        yield from tables(child)


def wanted_by(table: symtable.SymbolTable) -> set[str]:
    """Names that a scope or those inside it take from further out."""
    found = {s.get_name() for s in table.get_symbols() if s.is_free()}
    if table.get_type() == "class":
        for child in table.get_children():
            found |= wanted_by(child) - {"__class__"}
    return found


def captured_in(table: symtable.SymbolTable) -> set[str]:
    """Names that the scopes inside take from ``table``; its comprehensions are part of it."""
    found: set[str] = set()
    for child in table.get_children():
        if child.get_name() in INLINE:
            own = {s.get_name() for s in child.get_symbols() if s.is_local()}
            found |= captured_in(child) - own
        else:
            found |= wanted_by(child)
    return found


def compiler_view(table: symtable.Function) -> dict[str, frozenset[str]]:
    symbols = [s for s in table.get_symbols() if not s.get_name().startswith(".")]

    def those(choose) -> frozenset[str]:
        return frozenset(s.get_name() for s in symbols if choose(s))

    bound = those(lambda s: s.is_local())
    return {
        "bound": bound,
        "parameters": those(lambda s: s.is_parameter()),
        "globals": those(lambda s: s.is_declared_global()),
        "nonlocals": those(lambda s: s.is_nonlocal()),
        "free": those(lambda s: s.is_free() and not s.is_nonlocal()),
        "implicit": those(lambda s: s.is_global() and not s.is_declared_global()),
        "captured": frozenset(captured_in(table)) & bound,
    }


def our_view(node: gast.AST, class_name: str) -> dict[str, frozenset[str]]:
    scopes = Analyses(node).scopes

    def mangled(names) -> frozenset[str]:
        return frozenset(
            f"_{class_name.lstrip('_')}{name}"
            if class_name and name.startswith("__") and not name.endswith("__")
            else name
            for name in names
        )

    return {
        "bound": mangled(scopes.bound),
        "parameters": mangled(scopes.params),
        "globals": mangled(scopes.globals),
        "nonlocals": mangled(scopes.nonlocals),
        "free": mangled(scopes.free),
        "captured": mangled(scopes.captured),
        "inlined": mangled(inlined_in(node)),
    }


def inlined_in(node: gast.AST) -> set[str]:
    """Variables of comprehensions, which from 3.12 on the compiler gives to the function."""
    if sys.version_info < (3, 12):
        return set()
    kinds = (gast.ListComp, gast.SetComp, gast.DictComp)
    return {
        name.id
        for comprehension in gast.walk(node)
        if isinstance(comprehension, kinds)
        for generator in comprehension.generators
        for name in gast.walk(generator.target)
        if isinstance(name, gast.Name)
    }


def check(ours: dict[str, frozenset[str]], theirs: dict[str, frozenset[str]]) -> None:
    for kind in ("parameters", "globals", "nonlocals"):
        assert ours[kind] == theirs[kind], kind
    for kind in ("bound", "captured"):
        assert ours[kind] <= theirs[kind] <= ours[kind] | ours["inlined"], kind
    assert theirs["free"] | theirs["implicit"] <= ours["free"]


@pytest.mark.parametrize("name", always(ALWAYS, MODULES))
def test_scopes_agree_with_the_compiler(name):
    source, filename = source_of(name)
    compiled = defaultdict(list)
    for table in tables(symtable.symtable(source, filename, "exec")):
        compiled[table.get_name(), table.get_lineno()].append(compiler_view(table))
    found = defaultdict(list)
    for node, class_name in functions(gast.parse(source)):
        key = (getattr(node, "name", "lambda"), node.lineno)
        found[key].append(our_view(node, class_name))
    assert found.keys() == compiled.keys()
    for key, views in found.items():
        assert len(views) == len(compiled[key])
        for ours, theirs in zip(views, compiled[key]):
            check(ours, theirs)


@pytest.mark.parametrize("name", always(ALWAYS, MODULES))
def test_every_function_can_be_analysed(name):
    source, _ = source_of(name)
    for node, _ in functions(gast.parse(source)):
        analyses = Analyses(node)
        reads = analyses.reaching.undefined_reads()
        assert all(read.id in analyses.scopes.bound for read in reads)
        for statement in analyses.cfg.entries:
            before = analyses.liveness.live_in(statement)
            after = analyses.liveness.live_out(statement)
            activity = analyses.scopes.activity(statement)
            scopes = analyses.scopes
            kept = (after & scopes.bound) - scopes.captured - activity.writes - activity.deletes
            assert kept <= before, f"{name}:{statement.lineno}"
