"""Exports: saved models, which another process loads, and formats of other runtimes.

``runtime.export.native`` writes native code, ``onnx`` ONNX, which ``import_onnx`` reads,
``stablehlo`` StableHLO, and ``tensorflow_checkpoint`` variables for TensorFlow.  What writes a
format is imported when its name is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime.export.native_code.export import native as native
    from runtime.export.onnx_models.exporting import onnx as onnx
    from runtime.export.onnx_models.importing import import_onnx as import_onnx
    from runtime.export.stablehlo_modules import stablehlo as stablehlo
    from runtime.export.tensorflow_files import tensorflow_checkpoint as tensorflow_checkpoint

_HOMES = {
    "import_onnx": "runtime.export.onnx_models.importing",
    "native": "runtime.export.native_code.export",
    "onnx": "runtime.export.onnx_models.exporting",
    "stablehlo": "runtime.export.stablehlo_modules",
    "tensorflow_checkpoint": "runtime.export.tensorflow_files",
}
"""Public name -> module that has it."""

__all__ = ["import_onnx", "native", "onnx", "stablehlo", "tensorflow_checkpoint"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return __all__
