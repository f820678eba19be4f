"""Control flow for libraries that have it as functions: ``cond``, ``while_loop`` and ``scan``.

Base of the backends of such libraries.  A branch or a body is traced once, in a *recording* that
stays open: both sides of a conditional are traced, their outcomes joined, and then each side goes
on in its recording to convert its outcome to the common layout.  A loop's body is traced anew when
its state turns out to be wider, or one of its lists longer.

A library implements what the first section of ``FunctionalBackend`` lists, all in terms of its own
values, flat lists of them and its recordings.  It knows nothing of lists, which ``bounded_lists``
keeps in buffers, nor of texts, which ``run_time_values`` makes.

Effects (``print``, ``raise``, ``assert``) are told which paths they lie on: a library that computes
both sides of a conditional, as a vectorized one does, runs them only where all *guards* agree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from autograph.backends.bounded_slices import BoundedSlices
from autograph.backends.list_forms import ListForm, ListReference
from autograph.backends.loops import Guard, LoopStaging, Path
from autograph.errors import EffectError
from autograph.staging import Spec, StagedCond, StagedLoop, user_line


class _OpenPaths(threading.local):
    def __init__(self) -> None:
        self.open: list[Path] = []


def _guard(test: Any, taken: bool) -> Callable[[], Guard]:
    return lambda: (test, taken)


class FunctionalBackend(BoundedSlices):
    """Backend of a library whose conditionals and loops take functions, or graphs, of values."""

    # -- what a library implements ----------------------------------------------------------------

    def open(self) -> Any:
        """Return a new recording inside of the present one."""
        raise NotImplementedError

    def recording(self, recording: Any) -> AbstractContextManager[Any]:
        """Record operations in a recording within the block; it may be entered several times."""
        raise NotImplementedError

    def is_inside(self, recording: Any, outer: Any) -> bool:
        """Whether a recording was opened directly in another one; None is the present one."""
        raise NotImplementedError

    def add_input(self, recording: Any, spec: Spec) -> Any:
        """Return one more input of an open recording."""
        raise NotImplementedError

    def is_from(self, value: Any, recordings: Sequence[Any]) -> bool:
        """Whether a value belongs to one of these recordings."""
        raise NotImplementedError

    def is_used(self, recording: Any, value: Any, outputs: Sequence[Any]) -> bool:
        """Whether anything in an open recording uses a value of it; ``outputs`` are its outputs."""
        return True

    def retype(
        self, recording: Any, inputs: Sequence[Any], specs: Sequence[Spec], outputs: Sequence[Any]
    ) -> bool:
        """Give the inputs of an open recording other specs, and return True, if Python would record
        the same for those.
        """
        return False

    def close(self, recording: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """Return what was recorded as a function of its inputs, given in their order."""
        raise NotImplementedError

    def inline(self, function: Any, values: Sequence[Any]) -> list[Any]:
        """Record here what a closed recording does for these inputs, and return its outputs."""
        raise NotImplementedError

    def record_cond(
        self, test: Any, then: Any, otherwise: Any, values: Sequence[Any]
    ) -> list[Any]:
        """Record a conditional of two closed recordings with the same inputs."""
        raise NotImplementedError

    def record_while(
        self, test: Any, body: Any, start: Sequence[Any], where: tuple[str, int] | None
    ) -> list[Any]:
        """Record a loop of two closed recordings, whose inputs are the state."""
        raise NotImplementedError

    def record_scan(
        self, body: Any, start: Sequence[Any], sources: Sequence[Any], length: int,
        numbered: bool,
    ) -> list[Any]:
        """Record ``length`` turns of a closed recording, whose outputs are the state.

        Its inputs are the state, if ``numbered`` the number of the turn, and the turn's items of
        the sources.
        """
        raise NotImplementedError

    def item_spec(self, spec: Spec) -> Spec:
        """Describe the items along the leading axis of a value."""
        raise NotImplementedError

    def join_specs(self, left: Spec, right: Spec) -> Spec:
        """Describe what holds values of both; TypeError with the reason if there is nothing."""
        raise NotImplementedError

    def convert_to(self, value: Any, spec: Spec) -> Any:
        """Convert a value, or MISSING, to a staged one of exactly this spec."""
        raise NotImplementedError

    def truth(self, value: Any) -> Any:
        """Return whether a staged scalar is not zero, as a staged bool."""
        raise NotImplementedError

    def run_at(
        self, act: Callable[[list[Any]], object], values: Sequence[Any],
        guards: Sequence[Guard], raises: bool,
    ) -> None:
        """Call ``act`` at run time with the values, made concrete, where all guards agree.

        ``raises``: whether it raises an exception, and does nothing else.
        """
        raise NotImplementedError

    # -- values -----------------------------------------------------------------------------------

    judges_traces = True

    def specs(self, values: Sequence[Any]) -> list[Spec | None]:
        """Describe values; lists describe themselves."""
        return [v.spec if isinstance(v, ListReference) else self.spec_of(v) for v in values]

    def join(self, left: Spec, right: Spec) -> Spec:
        """Return the description that holds both."""
        if isinstance(left, ListForm) or isinstance(right, ListForm):
            return self.join_lists(left, right)
        return self.join_specs(left, right)

    def convert(self, values: Sequence[Any], specs: Sequence[Spec]) -> list[Any]:
        """Convert values to exactly these specs."""
        return [
            self.convert_list(value, spec) if isinstance(spec, ListForm)
            else self.convert_to(value, spec)
            for value, spec in zip(values, specs, strict=True)
        ]  # fmt: skip

    # -- paths ------------------------------------------------------------------------------------

    def __init__(self) -> None:
        super().__init__()
        self._paths = _OpenPaths()

    @contextmanager
    def on(self, path: Path) -> Iterator[None]:
        """Trace a path within the block."""
        self._paths.open.append(path)
        try:
            with self.recording(path.recording):
                yield
        finally:
            self._paths.open.pop()

    def _around(self) -> list[Path]:
        """Return the paths that the present recording lies on, innermost first.

        A transformation of the library's that was begun on a path is no part of it.
        """
        around: list[Path] = []
        inner = None
        for path in reversed(self._paths.open):
            if inner is None:
                if not self.is_inside(None, path.recording):
                    break
            elif inner is not path.recording and not self.is_inside(inner, path.recording):
                break
            around.append(path)
            inner = path.recording
        return around

    def effect(
        self, act: Callable[[list[Any]], object], values: Sequence[Any], raises: bool = False
    ) -> None:
        """Call ``act`` at run time, if control gets here; whether it ``raises``."""
        around = self._around()
        beyond = self._paths.open[: len(self._paths.open) - len(around)]
        if any(path.guard is not None for path in beyond):
            raise EffectError(
                f"something is printed or raised in a function that {self.name} transforms, on a "
                "path of another function that depends on a staged value",
                where=user_line(),
                help="call the function itself, without 'jit' and the like, or print and raise "
                "outside of it",
            )
        guards = [path.guard() for path in around if path.guard is not None]
        self.run_at(act, values, guards, raises)

    def effect_unless(
        self, test: Any, act: Callable[[list[Any]], object], values: Sequence[Any]
    ) -> None:
        """Call ``act``, which raises, at run time if control gets here while a bool is false."""
        holds, fails = self.open(), Path(self.open(), _guard(test, False))
        with self.on(fails):
            self.effect(act, values, raises=True)
        self.record_cond(test, self.close(holds, (), ()), self.close(fails.recording, (), ()), ())

    def item_of_turn(self, value: Any, number: Any) -> Any:
        """Return the item of a value that ``scan`` hands to the turn of this number, or None."""
        inner: list[Any] = []
        for path in self._around():
            inner.append(path.recording)
            if path.number is number:
                break
        else:
            return None
        if self.is_from(value, inner):
            return None
        spec: Any = self.spec_of(value)
        if spec.shape[0] != path.length:
            return None
        return path.extra(self, value, self.item_spec(spec))

    # -- conditionals -----------------------------------------------------------------------------

    def cond(self, test: Any, statement: StagedCond) -> Sequence[Any]:
        """Stage a conditional: each side is traced once, and then converts its outcome."""
        test = self.truth(test)
        sides = {taken: Path(self.open(), _guard(test, taken)) for taken in (True, False)}
        for taken, side in sides.items():
            with self.on(side):
                statement.trace(taken)
        statement.join()
        outcomes: dict[bool, list[Any]] = {}
        for taken, side in sides.items():
            with self.on(side):
                outcomes[taken] = list(statement.outputs(taken))
        forms = [self.common_form(*pair) for pair in zip(*outcomes.values(), strict=True)]
        closed = {}
        for taken, side in sides.items():
            with self.on(side):
                flat = self.flattened(outcomes[taken], forms)
            closed[taken] = self.close(side.recording, (), flat)
        return self.rebuilt(self.record_cond(test, closed[True], closed[False], ()), forms)

    # -- loops ------------------------------------------------------------------------------------

    def while_loop(self, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop: as ``scan`` where the number of its turns is bounded."""
        return LoopStaging(self, loop, None).stage()

    def for_loop(self, count: Any, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop that counts its turns: as ``scan`` where their number is known."""
        return LoopStaging(self, loop, count).stage()
