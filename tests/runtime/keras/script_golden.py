"""Golden losses of TensorFlow: what the scripts in ``scripts/`` leave in LOSSES and EXTRA.

``python -m tests.runtime.keras.script_golden``, where TensorFlow and Keras are installed (the extra
``bench``), writes script_golden.json; test_scripts.py compares this runtime with it.
"""

from __future__ import annotations

import json
import linecache
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

PAGE = Path(__file__).with_name("script_golden.json")
SCRIPTS = {p.stem: p for p in sorted(Path(__file__).with_name("scripts").glob("[a-z]*.py"))}
IMPORTS = {
    "import tensorflow as tf": "import runtime as tf",
    "from tensorflow": "from runtime",
    "import tensorflow.compat.v1 as tf": "import runtime.compat.v1 as tf",
}
"""Lines of imports, and what they begin with here."""


def here(text: str) -> str:
    """A script for TensorFlow with the imports changed, and nothing else."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for theirs, ours in IMPORTS.items():
            if line.startswith(theirs):
                lines[number] = ours + line.removeprefix(theirs)
    return "\n".join(lines)


def losses(name: str, text: str) -> dict[str, list[float]]:
    """What a script computes."""
    path = str(SCRIPTS[name])
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    space: dict[str, Any] = {"__name__": "__main__", "__file__": path}
    exec(compile(text, path, "exec"), space)
    return {
        key: [float(f"{np.asarray(x).item():.9g}") for x in space[key]]
        for key in ("LOSSES", "EXTRA")
    }


def reference(name: str) -> str:
    """What a script computes with TensorFlow, in a process of its own, as JSON."""
    command = [sys.executable, "-m", "tests.runtime.keras.script_golden", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


if __name__ == "__main__":
    if sys.argv[1:]:
        name = sys.argv[1]
        print("\n" + json.dumps(losses(name, SCRIPTS[name].read_text(encoding="utf-8"))))
    else:
        lines = [f"{json.dumps(name)}: {reference(name)}" for name in SCRIPTS]
        PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
