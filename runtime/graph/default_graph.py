"""Default graph, and functions that act on the current graph.

TensorFlow 1's flat names: ``get_default_graph``, ``placeholder``, ``name_scope`` and so on.  Under
eager execution most scopes are accepted and change nothing.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from typing import Any

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, identity, placeholder_op
from runtime.types import nest
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import as_dtype
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [
    "colocate_with", "container", "control_dependencies",
    "disable_eager_execution", "enable_eager_execution",
    "executing_eagerly_outside_functions",
    "get_current_name_scope", "get_default_graph", "inside_function", "name_scope", "placeholder",
    "placeholder_with_default", "reset_default_graph",
]  # fmt: skip

_default: list[Graph] = []


def get_default_graph() -> Graph:
    """Return the graph that ops are recorded in now, or else the global default graph.

    Returns:
        Graph.
    """
    current = dispatch.current()
    if isinstance(current, Graph):
        return current
    if not _default:
        _default.append(Graph())
    return _default[0]


def reset_default_graph() -> None:
    """Replace the global default graph by a new one.

    Returns:
        None.
    Raises:
        AssertionError: the call is inside ``graph.as_default()``.
    """
    if any(isinstance(level, Graph) for level in dispatch.stack()):
        raise AssertionError(
            "Do not use runtime.reset_default_graph() to clear nested graphs. If you need a "
            "cleared graph, exit the nesting and create a new graph."
        )
    _default.clear()
    if not executing_eagerly_outside_functions():
        disable_eager_execution()


def disable_eager_execution() -> None:
    """Record ops in the default graph, as TensorFlow 1 does, also outside of any ``with``.

    Returns:
        None.
    """
    if not _default:
        _default.append(Graph())
    dispatch.set_outermost(_default[0])


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Undo ``disable_eager_execution``.

    Args:
        config: without effect.
        device_policy: without effect.
        execution_mode: without effect.
    Returns:
        None.
    Raises:
        ValueError: the default graph has operations.
    """
    if executing_eagerly_outside_functions():
        return
    if _default and _default[0].operations:
        raise ValueError(
            "enable_eager_execution must be called at program startup: the default graph has "
            "operations already. Call runtime.reset_default_graph() first."
        )
    dispatch.set_outermost(None)


def executing_eagerly_outside_functions() -> bool:
    """Return whether ops give concrete values outside of all functions being traced.

    Returns:
        True or False.
    """
    with dispatch.init_scope():
        return dispatch.executing_eagerly()


def placeholder(
    dtype: DTypeLike, shape: ShapeLike | None = None, name: str | None = None
) -> SymbolicTensor:
    """Record a tensor whose value is fed when the graph runs.

    Args:
        dtype: dtype of the values.
        shape: static shape of the values; None for any.
    Returns:
        Symbolic tensor.
    Raises:
        RuntimeError: eager execution is enabled.
    """
    graph = dispatch.current()
    if not isinstance(graph, Graph):
        raise RuntimeError(
            "runtime.placeholder() is not compatible with eager execution. Make it inside "
            "`with runtime.Graph().as_default():`, or pass values to functions directly."
        )
    attrs = {"shape": TensorShape(shape), "dtype": as_dtype(dtype)}
    return graph.apply(placeholder_op, (), attrs, name)


def placeholder_with_default(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Any:
    """Record a tensor that has the value of another one unless it is fed.

    Args:
        input: value that becomes a tensor.
        shape: static shape of fed values, compatible with that of ``input``.
    Returns:
        Symbolic tensor; under eager execution ``input`` as a tensor.
    Raises:
        ValueError: the shapes are not compatible.
    """
    tensor = convert_to_tensor(input)
    requested = TensorShape(shape)
    if not tensor.shape.is_compatible_with(requested):
        raise ValueError(
            f"placeholder_with_default: input has shape {tensor.shape}, which is not compatible "
            f"with the requested shape {requested}."
        )
    graph = dispatch.current()
    if not isinstance(graph, Graph):
        return tensor
    output = identity(graph.as_tensor(tensor), name=name or "PlaceholderWithDefault")
    output.spec = TensorSpec(requested, output.dtype)  # fed values may have any such shape
    return output


def current_graph() -> Graph | None:
    """Return the graph that ops are recorded in now; None under eager execution."""
    current = dispatch.current()
    return current if isinstance(current, Graph) else None


class _EagerNames(threading.local):
    """Name scope of a thread under eager execution: ``a/b``, or ``""``."""

    def __init__(self) -> None:
        self.scope = ""

    @contextlib.contextmanager
    def within(self, name: str | None) -> Iterator[str]:
        """Prefix the names of variables within the block; yield the prefix and ``/``."""
        before = self.scope
        if not name or name.endswith("/"):
            self.scope = (name or "").rstrip("/")
        else:
            self.scope = f"{before}/{name}" if before else name
        try:
            yield f"{self.scope}/" if self.scope else ""
        finally:
            self.scope = before


_eager_names = _EagerNames()


def inside_function() -> bool:
    """Return whether a ``function``, or a branch or loop body in one, is being traced.

    Returns:
        True or False.
    """
    levels = reversed(dispatch.stack())
    inside = itertools.takewhile(lambda level: level.temporary, levels)
    return any(getattr(level, "kind", "") == "function" for level in inside)


def get_current_name_scope() -> str:
    """Return the current name scope.

    Returns:
        String such as ``a/b``; empty outside of all scopes.
    """
    graph = current_graph()
    return _eager_names.scope if graph is None else graph.get_name_scope()


def scoped(name: str) -> str:
    """Return an eager variable's name in the current scope; one ending in ``/`` as it is."""
    if name.endswith("/"):
        return name[:-1]
    return f"{_eager_names.scope}/{name}" if _eager_names.scope else name


class name_scope:
    """Context manager that prefixes names: ``with name_scope("layer") as scope:``.

    It applies to operations and variables; under eager execution only variables have names.

    As in TensorFlow 1, ``default_name`` is used if ``name`` is None, and ``values`` are tensors
    whose graph is the default graph within the block.  ValueError for a name that is no string, for
    None with values but no default name, and for values of several graphs.
    """

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Any = None
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        if name is None and default_name is None and values is not None:
            raise ValueError(
                f"At least one of name (None) and default_name (None) must be provided for the "
                f"values {values!r}."
            )
        self._name = default_name if name is None else name
        self._values = nest.flatten(values) if values is not None else []
        self._entered: list[contextlib.ExitStack] = []

    @property
    def name(self) -> str | None:
        """Name of the scope, as given."""
        return self._name

    def __enter__(self) -> str:
        graph = current_graph()
        home = _home_of(self._values)
        with contextlib.ExitStack() as stack:
            if home is not None and home is not graph:
                stack.enter_context(home.as_default())
                graph = home
            scope = stack.enter_context(
                _eager_names.within(self._name) if graph is None else graph.name_scope(self._name)
            )
            self._entered.append(stack.pop_all())
        return scope

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().__exit__(*error)


def _home_of(values: list[Any]) -> Graph | None:
    """Return the graph of symbolic values, or None; ValueError for several graphs."""
    graphs = {id(g): g for v in values if isinstance(g := _graph_of(v), Graph)}
    if len(graphs) > 1:
        raise ValueError(f"name_scope: the values {values!r} must be from the same graph.")
    home = next(iter(graphs.values()), None)
    return None if home is None or home.temporary else home


def _graph_of(value: Any) -> Any:
    symbolic = isinstance(value, SymbolicTensor | Operation)
    return value.graph if symbolic else getattr(value, "_graph", None)


@contextlib.contextmanager
def lifted() -> Iterator[Graph | None]:
    """Enter ``init_scope`` with the current name scope, and without control dependencies.

    Yields the graph that variables created within belong to, None under eager execution.
    """
    tracing = current_graph()
    with dispatch.init_scope():
        home = current_graph()
        scope = _scope_within(tracing, home)
        if home is None:
            with _eager_names.within(f"{scope}/" if scope else ""):
                yield None
        else:
            with home.name_scope(f"{scope}/" if scope else ""), home.control_dependencies(None):
                yield home


def _scope_within(tracing: Any, home: Graph | None) -> str:
    """Return the name scope of a trace; that of a function starts at the function."""
    inner: list[str] = []
    while tracing is not None and tracing is not home:
        inner.insert(0, tracing.get_name_scope())
        if tracing.kind == "function":
            break
        tracing = tracing.outer
    else:
        inner.insert(0, _eager_names.scope if home is None else home.get_name_scope())
    return "/".join(filter(None, inner))


@contextlib.contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Make operations recorded in a block run after others.

    Args:
        control_inputs: operations and tensors; under eager execution, functions among them are
            called.  None clears the dependencies of outer blocks.
    Returns:
        Context manager.
    """
    graph = current_graph()
    if graph is None:
        for item in control_inputs or ():
            if callable(item) and not isinstance(item, Value):
                item()
        yield
    else:
        with graph.control_dependencies(control_inputs):
            yield


def colocate_with(op: Any, ignore_existing: bool = False) -> contextlib.AbstractContextManager[Any]:
    """Place operations of a block on the device of another one; there is one CPU.

    Args:
        op: operation or tensor.
        ignore_existing: without effect.
    Returns:
        Context manager.
    """
    return get_default_graph().colocate_with(op, ignore_existing)


def container(container_name: str) -> contextlib.AbstractContextManager[str]:
    """Accept a name of a resource container; each session holds all state itself.

    Args:
        container_name: string.
    Returns:
        Context manager.
    """
    return get_default_graph().container(container_name)
