"""Golden values of TensorFlow 1's metrics: what v1_metric_cases.py measures in TensorFlow.

``python -m tests.runtime.compat.v1_metric_golden``, where TensorFlow is installed (the extra
``bench``), writes v1_metric_golden.json; test_v1_metrics.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from tests.runtime.compat.v1_metric_cases import metrics

PAGE = Path(__file__).with_name("v1_metric_golden.json")

if __name__ == "__main__":
    measured = metrics(importlib.import_module("tensorflow").compat.v1)
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in measured.items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
