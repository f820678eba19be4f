"""Golden facts of TensorFlow's ``compat.v1``: what v1_cases.py finds there.

``python -m tests.runtime.compat.v1_golden``, where TensorFlow is installed (the extra ``bench``),
writes v1_golden.json; test_v1_golden.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from tests.runtime.compat.v1_cases import facts

PAGE = Path(__file__).with_name("v1_golden.json")

if __name__ == "__main__":
    found = facts(importlib.import_module("tensorflow").compat.v1)
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
