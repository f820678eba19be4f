"""Variable scopes: prefixes and defaults for ``get_variable``.

A scope decides the full name and fills in what the call leaves out; variable_store.py finds or
makes the variable.  Each thread has scopes of its own in each graph.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from runtime.compat.v1.variable_store import Store, current_store, found_or_made, resolved
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_current_name_scope, name_scope
from runtime.graph.trace import current_graph
from runtime.state.scatter_update import VariableAggregation, VariableSynchronization
from runtime.types.aliases import DTypeLike, ShapeLike
from runtime.types.dtypes import as_dtype, float32

__all__ = [
    "AUTO_REUSE", "VariableScope", "get_local_variable", "get_variable", "get_variable_scope",
    "no_regularizer", "variable_scope",
]  # fmt: skip


class _AutoReuse:
    def __repr__(self) -> str:
        return "AUTO_REUSE"


AUTO_REUSE = _AutoReuse()
"""As ``reuse``: take the variable if there is one of the name, else make it."""


def no_regularizer(_: Any) -> None:
    """Return no regularization loss; as ``regularizer`` it overrides that of outer scopes.

    Args:
        _: variable.
    Returns:
        None.
    """


class VariableScope:
    """A prefix of names, and the defaults of ``get_variable`` below it."""

    def __init__(
        self, reuse: Any, name: str = "", initializer: Any = None, regularizer: Any = None,
        caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None,
        name_scope: str = "", dtype: DTypeLike = float32, use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self._name = name
        self._name_scope = name_scope
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.caching_device = caching_device
        self.partitioner = partitioner
        self.custom_getter = custom_getter
        self.dtype = as_dtype(dtype)
        self.use_resource = use_resource
        self.constraint = constraint

    @property
    def name(self) -> str:
        """The prefix: ``a/b``, or ``""`` for the outermost scope."""
        return self._name

    @property
    def original_name_scope(self) -> str:
        """The name scope of operations in which the scope was made, such as ``a/b_1/``."""
        return self._name_scope

    def reuse_variables(self) -> None:
        """Take variables that are there from now on."""
        self.reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Set the default initialiser."""
        self.initializer = initializer

    def set_regularizer(self, regularizer: Any) -> None:
        """Set the default regularizer."""
        self.regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Set the default caching device; there is one CPU."""
        self.caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Set the default partitioner; see ``variable_scope``."""
        self.partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Set what ``get_variable`` calls in its place."""
        self.custom_getter = custom_getter

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Set the default dtype."""
        self.dtype = as_dtype(dtype)

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Note which kind of variables is wanted; there is one kind."""
        self.use_resource = use_resource

    def get_collection(self, name: str) -> list[Any]:
        """What the collection of the current graph has below this scope."""
        graph = current_graph()
        if graph is None:
            return []
        return graph.get_collection(name, f"{self._name}/" if self._name else None)

    def global_variables(self) -> list[Any]:
        """The variables below this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def trainable_variables(self) -> list[Any]:
        """The trainable variables below this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The local variables below this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, name: str, **kwargs: Any) -> Any:
        """A variable of this name below the scope; see ``get_variable``."""
        with variable_scope(self, auxiliary_name_scope=False):
            return get_variable(name, **kwargs)

    def __repr__(self) -> str:
        return f"<VariableScope {self._name!r} reuse={self.reuse!r}>"


def get_variable_scope() -> VariableScope:
    """Return the innermost variable scope of this thread in the current graph.

    Returns:
        VariableScope.
    """
    return _innermost(current_store())


def _innermost(store: Store) -> VariableScope:
    scope: VariableScope | None = store.opened.current
    if scope is None:
        scope = VariableScope(False)
        if not store.eager:  # what is set on a graph's outermost scope stays
            store.opened.current = scope
    return scope


class variable_scope:
    """Within the block, names of variables start with the scope's; yields the scope.

    ``reuse``: True takes variables that are there, AUTO_REUSE makes those that are not; None
    inherits.  ``default_name`` is made unique, for when no name is given.  ``custom_getter`` is
    called in place of ``get_variable``, with the next getter first.  Partitioners may not divide.

    TypeError without any name; ValueError for ``reuse=True`` with a default name, and for a
    getter that is not callable; RuntimeError when scopes are left in another order.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: DTypeLike | None = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                f"The auxiliary_name_scope must be `True` or `False`, got {auxiliary_name_scope!r}"
            )
        _check_getter(custom_getter)
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._reuse = reuse
        self._dtype = dtype
        self._custom_getter = custom_getter
        self._settings = {
            "initializer": initializer, "regularizer": regularizer, "constraint": constraint,
            "caching_device": caching_device, "partitioner": partitioner,
            "use_resource": use_resource,
        }  # fmt: skip
        self._named = auxiliary_name_scope
        self._opened: list[Any] = []

    def __enter__(self) -> VariableScope:
        store = current_store()
        outer, counts = _innermost(store), None
        with contextlib.ExitStack() as stack:
            if isinstance(self._name_or_scope, VariableScope):
                base, full = self._name_or_scope, self._name_or_scope.name
                self._enter_names(stack, full.rpartition("/")[2])
                prefix = base.original_name_scope
                store.opened.count(full)
                counts = dict(store.opened.counts)
            else:
                base, inner = outer, self._name_or_scope
                self._enter_names(stack, inner or self._default_name)
                if inner is None:
                    inner = store.opened.unused(outer.name, str(self._default_name))
                full = f"{outer.name}/{inner}" if outer.name else inner
                scope_name = get_current_name_scope()
                prefix = f"{scope_name}/" if scope_name else ""
                store.opened.count(full)
            scope = self._new_scope(base, full, prefix)
            opened = (store, scope, store.opened.current, counts, stack.pop_all())
        store.opened.current = scope
        self._opened.append(opened)
        return scope

    def _enter_names(self, stack: contextlib.ExitStack, name: Any) -> None:
        if self._named and name:
            stack.enter_context(name_scope(name))

    def _new_scope(self, base: VariableScope, full: str, prefix: str) -> VariableScope:
        settings = {
            name: getattr(base, name) if value is None else value
            for name, value in self._settings.items()
        }
        return VariableScope(
            self._reuse or base.reuse, full, name_scope=prefix,
            dtype=base.dtype if self._dtype is None else self._dtype,
            custom_getter=_chained(self._custom_getter, base.custom_getter), **settings,
        )  # fmt: skip

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        store, scope, before, counts, names = self._opened[-1]
        opened = store.opened
        if opened.current is not scope:
            raise RuntimeError("Improper nesting of variable_scope.")
        self._opened.pop()
        if counts is not None:
            opened.counts = counts
        else:
            opened.forget_below(scope.name)
        opened.current = before
        names.__exit__(kind, error, trace)


def _chained(getter: Any, outer: Any) -> Any:
    """A getter that is given the scope's outer one as its next."""
    if getter is None or outer is None:
        return getter or outer

    def chained(following: Any, *args: Any, **kwargs: Any) -> Any:
        return getter(functools.partial(outer, following), *args, **kwargs)

    return chained


def _check_getter(getter: Any) -> None:
    if getter is not None and not callable(getter):
        raise ValueError(f"custom_getter was passed but is not callable: {getter!r}")


def or_default(value: Any, default: Any) -> Any:
    """Return a value, or a default if it is None."""
    return default if value is None else value


def get_variable(
    name: str, shape: ShapeLike | None = None, dtype: DTypeLike | None = None,
    initializer: Any = None, regularizer: Any = None, trainable: bool | None = None,
    collections: Iterable[str] | None = None, caching_device: Any = None, partitioner: Any = None,
    validate_shape: bool = True, use_resource: bool | None = None, custom_getter: Any = None,
    constraint: Callable[[Any], Any] | None = None, synchronization: Any = None,
    aggregation: Any = None,
) -> Any:  # fmt: skip
    """Get the variable of a name in the current variable scope, or create it.

    Args:
        name: name below the scope.
        shape: shape; by default that of the value ``initializer``.
        dtype: dtype; by default that of the scope.
        initializer: function of shape and dtype, function without arguments, or value.
        regularizer: function of the variable that returns a loss, which is added to a collection.
        trainable: whether the variable is trainable.
        collections: collections that the variable is added to.
        caching_device: without effect.
        partitioner: function of shape and dtype, which must not divide the variable.
        validate_shape: whether the shape must be known.
        use_resource: without effect.
        custom_getter: function that is called in place of this one, with the next getter first.
        constraint: function that is applied to the variable after an update.
        synchronization: a ``VariableSynchronization``; without effect.
        aggregation: a ``VariableAggregation``; without effect.
    Returns:
        Variable.
    Raises:
        ValueError: the variable exists although ``reuse`` is off, or does not although it is on,
            its shape or dtype differs, no shape is known, or the getter is not callable.
    """
    scope = get_variable_scope()
    _check_getter(custom_getter)
    full = f"{scope.name}/{name}" if scope.name else name
    requested = None if dtype is None else as_dtype(dtype)
    initializer, kind = resolved(
        full, shape, requested, scope.dtype, or_default(initializer, scope.initializer)
    )
    wanted: dict[str, Any] = {
        "name": full, "shape": shape, "dtype": kind, "initializer": initializer,
        "regularizer": or_default(regularizer, scope.regularizer),
        "reuse": scope.reuse, "trainable": trainable, "collections": collections,
        "caching_device": or_default(caching_device, scope.caching_device),
        "partitioner": or_default(partitioner, scope.partitioner),
        "validate_shape": validate_shape,
        "use_resource": or_default(use_resource, scope.use_resource),
        "constraint": or_default(constraint, scope.constraint),
        "synchronization": or_default(synchronization, VariableSynchronization.AUTO),
        "aggregation": or_default(aggregation, VariableAggregation.NONE),
    }  # fmt: skip
    getter = or_default(custom_getter, scope.custom_getter)
    with name_scope(None):
        return found_or_made(**wanted) if getter is None else getter(found_or_made, **wanted)


@functools.wraps(get_variable, assigned=())
def get_local_variable(*args: Any, **kwargs: Any) -> Any:
    """Get the local variable of a name (the text below adds the arguments)."""
    arguments = inspect.signature(get_variable).bind(*args, **kwargs).arguments
    collections = (*(arguments.pop("collections", None) or ()), GraphKeys.LOCAL_VARIABLES)
    return get_variable(**{**arguments, "trainable": False, "collections": collections})


get_local_variable.__doc__ = (get_variable.__doc__ or "").replace(
    "Get the variable of a name in the current variable scope, or create it.",
    "Get the local variable of a name, as ``get_variable``; it is neither trained nor saved.",
)
