"""``Network``: the model of the first eager execution, whose layers are told one by one."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.keras.models.model import Model

__all__ = ["Network"]


class Network(Model):
    """Model whose layers are those that ``track_layer`` was given; subclasses define ``call``.

    Args:
        name: name of the network.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self._tracked: list[Layer] = []

    def track_layer(self, layer: Layer) -> Layer:
        """Take a layer's weights among those of the network, and return the layer.

        TypeError for what is no layer; ValueError for a second layer of a name.
        """
        if not isinstance(layer, Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer"
            )
        if any(tracked is not layer and tracked.name == layer.name for tracked in self._tracked):
            raise ValueError(
                f"Attempt to add two Layers with the name {layer.name!r} to the same Network."
            )
        if all(tracked is not layer for tracked in self._tracked):
            self._tracked.append(layer)
        return layer

    @property  # type: ignore[misc]
    def layers(self) -> list[Any]:
        """Layers in the order of ``track_layer``, then those of attributes only."""
        tracked_ids = set(map(id, self._tracked))
        return [*self._tracked, *[layer for layer in self._layers if id(layer) not in tracked_ids]]
