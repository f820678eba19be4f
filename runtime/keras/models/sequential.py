"""``Sequential``: a model whose layers are called one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.keras.functional.functional_graph import is_functional
from runtime.keras.functional.program import of_rank
from runtime.keras.layers.base.call_arguments import is_tensor
from runtime.keras.layers.base.input_layer import InputLayer, input_layer_of
from runtime.keras.layers.base.layer import Layer
from runtime.keras.models.model import Model
from runtime.keras.name_scopes import current_path

__all__ = ["Sequential"]


class Sequential(Model):
    """Model whose layers are called one after the other, each with the output of the one before.

    The weights are made at once if the first entry is an ``Input``, or its layer has an
    ``input_shape``; else when the model is called or built.

    Args:
        layers: layers and ``Input`` tensors; ``add`` adds others.
        trainable: whether the weights are among ``trainable_weights``.
        name: name of the model.

    Raises:
        TypeError: for what is no layer.
        ValueError: for two layers of one name.
    """

    def __init__(
        self, layers: Iterable[Any] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        super().__init__(name=name, trainable=trainable)
        self._sequence: list[Layer] = []
        self._keras.chain = None
        for layer in layers or ():
            self.add(layer, rebuild=False)
        self._connect()

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Add a layer at the end."""
        if is_functional(layer):
            layer = input_layer_of(layer)
        if not isinstance(layer, Layer):
            wrap = "; wrap the function into a keras.layers.Lambda" if callable(layer) else ""
            raise ValueError(
                "Only instances of `keras.Layer` can be added to a Sequential model. Received: "
                f"{layer!r} (of type {type(layer)}){wrap}"
            )
        if isinstance(layer, InputLayer) and self._keras.chain is not None:
            raise ValueError(
                f"Sequential model {self.name!r} has already been configured to use input shape "
                f"{self._keras.chain.batch_shape}. You cannot add a different Input layer to it."
            )
        if layer.name in [entry.name for entry in self._entries]:
            raise ValueError(
                f"All layers added to a Sequential model should have unique names. Name "
                f"{layer.name!r} is already the name of a layer in this model."
            )
        if isinstance(layer, InputLayer):
            if self._entries:
                raise ValueError(
                    f"Sequential model {self.name!r} has already been configured to use layers: "
                    f"the input {layer.name!r} must come before them"
                )
            self._keras.chain = layer
        else:
            if not self._sequence and self._keras.chain is None:
                shape = layer._keras.input_shape
                if shape is not None:
                    self._keras.chain = InputLayer(batch_shape=shape, dtype=layer._keras.dtype)
            self._sequence.append(layer)
        if rebuild:
            self._connect()

    def pop(self, rebuild: bool = True) -> Any:
        """Remove the last layer, and return it; ValueError if there is none."""
        if not self._sequence:
            raise ValueError("there is no layer to remove")
        layer = self._sequence.pop()
        if rebuild:
            self._connect()
        return layer

    @property
    def _entries(self) -> list[Layer]:
        first = self._keras.chain
        return [*([first] if first is not None else []), *self._sequence]

    def _connect(self) -> None:
        """Make the model of the layers, if the shape of the input is known."""
        first: InputLayer | None = self._keras.chain
        self._keras.program = None
        self._keras.built = False
        if first is None or not self._sequence:
            return
        x: Any = first.output
        with self._first_scope():
            self._keras.path = current_path()
            for layer in self._sequence:
                x = layer(x)
        self._set_program(first.output, x)

    def build(self, input_shape: Any = None) -> None:
        """Make the weights for inputs of a shape."""
        first = self._keras.chain
        if first is not None and input_shape is not None and self._sequence:
            if tuple(input_shape) != first.batch_shape:
                raise ValueError(
                    f"Sequential model {self.name!r} has already been configured to use input "
                    f"shape {first.batch_shape}. You cannot build it with input_shape "
                    f"{tuple(input_shape)}"
                )
        if self._program is not None or self.built:
            return
        if input_shape is None:
            raise ValueError("You must provide an `input_shape` argument.")
        if any(not isinstance(size, int | None) for size in input_shape):
            self._keras.built = True  # several inputs: the layers are built when they are called
            return
        self._start_with(tuple(input_shape), None)

    def _prepare(self, bound: dict[str, Any]) -> None:
        first: Any = next(iter(bound.values()), None)
        if not self.built and is_tensor(first) and first.shape.rank:
            self._start_with((None, *first.shape.as_list()[1:]), first.dtype)
        super()._prepare(bound)

    def _start_with(self, shape: tuple[int | None, ...], dtype: Any) -> None:
        if self._keras.chain is None:
            self._keras.chain = InputLayer(batch_shape=shape, dtype=dtype)
            self._connect()

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Call the layers one after the other."""
        if not self._sequence:
            raise ValueError(f"Sequential model {self.name!r} has no layers: call `model.add()`.")
        first = self._keras.chain
        if first is not None and isinstance(inputs, Tensor):
            inputs = of_rank(inputs, first.output)
        for layer in self._sequence:
            inputs = layer(inputs)
        return inputs

    @property
    def layers(self) -> list[Any]:
        """Layers of the model, without inputs."""
        return list(self._sequence)

    @layers.setter
    def layers(self, value: Any) -> None:
        raise AttributeError(
            "`Sequential.layers` attribute is reserved and should not be used. Use `add()` and "
            "`pop()` to change the layers in this model."
        )

    def get_config(self) -> dict[str, Any]:
        """Return the name and the layers, as plain values."""
        from runtime.keras.serialization import serialize_keras_object

        return {
            "name": self.name, "trainable": self.trainable,
            "layers": [serialize_keras_object(layer) for layer in self._entries],
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a model from its configuration."""
        from runtime.keras.serialization import deserialize_keras_object

        if not isinstance(config, dict) or not {"name", "layers"} <= set(config):
            raise ValueError(
                "A Sequential model configuration must be a dictionary containing the 'name' and "
                f"'layers' keys. Received: config={config}"
            )
        for layer in config["layers"]:
            if not isinstance(layer, dict) or "config" not in layer:
                raise ValueError(
                    "Expected a dictionary containing a 'config' key. Received: "
                    f"layer_config={layer}"
                )
        layers = [
            deserialize_keras_object(layer_config, custom_objects)
            for layer_config in config["layers"]
        ]
        return cls(layers, name=config.get("name"), trainable=config.get("trainable", True))
