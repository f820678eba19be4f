"""docs/surface.md: the public modules of `runtime`, and the names in each."""

from __future__ import annotations

import types

import runtime
from tests.docs.lists import item, paragraph

SPACES = (types.ModuleType, types.SimpleNamespace)
HEAD = """# The surface

The public modules, what each is for, and its names. Where TensorFlow has a name, it means the same
here. `bfloat16` is a name, too, where the extra `jit` is installed ([extras](extras.md)).

Written by `pytest tests/docs --update-golden` from the modules themselves: do not edit.

"""


def modules() -> dict[str, object]:
    """The public modules by name; `runtime` stands for the flat names."""
    found: dict[str, object] = {}
    for name in (*runtime._SUBMODULES, "autograph"):
        found[name] = getattr(runtime, name)
        if name != "autograph":
            add_inner(found, name)
    return {"runtime": runtime, **dict(sorted(found.items()))}


def add_inner(found: dict[str, object], name: str) -> None:
    """Add the public modules inside of one."""
    for inner in {*dir(found[name]), "experimental"}:
        space = getattr(found[name], inner, None)
        if isinstance(space, SPACES) and not inner.startswith("_"):
            found[f"{name}.{inner}"] = space
            add_inner(found, f"{name}.{inner}")


def names_of(module: object) -> list[str]:
    """The classes, functions and constants of a module; not the modules in it."""
    names = module.__all__ if module is runtime.autograph else dir(module)
    own = [n for n in names if not n.startswith("_")]
    if isinstance(module, types.SimpleNamespace):
        own = list(vars(module))
    return [n for n in own if not isinstance(getattr(module, n), SPACES)]


def purpose(module: object) -> str:
    """What the first sentence of a module says that it is for."""
    if isinstance(module, types.SimpleNamespace) or not module.__doc__:
        return "-"
    first = " ".join(module.__doc__.split("\n\n")[0].split()).partition(": ")
    text = first[2] if first[0].startswith("``") else "".join(first)
    return (text[:1].upper() + text[1:]).removesuffix(".").replace("``", "`")


def page() -> str:
    """The whole page."""
    rows, sections = [], []
    for title, module in modules().items():
        names = names_of(module)
        rows.append(item(f"`{title}` ({len(names)} names): {purpose(module)}"))
        text = ", ".join(f"`{name}`" for name in names)
        sections.append(f"\n## {title}\n\n{paragraph(text)}")
    return HEAD + "".join(rows) + "".join(sections)
