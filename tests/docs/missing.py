"""docs/missing.md: TensorFlow's and Keras' public names that are here, elsewhere, or not here."""

from __future__ import annotations

from functools import cache

import runtime
from runtime.types.absent_names import instead, tensorflow_names
from tests.docs.lists import paragraph
from tests.docs.surface import modules

HEAD = """# What is missing

The public names of TensorFlow 2.21 and Keras, by module: how many are here, where others are, and
what to use instead of the rest. `tf.lite` and the like say so, too, when they are asked for.
Most names of TensorFlow 1 are in `compat.v1`; see [scripts of TensorFlow 1](tensorflow1.md).

Written by `pytest tests/docs --update-golden` from the modules themselves: do not edit.

"""


def lookup(module: str) -> object:
    """The module of ours that is called so; None if there is none."""
    value: object = runtime
    for name in module.split(".")[1:]:
        value = getattr(value, name, None)
    return value


@cache
def places() -> dict[str, str]:
    """The module that has a name, for the names of all our modules."""
    return {
        name: title if title == "runtime" else f"runtime.{title}"
        for title, module in reversed([*modules().items()])
        for name in dir(module) if not name.startswith("_")
    }  # fmt: skip


def divided(module: str) -> tuple[list[str], dict[str, str], list[str]]:
    """The names of a module that are here, those that are elsewhere, and the others."""
    here, elsewhere, missing = [], {}, []
    space = lookup(module)
    for name in tensorflow_names()[module]:
        if hasattr(space, name):
            here.append(name)
        elif name in places() and not instead(f"{module}.{name}"):
            elsewhere[name] = places()[name]
        else:
            missing.append(name)
    return here, elsewhere, missing


def page() -> str:
    """The whole page, with `tf` for the package."""
    rows, sections, counts = [], [], [0, 0, 0]
    for space in tensorflow_names():
        here, elsewhere, missing = divided(space)
        sizes = [len(here), len(elsewhere), len(missing)]
        counts = [total + size for total, size in zip(counts, sizes, strict=True)]
        advice = instead(space)
        rows.append(f"| `{space}` | {' | '.join(map(str, sizes))} |\n")
        lines = [f"Instead: {advice}."] if advice else []
        if elsewhere:
            names = [f"`{module}.{name}`" for name, module in elsewhere.items()]
            lines.append(f"Elsewhere: {', '.join(names)}.")
        if missing and not (advice and not here):
            named = [(n, instead(f"{space}.{n}")) for n in missing]
            names = [
                f"`{n}` ({text})" if text and text != advice else f"`{n}`" for n, text in named
            ]
            lines.append("Not here: " + ", ".join(names) + ".")
        if lines:
            wrapped = [paragraph(line) for line in lines]
            sections.append(f"\n## {space}\n\n" + "\n".join(wrapped))
    total = sum(counts)
    summary = (
        f"Of {total} names {counts[0]} are here and {counts[1]} elsewhere; {counts[2]} are not.\n\n"
    )
    table = "| module | here | elsewhere | not here |\n|---|---|---|---|\n"
    return HEAD + summary + table + "".join(rows) + "".join(sections)
