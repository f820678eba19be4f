"""docs/ops.md lists every row of the op table; `pytest --update-golden` writes it."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import numpy as np

import runtime  # noqa: F401 - fills the table
from runtime.ops import families
from runtime.ops.docstrings import summary
from runtime.ops.op import TABLE, Missing, OpDef
from runtime.ops.rules.lowering import ByKernel
from runtime.types.dtypes import DTYPES
from tests.docs.lists import item, paragraph
from tests.support import ROOT

PAGE = ROOT / "docs" / "ops.md"
HEAD = """# Ops

All rows of the op table, family by family.
Written from the table by `pytest tests/docs --update-golden`: do not edit.

"Takes" says which dtypes the inputs may have, "gradient" and "native" whether the field
is there; what is not there is in LIMITATIONS.md.
"""
GROUPS = {
    "b": "bool", "i": "integers", "u": "integers", "f": "floats", "c": "complex", "O": "strings",
}  # fmt: skip


def takes(op: OpDef) -> str:
    if not op.dtype_kinds:
        return "any"
    return ", ".join(dict.fromkeys(GROUPS[kind] for kind in op.dtype_kinds))


def there(field: object) -> str:
    return "zero" if field is None else "no" if isinstance(field, Missing) else "yes"


def entry(op: OpDef) -> str:
    traits = ", ".join(sorted(t.name.lower().replace("_", " ") for t in op.traits))
    needs = f" Needs the extra `{op.extra}`." if op.extra else ""
    native = "by NumPy" if isinstance(op.lower, ByKernel) else "yes"
    facts = [f"Takes: {takes(op)}", f"gradient: {there(op.grad)}", f"native: {native}"]
    return item(
        f"`{op.name}({', '.join(op.inputs)})`: {summary(op.__doc__)}{needs}",
        "; ".join([*facts, *([f"traits: {traits}"] if traits else [])]) + ".",
    )


def section(title: str, words: str, rows: list[OpDef]) -> str:
    return f"\n## {title}\n\n{paragraph(words)}\n" + "".join(map(entry, rows))


def defined_in(module: ModuleType) -> list[OpDef]:
    """The ops that a family defines, rather than imports, in the order of the table."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    own = [value for name, value in vars(module).items() if name not in imported]
    return [op for op in TABLE.values() if any(op is value for value in own)]


def page() -> str:
    parts = [HEAD]
    rest = dict(TABLE)
    for module in families():
        rows = defined_in(module)
        for op in rows:
            del rest[op.name]
        title = module.__name__.rpartition(".")[2].replace("_", " ").capitalize()
        if rows:
            parts.append(section(title, module.__doc__.splitlines()[0], rows))
    assert not rest, f"rows of no family in runtime.ops: {list(rest)}"
    return "".join(parts)


def test_page_is_up_to_date(request):
    text = page()
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.exists(), "write it with `pytest tests/docs --update-golden`"
    assert PAGE.read_text(encoding="utf-8") == text, "run `pytest tests/docs --update-golden`"


def test_every_kind_of_dtype_has_a_word():
    assert {np.dtype(d.as_numpy_dtype).kind for d in DTYPES} <= GROUPS.keys()
