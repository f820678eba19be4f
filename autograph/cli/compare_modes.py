"""``autograph run``: runs a function of the user's eagerly and as a graph, and compares.

Part of the command line, so it may import the runtime.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.cli import run_script
from autograph.cli.outputs import show
from autograph.conversion.module_source import FileError


@dataclass(frozen=True)
class RunResult:
    """Result of one run, with arrays for tensors and numbers, and the printed text."""

    result: Any
    text: str


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call: by position and by keyword."""

    positional: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)

    def map(self, change: Callable[[Any], Any]) -> Arguments:
        """Return the arguments with ``change`` applied to each."""
        keywords = {name: change(value) for name, value in self.keywords.items()}
        return Arguments(tuple(map(change, self.positional)), keywords)

    def call(self, function: Callable[..., Any]) -> Any:
        """Call a function with these arguments."""
        return function(*self.positional, **self.keywords)

    def __str__(self) -> str:
        keywords = (f"{name}={value!r}" for name, value in self.keywords.items())
        return ", ".join([*map(repr, self.positional), *keywords])


def argument(text: str) -> Any:
    """Return a command line argument as a value: a Python literal, or else the text itself.

    ``nan`` and ``inf`` are numbers, also inside of lists, tuples and dicts.
    """
    try:
        return ast.literal_eval(_NonFinite().visit(ast.parse(text.strip(), mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def arguments_of(
    texts: Iterable[str], function: Callable[..., Any], read: Callable[[str], Any] = argument
) -> Arguments:
    """Return a command line's arguments; ``name=value`` is a keyword if the function takes it.

    ``read`` gives the value that a text writes.
    """
    positional, keywords = [], {}
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and takes(function, name):
            keywords[name] = read(value)
        else:
            positional.append(read(text))
    return Arguments(tuple(positional), keywords)


def takes(function: Callable[..., Any], name: str) -> bool:
    """Return whether a function takes a keyword argument of this name."""
    parameters = inspect.signature(function).parameters.values()
    return any(
        p.kind is p.VAR_KEYWORD and name.isidentifier()
        or p.name == name and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        for p in parameters
    )


class _NonFinite(ast.NodeTransformer):
    """Transformer that replaces the names ``nan`` and ``inf``, which are no literals, by their
    values.
    """

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def compare(
    name: str, function: Callable[..., Any], arguments: Arguments, file: str,
    backend: str = "runtime",
) -> bool:
    """Run a converted function in both modes, show both, and return whether they are equal.

    Numbers and lists in ``arguments`` become tensors.  False also when the function fails.
    """
    show(f"{name}({arguments})\n")
    tensor, eagerly, as_graph = _modes(backend)
    values = arguments.map(lambda value: tensors(value, name, tensor))
    eager = _attempt(eagerly, function, values, file)
    graph = None if eager is None else _attempt(as_graph, function, values, file)
    if eager is None or graph is None:
        if eager is not None:
            show(f"{eager.text}{_shown('eager', eager.result)}graph  failed\n")
        return False
    if eager.text == graph.text:
        show(eager.text)
    else:
        show(f"-- printed eagerly:\n{eager.text}\n-- printed by the graph:\n{graph.text}\n")
    show(_shown("eager", eager.result) + _shown("graph", graph.result))
    what_differs = difference(eager, graph, sizes=backend == "runtime")
    show(f"different: {what_differs}\n" if what_differs else "equal\n")
    return not what_differs


def _modes(backend: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return what makes a tensor, what runs a function eagerly, and what runs it as a graph."""
    if backend == "runtime":
        import runtime

        return runtime.constant, run_eagerly, run_as_graph
    from autograph.cli import library_runs

    library = library_runs.library(backend)

    def mode(traces: bool) -> Callable[..., Any]:
        return lambda function, values: library_runs.run(library, function, values, traces)

    return library.array, mode(False), mode(True)


def _attempt(
    run: Callable[..., Any], function: Callable[..., Any], values: Arguments, file: str
) -> RunResult | None:
    """Return the result of one run; None when it failed, after printing the error on stderr."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = run(function, values)
    except Exception as error:
        show(printed.getvalue())
        run_script.report(error, file)
        return None
    return RunResult(_arrays(result), printed.getvalue())


def tensors(value: Any, name: str, tensor: Callable[[Any], Any]) -> Any:
    """Return ``value`` with eager tensors for its numbers and lists, also inside tuples and dicts.

    Raises FileError for a list that is not the value of a tensor.
    """
    if isinstance(value, tuple):
        return tuple(tensors(item, name, tensor) for item in value)
    if isinstance(value, dict):
        return {key: tensors(item, name, tensor) for key, item in value.items()}
    if not isinstance(value, (bool, int, float, complex, list)):
        return value
    try:
        return tensor(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise FileError(
            f"the argument {value!r} cannot become a tensor: {error}; to pass it as text, quote "
            f"it twice: '\"{value}\"'", name
        ) from None


def run_eagerly(function: Callable[..., Any], values: Arguments) -> Any:
    """Call a function on eager tensors; return its result with arrays for tensors."""
    import runtime

    result = values.call(function)
    return runtime.nest.map_structure(
        lambda leaf: leaf.numpy() if isinstance(leaf, runtime.Tensor) else leaf, result
    )


def run_as_graph(function: Callable[..., Any], values: Arguments) -> Any:
    """Build a graph from a function of placeholders and run all of it; as ``run_eagerly``."""
    import runtime

    feed = {}

    def placeholder(value: Any) -> Any:
        if not isinstance(value, runtime.Tensor):
            return value
        handle = runtime.placeholder(value.dtype, value.shape)
        feed[handle] = value.numpy()
        return handle

    graph = runtime.Graph()
    with graph.as_default(), runtime.Session(graph=graph) as session:
        handles = values.map(lambda value: runtime.nest.map_structure(placeholder, value))
        result = handles.call(function)
        leaves = runtime.nest.flatten(result)
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, runtime.Tensor)]
        effects = [node for node in graph.get_operations() if node.stateful]
        fetches = [leaves[i] for i in places]
        fetched = session.run([fetches, effects], feed)[0] if fetches or effects else []
    for i, array in zip(places, fetched, strict=True):
        leaves[i] = array
    return runtime.nest.pack_sequence_as(result, leaves)


def _arrays(result: Any) -> Any:
    """Return a result with arrays for numbers, of the dtypes that tensors of them would have."""
    import runtime

    def array(leaf: Any) -> Any:
        if not isinstance(leaf, (bool, int, float, complex, str, bytes, np.generic)):
            return leaf
        try:
            values = np.asarray(runtime.constant(leaf).numpy())
            return values.astype(object) if values.dtype.kind in "SU" else values
        except (ValueError, TypeError, OverflowError):
            return np.asarray(leaf)  # an integer too large for a tensor

    return runtime.nest.map_structure(array, result)


def difference(eager: RunResult, graph: RunResult, sizes: bool = True) -> str | None:
    """Return where two runs differ, up to rounding of floating point numbers.

    Without ``sizes`` dtypes differ by kind alone: what is a Python number in one run and not in the
    other has as many bits as the library likes.
    """
    import runtime

    if eager.text != graph.text:
        return "the printed text"
    try:
        runtime.nest.assert_same_structure(eager.result, graph.result)
    except (ValueError, TypeError) as error:
        return f"the structure of the results: {error}"
    pairs = zip(
        runtime.nest.flatten(eager.result), runtime.nest.flatten(graph.result), strict=True
    )
    for first, second in pairs:
        if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
            if first.dtype != second.dtype and (sizes or first.dtype.kind != second.dtype.kind):
                return f"the dtypes, {_label(first)} and {_label(second)}"
            if first.shape != second.shape:
                return f"the shapes, {first.shape} and {second.shape}"
            if not _close(first, second):
                return "the values"
        elif type(first) is not type(second) or first != second:
            return "the values"
    return None


def _close(first: np.ndarray, second: np.ndarray) -> bool:
    if first.dtype.kind not in "fc":
        return bool(np.array_equal(first, second))
    tolerance = float(np.finfo(first.dtype).eps) ** 0.75  # what reordering in a loop may cost
    return bool(np.allclose(first, second, rtol=tolerance, atol=tolerance, equal_nan=True))


def _label(array: np.ndarray) -> str:
    name = "string" if array.dtype == object else array.dtype.name
    return f"{name}, shape {array.shape}" if array.shape else name


class _ShownLeaf:
    """Leaf of a result as it is shown."""

    def __init__(self, leaf: Any) -> None:
        try:
            self.text = f"{leaf} ({_label(leaf)})" if isinstance(leaf, np.ndarray) else repr(leaf)
        except ValueError:  # Python prints no integer of more than some thousand digits
            self.text = "a value with a very long integer"

    def __repr__(self) -> str:
        return self.text


def _shown(how: str, result: Any) -> str:
    import runtime

    text = repr(runtime.nest.map_structure(_ShownLeaf, result))
    return f"{how}  " + text.replace("\n", "\n       ") + "\n"
