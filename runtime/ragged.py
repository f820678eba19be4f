"""``runtime.ragged``: the public names of ragged tensors, as in TensorFlow."""

from runtime.composite.ragged_ops import map_flat_values as map_flat_values
from runtime.composite.ragged_tensor import ragged_constant as constant
from runtime.composite.ragged_tensor import ragged_range as range

__all__ = ["constant", "map_flat_values", "range"]


def __dir__() -> list[str]:
    return __all__
