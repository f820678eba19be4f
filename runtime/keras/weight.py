"""``Weight``: a variable of a layer, an optimizer or a metric, by Keras' names."""

from __future__ import annotations

from typing import Any

from runtime.eager.tensor import wrap
from runtime.keras.dtype_policies import autocast_dtype, without_autocast
from runtime.keras.name_scopes import current_path
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.state.variable import Variable
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape


class Weight(Variable):
    """Variable whose name is the last part of its path, as in Keras 3: ``kernel``.

    Variables of a session's graph keep TensorFlow's names, ``dense/kernel:0``.  With ``autocast``,
    floats are read in the dtype that the layer which is called computes in.
    """

    autocast = False

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

    # -- in a layer that computes in another dtype ------------------------------------------------

    def _cast_to(self) -> DType | None:
        """Return the dtype in which it is read now; None for its own."""
        dtype = autocast_dtype() if self.autocast else None
        return dtype if dtype is not None and self._storage.dtype.is_floating else None

    @property
    def dtype(self) -> DType:
        """Type of the elements that are read."""
        return self._cast_to() or self._storage.dtype

    def read_value(self) -> Any:
        """Read the value, in the dtype that the layer which is called computes in."""
        dtype = self._cast_to()
        value = super().read_value()
        return value if dtype is None else cast(value, dtype)

    def assign(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Replace the value; see ``Variable``."""
        return self._changed_by(super().assign, value, *args, **kwargs)

    def assign_add(self, delta: Any, *args: Any, **kwargs: Any) -> Any:
        """Add to the value; see ``Variable``."""
        return self._changed_by(super().assign_add, delta, *args, **kwargs)

    def assign_sub(self, delta: Any, *args: Any, **kwargs: Any) -> Any:
        """Subtract from the value; see ``Variable``."""
        return self._changed_by(super().assign_sub, delta, *args, **kwargs)

    def _changed_by(self, change: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Change the value by one that may have the dtype in which it is read."""
        if self._cast_to() is None:
            return change(value, *args, **kwargs)
        with without_autocast():
            return change(cast(convert_to_tensor(value), self.dtype), *args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (*super().__reduce__()[1], self.autocast)


def _again(array: Any, arguments: dict[str, Any], autocast: bool = False) -> Weight:
    """Return a weight with the same value as another one."""
    weight = Weight(wrap(array), **arguments)
    weight.autocast = autocast
    return weight
