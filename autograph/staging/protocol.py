"""The protocol that a staging backend fulfils: a class, of which a library makes one object.

The parts that a backend may leave out stand in ``list_protocol``, ``try_protocol`` and
``call_protocol``; ``registry`` finds the backend of a value.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph.staging.call_protocol import StagesCalls
from autograph.staging.list_protocol import Capabilities
from autograph.staging.state_spec import Plan, Spec
from autograph.staging.try_protocol import StagesTries


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
    def text(self, text: Any) -> Any:
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
