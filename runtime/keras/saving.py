"""``runtime.keras.saving``: the registry of classes, and objects as dicts that JSON can hold."""

from runtime.keras.serialization import CustomObjectScope as CustomObjectScope
from runtime.keras.serialization import custom_object_scope as custom_object_scope
from runtime.keras.serialization import deserialize_keras_object as deserialize_keras_object
from runtime.keras.serialization import get_custom_objects as get_custom_objects
from runtime.keras.serialization import get_registered_name as get_registered_name
from runtime.keras.serialization import get_registered_object as get_registered_object
from runtime.keras.serialization import register_keras_serializable as register_keras_serializable
from runtime.keras.serialization import serialize_keras_object as serialize_keras_object

__all__ = [
    "CustomObjectScope", "custom_object_scope", "deserialize_keras_object", "get_custom_objects",
    "get_registered_name", "get_registered_object", "register_keras_serializable",
    "serialize_keras_object",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
