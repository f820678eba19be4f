"""Loops of libraries that have them as functions: for ``functional``.

A loop of a known number of turns, or with a bound, is a ``scan``, which has a reverse mode; a turn
after the last one changes nothing.  Any other is a ``while_loop``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.staging import NO_ITEM, Spec, StagedLoop, user_line

if TYPE_CHECKING:
    from autograph.backends.functional import FunctionalBackend

Guard = tuple[Any, bool]
"""A staged bool, and the value of it for which control takes a path."""


MANY = 2**20
"""So many turns are not counted as known: such a loop is left long before its end."""


class Path:
    """A branch or body that is being traced: its recording, and when control is on it."""

    def __init__(self, recording: Any, guard: Callable[[], Guard] | None = None) -> None:
        self.recording = recording
        self.guard = guard
        self.number: Any = None
        """The number of the turn, of a body that is traced for ``scan``."""
        self.length = -1
        self.extras: list[tuple[Any, Any]] = []
        """Inputs that the body asked for, with what they are: the items of a value, turn by turn,
        or, where that is None, whether the turn takes place."""

    def extra(self, backend: FunctionalBackend, source: Any, spec: Spec) -> Any:
        """Return an input that the body asks for; the same one when it asks again."""
        for asked, value in self.extras:
            if asked is source:
                return value
        value = backend.add_input(self.recording, spec)
        self.extras.append((source, value))
        return value

    def extras_values(self) -> list[Any]:
        """Return the inputs that the body asked for."""
        return [value for _, value in self.extras]

    def alive(self) -> list[Any]:
        """Return the input that says whether the turn takes place, if the body asked for it."""
        return [value for source, value in self.extras if source is None]


class LoopStaging:
    """A loop that is being staged."""

    forms: list[Any]
    always: bool
    """Whether every turn takes place that is counted."""

    def __init__(self, backend: FunctionalBackend, loop: StagedLoop, count: Any) -> None:
        self.backend = backend
        self.loop = loop
        self.count = count
        self.where = user_line()
        self.truth_spec = backend.spec_of(True)
        self.turns: int | None = count if type(count) is int and count < MANY else None
        """The number of turns, or a bound of it; None if there is no bound."""

    def stage(self) -> Sequence[Any]:
        """Trace the body until nothing is wider, then the test, and record the loop."""
        backend, loop = self.backend, self.loop
        bounds: dict[int, Any] = {}
        while True:
            after = self._trace_body(bounds)
            if after is None:
                bounds.clear()
                continue
            turns, self.turns = self.turns, self._most_turns()
            if turns != self.turns:
                continue
            start = list(loop.start())
            if backend.lists_fit(self, after, start, bounds):
                break
        flat_start = backend.flattened(start, self.forms)
        with backend.on(self.path):
            outputs = backend.flattened(after, self.forms)
        record = self._while if self.turns is None else self._scan
        values = backend.rebuilt(record(outputs, flat_start), self.forms)
        turns = self.turns if self.turns is not None and self.always else None
        return backend.after_loop(values, self.inside, after, start, turns)

    def _most_turns(self) -> int | None:
        most = self.loop.options.get("maximum_iterations")
        count = self.count if type(self.count) is int and self.count < MANY else None
        bounds = [n for n in (count, most) if type(n) is int]
        return min(bounds) if bounds else None

    def _open(self) -> tuple[Path, list[Any], list[Any]]:
        """Open a recording with the state as inputs, and the number of the turn, if counted."""
        backend, recording = self.backend, self.backend.open()
        path = Path(recording)
        path.guard = lambda: (path.extra(backend, None, self.truth_spec), True)
        inputs = [backend.add_input(recording, s) for s in backend.flat_specs(self.forms)]
        if self.count is None:
            return path, inputs, []
        return path, inputs, [backend.add_input(recording, backend.spec_of(0))]

    def _trace_body(self, bounds: dict[int, Any]) -> list[Any] | None:
        backend, loop = self.backend, self.loop
        self.forms = backend.forms_of(loop.spec.specs, loop.before, bounds)
        self.path, inputs, numbers = self._open()
        self.inside = backend.rebuilt(inputs, self.forms)
        self.inputs, self.numbers = [*inputs, *numbers], numbers
        if numbers and self.turns is not None:
            self.path.number, self.path.length = numbers[0], self.turns
        with backend.on(self.path):
            after = loop.body(self.inside, *(numbers or [NO_ITEM]))
            return after if after is None or self._does(after, bounds) else None

    def _does(self, after: list[Any], bounds: dict[int, Any]) -> bool:
        """Whether the trace does for what the state turns out to be, perhaps with more inputs."""
        backend, recording = self.backend, self.path.recording
        before, specs = [form.spec for form in self.forms], list(self.loop.spec.specs)
        if before == specs:
            return True
        self.forms = backend.forms_of(specs, self.loop.before, bounds)
        if any(form.capacity >= 0 for form in self.forms):
            return False
        states, size = self.inputs[: len(before)], len(before)
        if before != specs[:size] and not backend.retype(recording, states, specs[:size], after):
            return False
        more = [backend.add_input(recording, spec) for spec in specs[size:]]
        self.inside += more
        self.inputs = [*states, *more, *self.numbers]
        return True

    def _test(self) -> tuple[Path, list[Any], list[Any], Any]:
        """Trace the test: return its path, the state and the number there, and its outcome."""
        backend = self.backend
        path, inputs, numbers = self._open()
        with backend.on(path):
            again = self.loop.test(backend.rebuilt(inputs, self.forms))
            again = backend.truth(again) if backend.is_staged(again) else bool(again)
            if numbers and type(self.count) is not int or self.turns is None and numbers:
                within = backend.truth(numbers[0] < self.count)
                again = within if again is True else backend.logical_and(within, again)
        return path, inputs, numbers, again

    def _scan(self, outputs: list[Any], start: list[Any]) -> list[Any]:
        """Record the turns one after the other; a turn after the last one changes nothing."""
        backend, path, turns = self.backend, self.path, self.turns
        assert turns is not None
        turn, inputs, numbers, again = self._test()
        self.always = again is True
        if numbers and not (
            backend.is_used(path.recording, self.numbers[0], outputs)
            or backend.is_used(turn.recording, numbers[0], [again])
        ):
            self.inputs, self.numbers, numbers = self.inputs[:-1], [], []
        body = backend.close(path.recording, [*self.inputs, *path.extras_values()], outputs)
        sources = [source for source, _ in path.extras if source is not None]
        if self.always and len(sources) == len(path.extras):
            return backend.record_scan(body, start, sources, turns, bool(numbers))
        carried = turn.alive()
        with backend.on(turn):
            again = backend.convert_to(again, self.truth_spec)
            for alive in carried:
                again = backend.logical_and(alive, again)
            specs = [backend.item_spec(backend.spec_of(source)) for source in sources]
            items = [backend.add_input(turn.recording, spec) for spec in specs]
            rest = iter(items)
            extras = [again if source is None else next(rest) for source, _ in path.extras]
            values = [*inputs, *numbers, *extras]
            if self.always:
                state = backend.inline(body, values)
            else:
                state = backend.record_cond(again, body, self._unchanged(values), values)
        state += [again for _ in carried]
        whole = backend.close(turn.recording, [*inputs, *carried, *numbers, *items], state)
        begun = [*start, *[backend.convert_to(True, self.truth_spec) for _ in carried]]
        return backend.record_scan(whole, begun, sources, turns, bool(numbers))[: len(start)]

    def _unchanged(self, values: list[Any]) -> Any:
        """Return the function that gives the state among its inputs as it is."""
        backend, recording = self.backend, self.backend.open()
        inputs = [backend.add_input(recording, backend.spec_of(value)) for value in values]
        return backend.close(recording, inputs, inputs[: len(self.inputs) - len(self.numbers)])

    def _while(self, outputs: list[Any], start: list[Any]) -> list[Any]:
        """Record turns until the test fails."""
        backend, path, size = self.backend, self.path, len(start)
        ahead, inputs, numbers, again = self._test()
        with backend.on(ahead):
            again = backend.convert_to(again, self.truth_spec)
        with backend.on(path):
            outputs = [*outputs, *[number + 1 for number in self.numbers]]
        alive = path.alive()
        test = backend.close(ahead.recording, [*inputs, *numbers, *ahead.alive()], [again])
        body = backend.close(path.recording, [*self.inputs, *alive], outputs)
        begun = [*start, *[backend.convert_to(0, backend.spec_of(0)) for _ in numbers]]
        if not alive and not ahead.alive():
            return backend.record_while(test, body, begun, self.where)[:size]
        # whether there is another turn becomes a part of the state: effects ask for it
        true = backend.convert_to(True, self.truth_spec)
        going, inputs, numbers = self._open()
        goes = going.extra(backend, None, self.truth_spec)
        with backend.on(going):
            after = backend.inline(body, [*inputs, *numbers, *[goes for _ in alive]])
            (again,) = backend.inline(test, [*after, *[goes for _ in ahead.alive()]])
            after.append(backend.logical_and(goes, again))
        whole = backend.close(going.recording, [*inputs, *numbers, goes], after)
        asking, inputs, numbers = self._open()
        goes = asking.extra(backend, None, self.truth_spec)
        asked = backend.close(asking.recording, [*inputs, *numbers, goes], [goes])
        (first,) = backend.inline(test, [*begun, *[true for _ in ahead.alive()]])
        return backend.record_while(asked, whole, [*begun, first], self.where)[:size]
