"""The protocol a staging backend fulfils, and the registry that finds the backend of a value.

Everything in the protocol is functional: state goes in, state comes out.  The operators that
converted code calls know how to read and write the user's variables; a backend knows how to
trace.  Between them stands a :class:`Plan`, which says how the state of a statement is laid out
as the backend's own values.  A backend never looks into the state itself.
"""

from __future__ import annotations

import abc
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

from autograph.attempts import StagesTries
from autograph.callees import StagesCalls
from autograph.capabilities import Capabilities, Spec
from autograph.diagnostics.user_frame import add_folder
from autograph.lists import StagedList

if TYPE_CHECKING:
    from autograph.texts import StagedText


class Plan(Protocol):
    """How one state is laid out as a flat list of a backend's values.

    ``specs`` describes the values, in order, and ``names`` says, for messages, whose variables
    they are.  ``lower`` turns a state into such values (converting,
    filling in what is undefined) and must run inside the trace the state was made in; ``lift``
    turns values back into a state; ``widen`` gives the plan that also holds another state, which
    is equal to this one when nothing had to change.
    """

    @property
    def specs(self) -> Sequence[Spec]: ...
    @property
    def names(self) -> Sequence[str]: ...

    def lower(self, state: Any) -> list[Any]: ...
    def lift(self, values: Sequence[Any]) -> Any: ...
    def widen(self, state: Any) -> Plan: ...


class Backend(StagesTries, StagesCalls, Capabilities, abc.ABC):
    """What a tensor library provides so that converted Python can be staged onto it."""

    name: str
    """The backend's name in messages, for instance ``'runtime'``."""

    folder: str | None = None
    """Where the backend's own code lies, when it is not the user's: no message names its lines."""

    builtins: Mapping[Callable[..., Any], Callable[..., Any]] = {}
    """Staged versions of Python's builtins (``len``, ``range`` ...), keyed by the builtin."""

    # -- whose value is it? -----------------------------------------------------------------

    @abc.abstractmethod
    def owns(self, value: object) -> bool:
        """Whether ``value`` is this library's, be it concrete (eager) or staged."""

    @abc.abstractmethod
    def is_staged(self, value: object) -> bool:
        """Whether ``value`` is this library's and has no concrete value while tracing."""

    def python_type(self, value: object) -> type | None:
        """The type of the Python number, bool or text that a staged value stands for, if it does.

        Converted code that asks for the value's type is told that one.
        """
        return None

    @abc.abstractmethod
    def is_tracing(self) -> bool:
        """Whether operations are recorded now (in this thread) rather than carried out."""

    def is_reference(self, value: object) -> bool:
        """Whether ``value`` is a place that holds values, such as a variable, by its identity.

        Paths with different references join as a choice between the references, not their values.
        """
        return False

    def read(self, reference: Any) -> Any:
        """The value that a reference holds now; what is no reference itself."""
        return reference

    # -- how values are laid out, and how two of them become one ------------------------------

    @abc.abstractmethod
    def spec(self, value: object) -> Spec | None:
        """Describe a value this backend can stage, a StagedText too; None when it cannot.

        Python's bool, int and float are described as *weak*: they take the other side's dtype.
        """

    @abc.abstractmethod
    def join(self, left: Spec, right: Spec) -> Spec:
        """The description that holds values of both; raises TypeError saying why there is none."""

    @abc.abstractmethod
    def convert(self, value: Any, spec: Spec) -> Any:
        """``value`` as a staged value described by ``spec``: casts scalars, relaxes shapes."""

    @abc.abstractmethod
    def filler(self, spec: Spec) -> Any:
        """Some staged value described by ``spec``; it stands where no value is defined."""

    # -- control flow ---------------------------------------------------------------------------

    @abc.abstractmethod
    def cond(
        self,
        test: Any,
        if_body: Callable[[], Any],
        else_body: Callable[[], Any],
        join: Callable[[Any, Any], Plan],
    ) -> Any:
        """Stage a conditional and return the joined outcome.

        Each body is called once, without arguments, in a trace of its own and returns an outcome
        that is opaque to the backend.  ``join(if_outcome, else_outcome)`` then gives the plan;
        the backend calls ``plan.lower`` of each outcome inside its branch's trace, takes the
        values as the branch's outputs, and returns ``plan.lift`` of the conditional's outputs.
        ``test`` is a staged scalar of any numeric dtype; it is true when it is not zero.
        """

    @abc.abstractmethod
    def while_loop(
        self,
        test: Callable[[Any], Any],
        body: Callable[[Any], Any],
        state: Any,
        plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        """Stage a loop and return its final state.

        Trace ``test(plan.lift(inputs))`` and ``body(plan.lift(inputs))`` for inputs described by
        ``plan.specs``.  ``plan.widen(new_state)`` either equals the plan, and ``plan.lower`` of
        the new state gives the turn's outputs; or it is wider, and both are traced again with it
        (at most a handful of times: plans only grow).  ``test`` may return a Python bool.
        ``options`` come from ``set_loop_options``: ``maximum_iterations``,
        ``parallel_iterations``, ``swap_memory``, ``shape_invariants``.
        """

    @abc.abstractmethod
    def for_loop(
        self,
        iterable: Any,
        test: Callable[[Any], Any] | None,
        body: Callable[[Any, Any], Any],
        state: Any,
        plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        """Stage a loop over the leading axis of a value, or over what its ``range`` returned.

        As :meth:`while_loop`, with ``body(item, state)``; ``test(state)``, when given, is asked
        before every turn and ends the loop when false.
        """

    @abc.abstractmethod
    def iterates(self, iterable: object) -> bool:
        """Whether ``for`` over ``iterable`` should become :meth:`for_loop` now."""

    def known_items(self, iterable: Any) -> Iterable[Any] | None:
        """The items of what :meth:`iterates`, where it is known how many there are; else None."""
        return None

    # -- single statements and operators --------------------------------------------------------

    @abc.abstractmethod
    def logical_not(self, value: Any) -> Any:
        """Staged ``not value`` for a scalar of any numeric dtype."""

    @abc.abstractmethod
    def equal(self, left: Any, right: Any) -> Any:
        """Staged ``left == right`` where at least one side is this backend's."""

    @abc.abstractmethod
    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        """Print at run time what Python's ``print`` prints of the concrete values.

        Values may be StagedTexts, and so may the arguments of ``assert_`` and ``raise_``.
        """

    @abc.abstractmethod
    def assert_(self, test: Any, message: Callable[[], Any] | None) -> None:
        """Raise AssertionError at run time, with the message, unless ``test`` holds."""

    @abc.abstractmethod
    def raise_(self, exception: BaseException) -> None:
        """Raise ``exception`` at run time, staged values among its arguments made concrete.

        ``places.raised_at(exception)`` is the user's line, unless None.
        """

    @abc.abstractmethod
    def text(self, text: StagedText) -> Any:
        """A text with staged values in it as one staged value, which ``spec`` describes."""

    # -- when values may be staged --------------------------------------------------------------

    announces = False
    """Whether the backend keeps TRACES: an item while a trace goes on, or its values are alive."""

    eager_values = False
    """Whether values of the backend's that are not staged need more than Python gives them."""

    openers: frozenset[str] = frozenset()
    """Names of functions and classes that make the backend trace, also after they returned."""

    def may_stage(self) -> bool:
        """Whether code that this thread begins to run now may meet staged values."""
        return self.is_tracing()

    def returned(self, value: Any, outermost: bool) -> Any:
        """What a converted function hands out as its result, having had effects before it.

        ``outermost``: to code that is not converted, which will evaluate it.

        A backend that runs only what is asked for returns values whose evaluation includes the
        effects; where all recorded effects run anyway, the value itself will do.
        """
        return value


_backends: list[Backend] = []

class _Traces(list[object]):
    """One item for each trace that goes on, and for what keeps staged values alive after one."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[Callable[[], object]] = []
        self.held = 0
        """How many items are there for what is alive, and no trace."""

    def hold(self) -> None:
        """Add an item for staged values that are alive though nothing traces."""
        self.held += 1
        self.append(None)

    def let_go(self) -> None:
        """Take that back."""
        self.held -= 1
        self.pop()

    def pop(self, index: SupportsIndex = -1) -> object:
        """Take an item away; do what is to be done when the last trace has ended."""
        item = super().pop(index)
        while len(self) <= self.held and self.ends:
            self.ends.pop()()
        return item


TRACES = _Traces()
"""Empty only when no thread can meet a staged value: a quick question before ``may_stage``.

Backends that announce their traces append to it and pop, and hold it while values are alive; for
any other it is held for good.
"""


def when_traces_end(do: Callable[[], object]) -> None:
    """Call ``do()`` once no thread traces any more."""
    TRACES.ends.append(do)


EAGER: list[object] = []
"""Empty when no backend has values that need more than Python where they are not staged."""

_forced: list[bool] = []


def may_stage() -> bool:
    """Whether code that this thread begins to run now may meet staged values."""
    return _forced[-1] if _forced else any(backend.may_stage() for backend in _backends)


@contextlib.contextmanager
def halves(functional: bool) -> Iterator[None]:
    """For tests: within the block converted functions run their functional halves, or plain ones.

    Functional halves run on Python values, too; plain ones do not understand staged values.
    """
    _forced.append(functional)
    TRACES.append(None)
    try:
        yield
    finally:
        TRACES.pop()
        _forced.pop()


def openers() -> frozenset[str]:
    """The names of all that makes a backend trace, also after it returned."""
    return frozenset().union(*(backend.openers for backend in _backends))


def register(backend: Backend) -> Backend:
    """Make a backend known; the newest of a name replaces an older one.  Returns the backend."""
    for known in [known for known in _backends if known.name == backend.name]:
        unregister(known)
    _backends.append(backend)
    if not backend.announces:
        TRACES.hold()
    if backend.eager_values:
        EAGER.append(None)
    if backend.folder is not None:
        add_folder(backend.folder)
    return backend


_announced: list[Callable[[], object]] = []


def announce(load: Callable[[], object]) -> None:
    """Say how a backend is loaded (which registers it) before anything is converted.

    A library need not import all that staging takes for those who never convert.
    """
    _announced.append(load)
    if "autograph.operators" in sys.modules:
        load_announced()


def load_announced() -> None:
    """Load the backends that were announced."""
    while _announced:
        _announced.pop()()


def unregister(backend: Backend) -> None:
    """Forget a backend."""
    _backends.remove(backend)
    if not backend.announces:
        TRACES.let_go()
    if backend.eager_values:
        EAGER.pop()


def staging_backend(value: object) -> Backend | None:
    """The backend for which ``value`` is staged, or None."""
    for backend in _backends:
        if backend.is_staged(value):
            return backend
    return value.backend if isinstance(value, StagedList) else None


def owning_backend(value: object) -> Backend | None:
    """The backend whose value ``value`` is, staged or concrete, or None."""
    for backend in _backends:
        if backend.owns(value):
            return backend
    return None


def staging_backend_of(values: Sequence[object]) -> Backend | None:
    """The backend of the first staged value among ``values``, or None."""
    for value in values:
        backend = staging_backend(value)
        if backend is not None:
            return backend
    return None


def pulling_backend(values: Sequence[object]) -> Backend | None:
    """The backend that records now, if one of ``values`` gives its items at run time; or None."""
    backend = tracing_backend()
    if backend is None or not any(map(backend.pulls, values)):
        return None
    return backend


def python_type(value: object) -> type | None:
    """The type of what a staged value stands for in Python; None for all other values."""
    backend = staging_backend(value)
    return None if backend is None else backend.python_type(value)


def iterating_backend(iterable: object) -> Backend | None:
    """The backend that wants to stage a ``for`` over ``iterable``, or None."""
    for backend in _backends:
        if backend.iterates(iterable):
            return backend
    return iterable.backend if isinstance(iterable, StagedList) else None


def tracing_backend() -> Backend | None:
    """The backend that records operations now, or None."""
    if TRACES:
        for backend in _backends:
            if backend.is_tracing():
                return backend
    return None
