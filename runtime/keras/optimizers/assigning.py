"""``Assigning``: how optimizers give values to variables, and to their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.aliases import TensorLike


class Assigning(Module):
    """Part of optimizers that assigns."""

    built: bool
    _variables: list[Variable]

    def assign(self, variable: Variable, value: TensorLike) -> None:
        """Give a variable a value."""
        variable.assign(value)

    def assign_add(self, variable: Variable, value: TensorLike) -> None:
        """Add a value to a variable."""
        variable.assign_add(value)

    def assign_sub(self, variable: Variable, value: TensorLike) -> None:
        """Subtract a value from a variable."""
        variable.assign_sub(value)

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the variables of the optimizer to values, in their order.

        ValueError before ``build``, and for other shapes; none is set then.
        """
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. "
                "Please call `optimizer.build(trainable_variables)` to create the optimizer "
                "weights before calling `set_weights()`."
            )
        pairs = list(zip(self._variables, weights, strict=False))
        for variable, value in pairs:
            if list(variable.shape) != list(value.shape):
                raise ValueError(
                    f"Optimizer variable {variable.name} has shape {variable.shape} not "
                    f"compatible with provided weight shape {value.shape}."
                )
        for variable, value in pairs:
            variable.assign(value)


class Positions(dict[int, int]):
    """Positions of variables in a list by their ids, which are others in a copy."""

    def __init__(self, variables: list[Any]) -> None:
        super().__init__({id(variable): i for i, variable in enumerate(variables)})
        self._variables = variables

    def __reduce__(self) -> tuple[Any, ...]:
        return Positions, (self._variables,)
