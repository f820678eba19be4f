"""TensorFlow's public names that are not here, and what to use instead.

``tensorflow_names.txt`` has a line for each public module of TensorFlow 2.21, ``tf``: its name, and
the names in it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["INSTEAD", "absence", "instead", "tensorflow_names"]

_PARAMETER_SERVERS = "Session('dask://...') with train.replica_device_setter has parameter servers"

INSTEAD = {
    "tf.Assert": "write assert",
    "tf.CriticalSection": "effects on one resource keep the order of the program",
    "tf.RegisterGradient": "custom_gradient gives a function a derivative of its own",
    "tf.audio": "the module wave of the standard library reads and writes sound",
    "tf.config.experimental": "what holds for devices is in runtime.config",
    "tf.data.experimental": "most are methods of data.Dataset now, as in TensorFlow",
    "tf.data.experimental.service": "data.Dataset.shard divides a dataset",
    "tf.distribute.ParameterServerStrategy": _PARAMETER_SERVERS,
    "tf.distribute.coordinator": _PARAMETER_SERVERS,
    "tf.distribute.experimental": "distribute.MirroredStrategy",
    "tf.distribute.experimental.ParameterServerStrategy": _PARAMETER_SERVERS,
    "tf.distribute.experimental.coordinator": _PARAMETER_SERVERS,
    "tf.feature_column": "keras.layers has Normalization, Hashing, StringLookup",
    "tf.graph_util": "saved_model.save and export write graphs with their values",
    "tf.keras.applications": "export.import_onnx reads networks with their weights",
    "tf.keras.backend": "keras.ops and the flat names",
    "tf.keras.datasets.imdb": "nothing is downloaded: read local files with NumPy",
    "tf.keras.datasets.reuters": "nothing is downloaded: read local files with NumPy",
    "tf.keras.legacy": "keras.saving",
    "tf.keras.ops.numpy": "keras.ops, or array_api",
    "tf.keras.optimizers.legacy": "keras.optimizers",
    "tf.keras.preprocessing": "keras.layers for images and texts, data.Dataset for files",
    "tf.keras.quantizers": "mixed precision is in keras.mixed_precision",
    "tf.keras.visualization": "keras.utils.plot_model draws models",
    "tf.linalg.LinearOperator": "matrices with linalg.matmul and linalg.solve",
    "tf.lite": "export.native writes object files of a few KB, export.onnx ONNX files",
    "tf.mlir": "concrete functions show their graph, and kernel_ir() the compiler's code",
    "tf.optimizers.legacy": "keras.optimizers",
    "tf.profiler.experimental": "profiler.trace",
    "tf.quantization": "mixed precision is in keras.mixed_precision",
    "tf.raw_ops": "the flat names and those of the modules math, nn, linalg, strings",
    "tf.saved_model": "saved_model.save and load need no constants of the format",
    "tf.sets": "plain Python sets, which are staged",
    "tf.sysconfig": "there are no headers to compile against",
    "tf.tpu": "devices are those of JAX: runtime.device",
    "tf.types": "the types of the package are exported where they are used",
    "tf.version": "runtime.__version__",
    "tf.xla": "function(jit_compile='xla')",
}  # fmt: skip
"""By module or name, or the beginning of one: what to use instead."""


@cache
def tensorflow_names() -> dict[str, tuple[str, ...]]:
    """Return TensorFlow's public names by module: ``tf``, ``tf.math``."""
    text = (Path(__file__).parent / "tensorflow_names.txt").read_text("utf-8")
    modules = (line.split() for line in text.splitlines())
    return {module: tuple(names) for module, *names in modules}


def instead(name: str) -> str:
    """Return what to use instead of a name, ``tf.sparse.add``; empty if unknown."""
    fitting = [
        start for start in INSTEAD
        if name == start or name.startswith(f"{start}.")
        or (start.endswith("LinearOperator") and name.startswith(start))  # a family of classes
    ]  # fmt: skip
    return INSTEAD[max(fitting, key=len)] if fitting else ""


def absence(module: str, name: str) -> str:
    """Return what to say of a name of TensorFlow's that a module of ours lacks; empty for others.
    """
    space = f"tf{module.removeprefix('runtime')}"
    if name not in tensorflow_names().get(space, ()):
        return ""
    advice = instead(f"{space}.{name}")
    return f"TensorFlow's {space}.{name} is not here{': ' * bool(advice)}{advice} (docs/missing.md)"
