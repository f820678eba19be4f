"""The staging protocol: the abstract class of which a library registers one object, its backend.

The optional parts are in ``list_protocol``, ``try_protocol`` and ``call_protocol``; the statements
that a backend stages, in ``control_protocol``; ``registry`` finds the backend of a value.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.staging.call_protocol import StagesCalls
from autograph.staging.control_protocol import StagedCond, StagedLoop
from autograph.staging.list_protocol import Capabilities
from autograph.staging.staged_array import StagedArray
from autograph.staging.state_spec import Spec, StagedValue
from autograph.staging.try_protocol import StagesTries


class Backend(StagesTries, StagesCalls, Capabilities, abc.ABC):
    """Staging backend: what a tensor library implements so that converted Python runs on it."""

    name: str
    """The backend's name in messages, for instance ``'runtime'``."""

    folder: str | None = None
    """Where the backend's own code lies, when it is not the user's: no message names its lines."""

    function_types: tuple[type, ...] = ()
    """Classes of functions written in C that ``builtins`` may hold, besides Python's own."""
    builtins: Mapping[Callable[..., Any], Callable[..., Any]] = {}
    """Staged versions of Python's builtins (``len``, ``int`` ...), keyed by the builtin.

    Those that go through their arguments, and ``range``, are autograph's own.
    """

    # -- whose value is it? -----------------------------------------------------------------
    #
    # The classes of values say: nothing needs to be called for the many values that are Python's.

    symbolic_types: tuple[type, ...] = ()
    """Classes whose values are the library's, and have no concrete value while tracing."""

    value_types: tuple[type, ...] = ()
    """Classes whose values are the library's, be they concrete (eager) or not."""

    reference_types: tuple[type, ...] = ()
    """Classes of places that hold values, such as variables, known by their identity.

    Paths with different references join as a choice between the references, not their values.
    """

    staged_array: type[StagedArray] | None = None
    """The class of the arrays whose contents this library stages."""

    array_types: tuple[type, ...] = ()
    """Classes of the arrays of Python's programs that join to ``staged_array``."""

    def array_type(self, value: object) -> type | None:
        """Return the class of arrays, or of their scalars, that ``value`` stands for, or None."""
        return None

    def own_array(self, value: Any) -> Any:
        """Return a staged array with the contents of a new one; itself if it cannot be staged."""
        return value

    def owns(self, value: object) -> bool:
        """Return whether ``value`` is this library's, be it concrete (eager) or staged."""
        if isinstance(value, StagedValue):
            return value.backend is self
        return isinstance(value, (self.symbolic_types, self.value_types, self.reference_types))

    def is_staged(self, value: object) -> bool:
        """Return whether ``value`` is this library's and has no concrete value while tracing."""
        if isinstance(value, StagedValue):
            return value.backend is self
        if isinstance(value, self.reference_types):
            return not self.is_concrete(value)
        return isinstance(value, self.symbolic_types)

    def is_reference(self, value: object) -> bool:
        """Return whether ``value`` is a reference, which holds values, such as a variable."""
        return isinstance(value, self.reference_types)

    def is_concrete(self, reference: Any) -> bool:
        """Return whether the value that a reference holds is known now."""
        return False

    def read(self, reference: Any) -> Any:
        """Return the value that a reference holds now; any other value itself."""
        return reference

    def python_type(self, value: object) -> type | None:
        """Return the type of the Python number, bool or text that a staged value stands for, else
        None.

        Converted code that queries the value's type gets this type.
        """
        return None

    def example(self, value: Any) -> Any:
        """Return a value of the class that a staged value stands for, to try operations on.

        Return ``value`` itself if there is none.
        """
        kind = self.python_type(value)
        return value if kind is None else kind()

    def number_kind(self, spec: Spec) -> type | None:
        """The type of the Python numbers that ``spec`` describes, if numbers keep their types.

        Where they do, numbers of different types join to a ``JoinedNumber``; otherwise, as ``join``
        says.
        """
        return None

    def number_type(self, spec: Spec) -> type | None:
        """Return the type of the Python number that values of a spec stand for; None for others."""
        return None

    def recorded_as(self, value: Any) -> tuple[Any, Sequence[Any]]:
        """Return what stands for a staged value in the trace, and the operands that an operation
        computed it from; none where it is an input, an array that is known, or nobody knows.

        Where numbers of Python's join with arrays, it tells what may still be a number.
        """
        return value, ()

    def joins_kinds(self) -> bool:
        """Whether values of different kinds, such as a number and a text, join to a
        ``StagedVariant``.
        """
        return False

    @abc.abstractmethod
    def is_tracing(self) -> bool:
        """Return whether this thread records operations now instead of executing them."""

    def recorded_operations(self) -> int:
        """Return how many operations this thread has recorded so far; 0 where that is not known.

        A loop that Python can run is unrolled where it is not known.
        """
        return 0

    # -- how values are laid out, and how two of them become one ------------------------------

    @abc.abstractmethod
    def specs(self, values: Sequence[Any]) -> list[Spec | None]:
        """Describe values that this backend can stage, StagedTexts too; None where it cannot.

        Python's bool, int and float are described as *weak*: they take the other side's dtype.
        """

    @abc.abstractmethod
    def join(self, left: Spec, right: Spec) -> Spec:
        """Return the description that holds values of both; TypeError with the reason if there is
        none.

        Not called for one and the same object.
        """

    @abc.abstractmethod
    def convert(self, values: Sequence[Any], specs: Sequence[Spec]) -> list[Any]:
        """Convert values to staged ones that the specs describe: casts scalars, relaxes shapes.

        ``MISSING`` may become any staged value of the spec.
        """

    # -- control flow ---------------------------------------------------------------------------

    @abc.abstractmethod
    def cond(self, test: Any, statement: StagedCond) -> Sequence[Any]:
        """Stage a conditional and return the values of the joined outcome.

        Both sides are traced, each in a trace of its own; then ``join`` returns their common
        layout, and each returns its outputs inside its trace.  ``test`` is a staged scalar of any
        numeric dtype; it is true when it is not zero.
        """

    @abc.abstractmethod
    def while_loop(self, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop and return the values of its final state."""

    @abc.abstractmethod
    def for_loop(self, count: Any, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop that counts its iterations, and return the values of its final state.

        As :meth:`while_loop`, with ``body(values, k)`` for k = 0, 1 ... below ``count``, a Python
        int or a staged one; ``test`` is called before every iteration and ends the loop when false.
        """

    judges_traces = False
    """Whether a loop's ``body`` may return outputs though its spec has grown, where no more values
    have come in than those of its result: the backend says whether the trace does for the spec.
    """

    def iterates(self, value: Any) -> bool:
        """Return whether ``for`` over one of the library's values should be staged now."""
        return False

    def open_iterable(self, iterable: Any) -> Any:
        """Return what a staged loop goes through in place of an object of the library's, such as a
        ``LazyIterable`` for a dataset.
        """
        return iterable

    # -- numbers and sequences, of which staged ranges, zips and the like are made ---------------
    #
    # Staged Python ints take ``+``, ``-``, ``*``, ``//``, ``%`` and comparisons.

    @abc.abstractmethod
    def number(self, value: Any, integer: bool = True) -> Any:
        """Return an integer scalar as a staged Python int; TypeError for any other staged value.

        Unless it has to be an ``integer``, bools are converted to ints, and floats are returned as
        they are.
        """

    @abc.abstractmethod
    def maximum(self, left: Any, right: Any) -> Any:
        """Return the larger of two Python ints, at least one of them staged."""

    @abc.abstractmethod
    def minimum(self, left: Any, right: Any) -> Any:
        """Return the smaller of two Python ints, at least one of them staged."""

    @abc.abstractmethod
    def logical_and(self, left: Any, right: Any) -> Any:
        """Return whether two staged bools hold, as a staged Python bool; both are evaluated."""

    @abc.abstractmethod
    def check(self, test: Any, error: Callable[[], BaseException]) -> None:
        """Raise ``error()`` at run time unless a staged bool holds."""

    def items(self, value: Any) -> tuple[Any, Callable[[Any], Any]] | None:
        """Return the number of items along a value's leading axis, and a function of k to the k-th.

        Also of Python's lists and tuples of like numbers or values; None where there is no such
        axis, or items have no common type.  The number is a Python int or a staged one.
        """
        return None

    # -- single statements and operators --------------------------------------------------------

    @abc.abstractmethod
    def logical_not(self, value: Any) -> Any:
        """Return the staged ``not value`` for a scalar of any numeric dtype."""

    @abc.abstractmethod
    def equal(self, left: Any, right: Any) -> Any:
        """Return the staged ``left == right`` where at least one side is this backend's."""

    @abc.abstractmethod
    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        """Print at run time what Python's ``print`` prints of the concrete values.

        Values may be StagedTexts, and so may the arguments of exceptions that are staged.
        """

    @abc.abstractmethod
    def assert_(self, test: Any, failure: Callable[[], BaseException]) -> None:
        """Raise what ``failure`` gives at run time unless ``test`` holds; it is called then."""

    @abc.abstractmethod
    def raise_(self, exception: BaseException) -> None:
        """Raise ``exception`` at run time, staged values among its arguments made concrete.

        ``places.raised_at(exception)`` is the user's line, unless None.
        """

    @abc.abstractmethod
    def text(self, text: Any) -> Any:
        """Return a StagedText as one staged value, which ``specs`` describes."""

    # -- when values may be staged --------------------------------------------------------------

    announces = False
    """Whether the backend counts in TRACES the traces that go on, and values that are alive."""

    eager_values = False
    """Whether values of the backend's that are not staged need more than Python gives them."""

    openers: frozenset[str] = frozenset()
    """Names of functions and classes that make the backend trace, also after they returned."""

    def may_stage(self) -> bool:
        """Return whether code that this thread begins to run now may meet staged values."""
        return self.is_tracing()

    def returned(self, value: Any, outermost: bool, in_try: Callable[[], Any]) -> Any:
        """Return the result of a converted function that has had effects before it.

        ``outermost``: the caller is code that is not converted, which will evaluate the result.
        ``in_try()`` is not None in a ``try`` of converted code, the effects of whose ``finally``
        are still to come.

        A backend that runs only what is asked for returns values whose evaluation includes the
        effects; where all recorded effects run anyway, the value itself will do.
        """
        return value

    def result(self, value: Any) -> Any:
        """Return what code that is not converted gets for the result of a converted function.

        It knows nothing of autograph's own staged values, such as lists of staged length: a backend
        makes the library's values of them, or raises an error that says what to return instead.
        """
        return value
