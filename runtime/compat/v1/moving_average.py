"""``ExponentialMovingAverage``: averages of variables, which follow them slowly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runtime.compat.v1.variables_initializer import (
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.graph.trace import current_graph, grouped
from runtime.ops.array.constants import cast
from runtime.ops.math.elementwise import minimum
from runtime.state.variable import Variable
from runtime.types.dtypes import float32

__all__ = ["ExponentialMovingAverage"]


class ExponentialMovingAverage:
    """Averages ``average -= (1 - decay) * (average - variable)`` of variables.

    Args:
        decay: share of an average that stays at each step.
        num_updates: number of steps so far: the decay is ``(1 + n) / (10 + n)`` at most.
        zero_debias: must be False: averages begin with the values of their variables.
        name: name of the averages.

    Raises:
        NotImplementedError: for ``zero_debias``.
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:  # fmt: skip
        if zero_debias:
            raise NotImplementedError("averages of variables begin with their values")
        self._decay, self._num_updates, self._name = decay, num_updates, name
        self._averages: dict[int, tuple[Variable, Variable]] = {}

    @property
    def name(self) -> str:
        """Name of the averages."""
        return self._name

    def apply(self, var_list: Iterable[Variable] | None = None) -> Any:
        """Move the averages of variables, by default of the trainable ones of the graph.

        The first call makes them.  Returns an operation in a graph, None elsewhere.  TypeError for
        what is no variable of floats.
        """
        variables = trainable_variables() if var_list is None else list(var_list)
        for variable in variables:
            if not isinstance(variable, Variable) or not variable.dtype.is_floating:
                raise TypeError(f"averages are of variables of floats, got {variable!r}")
            self._make(variable)
        decay = cast(self._decay, float32)
        if self._num_updates is not None:
            count = cast(self._num_updates, float32)
            decay = minimum(decay, (1.0 + count) / (10.0 + count))
        changes: list[Any] = []
        with name_scope(self._name):
            for variable in variables:
                average = self._averages[id(variable)][1]
                share = cast(1.0 - decay, average.dtype)
                changes.append(average.assign_sub((average - variable) * share))
            if current_graph() is None:
                return None
            return grouped([change.op for change in changes], None)

    def _make(self, variable: Variable) -> None:
        if id(variable) in self._averages:
            return
        graph = current_graph()
        with name_scope(None):
            average = Variable(
                variable.initialized_value if variable.graph is not None else variable.read_value,
                trainable=False, name=self.average_name(variable), dtype=variable.dtype,
            )  # fmt: skip
        self._averages[id(variable)] = variable, average
        if graph is not None and not graph.temporary:
            graph.get_collection_ref(GraphKeys.MOVING_AVERAGE_VARIABLES).append(variable)

    def average(self, var: Variable) -> Variable | None:
        """Return the average of a variable, a variable; None if there is none."""
        entry = self._averages.get(id(var))
        return None if entry is None else entry[1]

    def average_name(self, var: Variable) -> str:
        """Return the name of the average of a variable."""
        return f"{str(var.name).removesuffix(':0')}/{self._name}"

    def variables_to_restore(
        self, moving_avg_variables: Sequence[Variable] | None = None
    ) -> dict[str, Variable]:
        """Return what a Saver takes to restore averages into their variables, by name."""
        averaged = moving_avg_variables
        if averaged is None:
            averaged = [*trainable_variables(), *moving_average_variables()]
        by_identity = {id(v): v for v in averaged}
        averages = {self.average_name(v): v for v in by_identity.values()}
        plain_variables = [v for v in global_variables() if id(v) not in by_identity]
        return {**{str(v.name).removesuffix(":0"): v for v in plain_variables}, **averages}

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the averages, in the order of their variables."""
        yield "averages", [average for _, average in self._averages.values()]
