"""Ways to run a program on tensors, to differentiate it, and to read a dataset; what is compared.

A way prepares a program once and returns a callable, which is called many times, with new tensors
each time, as users call a function: a first call traces, a second one finds the trace, a third one
takes the fast path.  Plain Python on eager tensors is the yardstick.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import autograph
import runtime as tf
from autograph import staging
from runtime.types import flags

Program = Callable[..., Any]
Call = Callable[..., Any]
"""A prepared program: takes NumPy's arrays or Python's numbers for tensors."""

CALLS = 3
"""How often a prepared program is called with each of its inputs."""


# -- what is compared ---------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a run returned, as dtypes and numbers, what it printed, and what it raised."""

    value: Any
    printed: str
    error: Any


RAISED = (
    AssertionError, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError,
)


def all_words(error: BaseException) -> Any:
    """An exception's class and arguments."""
    return type(error), error.args


def first_lines(error: BaseException) -> Any:
    """An exception's class and the first lines of its arguments, which places may follow."""
    return type(error), [str(arg).partition("\n")[0] for arg in error.args]


def but_types(error: BaseException) -> Any:
    """As ``all_words``; but Python's words about types name Python's types."""
    return type(error), () if type(error) is TypeError else error.args


def outcome(
    run: Callable[[], Any], of_error: Callable[[BaseException], Any] = all_words,
    of_value: Callable[[Any], Any] | None = None,
    expected: tuple[type[Exception], ...] = RAISED,
) -> Outcome:
    """What a run returns, prints and raises.

    ``of_error`` and ``of_value`` give what is compared of an exception and of a value, which
    defaults to ``described``; exceptions that are not ``expected`` are raised.
    """
    printed = io.StringIO()
    value = error = None
    with contextlib.redirect_stdout(printed):
        try:
            value = (of_value or described)(run())
        except expected as raised:
            error = of_error(raised)
    return Outcome(value, printed.getvalue(), error)


def described(value: Any) -> Any:
    """Dtype and number of a tensor, of what becomes one, or of a nest of those."""
    if isinstance(value, tuple | list):
        return [described(item) for item in value]
    if isinstance(value, dict):
        return {key: described(item) for key, item in value.items()}
    if value is None:
        return None
    array = np.asarray(tf.convert_to_tensor(value))
    return array.dtype.name, array.tolist()


def plain(value: Any) -> Any:
    """A nest of tensors, ragged tensors and datasets as a nest of Python's own values."""
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    if isinstance(value, tf.data.Dataset):
        return elements(value)
    if isinstance(value, tuple | list):
        made = [plain(item) for item in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return np.asarray(value).tolist()


def given(run: Callable[[], Any]) -> Any:
    """The values of a run, or the class of what it raised and the first words about it."""
    try:
        return plain(run())
    except (ArithmeticError, LookupError, ValueError, TypeError, tf.errors.OpError) as error:
        words = str(error).partition("\n")[0].partition(" [Op:")[0]
        return type(error), words.partition("<tf.T")[0]


# -- the ways -----------------------------------------------------------------------------------


def tensors(args: Sequence[Any]) -> list[Any]:
    """New eager tensors."""
    return [tf.constant(arg) for arg in args]


def _on_tensors(function: Program) -> Call:
    return lambda *args: function(*tensors(args))


class InSessions:
    """A program staged into graphs, one for each types of arguments, with a session for each."""

    def __init__(self, program: Program, sizes_known: bool = True) -> None:
        self._program = autograph.to_graph(program)
        self._sizes_known = sizes_known
        self._sessions: dict[Any, tuple[Any, list[Any], Any]] = {}

    def anew(self) -> InSessions:
        """Open new sessions of the same graphs: nothing is traced again, all is compiled again."""
        for key, (session, holders, result) in self._sessions.items():
            self._sessions[key] = self._opened(session.graph), holders, result
        return self

    def __call__(self, *args: Any) -> Any:
        types = [(tf.constant(arg).dtype, self._shape(arg)) for arg in args]
        key = tuple([(dtype, tuple(shape)) for dtype, shape in types])
        if key not in self._sessions:
            self._sessions[key] = self._build(types)
        session, holders, result = self._sessions[key]
        if result is None:
            return None
        return session.run(result, dict(zip(holders, args, strict=True)))

    def _shape(self, arg: Any) -> Any:
        return np.shape(arg) if self._sizes_known else [None] * np.ndim(arg)

    def _build(self, types: Sequence[tuple[Any, Any]]) -> tuple[Any, list[Any], Any]:
        with tf.Graph().as_default() as graph:
            holders = [tf.placeholder(dtype, shape) for dtype, shape in types]
            result = self._program(*holders)
            if result is not None:
                result = tf.nest.map_structure(_fetch, result)
        return self._opened(graph), holders, result

    @staticmethod
    def _opened(graph: Any) -> Any:
        """A session of a graph, in which its variables have their first values."""
        session = tf.Session(graph=graph)
        with graph.as_default():
            session.run(tf.global_variables_initializer())
        return session


def _fetch(value: Any) -> Any:
    """What a session can fetch for a value."""
    return tf.constant(value) if type(value) in (bool, int, float, str) else value


class Way(NamedTuple):
    """A way to run programs: how one is prepared, and under which settings it is called."""

    prepare: Callable[[Program], Call]
    settings: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext


@contextlib.contextmanager
def engine(optimized: bool, write_after: int) -> Iterator[None]:
    """Settings of the engines: with the passes or not, and when a graph is written out."""
    with flags.OPTIMIZE(optimized), flags.WRITE_AFTER(write_after):
        yield


EAGER = Way(_on_tensors)
CONVERTED = Way(
    lambda program: _on_tensors(autograph.to_graph(program)), lambda: staging.force_version(False)
)
FUNCTIONAL = Way(CONVERTED.prepare, lambda: staging.force_version(True))
FUNCTION = Way(lambda program: _on_tensors(tf.function(program)), lambda: engine(True, 2))
OPTIMIZED = Way(InSessions, lambda: engine(True, 1))
REFERENCE = Way(InSessions, lambda: engine(False, 0))
NATIVE = Way(FUNCTION.prepare, lambda: flags.JIT("always"))
UNKNOWN_SIZES = Way(lambda program: InSessions(program, sizes_known=False))

STAGED = {
    "function": FUNCTION, "optimized": OPTIMIZED, "reference": REFERENCE,
    "unknown sizes": UNKNOWN_SIZES,
}  # fmt: skip


def outcomes(
    program: Program, inputs: Sequence[Sequence[Any]], way: Way,
    of_error: Callable[[BaseException], Any] = all_words,
) -> list[Outcome]:
    """The outcomes of calling a program with each of its inputs in turn, several times over."""
    with way.settings():
        call = way.prepare(program)
        return [outcome(lambda: call(*args), of_error) for _ in range(CALLS) for args in inputs]  # noqa: B023


def staged(function: Program, arrays: Sequence[Any], known: bool = True) -> Any:
    """The result of a program in a session."""
    return InSessions(function, known)(*arrays)


def agree(function: Program, *arrays: Any) -> Outcome:
    """The outcome of a program for one input, the same eagerly and staged in every way."""
    eager, *later = outcomes(function, [arrays], EAGER, but_types)
    assert later == [eager] * len(later)
    for name, way in STAGED.items():
        if way is not FUNCTION:  # in which a bare print runs while tracing
            assert outcomes(function, [arrays], way, but_types) == [eager] * CALLS, name
    return eager


def everywhere(program: Program) -> Any:
    """What a program without arguments gives, the same eagerly, as a function, in a session."""
    eager = given(program)
    traced, session = tf.function(program), InSessions(program)
    for run in (traced, session):
        assert [given(run) for _ in range(CALLS)] == [eager] * CALLS
    return eager


# -- ways to derivatives of several orders ------------------------------------------------------


def _derivative(function: Program) -> Program:
    """The gradients of what a function returns by its arguments, zeros where there is no path."""

    def derivative(*xs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(list(xs))
            result = function(*xs)
        return _filled(tape.gradient(result, list(xs)), xs)

    return derivative


def _filled(gradients: Any, xs: Any) -> list[Any]:
    pairs = zip(gradients, xs, strict=True)
    return [tf.zeros_like(x) if gradient is None else gradient for gradient, x in pairs]


def _orders(function: Program, count: int) -> Program:
    """The result and its derivatives up to an order, each by a tape around the one before."""

    def orders(*xs: Any) -> list[Any]:
        found, current = [function(*xs)], function
        for _ in range(count):
            current = _derivative(current)
            found.append(current(*xs))
        return found

    return orders


def eager_derivatives(function: Program, args: Any, count: int) -> Any:
    """Plain Python on eager tensors, under tapes."""
    return _orders(function, count)(*args)


def converted_derivatives(function: Program, args: Any, count: int) -> Any:
    """Converted, on eager tensors, under tapes."""
    return _orders(autograph.to_graph(function), count)(*args)


def _called(run: Program, args: Any) -> Any:
    """The result of the last of several calls, which must all return the same."""
    *earlier, last = [run(*args) for _ in range(CALLS)]
    for found in earlier:
        for one, other in zip(numbers(found), numbers(last), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
    return last


def tapes_around(function: Program, args: Any, count: int) -> Any:
    """Tapes around calls of a function."""
    return _called(_orders(tf.function(function), count), args)


def tapes_inside(function: Program, args: Any, count: int) -> Any:
    """Tapes inside of a function, around converted code."""
    return _called(tf.function(_orders(autograph.to_graph(function), count)), args)


def tapes_around_and_inside(function: Program, args: Any, count: int) -> Any:
    """A tape around a function that has the tapes of the lower orders inside."""
    if not count:
        return eager_derivatives(function, args, count)
    lower = tf.function(_orders(autograph.to_graph(function), count - 1))
    found = lower(*args)
    return [*found, _derivative(lambda *xs: lower(*xs)[-1])(*args)]


def session_gradients(function: Program, args: Any, count: int, sizes_known: bool = True) -> Any:
    """``gradients`` of a graph, run in a session."""

    def orders(*xs: Any) -> list[Any]:
        found = [autograph.to_graph(function)(*xs)]
        for _ in range(count):
            found.append(_filled(tf.gradients(found[-1], list(xs)), xs))
        return found

    return InSessions(orders, sizes_known)(*map(np.asarray, args))


def gradients_of_unknown_sizes(function: Program, args: Any, count: int) -> Any:
    """As ``session_gradients``, where no size is known."""
    return session_gradients(function, args, count, sizes_known=False)


DERIVATIVES = (
    converted_derivatives, tapes_around, tapes_inside, tapes_around_and_inside, session_gradients,
    gradients_of_unknown_sizes,
)  # fmt: skip


def numbers(found: Any) -> list[Any]:
    """All arrays of a result, flat."""
    return [np.asarray(value) for value in tf.nest.flatten(found)]


# -- ways to the elements of a dataset ----------------------------------------------------------

MOST = 30
"""Number of elements that are compared, also of an infinite dataset."""


def elements(dataset: Any) -> list[Any]:
    """The first elements, by iterating."""
    return [plain(element) for _, element in zip(range(MOST), dataset)]


def leaves(value: Any) -> tuple[Any, ...]:
    """The leaves of a nest of plain values; a list is a leaf."""
    if isinstance(value, dict):
        value = tuple(value[key] for key in sorted(value))
    return sum(map(leaves, value), ()) if isinstance(value, tuple) else (value,)


def in_function(make: Callable[[], Any]) -> list[Any]:
    """The leaves of the elements of a dataset that a function makes and iterates over."""

    @tf.function
    def run() -> Any:
        found: list[Any] = []
        count = tf.constant(0)
        for element in make().take(MOST):
            found.append(tuple(tf.nest.flatten(element)))
            count += 1
        return found, count

    found, count = run()
    assert len(found) == count
    return [plain(element) for element in found]


def in_session(make: Callable[[], Any]) -> list[Any]:
    """The elements of a dataset made in a graph, by an iterator that a session initialises."""
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = make().take(MOST).make_initializable_iterator()
        following = iterator.get_next()
        session.run(iterator.initializer)
        found: list[Any] = []
        while True:
            try:
                found.append(plain(session.run(following)))
            except tf.errors.OutOfRangeError:
                return found


def looped_in_session(make: Callable[[], Any]) -> Any:
    """The number of elements, by a loop that is staged into a session's graph."""

    def count() -> Any:
        total = 0
        for _ in make().take(MOST):
            total += 1
        return total

    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(autograph.to_graph(count)())
