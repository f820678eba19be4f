"""``runtime.ragged``: the public names of ragged tensors, as in TensorFlow."""

from runtime.ragged_operations import map_flat_values as map_flat_values
from runtime.ragged_tensors import ragged_constant as constant
from runtime.ragged_tensors import ragged_range as range

__all__ = ["constant", "map_flat_values", "range"]


def __dir__() -> list[str]:
    return __all__
