"""All variables of a graph: collections of them, and operations that give them first values.

TensorFlow 1's flat functions, down to ``assign(variable, value)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.trace import current_graph, grouped
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import constant
from runtime.ops.array.where import boolean_mask
from runtime.ops.control_flow.print_assert import Assert
from runtime.state.variable import Variable
from runtime.types import nest

__all__ = [
    "all_variables", "assert_variables_initialized", "assign", "assign_add", "assign_sub",
    "count_up_to", "global_variables", "global_variables_initializer", "initialize_all_variables",
    "initialize_local_variables", "initialize_variables", "is_variable_initialized",
    "local_variables", "local_variables_initializer", "model_variables",
    "moving_average_variables", "report_uninitialized_variables", "trainable_variables",
    "variables_initializer",
]  # fmt: skip


def _collected(key: str, scope: str | None) -> list[Any]:
    graph = current_graph()
    return [] if graph is None else graph.get_collection(key, scope)


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables of the current graph; with ``scope``, those whose names match it."""
    return _collected(GraphKeys.GLOBAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The trainable variables of the current graph."""
    return _collected(GraphKeys.TRAINABLE_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """The local variables of the current graph."""
    return _collected(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The variables that were added to the collection 'model_variables' of the current graph."""
    return _collected(GraphKeys.MODEL_VARIABLES, scope)


def variables_initializer(var_list: Iterable[Any], name: str = "init") -> Any:
    """An operation that initialises the given variables; None under eager execution."""
    if current_graph() is None:
        return None
    return grouped([v.initializer for v in nest.flatten(list(var_list))], name)


def global_variables_initializer() -> Any:
    """An operation that initialises all variables of the current graph; None under eager."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Any:
    """An operation that initialises the local variables; None under eager execution."""
    return variables_initializer(local_variables())


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection 'moving_average_variables' of the current graph."""
    return _collected(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


initialize_local_variables = local_variables_initializer
all_variables = global_variables
initialize_all_variables = global_variables_initializer
initialize_variables = variables_initializer


def is_variable_initialized(variable: Variable) -> Any:
    """A bool tensor: whether the variable has a value."""
    return variable.is_initialized()


def report_uninitialized_variables(
    var_list: Iterable[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """A vector of the names of the variables that have no value yet."""
    found = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not found:
        return constant([], dtype="string")
    names = constant([v.name.removesuffix(":0") for v in found])
    there = stack([v.is_initialized() for v in found])
    return boolean_mask(names, there == False, name=name)  # noqa: E712 - element-wise


def assert_variables_initialized(var_list: Iterable[Any] | None = None) -> Any:
    """An operation that raises InvalidArgumentError when a variable has no value yet."""
    found = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not found:
        return None
    return Assert(stack([v.is_initialized() for v in found]), [
        "variables without a value:", report_uninitialized_variables(found)
    ])


# -- TensorFlow 1's functions of variables ------------------------------------------------------


def assign(ref: Any, value: Any, validate_shape: bool | None = None,
           use_locking: bool | None = None, name: str | None = None) -> Any:  # fmt: skip
    """``ref.assign(value)``."""
    return ref.assign(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None,
               name: str | None = None) -> Any:  # fmt: skip
    """``ref.assign_add(value)``."""
    return ref.assign_add(value, name=name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None,
               name: str | None = None) -> Any:  # fmt: skip
    """``ref.assign_sub(value)``."""
    return ref.assign_sub(value, name=name)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """``ref.count_up_to(limit)``."""
    return ref.count_up_to(limit)
