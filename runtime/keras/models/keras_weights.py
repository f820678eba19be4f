"""Weights in Keras' own files, ``.weights.h5``: the extra ``hdf5`` (h5py).

A file has a group for each layer, by the attributes that lead to it, with its variables by number
in the group ``vars``.  Layers in lists and dicts go by their classes: ``layers/dense_1/vars/0``.
Source: the files that Keras 3 writes.
"""

from __future__ import annotations

import io
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.tracking import held, is_metric
from runtime.keras.names import snake_case
from runtime.keras.random import SeedGenerator
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.errors import DataLossError
from runtime.types.extras import require

__all__: list[str] = []

SUFFIX = ".weights.h5"
_CHECKSUM = "runtime:crc32"
_SMALL = 2**26
_MOST_EXPANSION = 1000
"""Larger arrays than ``_SMALL`` bytes may be so many times larger than their parts of the file."""
_OPTIMIZER = "optimizer"
_NOT_OF_LAYERS = (_OPTIMIZER, "metrics", "seed_generator", "_compile_metrics", "_loss_tracker")
"""Groups of what Keras saves besides the weights of layers."""


def _h5py() -> Any:
    return require("h5py", extra="hdf5", for_="reading and writing Keras' .keras and .h5 files")


def save_keras_weights(model: Any, path: str) -> None:
    """Write the weights of a model, and its optimizer's state, to a file that Keras reads."""
    content = content_of(model, with_optimizer=True)
    with file_errors(path), replacing(path, durable=True) as target:
        target.write(content)


def content_of(model: Any, with_optimizer: bool) -> memoryview:
    """Return the bytes of a file with the weights, and the state of the optimizer."""
    content = io.BytesIO()
    with _h5py().File(content, "w") as file:
        for place, owner, variables in _places(model, with_optimizer):
            group = file.create_group(f"{place}/vars" if place else "vars")
            group.attrs["name"] = owner.name
            for number, variable in enumerate(variables):
                array = variable.numpy()
                if array.dtype.name == "bfloat16":
                    data = group.create_dataset(str(number), data=array.view(np.uint16))
                    data.attrs["dtype"] = "bfloat16"
                else:
                    group.create_dataset(str(number), data=array)
        names = sorted(_datasets(file, ""))
        file.attrs[_CHECKSUM] = _checksum(file, names)
    return content.getbuffer()


def _checksum(file: Any, names: list[str]) -> int:
    """Return a checksum of arrays, their names and types; Keras passes over the attribute."""
    checksum = 0
    for name in names:
        data = file[name]
        checksum = zlib.crc32(f"{name} {data.dtype.str} {data.shape}".encode(), checksum)
        checksum = zlib.crc32(np.ascontiguousarray(data[()]).tobytes(), checksum)
    return checksum


def load_keras_weights(model: Any, path: str, partly: bool, content: Any = None) -> None:
    """Set the weights of a model to those of a file that Keras wrote, of the path or content.

    So for the state of its optimizer, if it is of the same size.  ValueError where the weights do
    not fit, changing none, unless ``partly``; DataLossError for what is no such file.
    """
    h5py = _h5py()
    with file_errors(path), open(path, "rb"):
        pass  # a missing file, or a folder, is an error of ours
    try:
        with h5py.File(path if content is None else content, "r") as file:
            if "layer_names" in file.attrs or "model_weights" in file:
                raise ValueError(
                    f"{path} has the format of Keras 2; load it with Keras, and save_weights() "
                    "there as '.weights.h5'"
                )
            names = sorted(_datasets(file, path))
            if _CHECKSUM in file.attrs and _checksum(file, names) != file.attrs[_CHECKSUM]:
                raise DataLossError(f"{path}; its checksum does not fit: it is damaged")
            pairs, faults = _fitting(file, names, model)
    except (OSError, RuntimeError, KeyError, TypeError) as error:
        raise DataLossError(f"{path}; this is no complete HDF5 file: {error}") from None
    if faults and not partly:
        raise misfit(model, path, faults)
    for variable, array in pairs:
        variable.assign(array)


def misfit(model: Any, path: str, faults: list[str]) -> ValueError:
    """Return the error of a file that does not fit a model."""
    if not model.built:
        return ValueError(
            f"{path}: model {model.name!r} has no weights before a call, and the file does not "
            "say for which inputs: make a model, call it, and give it the weights by "
            "load_weights"
        )
    others_text = f" (and {len(faults) - 1} others)" if len(faults) > 1 else ""
    return ValueError(f"{path} does not fit the model {model.name!r}: {faults[0]}{others_text}")


def _fitting(
    file: Any, names: list[str], model: Any
) -> tuple[list[tuple[Variable, Any]], list[str]]:
    """Return variables with their arrays, and what does not fit."""
    pairs: list[tuple[Variable, Any]] = []
    faults: list[str] = []
    unused = {name for name in names if not _is_other(name)}
    of_optimizer = {name for name in names if name.startswith(_OPTIMIZER + "/")}
    with_state = takes_state(model.optimizer, len(of_optimizer))
    for place, owner, variables in _places(model, with_state):
        group = f"{place}/vars" if place else "vars"
        candidates = of_optimizer if owner is model.optimizer else unused
        stored = {name for name in candidates if name.rpartition("/")[0] == group}
        unused -= stored
        if not stored and isinstance(owner, SeedGenerator):
            continue  # Keras does not write where its generators are
        if len(stored) != len(variables):
            faults.append(
                f"the layer {owner.name!r} has {len(variables)} weights, and {group!r} holds "
                f"{len(stored)}"
            )
            continue
        for number, variable in enumerate(variables):
            name = f"{group}/{number}"
            data = file[name] if name in stored else None
            shape = tuple(variable.shape.as_list())
            if data is None or data.shape != shape:
                fault = "is missing" if data is None else f"has the shape {data.shape}"
                faults.append(f"{name!r} {fault}, and the weight {variable.name!r} {shape}")
                continue
            pairs.append((variable, _array(data, variable)))
    faults += [f"nothing takes the value {name!r}" for name in sorted(unused)]
    return pairs, faults


def takes_state(optimizer: Any, count: int) -> bool:
    """Return whether an optimizer takes a state of so many variables; warn as Keras does if not."""
    if optimizer is None or len(optimizer.variables) == count:
        return optimizer is not None
    why = (
        f"Skipping variable loading for optimizer {optimizer.name!r}, because it has "
        f"{len(optimizer.variables)} variables whereas the saved optimizer has {count} variables."
    )
    if not optimizer.built:
        why += " This is likely because the optimizer has not been called/built yet."
    warnings.warn(why, stacklevel=5)
    return False


def _is_other(name: str) -> bool:
    folders = name.split("/")
    return folders[0] in _NOT_OF_LAYERS or any(folder in _NOT_OF_LAYERS[2:] for folder in folders)


def _datasets(file: Any, path: str) -> Iterator[str]:
    """Yield the paths of the arrays that a file itself holds; DataLossError for links out of it.

    So for arrays that are much larger than what the file has of them.
    """
    h5py = _h5py()
    todo, seen = [("", file)], 0
    while todo:
        place, group = todo.pop()
        for name in group:
            seen += 1
            where = f"{place}/{name}" if place else name
            if seen > 1_000_000 or where.count("/") > 200:
                raise DataLossError(f"{path}; it holds groups without end")
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                raise DataLossError(f"{path}; {where!r} is a link to another place")
            item = group[name]
            if isinstance(item, h5py.Group):
                todo.append((where, item))
            elif isinstance(item, h5py.Dataset):
                if item.external or item.is_virtual or item.dtype.kind not in "biufc":
                    raise DataLossError(f"{path}; {where!r} is no array of numbers")
                if item.nbytes > max(_SMALL, _MOST_EXPANSION * item.id.get_storage_size()):
                    raise DataLossError(f"{path}; {where!r} says that it has {item.nbytes} bytes")
                yield where


def _array(data: Any, variable: Variable) -> Any:
    array = data[()]
    if data.attrs.get("dtype") == "bfloat16" and array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return np.asarray(array).astype(variable.dtype.as_numpy_dtype)


Place = tuple[str, Any, list[Variable]]


def _places(model: Any, with_optimizer: bool) -> Iterator[Place]:
    """Yield the places of layers, of generators and of the optimizer, with their own variables."""
    yield from _layers(model, "", set())
    optimizer = getattr(model, "optimizer", None)
    if with_optimizer and optimizer is not None:
        yield _OPTIMIZER, optimizer, optimizer.variables


def _layers(layer: Any, place: str, seen: set[int]) -> Iterator[Place]:
    """Yield layers with their places and own variables, in the order in which Keras looks."""
    if id(layer) in seen:
        return
    seen.add(id(layer))
    yield place, layer, _own_variables(layer)
    before = f"{place}/" if place else ""
    for name, value in _attributes(layer):
        if isinstance(value, Layer):
            yield from _layers(value, f"{before}{name}", seen)
        elif isinstance(value, SeedGenerator):
            yield f"{before}{name}", value, [value.state]
        elif isinstance(value, list | tuple | dict):
            yield from _in_container(value, f"{before}{name}", seen, set())


def _in_container(value: Any, place: str, seen: set[int], around: set[int]) -> Iterator[Place]:
    if id(value) in around:
        return
    around.add(id(value))
    names: Counter[str] = Counter()
    for item in value.values() if isinstance(value, dict) else value:
        is_layer = isinstance(item, Layer)
        if not (is_layer or is_metric(item) or isinstance(item, list | tuple | dict)):
            continue
        kind = snake_case(type(item).__name__) if isinstance(item, Module) else "container"
        name = f"{kind}_{names[kind]}" if names[kind] else kind
        names[kind] += 1
        if is_layer:
            yield from _layers(item, f"{place}/{name}", seen)
        elif not isinstance(item, Module):
            yield from _in_container(item, f"{place}/{name}", seen, around)


def _own_variables(layer: Any) -> list[Variable]:
    """Return the variables that a layer holds itself: trained ones, then others, as made."""
    variables = [value for value in held(layer) if isinstance(value, Variable)]
    variables.sort(key=lambda variable: variable._storage.number)
    return [v for v in variables if v.trainable] + [v for v in variables if not v.trainable]


def _attributes(layer: Any) -> Iterator[tuple[str, Any]]:
    """Yield attributes, and properties that the class adds to a layer, the private ones last."""
    has_layers = hasattr(type(layer), "layers")
    first = has_layers and (layer._program is not None or hasattr(layer, "_sequence"))
    if first:
        yield "layers", layer.layers
    names = {name for name in vars(layer) if name not in ("_keras", "_name", "_added")}
    names |= {name for name, value in _properties(type(layer)) if isinstance(value, property)}
    names -= {"_functional_layers", "_sequence"}
    if has_layers and not first:
        names.add("layers")
    for name in sorted(names, key=lambda name: f"~{name}" if name.startswith("_") else name):
        try:
            value = getattr(layer, name)
        except (AttributeError, ValueError, NotImplementedError):
            continue  # a property that has no value yet
        yield name, value


def _properties(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield what classes above ``Layer`` and ``Model`` add."""
    for base in cls.__mro__:
        if base is Layer:
            return
        if base.__name__ not in ("Model", "Functional", "Sequential", "Trainer"):
            yield from vars(base).items()
