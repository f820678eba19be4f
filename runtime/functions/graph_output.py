"""Values that a trace gives, as tensors of its graph, and how a run makes them again.

What a function returns, what it leaves in a list or dict among its arguments, and what it writes to
a slot go out in the same way; they differ in what a leaf is inside of the graph and outside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runtime.eager.tensor import Tensor, wrap
from runtime.graph.operation import SymbolicTensor
from runtime.staging.values import optional_nest
from runtime.types.value import Value


class GraphOutput:
    """Nest of values that a trace gives.

    structure  the nest, with tensors of the graph in it
    tensors    those, in the order in which a run gives their values
    """

    def __init__(self, value: Any, encode: Callable[[Any], Any] = lambda leaf: leaf) -> None:
        """Convert the leaves of a value to tensors of a graph, or to what they are in each call."""
        is_leaf = isinstance(value, Value)
        self.structure: Any = encode(value) if is_leaf else optional_nest.map_inside(encode, value)
        self.is_tensor = isinstance(self.structure, SymbolicTensor)
        """Whether the value is one tensor, and no nest."""
        self.leaves = [self.structure] if is_leaf else optional_nest.flatten(self.structure)
        self.tensors = [leaf for leaf in self.leaves if isinstance(leaf, SymbolicTensor)]

    def decode(
        self, outputs: Iterator[Any], decode: Callable[[Any, Any], Any],
        item: Callable[[Any, Any], Any],
    ) -> Any:  # fmt: skip
        """Return the nest of a run: ``decode`` converts each output for the tensor that it is of,
        ``item`` each array in a list that the run made.
        """
        if self.is_tensor:
            return decode(next(outputs), self.structure)
        values = [
            decode(next(outputs), leaf) if isinstance(leaf, SymbolicTensor) else leaf
            for leaf in self.leaves
        ]
        return optional_nest.pack_sequence_as(self.structure, values, item)


def as_tensor(value: Any) -> Any:
    """Return a result of a run as a tensor: under a tape it is one."""
    return value if isinstance(value, Tensor) else wrap(value)
