"""``clone_model``, and models as JSON."""

from __future__ import annotations

import functools
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
    call_function: Callable[..., Any] | None = None, recursive: bool = False,
) -> Model:  # fmt: skip
    """Return a model of new layers with the configurations of those of a model.

    Args:
        model: model.
        input_tensors: tensors of ``Input`` to use in place of new ones; not for subclasses.
        clone_function: function from a layer to that in its place; not for subclasses.
        call_function: function of a new layer and of the arguments of its call that gives the
            outputs, ``call_function(layer, *args, **kwargs)``; for functional models.
        recursive: whether both are applied to the layers of models inside, too.
    Returns:
        Model with weights of its own.
    Raises:
        ValueError: a function or inputs are given for a subclass of ``Model``, a function of calls
            for a ``Sequential``, inputs of another structure.
    """
    clone = _clone(model, input_tensors, clone_function, call_function, recursive)
    if model.compiled and not clone.compiled:
        clone.compile_from_config(model.get_compile_config() or {})
    return clone


def _clone(
    model: Model, input_tensors: Any, clone_function: Callable[[Any], Any] | None,
    call_function: Callable[..., Any] | None, recursive: bool,
) -> Model:  # fmt: skip
    """Return a model of new layers, which is not compiled."""
    has_functions = clone_function is not None or call_function is not None
    if call_function is not None and (isinstance(model, Sequential) or model._program is None):
        raise ValueError(
            "Argument `call_function` is only supported for Functional models. Received model of "
            f"type {type(model).__name__!r}"
        )
    copied = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))

    def clone_of(layer: Any) -> Any:
        if recursive and isinstance(layer, Model) and has_functions:
            inner = None if isinstance(layer, Sequential) else call_function
            return clone_model(layer, None, clone_function, inner, recursive)
        return copied(layer)

    if isinstance(model, Sequential) and input_tensors is None:
        inputs = [
            Input(batch_shape=entry.batch_shape, dtype=entry.dtype, name=entry.name)
            for entry in model._entries if isinstance(entry, InputLayer)
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
    elif not program.takes(input_tensors):
        raise ValueError(
            "`input_tensors` must have the same structure as model.input\n\nReceived: "
            f"input_tensors={input_tensors}, and model.input is {program.inputs}"
        )
    clones: dict[int, Any] = {}

    def clone_once(layer: Any) -> Any:
        if id(layer) not in clones:
            clones[id(layer)] = clone_of(layer)
        layer = clones[id(layer)]
        return layer if call_function is None else functools.partial(call_function, layer)

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
