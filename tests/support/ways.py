"""The ways to run a program on tensors, and what is compared of its runs.

A way prepares a program once; what it gives is called many times, with new tensors each time, as
users call a function: a first call traces, a second one finds the trace, a third one takes short
cuts.  Plain Python on eager tensors is the yardstick.
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


def outcome(run: Callable[[], Any], told: Callable[[BaseException], Any] = all_words) -> Outcome:
    """What a run returns, prints and raises; ``told`` says what counts of an exception."""
    printed = io.StringIO()
    value = error = None
    with contextlib.redirect_stdout(printed):
        try:
            value = described(run())
        except RAISED as raised:
            error = told(raised)
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
    """A result as Python's own values."""
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
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
        self._made: dict[Any, tuple[Any, list[Any], Any]] = {}

    def __call__(self, *args: Any) -> Any:
        types = [(tf.constant(arg).dtype, self._shape(arg)) for arg in args]
        key = tuple([(dtype, tuple(shape)) for dtype, shape in types])
        if key not in self._made:
            self._made[key] = self._build(types)
        session, holders, result = self._made[key]
        if result is None:
            return None
        return session.run(result, dict(zip(holders, args, strict=True)))

    def _shape(self, arg: Any) -> Any:
        return np.shape(arg) if self._sizes_known else [None] * np.ndim(arg)

    def _build(self, types: Sequence[tuple[Any, Any]]) -> tuple[Any, list[Any], Any]:
        session = tf.Session(graph=tf.Graph())
        with session.graph.as_default():
            holders = [tf.placeholder(dtype, shape) for dtype, shape in types]
            result = self._program(*holders)
            if result is not None:
                result = tf.nest.map_structure(_fetch, result)
            session.run(tf.global_variables_initializer())
        return session, holders, result


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
UNKNOWN_SIZES = Way(lambda program: InSessions(program, sizes_known=False))

STAGED = {
    "function": FUNCTION, "optimized": OPTIMIZED, "reference": REFERENCE,
    "unknown sizes": UNKNOWN_SIZES,
}  # fmt: skip


def outcomes(
    program: Program, inputs: Sequence[Sequence[Any]], way: Way,
    told: Callable[[BaseException], Any] = all_words,
) -> list[Outcome]:
    """The outcomes of calling a program with each of its inputs in turn, several times over."""
    with way.settings():
        call = way.prepare(program)
        return [outcome(lambda: call(*args), told) for _ in range(CALLS) for args in inputs]  # noqa: B023


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
