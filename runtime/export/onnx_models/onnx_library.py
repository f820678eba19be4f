"""The package ``onnx``, which the extra of that name installs; versions that are written."""

from __future__ import annotations

from types import ModuleType

from runtime.types.extras import require

OPSET = 21
"""Version of the operators that exported models use."""

IR_VERSION = 10
"""Version of the file format; the first one that goes with the opset."""


def onnx_library() -> ModuleType:
    """Import ``onnx``; ModuleNotFoundError, with the command that installs it, when absent."""
    require("onnx.shape_inference", extra="onnx", for_="ONNX")
    return require("onnx", extra="onnx", for_="ONNX")
