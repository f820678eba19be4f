"""Functions of ``runtime.jit``: each call runs as plain Python or staged, as was measured.

A call enters by one of the functions of entries.py; whenever the choice may change, it comes here.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Callable, Iterator
from time import perf_counter as clock
from typing import TYPE_CHECKING, Any

from autograph.diagnostics.traceback import shorten
from autograph.errors import RunTimeLimit
from runtime.engine.config import EAGERLY
from runtime.functions.choice.argument_kinds import (
    kind_of,
    referenced_values,
    takes_derivatives,
    text_of_kind,
)
from runtime.functions.choice.entries import (
    is_recorded,
    native_entry,
    plain_entry,
    recursive_entry,
    written_entry,
)
from runtime.functions.choice.expected_turns import expected_turns
from runtime.functions.choice.jit_warning import reason_of, unavailable, warn
from runtime.functions.choice.measured_choice import NATIVE, STAGE, MeasuredChoice
from runtime.functions.choice.self_calls import calling_itself, calling_itself_by_cell
from runtime.functions.choice.trace_budget import TraceTooLongError, trace_budget
from runtime.functions.direct_calls import form_of
from runtime.functions.function import Function, InstanceFunction
from runtime.functions.options import FunctionOptions
from runtime.ops.dispatch import ACTIVE
from runtime.types.flags import JIT
from runtime.types.function_pickles import reduced
from runtime.types.python_source import MISS

if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction
    from runtime.functions.retracing import Explanation

LEAST_DUE = 0.03
"""Seconds of plain calls after which the shortest function is staged."""

DUE_PER_BYTE = 2e-5
"""Seconds by which each byte of a function's code makes it later."""

MANY_TURNS = 1e6
"""Expected turns of loops from which the first call is staged: they take 50 ms or more."""

UNTIMED_SECONDS, MOST_UNTIMED = 2e-4, 63
"""Calls in a row that are not timed: what they take together, and their number."""

FORBIDDEN = "jit_compile=False forbids machine code"


class JitFunction(Function):
    """Python function whose calls run as plain Python or as machine code: ``jit``'s result."""

    entry: Callable[..., Any]
    """What calls run first."""

    def __new__(cls, *_: Any, **__: Any) -> JitFunction:
        """Make the function, of a class of its own: only a class can hold what is called."""
        function: JitFunction = object.__new__(type(cls.__name__, (cls,), {"__module__": __name__}))
        return function

    def _start(self, python: Callable[..., Any], options: FunctionOptions, bound: bool) -> None:
        super()._start(python, options, bound)
        self._choices: dict[tuple[Any, ...], MeasuredChoice] = {}
        """Choices by the kinds of the arguments."""
        self._warned = False
        self._reenters: bool | None = None
        """Whether the function may call itself by this object; None: not known yet."""
        self._begin()

    def _begin(self) -> None:
        """Know nothing of calls: the first one comes to ``_first``."""
        self._choices.clear()
        self._owed = 0.0
        """Seconds of plain calls since the last look at the choices."""
        self._due = _due(self._python_function)
        """Seconds of plain calls until the next look."""
        self._growth = math.inf
        """Seconds of a plain call after which the choices are looked at again."""
        self._latest = 0.0
        """Seconds of the latest plain call that was timed."""
        self._timed = 0
        """Number of plain calls that were timed."""
        self._is_frequent = False
        """Whether there are so many calls that it pays to write their entry out."""
        self._enter(self._first)

    def _enter(self, entry: Callable[..., Any]) -> None:
        """Let calls enter by a function."""
        cls: Any = type(self)
        cls.entry, cls.__call__ = staticmethod(entry), staticmethod(entry)

    # -- plain Python -----------------------------------------------------------------------------

    def _first(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the first call: as plain Python, unless it promises to be long.

        A function that takes derivatives is staged: plain Python has none of arrays and numbers.
        """
        if takes_derivatives(self._python_function):
            self._enter(types.MethodType(Function.__call__, self))
            return Function.__call__(self, *args, **kwargs)
        why_not = self._why_never()
        if ACTIVE or not why_not and self._is_long(args, kwargs):
            return self._choose(*args, **kwargs)
        if why_not:
            self._due = math.inf
            if why_not != FORBIDDEN:
                self._warn(why_not)
        self._enter_plain()
        try:
            return type(self).entry(*args, **kwargs)
        except Exception as error:
            shorten(error)
            raise

    def _why_never(self) -> str:
        """Return why the function never becomes machine code; empty if it may."""
        return FORBIDDEN if self._options.jit_compile is False else unavailable()

    def _is_long(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call is expected to take long, or RUNTIME_JIT wants machine code at once."""
        if JIT.value == "always":
            return True
        return expected_turns(self._python_function, args, kwargs) >= MANY_TURNS

    def _enter_plain(self) -> None:
        """Let calls run as plain Python for now."""
        python: Any = self.python_function
        is_recursive = self._may_reenter()
        if is_recursive and type(python) is types.FunctionType:
            is_global = python.__globals__.get(python.__name__) is self
            copy = calling_itself(python, python.__name__) if is_global else None
            copy = copy or calling_itself_by_cell(python, self)
            is_recursive, python = copy is None, copy or python
        if is_recursive:
            entry = recursive_entry(type(self), python, self._choose, self._note_plain)
        else:
            entry = (written_entry if self._is_frequent else plain_entry)(
                python, self._choose, self._note_plain
            )
        self._enter(entry)

    def _may_reenter(self) -> bool:
        """Whether the function may call itself by this object."""
        if self._reenters is None:
            values = referenced_values(self._python_function)
            self._reenters = any(value is self for value in values)
        return self._reenters

    def _note_plain(self, seconds: float) -> int:
        """Note the time of a call; return how many may follow without being timed."""
        untimed = min(MOST_UNTIMED, int(UNTIMED_SECONDS / seconds)) if seconds > 0 else 0
        self._owed, self._latest = self._owed + seconds * (1 + untimed), seconds
        if self._owed > self._due or seconds > self._growth:
            self._enter(self._choose)
        elif untimed and not self._is_frequent:
            self._is_frequent = self._timed > 0
            if self._is_frequent:
                self._enter_plain()
        self._timed += 1
        return untimed

    def _run_plain(
        self, choice: MeasuredChoice, args: tuple[Any, ...], kwargs: dict[str, Any],
        refused: Exception | None,
    ) -> Any:  # fmt: skip
        """Run a call as plain Python; ``refused`` is why it was not staged just before.

        An error of Python's own says that staging had no fault.
        """
        self._enter_plain()  # for calls of itself, too
        python: Any = self.python_function
        if self._may_reenter():
            python = type(self).entry
        start = clock()
        result = python(*args, **kwargs)
        seconds = clock() - start
        is_grown = seconds >= choice.growth
        choice.note_plain(seconds)
        if refused is not None:
            self._refuse(choice, reason_of(refused))
        elif choice.is_settled:
            self._warn(choice.reason)
            if is_grown:
                choice.look_again()
        self._enter_again()
        return result

    # -- the choice -------------------------------------------------------------------------------

    def _choose(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run a call in the way that is chosen for its arguments."""
        if ACTIVE and is_recorded():
            return Function.__call__(self, *args, **kwargs)
        if EAGERLY:
            return self.python_function(*args, **kwargs)
        try:
            choice = self._choice(args, kwargs)
            refused = self._stage(choice, args, kwargs) if choice.way() == STAGE else None
            if choice.way() == NATIVE:
                result = self._run_native(choice, args, kwargs)
                if result is not MISS:
                    self._enter_again()
                    return result
            return self._run_plain(choice, args, kwargs, refused)
        except Exception as error:
            shorten(error)
            raise

    def _choice(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> MeasuredChoice:
        """Return the choice for the kinds of arguments."""
        key = (*map(kind_of, args), *[(name, kind_of(value)) for name, value in kwargs.items()])
        choice = self._choices.get(key)
        if choice is None:
            choice = self._choices[key] = MeasuredChoice(_due(self._python_function))
            if self._why_never():
                choice.refuse(self._why_never())
            elif self._is_long(args, kwargs):
                choice.due = 0.0
        choice.owed, self._owed = choice.owed + self._owed, 0.0
        return choice

    def _enter_again(self) -> None:
        """Choose the entry of the next calls."""
        choices = self._choices.values()
        if any(choice.on_trial for choice in choices):
            self._enter(self._choose)
            return
        if any(choice.is_native for choice in choices):
            self._enter(native_entry(self._direct, self._choose) if self._direct else self._choose)
            return
        self._growth = min([c.growth for c in choices if math.isfinite(c.native)], default=math.inf)
        self._due = min([c.due - c.owed for c in choices if not c.reason], default=math.inf)
        if math.isinf(self._due):  # calls with other kinds of arguments may come
            self._due = max([10 * LEAST_DUE, *[c.owed for c in choices]])
        if self._due <= 0:
            self._enter(self._choose)
        else:
            self._enter_plain()

    # -- staging ----------------------------------------------------------------------------------

    def _stage(
        self, choice: MeasuredChoice, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception | None:
        """Make machine code for a call and begin the trial; return the error that refuses it.

        Where the code is expected to take longer to compile than plain calls took, wait.
        """
        from autograph.staging import refuse_unknown_effects

        if any(hasattr(type(value), "__next__") for value in (*args, *kwargs.values())):
            self._refuse(choice, "an argument is an iterator, and tracing would advance it")
            return None
        try:
            with refuse_unknown_effects(True), trace_budget(choice.owed):
                trace, _ = self._trace_of(self._call(args, kwargs))
                assert trace is not None
                run = trace.executable
        except TraceTooLongError as error:
            choice.postpone(error.next_due)
            self._warn(reason_of(error))
            return None
        except Exception as error:
            choice.restage()
            return error
        if self._variables:
            self._refuse(choice, "it makes variables, in each call as plain Python")
            return None
        if choice.due and max(choice.owed, choice.due) < run.compile_seconds:
            choice.postpone(run.compile_seconds)
            return None
        run.promote(self._latest if math.isinf(choice.plain) else choice.plain)
        if run.native is None:
            reasons = [refusal.reason for refusal in run.refusals if refusal.engine == "llvm"]
            self._refuse(choice, "; ".join(reasons) or "its graph does not become machine code")
        else:
            choice.begin_trial()
        return None

    def _run_native(
        self, choice: MeasuredChoice, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Run a call as machine code; MISS if it has to run as plain Python."""
        from runtime.functions.array_arguments import may_run_again

        start = clock()
        trace: ConcreteFunction | None = None
        try:
            direct = self._direct.get(form_of(args, kwargs))
            result = MISS if direct is None else direct(*args, *kwargs.values())
            if result is MISS:
                call = self._state.with_state(self._call(args, kwargs))
                trace = self._find(call)
                if trace is None or trace.executable.native is None:
                    return self._missing(choice)
                result = trace.run_call(call)
                if may_run_again(trace):  # by Python, after an error
                    self._direct_calls.note(trace, call, args, kwargs)
        except Exception as error:
            if trace is not None and not may_run_again(trace):
                raise
            self._note_failure(choice, error, args, kwargs)
            return MISS
        choice.note_native(clock() - start)
        return result

    def _missing(self, choice: MeasuredChoice) -> Any:
        """Note that there is no machine code yet for arguments of this size."""
        if choice.owed >= choice.due:
            choice.restage()
        return MISS

    def _note_failure(
        self, choice: MeasuredChoice, error: Exception, args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:  # fmt: skip
        """Note that machine code raised an error; Python, which runs next, may give a value."""
        if isinstance(error, RunTimeLimit) and self._repeats(error, args, kwargs):
            choice.restage()  # another trace has not this limit
            return
        choice.note_failure(reason_of(error))

    def _refuse(self, choice: MeasuredChoice, reason: str) -> None:
        """Run calls as plain Python from now on."""
        choice.refuse(reason)
        self._warn(reason)

    def _warn(self, reason: str) -> None:
        """Warn that calls run as plain Python, the first time for this function."""
        if not self._warned:
            self._warned = True
            warn(self._name, self._python_function, reason)

    # -- what is known of it ----------------------------------------------------------------------

    def _for_instance(self, instance: Callable[[], Any]) -> InstanceFunction:
        return JitInstanceFunction(self, instance)

    def cache_clear(self) -> None:
        """Drop all traces and choices; the next calls begin anew."""
        super().cache_clear()
        self._begin()

    def explain(self) -> Explanation:
        """Explain how calls run and why, with the times of both ways, and each trace.

        The result is a string; its attribute ``traces`` holds the records.
        """
        from runtime.functions.retracing import Explanation

        traces = super().explain()
        explanation = Explanation("\n".join([*self._described_choices(), traces]))
        explanation.traces = traces.traces
        return explanation

    def _described_choices(self) -> Iterator[str]:
        if not self._choices:
            why_not = self._why_never()
            yield f"{self._name} runs as plain Python{f': {why_not}' if why_not else ''}"
        for key, choice in self._choices.items():
            kinds = ", ".join(map(text_of_kind, key))
            yield f"{self._name}({kinds}) runs as {choice.description()}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return reduced(self, sys._getframe(1), JitFunction, self._decorated, self._options)


class JitInstanceFunction(JitFunction, InstanceFunction):
    """Function of one instance, which its bound methods call; it has choices of its own."""

    def _may_reenter(self) -> bool:
        """Say no: a method finds the bound method of its instance, which calls this object."""
        return False


def _due(python: Any) -> float:
    """Return after how many seconds of plain calls a function is staged."""
    code = getattr(python, "__code__", None)
    return LEAST_DUE + DUE_PER_BYTE * len(code.co_code if code is not None else b"")
