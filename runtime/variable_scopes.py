"""Variables by name: ``get_variable``, ``variable_scope``, and the collections of a graph.

A graph keeps the variables that ``get_variable`` made in a collection of its own; under eager
execution they are kept as long as somebody else holds them.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from runtime import nest
from runtime.defaults import name_scope
from runtime.dtypes import as_dtype, float32
from runtime.initializers import glorot_uniform_initializer, zeros_initializer
from runtime.interpreter import init_scope
from runtime.ops.constants import constant, convert_to_tensor
from runtime.ops.effects import Assert
from runtime.ops.joining import stack
from runtime.ops.selection import boolean_mask
from runtime.tracing import current_graph, grouped
from runtime.types import TensorShape
from runtime.variables import GLOBAL, LOCAL, TRAINABLE, Variable

__all__ = [
    "AUTO_REUSE", "VariableScope", "all_variables", "assert_variables_initialized", "assign",
    "assign_add", "assign_sub", "count_up_to", "get_local_variable", "get_variable",
    "get_variable_scope", "global_variables", "global_variables_initializer",
    "initialize_all_variables", "initialize_local_variables", "initialize_variables",
    "is_variable_initialized", "local_variables", "local_variables_initializer", "model_variables",
    "moving_average_variables", "report_uninitialized_variables", "trainable_variables",
    "variable_scope", "variables_initializer",
]  # fmt: skip


class _AutoReuse:
    def __repr__(self) -> str:
        return "AUTO_REUSE"


AUTO_REUSE = _AutoReuse()
"""As ``reuse``: take the variable if there is one of the name, else make it."""

_STORE = "variables by name"


class _Thread(threading.local):
    def __init__(self) -> None:
        self.scopes: list[VariableScope] = []
        self.eager: weakref.WeakValueDictionary[str, Variable] = weakref.WeakValueDictionary()


_thread = _Thread()


def _store() -> Any:
    """The variables of the current graph, or of eager execution, by name."""
    graph: Any = current_graph()
    while graph is not None and graph.temporary:
        graph = getattr(graph, "outer", None)
    if graph is None or getattr(graph, "eager", False):
        return _thread.eager
    kept = graph.get_collection_ref(_STORE)
    if not kept:
        kept.append({})
    return kept[0]


class VariableScope:
    """A prefix of names, and the defaults of ``get_variable`` below it."""

    def __init__(self, reuse: Any, name: str = "", initializer: Any = None,
                 regularizer: Any = None, constraint: Any = None, dtype: Any = float32,
                 use_resource: bool | None = None) -> None:  # fmt: skip
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.constraint = constraint
        self.dtype = as_dtype(dtype)
        self.use_resource = use_resource

    @property
    def original_name_scope(self) -> str:
        """The scope's name as operations have it."""
        return f"{self.name}/" if self.name else ""

    def reuse_variables(self) -> None:
        """Take variables that are there from now on."""
        self.reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Set the default initialiser."""
        self.initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Set the default dtype."""
        self.dtype = as_dtype(dtype)

    def global_variables(self) -> list[Any]:
        """The variables whose names start with the scope's."""
        return self._mine(GLOBAL)

    def trainable_variables(self) -> list[Any]:
        """The trainable variables whose names start with the scope's."""
        return self._mine(TRAINABLE)

    def local_variables(self) -> list[Any]:
        """The local variables whose names start with the scope's."""
        return self._mine(LOCAL)

    def _mine(self, key: str) -> list[Any]:
        return [v for v in _collected(key, None) if v.name.startswith(self.original_name_scope)]

    def get_variable(self, name: str, **kwargs: Any) -> Any:
        """A variable of this name below the scope; see ``get_variable``."""
        with variable_scope(self):
            return get_variable(name, **kwargs)

    def __repr__(self) -> str:
        return f"<VariableScope {self.name!r} reuse={self.reuse!r}>"


def get_variable_scope() -> VariableScope:
    """The innermost variable scope."""
    if not _thread.scopes:
        return VariableScope(False)
    return _thread.scopes[-1]


@contextlib.contextmanager
def variable_scope(
    name_or_scope: Any,
    default_name: str | None = None,
    values: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Within the block, names of variables start with the scope's; yields the scope.

    ``reuse``: True takes variables that are there, AUTO_REUSE makes those that are not; None
    inherits.  ``default_name`` is made unique, for when no name is given.  TypeError without any.
    """
    if name_or_scope is None and default_name is None:
        raise TypeError("If default_name is None then name_or_scope is required")
    if custom_getter is not None or partitioner is not None:
        raise NotImplementedError(
            "variable_scope: custom_getter and partitioner are not supported; call a function of "
            "your own in place of get_variable"
        )
    outer = get_variable_scope()
    scopes = _thread.scopes
    if isinstance(name_or_scope, VariableScope):
        base, full = name_or_scope, name_or_scope.name
        inner_name = full.rpartition("/")[2]
    else:
        base = outer
        inner_name = name_or_scope if name_or_scope is not None else _unused(outer, default_name)
        full = f"{outer.name}/{inner_name}" if outer.name else inner_name
    wanted = base.reuse if reuse is None or reuse is False and base.reuse else reuse
    scope = VariableScope(
        wanted or False, full, initializer or base.initializer, regularizer or base.regularizer,
        constraint or base.constraint, base.dtype if dtype is None else dtype, use_resource,
    )  # fmt: skip
    named = auxiliary_name_scope and inner_name
    scopes.append(scope)
    try:
        with name_scope(inner_name) if named else contextlib.nullcontext():
            yield scope
    finally:
        scopes.pop()


def _unused(outer: VariableScope, name: Any) -> str:
    """``name``, ``name_1`` ...: the first that no variable scope of the store has had."""
    used = _store()
    prefix = outer.original_name_scope
    number, candidate = 0, name
    while any(key.startswith(f"{prefix}{candidate}/") for key in used):
        number += 1
        candidate = f"{name}_{number}"
    return str(candidate)


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Callable[[Any], Any] | None = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """The variable of this name in the current variable scope: made, or one that is there.

    ``initializer`` is a function of shape and dtype, or a value, which gives the shape too.

    ValueError when there is one although ``reuse`` is off, or none although it is on, when shapes
    or dtypes differ, and when no shape is known.
    """
    scope = get_variable_scope()
    full = f"{scope.name}/{name}" if scope.name else name
    wanted = scope.dtype if dtype is None else as_dtype(dtype)
    store = _store()
    found = store.get(full)
    if found is not None and scope.reuse:
        return _checked(found, shape, wanted if dtype is not None else None)
    if found is not None and current_graph() is not None:
        raise ValueError(
            f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    if scope.reuse is True:
        raise ValueError(
            f"Variable {full} does not exist, or was not created with tf.get_variable(). Did you "
            "mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
    value, wanted = _initial(
        full, shape, dtype, wanted, scope.initializer if initializer is None else initializer
    )
    with init_scope():  # where the variable will be: its full name is not to be prefixed there
        name = full if current_graph() is None else f"{full}/"
    variable = Variable(
        value, trainable, validate_shape, name=name,
        dtype=wanted, constraint=constraint or scope.constraint, synchronization=synchronization,
        aggregation=aggregation, collections=collections,
    )  # fmt: skip
    store[full] = variable
    penalty = regularizer or scope.regularizer
    graph = current_graph()
    if penalty is not None and graph is not None:
        graph.add_to_collection("regularization_losses", penalty(variable))
    return variable


def _checked(found: Variable, shape: Any, dtype: Any) -> Variable:
    if shape is not None and not TensorShape(shape).is_compatible_with(found.shape):
        raise ValueError(
            f"Trying to share variable {found.name.removesuffix(':0')}, but specified shape "
            f"{TensorShape(shape)} and found shape {found.shape}."
        )
    if dtype is not None and dtype is not found.dtype:
        raise ValueError(
            f"Trying to share variable {found.name.removesuffix(':0')}, but specified dtype "
            f"{dtype.name} and found dtype {found.dtype.name}."
        )
    return found


def _initial(full: str, shape: Any, asked: Any, dtype: Any, initializer: Any) -> tuple[Any, Any]:
    """The initial value, or a function that gives it, and the dtype."""
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is not None and not callable(initializer):
        if shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        value = convert_to_tensor(initializer, dtype if asked is not None else None)
        return value, value.dtype
    wanted = TensorShape(shape)
    if not wanted.is_fully_defined():
        raise ValueError(
            f"The shape of a new variable ({full}) must be fully defined, but instead was {wanted}."
        )
    if initializer is None:
        kind = glorot_uniform_initializer if dtype.is_floating else zeros_initializer
        initializer = kind()
    return (lambda: initializer(wanted.as_list(), dtype=dtype)), dtype


def get_local_variable(name: str, *args: Any, **kwargs: Any) -> Any:
    """As ``get_variable``, but a local variable: it is not trained and not saved."""
    return get_variable(name, *args, **{**kwargs, "trainable": False, "collections": (LOCAL,)})


# -- collections ----------------------------------------------------------------------------------


def _collected(key: str, scope: str | None) -> list[Any]:
    graph = current_graph()
    return [] if graph is None else graph.get_collection(key, scope)


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables of the current graph; with ``scope``, those whose names match it."""
    return _collected(GLOBAL, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The trainable variables of the current graph."""
    return _collected(TRAINABLE, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """The local variables of the current graph."""
    return _collected(LOCAL, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The variables that were added to the collection 'model_variables' of the current graph."""
    return _collected("model_variables", scope)


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
    return _collected("moving_average_variables", scope)


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
