"""docs/surface.md: TensorFlow's public names, and the array API standard's, beside ours.

`tensorflow_names.txt` holds TensorFlow's; where it is installed, running this file writes them.
"""

from __future__ import annotations

import textwrap
import types
from pathlib import Path

NAMES = Path(__file__).with_name("tensorflow_names.txt")
MODULES = (
    "tensorflow", "math", "nn", "linalg", "signal", "random", "strings", "bitwise", "debugging",
    "errors", "dtypes", "nest", "config", "data", "autodiff", "autograph", "lookup", "sets",
    "train", "io", "ragged", "sparse", "image", "queue", "experimental",
    "experimental.dlpack", "compat.v1",
)  # fmt: skip
SPACES = (types.ModuleType, types.SimpleNamespace)
HEAD = """# The surface

TensorFlow's public names, and those of the array API standard, against what is here.
Written by `pytest tests/docs --update-golden` from the modules themselves: do not edit.

`tensorflow` stands for the flat names, `compat.v1` for names that only TensorFlow 1 had and that
are flat here. Classes and functions count, modules do not.

"""


def theirs() -> dict[str, list[str]]:
    """TensorFlow's names by module."""
    found: dict[str, list[str]] = {}
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.endswith(":"):
            found[line[:-1]] = []
        else:
            found[list(found)[-1]] += line.split()
    return found


def ours(module: str) -> set[str]:
    """The public names of one of our modules; empty when there is no such module."""
    import runtime

    if module in ("tensorflow", "compat.v1"):
        space: object = runtime
    elif module == "experimental.dlpack":
        return set(vars(runtime.experimental.dlpack))
    elif module in (*runtime._SUBMODULES, "autograph"):
        space = getattr(runtime, module)
    else:
        return set()
    names = dir(space) if module != "autograph" else runtime.autograph.__all__
    return {n for n in names if not isinstance(getattr(space, n), SPACES)}


def _listed(title: str, names: list[str]) -> str:
    if not names:
        return ""
    text = textwrap.fill(", ".join(f"`{n}`" for n in names), 130, break_on_hyphens=False)
    return f"\n{title}\n{text}\n"


def page() -> str:
    """The whole page."""
    rows, sections = [], []
    for module, names in theirs().items():
        mine = ours(module)
        here = [n for n in names if n in mine]
        missing = [n for n in names if n not in mine]
        extra = sorted(mine.difference(names)) if module != "compat.v1" else []
        if module == "tensorflow":
            extra = sorted(set(extra).difference(theirs()["compat.v1"]))
        counts = " | ".join(str(len(part)) for part in (names, here, missing, extra))
        rows.append(f"| `{module}` | {counts} |\n")
        section = f"\n## {module}\n" + _listed("Here:", here)
        if module != "compat.v1":
            section += _listed("Not here:", missing) + _listed("Only here:", extra)
        sections.append(section)
    table = "| module | TensorFlow | here | not here | only here |\n|---|---|---|---|---|\n"
    return HEAD + table + "".join(rows) + _standard() + "".join(sections)


def _standard() -> str:
    import runtime.array_api as xp
    from tests.runtime.array_api.standard import FFT, LINALG, MAIN

    rows = []
    for title, names, space in (
        ("`array_api`", MAIN, xp), ("`array_api.linalg`", LINALG, xp.linalg),
        ("`array_api.fft`", FFT, xp.fft),
    ):  # fmt: skip
        missing = [n for n in names if n not in dir(space)]
        extra = sorted(set(dir(space)).difference(names))
        words = ", ".join(f"`{n}`" for n in extra) or "-"
        gone = ", ".join(f"`{n}`" for n in missing) or "-"
        counts = f"{len(names)} | {len(names) - len(missing)}"
        rows.append(f"| {title} | {counts} | {gone} | {words} |\n")
    head = "\n## The array API standard, 2024.12\n\n`array_api.md` says what differs.\n\n"
    table = "| namespace | standard | here | not here | only here |\n|---|---|---|---|---|\n"
    return head + table + "".join(rows)


if __name__ == "__main__":
    import tensorflow

    lines = [
        f"# The public names of TensorFlow {tensorflow.__version__}: module, names.",
        "# Written by tests/docs/surface.py where TensorFlow is installed.",
    ]
    flat = {n for n in dir(tensorflow) if not n.startswith("_")}
    for module in MODULES:
        space = tensorflow
        for part in module.split(".") if module != "tensorflow" else ():
            space = getattr(space, part)
        names = [
            n for n in sorted(dir(space))
            if not n.startswith("_") and not isinstance(getattr(space, n), types.ModuleType)
        ]  # fmt: skip
        names = [n for n in names if module != "compat.v1" or n not in flat]
        lines += [f"{module}:", *textwrap.wrap(" ".join(names), 100, initial_indent="    ",
                                               subsequent_indent="    ")]  # fmt: skip
    NAMES.write_text("\n".join(lines) + "\n", encoding="utf-8")
