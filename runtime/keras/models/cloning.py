"""``clone_model``, and models as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from runtime.keras.layers.base.call_arguments import shape_of
from runtime.keras.layers.base.input_layer import Input, InputLayer
from runtime.keras.models.model import Model
from runtime.keras.models.sequential import Sequential
from runtime.keras.serialization import deserialize_keras_object
from runtime.types import nest

__all__ = ["clone_model", "model_from_json"]


def clone_model(
    model: Model, input_tensors: Any = None, clone_function: Callable[[Any], Any] | None = None,
    recursive: bool = False,
) -> Model:  # fmt: skip
    """Return a model of new layers with the configurations of those of a model.

    Args:
        model: model.
        input_tensors: tensors of ``Input`` to use in place of new ones; not for subclasses.
        clone_function: function from a layer to that in its place; not for subclasses.
        recursive: whether ``clone_function`` is applied to the layers of models inside, too.
    Returns:
        Model with weights of its own.
    Raises:
        ValueError: a function or inputs are given for a subclass of ``Model``.
    """
    clone = _clone(model, input_tensors, clone_function, recursive)
    if model.compiled and not clone.compiled:
        clone.compile_from_config(model.get_compile_config() or {})
    return clone


def _clone(
    model: Model, input_tensors: Any, clone_function: Callable[[Any], Any] | None, recursive: bool
) -> Model:
    """Return a model of new layers, which is not compiled."""
    copied = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))

    def clone_of(layer: Any) -> Any:
        if recursive and isinstance(layer, Model) and clone_function is not None:
            return clone_model(layer, None, clone_function, recursive)
        return copied(layer)

    if isinstance(model, Sequential) and input_tensors is None:
        inputs = [
            Input(batch_shape=one.batch_shape, dtype=one.dtype, name=one.name)
            for one in model._entries if isinstance(one, InputLayer)
        ]  # fmt: skip
        return Sequential([*inputs, *map(clone_of, model.layers)], model.trainable, model.name)
    program = model._program
    if program is None:
        if clone_function is not None or input_tensors is not None:
            raise ValueError(
                f"{type(model).__name__} is a subclass of Model, whose layers are made by its own "
                "code: clone_model() takes no clone_function and no input_tensors for it"
            )
        return copied(model)
    if input_tensors is None:
        input_tensors = nest.map_structure(
            lambda t: Input(batch_shape=shape_of(t), dtype=t.dtype, name=t.op.name), program.inputs
        )
    clones: dict[int, Any] = {}

    def clone_once(layer: Any) -> Any:
        if id(layer) not in clones:
            clones[id(layer)] = clone_of(layer)
        return clones[id(layer)]

    return Model(input_tensors, program.run(input_tensors, clone_once), name=model.name)


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """Make the model that ``to_json`` described, with new weights.

    Args:
        json_string: text of JSON.
        custom_objects: classes and functions by name.
    Returns:
        Model.
    Raises:
        TypeError: nobody knows a class or function in it.
    """
    return deserialize_keras_object(json.loads(json_string), custom_objects)
