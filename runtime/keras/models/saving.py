"""Models in files: what they are, as JSON, and their weights.

The suffix of a new file says its format: ``.keras`` and ``.weights.h5`` are Keras' own, and need
the extra ``hdf5``; ``.safetensors`` is that of this package, tensors in the format of that name.
What a file that is read holds is seen from its content.  Layers of the user's own are found by the
name they are registered under.
"""

from __future__ import annotations

import json
import os
import warnings
from typing import Any

from runtime.keras.models import archives, keras_weights
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.train.tensor_file import TensorFile, write_tensors
from runtime.train.tracking import variables_of
from runtime.types.atomic_files import file_errors
from runtime.types.chief import is_chief
from runtime.types.errors import DataLossError

__all__ = ["load_model", "load_weights", "save_model", "save_weights"]

SUFFIX = ".safetensors"
"""The end of the names of files in this package's own format."""
_ZIP, _HDF5 = b"PK\x03\x04", b"\x89HDF\r\n\x1a\n"
_MODEL, _WEIGHTS, _VERSION = "runtime:model", "runtime:weights", 1


def save_model(
    model: Any, filepath: str | os.PathLike[str], overwrite: bool = True,
    include_optimizer: bool = True, **kwargs: Any,
) -> None:  # fmt: skip
    """Write a model to a file, which takes the place of an older one when it is complete.

    Args:
        model: model whose layers have ``get_config``.
        filepath: the file: ``.keras`` is Keras 3's format, which needs h5py, ``.safetensors`` that
            of this package.
        overwrite: whether a file of this name may be replaced.
        include_optimizer: whether the optimizer's state is written, too.
        kwargs: ``save_format``, which Keras 3 does not need any more: the suffix says it.

    Returns:
        None.

    Raises:
        FileExistsError: where there is such a file, and ``overwrite`` is False.
        ValueError, NotImplementedError: for another suffix, for other arguments, and for a part
            that cannot be saved, and how to mend it.
    """
    _check_arguments(filepath, kwargs)
    if not is_chief():
        return
    path = _new_file(filepath, overwrite, archives.SUFFIX, "a model")
    config = serialize_keras_object(model)
    if not include_optimizer:
        config.pop("compile_config", None)
    text = json.dumps(config)
    if path.endswith(archives.SUFFIX):
        archives.write_archive(path, model, text, include_optimizer)
    else:
        _write(path, model, _MODEL, text, include_optimizer)


def _check_arguments(filepath: Any, arguments: dict[str, Any]) -> None:
    """Raise ValueError for arguments that Keras does not take, with its words."""
    save_format = arguments.pop("save_format", None)
    if save_format:
        text = (
            "The `save_format` argument is deprecated in Keras 3. Please remove this argument: the "
            f"format is that of the suffix, `.keras`. Received: save_format={save_format}"
        )
        if not os.fspath(filepath).endswith(archives.SUFFIX):
            raise ValueError(text)
        warnings.warn(text, stacklevel=4)
    if arguments:
        raise ValueError(f"The following argument(s) are not supported: {list(arguments)}")


def load_model(
    filepath: str | os.PathLike[str], custom_objects: dict[str, Any] | None = None,
    compile: bool = True, safe_mode: bool = True,
) -> Any:  # fmt: skip
    """Read a model that ``save_model``, or Keras 3, wrote.

    Args:
        filepath: the file.
        custom_objects: classes and functions of the user's own by name.
        compile: whether the model is compiled as it was.
        safe_mode: whether the code of a lambda in the file is refused: it can do anything.

    Returns:
        Model with its weights, and the state of its optimizer.

    Raises:
        OpError: the one that fits the error of the file system; DataLossError for a damaged file.
        TypeError: for a class that is not known.
        ValueError: for the code of a lambda, with ``safe_mode``, and where there is no such file.
    """
    path = _of_a_format(filepath)
    if not os.path.lexists(path):
        raise ValueError(
            f"File not found: filepath={path}. Please ensure the file is an accessible "
            f"`{os.path.splitext(path)[1]}` file."
        )
    if _starts_with(path, _ZIP):
        config, weights = archives.read_archive(path)
        model = _made(config, custom_objects, compile, safe_mode)
        keras_weights.load_keras_weights(model, path, False, weights)
        return model
    if _starts_with(path, _HDF5):
        raise DataLossError(
            f"{path}; these are weights, or a model of Keras 2: make the model and load_weights(), "
            "or load it with Keras, and save() it there as '.keras'"
        )
    file, values = _read(path, _MODEL)
    try:
        config = json.loads(file.metadata["config"])
    except (KeyError, ValueError, RecursionError):
        raise DataLossError(f"{path}; its description of the model is not readable") from None
    model = _made(config, custom_objects, compile, safe_mode)
    if not compile or model.optimizer is None:
        values = {key: v for key, v in values.items() if not key.startswith("optimizer/")}
    _assign(model, values, path)
    return model


def _made(config: dict[str, Any], custom_objects: Any, compile: bool, safe_mode: bool) -> Any:
    if not compile:
        config = {name: value for name, value in config.items() if name != "compile_config"}
    return deserialize_keras_object(config, custom_objects, safe_mode)


def _starts_with(path: str, mark: bytes) -> bool:
    with file_errors(path), open(path, "rb") as file:
        return file.read(len(mark)) == mark


def save_weights(
    model: Any, filepath: str | os.PathLike[str], overwrite: bool = True
) -> None:
    """Write the weights of a model to a file, with the state of the optimizer it is compiled with.

    Args:
        model: model whose weights are made.
        filepath: the file: ``.weights.h5`` is Keras' own format, which needs h5py,
            ``.safetensors`` that of this package.
        overwrite: whether a file of this name may be replaced.

    Returns:
        None.

    Raises:
        FileExistsError: where there is such a file, and ``overwrite`` is False.
        ValueError: before the weights are made, and for another suffix.
    """
    if not model.built:
        raise ValueError(f"model {model.name!r} has no weights yet: call it, or build() it")
    if not is_chief():
        return
    path = _new_file(filepath, overwrite, keras_weights.SUFFIX, "weights")
    if path.endswith(keras_weights.SUFFIX):
        keras_weights.save_keras_weights(model, path)
    else:
        _write(path, model, _WEIGHTS, "null", True)


def load_weights(
    model: Any, filepath: str | os.PathLike[str], skip_mismatch: bool = False
) -> None:
    """Set the weights of a model to those of a file, which must have the same paths and shapes.

    So for the state of the optimizer that the model is compiled with; where that has more or fewer
    variables it stays as it is, with a warning.

    Args:
        model: model whose weights are made.
        filepath: file of ``save_weights`` or ``save_model``, of this package or of Keras 3.
        skip_mismatch: whether weights that are not there, or have other shapes, stay as they are.

    Returns:
        None.

    Raises:
        OpError: the one that fits the error of the file system; DataLossError for a damaged file.
        ValueError: where weights and file do not fit; no weight is changed then.  Also for a file
            that is not there, and whose suffix is of no format.
    """
    path = _of_a_format(filepath)
    if _starts_with(path, _HDF5):
        keras_weights.load_keras_weights(model, path, skip_mismatch)
        return
    if _starts_with(path, _ZIP):
        _, weights = archives.read_archive(path)
        keras_weights.load_keras_weights(model, path, skip_mismatch, weights)
        return
    _, values = _read(path, _WEIGHTS, _MODEL)
    states = [key for key in values if key.startswith("optimizer/")]
    if states and not keras_weights.takes_state(model.optimizer, len(states)):
        values = {key: v for key, v in values.items() if key not in states}
    _assign(model, values, path, skip_mismatch)


def _of_a_format(filepath: Any) -> str:
    """Return the path of a file; ValueError where it is not there, and could not be read."""
    path = os.fspath(filepath)
    is_known = path.endswith((archives.SUFFIX, SUFFIX, ".h5", ".hdf5"))
    if not is_known and not os.path.lexists(path):
        raise ValueError(
            f"File format not supported: filepath={path}, and there is no such file. Files of "
            f"models end in {archives.SUFFIX!r} or {SUFFIX!r}, those of weights in "
            f"{keras_weights.SUFFIX!r} or {SUFFIX!r}."
        )
    return path


def _new_file(filepath: Any, overwrite: bool, of_keras: str, content: str) -> str:
    """Return the path of a file that may be written; ValueError where its suffix says no format."""
    path = os.fspath(filepath)
    if not path.endswith((of_keras, SUFFIX)):
        raise ValueError(
            "Invalid filepath extension for saving: "
            f"the name of a file for {content} says its format: it ends in {of_keras!r} (Keras' "
            "own, "
            f"needs the extra 'hdf5') or {SUFFIX!r} (this package's). Received: {path!r}"
        )
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"{path} exists; save with overwrite=True to replace it")
    return path


def _variables(model: Any, with_optimizer: bool) -> dict[str, Any]:
    variables = variables_of(model)[0]
    return {k: v for k, v in variables.items() if with_optimizer or not k.startswith("optimizer/")}


def _write(path: str, model: Any, kind: str, config: str, with_optimizer: bool) -> None:
    values = {key: v.numpy() for key, v in _variables(model, with_optimizer).items()}
    write_tensors(path, values, {"format": kind, "version": str(_VERSION), "config": config})


def _read(path: str, *kinds: str) -> tuple[TensorFile, dict[str, Any]]:
    file = TensorFile(path)
    kind, version = file.metadata.get("format"), file.metadata.get("version", "")
    if kind not in kinds or not file.has_checksum:
        content = "model" if kinds == (_MODEL,) else "weights of a model"
        raise DataLossError(f"{path}; these are tensors, but no {content}")
    if not version.isdecimal() or int(version) > _VERSION:
        raise DataLossError(
            f"{path}; it was written by a later version (format {version}, this reads {_VERSION})"
        )
    return file, file.read_all()


def _assign(model: Any, values: dict[str, Any], path: str, partly: bool = False) -> None:
    """Set the variables of a model by path; ValueError unless all fit, or ``partly``."""
    variables = _variables(model, True)
    required = {k: v for k, v in variables.items() if k in values or not k.startswith("optimizer/")}
    faults = [f"there is no value for {key!r}" for key in required if key not in values]
    faults += [f"nothing takes the value {key!r}" for key in values if key not in required]
    for key, variable in required.items():
        if key in values and tuple(variable.shape.as_list()) != values[key].shape:
            shapes = f"{values[key].shape}, the variable {tuple(variable.shape.as_list())}"
            faults.append(f"the value {key!r} has the shape {shapes}")
            if partly:
                values = {k: v for k, v in values.items() if k != key}
    if faults and not partly:
        raise keras_weights.misfit(model, path, faults)
    for key, variable in required.items():
        if key in values:
            variable.assign(values[key].astype(variable.dtype.as_numpy_dtype, copy=False))
