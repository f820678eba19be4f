"""Functional models as plain values, in the form that Keras 3 writes, and back."""

from __future__ import annotations

from typing import Any

from runtime.graph.operation import Operation, SymbolicTensor
from runtime.keras.functional.functional_graph import LayerCall, is_functional
from runtime.keras.functional.operations import (
    SavedOperation,
    is_constant,
    is_operation,
    operation_config,
)
from runtime.keras.functional.program import FunctionalProgram
from runtime.keras.layers.base.call_arguments import shape_of
from runtime.keras.layers.base.input_layer import InputLayer, input_layer_of
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.types import nest


class _Places:
    """Where the tensors of a model come from: layer, number of its call, number of the output."""

    def __init__(self, model: Any, program: FunctionalProgram) -> None:
        self._places: dict[int, list[Any]] = {}
        self.calls: dict[int, list[LayerCall]] = {}
        for tensor in nest.flatten(program.inputs):
            self._places[id(tensor)] = [input_layer_of(tensor).name, 0, 0]
        names = {layer.name for layer in model.layers}
        self.operations: dict[int, str] = {}
        """Names of operations outside of layers."""
        for call in program.steps:
            if isinstance(call, Operation):
                if not is_constant(call):
                    graph: Any = call.graph
                    name = _unused(graph.saved_names.get(id(call), call.name), names)
                    self.operations[id(call)] = name
                    for number, tensor in enumerate(call.outputs):
                        self._places[id(tensor)] = [name, 0, number]
                continue
            calls = self.calls.setdefault(id(call.layer), [])
            for number, tensor in enumerate(nest.flatten(call.outputs)):
                self._places.setdefault(id(tensor), [call.layer.name, len(calls), number])
            calls.append(call)

    def of(self, tensor: SymbolicTensor) -> list[Any]:
        """Return the place of a tensor; ValueError for a constant, which has none."""
        if id(tensor) not in self._places:
            raise ValueError(
                f"the tensor {tensor.name!r} depends on no input: a model in which a layer takes "
                "it, or that returns it, cannot be saved"
            )
        return self._places[id(tensor)]

    def described(self, value: Any) -> Any:
        """Return an argument of a call as plain values."""
        if is_functional(value):
            config = {
                "shape": shape_of(value), "dtype": value.dtype.name, "keras_history": self.of(value)
            }
            return {"class_name": "__keras_tensor__", "config": config}
        if isinstance(value, list | tuple):
            return type(value)([self.described(entry) for entry in value])
        if isinstance(value, dict):
            return {name: self.described(entry) for name, entry in value.items()}
        return serialize_keras_object(value)


def _unused(name: str, names: set[str]) -> str:
    """Return a name that no layer and no operation has yet, and note it."""
    unused, number = name.lower(), 0
    while unused in names:
        number += 1
        unused = f"{name.lower()}_{number}"
    names.add(unused)
    return unused


def functional_config(model: Any, program: FunctionalProgram) -> dict[str, Any]:
    """Return a functional model as plain values; ValueError for operations that have none."""
    places = _Places(model, program)
    layers = []
    for layer in program.rows(input_layer_of):
        if isinstance(layer, Operation):
            if not is_constant(layer):
                name = places.operations[id(layer)]
                layers.append(operation_config(layer, name, places.described))
            continue
        calls = places.calls.get(id(layer), [])
        nodes = [
            {"args": places.described(list(call.args)), "kwargs": places.described(call.kwargs)}
            for call in calls
        ]
        described = serialize_keras_object(layer)
        layers.append({**described, "name": layer.name, "inbound_nodes": nodes})
    return {
        "name": model.name, "trainable": model.trainable, "layers": layers,
        "input_layers": nest.map_structure(places.of, program.inputs),
        "output_layers": nest.map_structure(places.of, program.outputs),
    }  # fmt: skip


def tensors_of_config(config: dict[str, Any], custom_objects: Any) -> tuple[Any, Any]:
    """Make the layers of a functional model, call them, and return inputs and outputs.

    ValueError where a call takes what no layer gives.
    """
    by_place: dict[tuple[str, int], list[Any]] = {}
    waiting: list[tuple[Any, int, dict[str, Any]]] = []
    for described in config["layers"]:
        plain = {n: v for n, v in described.items() if n not in ("inbound_nodes", "name")}
        if "module" not in plain:  # written by Keras 2
            is_model = plain["class_name"] in ("Functional", "Model", "Sequential")
            plain["module"] = "keras" if is_model else "keras.layers"
        if is_operation(plain):
            layer: Any = SavedOperation({**plain, "name": described["name"]})
        else:
            layer = deserialize_keras_object(plain, custom_objects)
        if isinstance(layer, InputLayer):
            by_place[described["name"], 0] = [layer.output]
            continue
        nodes = map(_node, described["inbound_nodes"])
        waiting += [(layer, n, node) for n, node in enumerate(nodes)]
    while waiting:
        postponed = []
        for layer, number, node in waiting:
            if not all(place[:2] in by_place for place in _needed(node)):
                postponed.append((layer, number, node))
                continue
            args, kwargs = _arguments(node["args"], by_place), _arguments(node["kwargs"], by_place)
            outputs = nest.flatten(layer(*args, **kwargs))
            by_place[layer.name, number] = outputs
            if isinstance(layer, SavedOperation):
                for tensor in outputs:
                    tensor.op.graph.saved_names.setdefault(id(tensor.op), layer.name)
        if len(postponed) == len(waiting):
            names = {described["name"] for described in config["layers"]}
            lost = [place[0] for _, _, node in postponed for place in _needed(node)]
            missing = [name for name in lost if name not in names]
            raise ValueError(
                f"Missing node: {missing[0]}: no layer of the configuration has that name, and "
                f"the calls of layer {postponed[0][0].name!r} take its outputs"
                if missing
                else f"The calls of layer {postponed[0][0].name!r} depend on themselves: the "
                "configuration "
                "has a loop"
            )
        waiting = postponed
    return _at_places(config["input_layers"], by_place), _at_places(
        config["output_layers"], by_place
    )


def _node(node: Any) -> dict[str, Any]:
    """Return the arguments of a call, also as Keras 2 wrote them: places with keyword arguments."""
    if isinstance(node, dict):
        return node
    tensors = [
        {"class_name": "__keras_tensor__", "config": {"keras_history": list(place[:3])}}
        for place in node
    ]
    kwargs = node[0][3] if node and len(node[0]) > 3 else {}
    return {"args": tensors if len(tensors) == 1 else [tensors], "kwargs": kwargs}


def _needed(value: Any) -> list[tuple[str, int, int]]:
    """Return the places of the tensors in the arguments of a call."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            return [tuple(value["config"]["keras_history"])]
        value = list(value.values())
    return [place for entry in value for place in _needed(entry)] if isinstance(value, list) else []


def _arguments(value: Any, by_place: dict[tuple[str, int], list[Any]]) -> Any:
    """Return the arguments of a call, with tensors in place of their descriptions."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            return _at_places(value["config"]["keras_history"], by_place)
        if "class_name" not in value:
            return {name: _arguments(entry, by_place) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_arguments(entry, by_place) for entry in value]
    return deserialize_keras_object(value)


def _at_places(places: Any, by_place: dict[tuple[str, int], list[Any]]) -> Any:
    """Return the tensors at places, in the same nest."""
    if isinstance(places, dict):
        return {name: _at_places(place, by_place) for name, place in places.items()}
    if len(places) == 3 and isinstance(places[0], str):
        layer, call, output = places
        return by_place[layer, call][output]
    return type(places)([_at_places(place, by_place) for place in places])

