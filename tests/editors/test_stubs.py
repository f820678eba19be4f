"""The stubs say what the modules hold; `pytest tests/editors --update-golden` writes them."""

from __future__ import annotations

import ast
import importlib
from typing import Any

import pytest

import runtime as tf
from runtime.ops.op import OpDef
from tests.editors import stubs
from tests.support import ROOT

MODULES = stubs.modules()
for _module in MODULES:
    importlib.import_module(_module)


def test_stubs_are_up_to_date(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        stubs.write()
    hint = "run `pytest tests/editors --update-golden`"
    assert set((ROOT / "runtime").rglob("*.pyi")) == set(map(stubs.path_of, MODULES)), hint
    for module in MODULES:
        assert stubs.path_of(module).read_text(encoding="utf-8") == stubs.text_of(module), hint


@pytest.mark.parametrize("name", MODULES)
def test_a_stub_has_every_public_name(name: str) -> None:
    module, known = importlib.import_module(name), set()
    for node in ast.parse(stubs.path_of(name).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {alias.asname for alias in node.names if alias.asname}
        elif isinstance(node, ast.FunctionDef):
            known.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            known.add(node.target.id)
    assert known - {"bfloat16", "_builtins"} == set(stubs.names_of(module))


def results() -> dict[str, tuple[Any, str]]:
    """The operations that stubs define, by name, and the type of result that they state."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(name)
        for node in ast.parse(stubs.path_of(name).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and isinstance(
                op := getattr(module, node.name), OpDef
            ):
                assert node.returns is not None
                found[f"{name}.{node.name}"] = op, ast.unparse(node.returns)
    return found


def test_operations_give_what_their_stubs_state() -> None:
    """On a sample of each: a tensor, a tuple of as many tensors, or nothing."""
    wrong, ran = {}, 0
    for name, (op, stated) in results().items():
        if not callable(op.samples) or op.extra:
            continue
        case = op.samples()[0]
        result = op(*case.inputs, **case.attrs)
        ran += 1
        if isinstance(result, tuple | list):
            kind = f"tuple[{', '.join(['Tensor'] * len(result))}]"
        else:
            kind = "Tensor" if isinstance(result, tf.Tensor) else "Any"
        if kind != stated.replace("_builtins.", ""):
            wrong[name] = kind, stated
    assert ran > 100 and not wrong

