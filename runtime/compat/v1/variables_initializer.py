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
    """List the global variables of the current graph.

    Args:
        scope: regular expression that the beginning of a variable's name must match.
    Returns:
        List of variables; empty under eager execution.
    """
    return _collected(GraphKeys.GLOBAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """List the trainable variables of the current graph.

    Args:
        scope: regular expression that the beginning of a variable's name must match.
    Returns:
        List of variables; empty under eager execution.
    """
    return _collected(GraphKeys.TRAINABLE_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """List the local variables of the current graph.

    Args:
        scope: regular expression that the beginning of a variable's name must match.
    Returns:
        List of variables; empty under eager execution.
    """
    return _collected(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """List the variables in the collection 'model_variables' of the current graph.

    Args:
        scope: regular expression that the beginning of a variable's name must match.
    Returns:
        List of variables; empty under eager execution.
    """
    return _collected(GraphKeys.MODEL_VARIABLES, scope)


def variables_initializer(var_list: Iterable[Any], name: str = "init") -> Any:
    """Record an operation that initializes variables.

    Args:
        var_list: variables.
    Returns:
        Operation; None under eager execution.
    """
    if current_graph() is None:
        return None
    return grouped([v.initializer for v in nest.flatten(list(var_list))], name)


def global_variables_initializer() -> Any:
    """Record an operation that initializes all global variables of the current graph.

    Returns:
        Operation; None under eager execution.
    """
    return variables_initializer(global_variables())


def local_variables_initializer() -> Any:
    """Record an operation that initializes all local variables of the current graph.

    Returns:
        Operation; None under eager execution.
    """
    return variables_initializer(local_variables())


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """List the variables in the collection 'moving_average_variables' of the current graph.

    Args:
        scope: regular expression that the beginning of a variable's name must match.
    Returns:
        List of variables; empty under eager execution.
    """
    return _collected(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


initialize_local_variables = local_variables_initializer
all_variables = global_variables
initialize_all_variables = global_variables_initializer
initialize_variables = variables_initializer


def is_variable_initialized(variable: Variable) -> Any:
    """Test whether a variable has a value.

    Args:
        variable: variable.
    Returns:
        Scalar bool tensor.
    """
    return variable.is_initialized()


def report_uninitialized_variables(
    var_list: Iterable[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """List the names of the variables without a value.

    Args:
        var_list: variables; by default all global and local ones of the current graph.
    Returns:
        Vector of strings.
    """
    variables = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not variables:
        return constant([], dtype="string")
    names = constant([v.name.removesuffix(":0") for v in variables])
    are_initialized = stack([v.is_initialized() for v in variables])
    return boolean_mask(names, are_initialized == False, name=name)  # noqa: E712 - element-wise


def assert_variables_initialized(var_list: Iterable[Any] | None = None) -> Any:
    """Record a check that variables have values.

    Args:
        var_list: variables; by default all global and local ones of the current graph.
    Returns:
        Operation that raises InvalidArgumentError when it runs; None without variables.
    """
    variables = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not variables:
        return None
    return Assert(stack([v.is_initialized() for v in variables]), [
        "variables without a value:", report_uninitialized_variables(variables)
    ])


# -- TensorFlow 1's functions of variables ------------------------------------------------------


def assign(ref: Any, value: Any, validate_shape: bool | None = None,
           use_locking: bool | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Assign a value to a variable.

    Args:
        ref: variable.
        value: value of its dtype and a compatible shape.
        validate_shape: without effect; the shape is always checked.
        use_locking: without effect.
    Returns:
        The variable with the new value, as of ``ref.assign``.
    """
    return ref.assign(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None,
               name: str | None = None) -> Any:  # fmt: skip
    """Add a value to a variable.

    Args:
        ref: variable.
        value: value of its dtype and shape.
        use_locking: without effect.
    Returns:
        The variable with the new value, as of ``ref.assign_add``.
    """
    return ref.assign_add(value, name=name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None,
               name: str | None = None) -> Any:  # fmt: skip
    """Subtract a value from a variable.

    Args:
        ref: variable.
        value: value of its dtype and shape.
        use_locking: without effect.
    Returns:
        The variable with the new value, as of ``ref.assign_sub``.
    """
    return ref.assign_sub(value, name=name)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Increment a scalar integer variable up to a limit.

    Args:
        ref: variable.
        limit: number at which OutOfRangeError is raised.
    Returns:
        Tensor of the value before.
    """
    return ref.count_up_to(limit)
