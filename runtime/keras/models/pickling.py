"""Pickles of functional models: descriptions, and the values of weights and of the optimizer.

Symbolic tensors cannot be pickled, so that the model is made anew.
"""

from __future__ import annotations

from typing import Any

from runtime.keras.pickled_objects import collecting
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.types.function_pickles import with_source


def pickled_model(model: Any) -> Any:
    """Return how a functional model is made anew, as ``__reduce__`` says it."""
    with collecting() as objects:
        description = serialize_keras_object(model)
    slots = model.optimizer.variables if model.optimizer is not None else ()
    state = description, objects, model.get_weights(), [slot.numpy() for slot in slots]
    return with_source([*objects.values()], (model_of, state))


def model_of(
    description: dict[str, Any], objects: dict[str, Any], weights: list[Any], slots: list[Any]
) -> Any:
    """Return the model of a description, with weights and the variables of its optimizer."""
    model = deserialize_keras_object(description, objects)
    model.set_weights(weights)
    for variable, value in zip(model.optimizer.variables if slots else (), slots, strict=True):
        variable.assign(value)
    return model
