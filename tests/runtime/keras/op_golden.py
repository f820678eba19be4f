"""What Keras 3 computes in the cases of op_cases.py.

``python -m tests.runtime.keras.op_golden``, where TensorFlow and Keras are installed (the extra
``bench``), writes op_golden.json; test_op_golden.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.runtime.keras.op_cases import CASES, TABLE

PAGE = Path(__file__).with_name("op_golden.json")


def as_json(result: Any) -> Any:
    """Dtype, shape and elements of a result; of several results a list."""
    if isinstance(result, list | tuple):
        return [as_json(value) for value in result]
    array = np.asarray(result)
    parts = [array.real, array.imag] if array.dtype.kind == "c" else [array]
    elements = [
        f"{value:.8g}" if array.dtype.kind in "fc" else int(value)
        for part in parts for value in part.ravel().tolist()
    ]  # fmt: skip
    return {"dtype": array.dtype.name, "shape": list(array.shape), "elements": elements}


def main() -> None:
    """Write the page."""
    ops = importlib.import_module("keras").ops
    lines = []
    for name, number in CASES:
        result = as_json(getattr(ops, name)(*TABLE[name][number]))
        lines.append(f"{json.dumps(f'{name} {number}')}: {json.dumps(result)}")
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
