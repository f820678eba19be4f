"""TensorFlow's public names that are not here, and what to use instead.

``tensorflow_names.txt`` has a line for each public module of TensorFlow 2.21: its name, with
``runtime`` for ``tensorflow``, and the names in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["INSTEAD", "absence", "explained", "instead", "tensorflow_names"]

INSTEAD = {
    "runtime.Assert": "write assert",
    "runtime.CriticalSection": "effects on one resource keep the order of the program",
    "runtime.RegisterGradient": "custom_gradient gives a function a derivative of its own",
    "runtime.SparseTensor": "dense tensors with gather, scatter_nd and segment_sum",
    "runtime.audio": "the module wave of the standard library reads and writes sound",
    "runtime.config.experimental": "what holds for devices is in runtime.config",
    "runtime.data.experimental": "most are methods of data.Dataset now, as in TensorFlow",
    "runtime.data.experimental.service": "data.Dataset.shard divides a dataset",
    "runtime.distribute.experimental": "distribute.MirroredStrategy",
    "runtime.feature_column": "keras.layers has Normalization, Hashing, StringLookup",
    "runtime.graph_util": "saved_model.save and export write graphs with their values",
    "runtime.keras.applications": "export.import_onnx reads networks with their weights",
    "runtime.keras.backend": "keras.ops and the flat names",
    "runtime.keras.datasets": "nothing is downloaded: read local files with NumPy",
    "runtime.keras.legacy": "keras.saving",
    "runtime.keras.ops.numpy": "keras.ops, or array_api",
    "runtime.keras.optimizers.legacy": "keras.optimizers",
    "runtime.keras.preprocessing": "keras.layers for images and texts, data.Dataset for files",
    "runtime.keras.quantizers": "mixed precision is in keras.mixed_precision",
    "runtime.keras.tree": "nest",
    "runtime.keras.visualization": "keras.utils.plot_model draws models",
    "runtime.linalg.LinearOperator": "matrices with linalg.matmul and linalg.solve",
    "runtime.lite": "export.native writes object files of a few KB, export.onnx ONNX files",
    "runtime.math.special": "runtime.math has most of them",
    "runtime.mlir": "concrete functions show their graph, and kernel_ir() the compiler's code",
    "runtime.optimizers.legacy": "runtime.optimizers",
    "runtime.profiler.experimental": "profiler.trace",
    "runtime.quantization": "mixed precision is in keras.mixed_precision",
    "runtime.raw_ops": "the flat names and those of the modules math, nn, linalg, strings",
    "runtime.saved_model": "saved_model.save and load need no constants of the format",
    "runtime.sets": "plain Python sets, which are staged",
    "runtime.sparse": "dense tensors with gather, scatter_nd and segment_sum",
    "runtime.sysconfig": "there are no headers to compile against",
    "runtime.tpu": "devices are those of JAX: runtime.device",
    "runtime.types": "the types of the package are exported where they are used",
    "runtime.version": "runtime.__version__",
    "runtime.xla": "function(jit_compile='xla')",
}  # fmt: skip
"""By module or name, or the beginning of one: what to use instead."""


@cache
def tensorflow_names() -> dict[str, tuple[str, ...]]:
    """Return TensorFlow's public names by module; modules are called as they would be here."""
    text = (Path(__file__).parent / "tensorflow_names.txt").read_text("utf-8")
    modules = (line.split() for line in text.splitlines())
    return {module: tuple(names) for module, *names in modules}


def instead(name: str) -> str:
    """Return what to use instead of a qualified name, ``runtime.sparse.add``; empty if unknown."""
    fitting = [
        start for start in INSTEAD
        if name == start or name.startswith(f"{start}.")
        or (start.endswith("LinearOperator") and name.startswith(start))  # a family of classes
    ]  # fmt: skip
    return INSTEAD[max(fitting, key=len)] if fitting else ""


def absence(module: str, name: str) -> str:
    """Return what to say of a name of TensorFlow's that a module lacks; empty for other names."""
    if name not in tensorflow_names().get(module, ()):
        return ""
    text = f"TensorFlow's tf.{module.partition('.')[2]}{'.' * ('.' in module)}{name} is not here"
    advice = instead(f"{module}.{name}")
    return f"{text}{': ' * bool(advice)}{advice} (docs/missing.md)"


def explained(module: str, lookup: Callable[[str], Any] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a public module: it says what to use instead of TensorFlow's
    names that the module has not.  ``lookup`` finds names that are made by need.
    """

    def attribute(name: str) -> Any:
        try:
            if lookup is not None:
                return lookup(name)
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        except AttributeError as error:
            text = absence(module, name)
            if not text:
                raise
            raise AttributeError(f"{error}: {text}", name=name) from None

    return attribute
