"""``Weight``: a variable of a layer, an optimizer or a metric, by Keras' names."""

from __future__ import annotations

from typing import Any

from runtime.eager.tensor import wrap
from runtime.keras.name_scopes import current_path
from runtime.state.variable import Variable
from runtime.types.shapes import TensorShape


class Weight(Variable):
    """Variable whose name is the last part of its path, as in Keras 3: ``kernel``.

    Variables of a session's graph keep TensorFlow's names, ``dense/kernel:0``.
    """

    def _start(self, name: str, value: Any, shape: TensorShape) -> None:
        if self._graph is None and not name.endswith("/"):
            around = current_path()
            name = f"{around}/{name}/" if around else f"{name}/"
        super()._start(name, value, shape)

    @property
    def name(self) -> str:
        """Name within the layer, optimizer or metric; ``path`` has the names of these, too."""
        return super().name if self._graph is not None else self.path.rpartition("/")[2]

    @property
    def path(self) -> str:
        """Names of what the weight is within and its own: ``sequential/dense/kernel``."""
        return self._storage.name.removesuffix(":0")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, super().__reduce__()[1]


def _again(array: Any, arguments: dict[str, Any]) -> Weight:
    """Return a weight with the same value as another one."""
    return Weight(wrap(array), **arguments)
