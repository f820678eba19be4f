"""Variables by their full names: what ``get_variable`` finds, and how it makes what is not there.

Each graph keeps the variables that were made this way; under eager execution they are kept as long
as somebody else holds them.  Which name is meant, variable_scope.py says.
"""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.initializers import Initializer, glorot_uniform_initializer, zeros_initializer
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, ShapeLike
from runtime.types.dtypes import as_dtype, float32
from runtime.types.shapes import TensorShape

__all__: list[str] = []

_STORE = "variables by name"


class Opened(threading.local):
    """The variable scopes that a thread has open in one graph, and had."""

    def __init__(self) -> None:
        self.current: Any = None
        self.counts: dict[str, int] = {}

    def unused(self, outer: str, name: str) -> str:
        """``name``, ``name_1`` ...: the first that was not opened in the scope ``outer`` yet."""
        prefix = f"{outer}/" if outer else ""
        number, candidate = 0, name
        while self.counts.get(prefix + candidate):
            number += 1
            candidate = f"{name}_{number}"
        return candidate

    def count(self, name: str) -> None:
        """Note that the scope of this full name was opened."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def forget_below(self, name: str) -> None:
        """Let the names within a scope be counted anew."""
        for key in [k for k in self.counts if not name or k.startswith(f"{name}/")]:
            del self.counts[key]


class Store:
    """The variables of one graph, or of a thread's eager execution, by their full names."""

    def __init__(self, variables: MutableMapping[str, Variable], eager: bool) -> None:
        self.variables = variables
        self.eager = eager
        self.opened = Opened()


class _Eager(threading.local):
    def __init__(self) -> None:
        self.store = Store(weakref.WeakValueDictionary(), True)


_eager = _Eager()


def current_store() -> Store:
    """The variables of the graph that is being built, or of eager execution."""
    graph: Any = current_graph()
    while graph is not None and graph.temporary:
        graph = getattr(graph, "outer", None)
    if graph is None or getattr(graph, "eager", False):
        return _eager.store
    stores = graph.get_collection_ref(_STORE)
    if not stores:
        stores.append(Store({}, False))
    store: Store = stores[0]
    return store


def resolved(
    name: str, shape: ShapeLike | None, requested: Any, usual: Any, initializer: Any
) -> tuple[Any, Any]:
    """The initialiser and the dtype of a variable, where ``requested`` may leave the dtype open.

    Values say their dtype, and so does a variable that is there.  ValueError for a tensor of
    another dtype than the requested one.
    """
    if initializer is not None and not callable(initializer):
        if shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        if requested is not None and getattr(initializer, "dtype", requested) != requested:
            raise ValueError(
                f"Initializer type '{initializer.dtype}' and explicit dtype '{requested.name}' "
                "don't match. Use runtime.cast, or leave out dtype."
            )
        value = convert_to_tensor(initializer, requested)
        return value, value.dtype
    if requested is None:
        variable = current_store().variables.get(name)
        return initializer, usual if variable is None else variable.dtype
    if shape is None and initializer is not None and _needs_nothing(initializer):
        return (lambda: convert_to_tensor(initializer(), requested)), requested
    return initializer, requested


def found_or_made(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike = float32,
    initializer: Any = None,
    regularizer: Any = None,
    reuse: Any = None,
    trainable: bool | None = None,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    constraint: Callable[[Any], Any] | None = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """The variable of this full name; what custom getters are given as ``getter``.

    ValueError when there is one although ``reuse`` is off, or none although it is on, when shapes
    or dtypes differ, and when no shape is known.
    """
    store = current_store()
    variable = store.variables.get(name)
    if variable is not None and reuse:
        return _checked(variable, shape, as_dtype(dtype))
    if variable is not None and not store.eager:
        raise ValueError(
            f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    if reuse is True:
        raise ValueError(
            f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you "
            "mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
    kind = as_dtype(dtype)
    _check_undivided(name, shape, kind, partitioner)
    value, value_dtype = _initial(name, shape, kind, initializer)
    variable = Variable(
        value, trainable, validate_shape, caching_device, f"{name}/", dtype=value_dtype,
        constraint=constraint, synchronization=synchronization, aggregation=aggregation,
        collections=collections,
    )  # fmt: skip
    store.variables[name] = variable
    _penalise(variable, name, regularizer)
    return variable


def _penalise(variable: Variable, name: str, regularizer: Any) -> None:
    """Collect what the regularizer makes of a new variable of a graph."""
    graph = current_graph()
    if regularizer is None or graph is None:
        return
    with name_scope(f"{name}/Regularizer/"):
        loss = regularizer(variable)
    if loss is not None:
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def _checked(variable: Variable, shape: Any, dtype: Any) -> Variable:
    if shape is not None and not TensorShape(shape).is_compatible_with(variable.shape):
        raise ValueError(
            f"Trying to share variable {variable.name.removesuffix(':0')}, but specified shape "
            f"{TensorShape(shape)} and found shape {variable.shape}."
        )
    if dtype is not variable.dtype:
        raise ValueError(
            f"Trying to share variable {variable.name.removesuffix(':0')}, but specified dtype "
            f"{dtype.name} and found dtype {variable.dtype.name}."
        )
    return variable


def _check_undivided(name: str, shape: Any, dtype: Any, partitioner: Any) -> None:
    """NotImplementedError when a partitioner would make several variables of one."""
    if partitioner is None or shape is None or not TensorShape(shape).rank:
        return
    counts = [int(n) for n in partitioner(shape=TensorShape(shape), dtype=dtype)]
    if any(n > 1 for n in counts):
        raise NotImplementedError(
            f"get_variable: the partitioner divides {name!r} into {counts} parts; variables are "
            "kept whole here: leave the partitioner out"
        )


def _needs_nothing(function: Callable[..., Any]) -> bool:
    """Whether a function can be called without arguments."""
    try:
        inspect.signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True


def _initial(name: str, shape: Any, dtype: Any, initializer: Any) -> tuple[Any, Any]:
    """The initial value, or a function that gives it, and the dtype or None for the value's."""
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is not None and not callable(initializer):
        return initializer, dtype
    full_shape = TensorShape(shape)
    if full_shape.is_fully_defined():
        make = _usual_initializer(name, dtype) if initializer is None else initializer
        return (lambda: make(full_shape.as_list(), dtype=dtype)), dtype
    if initializer is not None and shape is None and not isinstance(initializer, Initializer):
        if _needs_nothing(initializer):
            return initializer, None
        raise ValueError(
            f"The initializer passed is not valid for {name}: it should be a callable with no "
            "arguments and the shape should not be provided, or it takes shape and dtype and "
            "`shape` should be fully defined."
        )
    raise ValueError(
        f"The shape of a new variable ({name}) must be fully defined, but instead was {full_shape}."
    )


def _usual_initializer(name: str, dtype: Any) -> Any:
    if dtype.is_floating:
        return glorot_uniform_initializer()
    if dtype.is_integer or dtype.name in ("bool", "string"):
        return zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype!r} is required")
