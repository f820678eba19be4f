"""LLVM code of ``try``: errors in the body branch to the handlers.

What the body saves lies in stack slots.  Where a statement is entered, they hold nothing.  Of some
errors it is known before the program runs what a kernel would raise where native code gives up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.exceptions.try_ir import Forget, Save, Try, is_used
from runtime.engine.llvm.references import FunctionPart, LastUses
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.graph.raise_tracking import raised_by
from runtime.ops.control_flow.print_assert import ExceptionMaker

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode

DIVISIONS = frozenset({"div.checked", "floordiv", "floormod", "truncatediv", "truncatemod"})
"""Opcodes that give up where the second argument is zero, and for other reasons."""

_INDEXED = frozenset({"list.item", "list.check", "position"})
"""Opcodes that give up only where an index does not exist."""


def known_error(site: ir.Site, opcode: str) -> BaseException | None:
    """Return an exception like the one that the kernel of a site raises; None if it is unknown.

    A division raises it if the divisor is zero.
    """
    maker = _maker(site)
    if maker is not None:
        return maker.sample
    if opcode in _INDEXED:
        return IndexError("")
    if opcode in DIVISIONS:
        node = site.step.operation
        if ZeroDivisionError in raised_by(node.op_def, node.inputs, node.attrs):
            return ZeroDivisionError("")
    return None


def known_parts(site: ir.Site) -> Sequence[Any]:
    """Return the parts of the exception of a ``raise`` that the arguments of its site stand for."""
    maker = _maker(site)
    return () if maker is None else maker.parts


def _maker(site: ir.Site) -> ExceptionMaker | None:
    maker = None if site.step is None else site.step.attrs.get("make")
    return maker if isinstance(maker, ExceptionMaker) else None


def fetch(text: FunctionText) -> str:
    """Return a new reference to the exception that is set, which is cleared."""

    def write(inner: FunctionText) -> None:
        places = [inner.slot("ptr") for _ in range(3)]
        pointers = [f"ptr {place}" for place in places]
        inner.call("void", "PyErr_Fetch", *pointers)
        inner.call("void", "PyErr_NormalizeException", *pointers)
        kind, error, traceback = [inner.load(place) for place in places]
        with inner.only_if(inner.value(f"icmp ne ptr {traceback}, null")):
            inner.call("i32", "PyException_SetTraceback", f"ptr {error}", f"ptr {traceback}")
        inner.call("void", "Py_DecRef", f"ptr {kind}")
        inner.call("void", "Py_DecRef", f"ptr {traceback}")
        inner.line(f"ret ptr {error}")

    text.define("exception.fetch", "ptr", "", write, "noinline cold")
    return text.value("call ptr @exception.fetch()")


def restore(text: FunctionText, error: str) -> None:
    """Set an exception again; the reference stays the caller's."""

    def write(inner: FunctionText) -> None:
        kind = inner.call("ptr", "PyObject_Type", "ptr %error")
        traceback = inner.call("ptr", "PyException_GetTraceback", "ptr %error")
        inner.call("void", "Py_IncRef", "ptr %error")
        inner.call("void", "PyErr_Restore", f"ptr {kind}", "ptr %error", f"ptr {traceback}")
        inner.line("ret void")

    text.define("exception.restore", "void", "ptr %error", write, "noinline cold")
    text.line(f"call void @exception.restore(ptr {error})")


def begin_handling(text: FunctionText, error: str) -> str:
    """Let an exception be the one that is handled, which others refer to; return the one before,
    for ``end_handling``.
    """
    outer = text.call("ptr", "PyErr_GetHandledException")
    text.call("void", "PyErr_SetHandledException", f"ptr {error}")
    return outer


def end_handling(text: FunctionText, outer: str) -> None:
    """Let the exception before be the one that is handled."""
    text.call("void", "PyErr_SetHandledException", f"ptr {outer}")
    text.call("void", "Py_DecRef", f"ptr {outer}")


class TryFrame(NamedTuple):
    """Labels and stack slots of a statement.

    caught     label where the handler for an exception is chosen
    entries    labels of the handlers
    valid      slot: whether something is saved
    saved      slots of what is saved, then of what is kept
    part_slots slots of what each handler takes of the exception
    exception  slot of the exception that is handled; null without one
    outer      slot of the exception that was handled before
    """

    attempt: Try
    caught: str
    entries: list[str]
    valid: str
    saved: list[str]
    part_slots: list[list[str]]
    exception: str
    outer: str


class TryCode(FunctionPart):
    """Code of ``try`` in a function, and of what is saved for its handlers."""

    def __init__(self, code: FunctionCode) -> None:
        super().__init__(code)
        self._frames: list[TryFrame] = []
        """Statements whose bodies are being emitted, the innermost one last."""

    # -- what is saved ----------------------------------------------------------------------------

    def save(self, save: Save, uses: LastUses, position: int) -> None:
        """Store what the handlers of a statement see from now on."""
        frame = next(frame for frame in self._frames if frame.attempt is save.attempt)
        self._code.take(save.args, uses, position)
        self._drop_slots(save.attempt.saved, frame.saved[: len(save.args)])
        for value, slot in zip(save.args, frame.saved, strict=False):
            self.text.line(f"store {llvm_type(value.type)} {self._code.name(value)}, ptr {slot}")
        self.text.line(f"store i1 true, ptr {frame.valid}")

    def forget(self, forget: Forget, uses: LastUses, position: int) -> None:
        """Release what is saved for the handlers of a statement."""
        frame = next(frame for frame in self._frames if frame.attempt is forget.attempt)
        self._clear(frame, forget.forever)

    def _clear(self, frame: TryFrame, forever: bool = True) -> None:
        """Release what is saved and, if ``forever``, what is kept."""
        types = [*frame.attempt.saved, *(frame.attempt.kept if forever else ())]
        self._drop_slots(types, frame.saved[: len(types)])
        self.text.line(f"store i1 false, ptr {frame.valid}")

    def _drop_slots(self, types: Sequence[ir.Type], slots: Sequence[str]) -> None:
        """Release the references in stack slots, which may be null."""
        for type, slot in zip(types, slots, strict=True):
            if type.managed:
                self.references.drop(type, self.text.load(slot))
                self.text.line(f"store ptr null, ptr {slot}")

    # -- the statement ----------------------------------------------------------------------------

    def emit(self, attempt: Try, uses: LastUses, position: int) -> None:
        """Emit a statement: its body, its ``else`` clause and its handlers."""
        text, references = self.text, self.references
        slots = [text.slot(llvm_type(value.type)) for value in attempt.results]
        frame = self._new_frame(attempt)
        self._hand_over(attempt, 0, uses, position)
        before = references.owned_values()
        end = text.label("end")
        for value, slot in zip(attempt.kept_args, frame.saved[len(attempt.saved) :], strict=True):
            text.line(f"store {llvm_type(value.type)} {self._code.name(value)}, ptr {slot}")
        self._frames.append(frame)
        references.guard(frame.caught)
        self._code.enter(attempt.body, self._inputs(attempt, 0)[: attempt.splits[0]])
        body_results = self._code.block(attempt.body)
        references.unguard()
        self._frames.pop()
        self._clear(frame)
        self._hand_over(attempt, 1, uses, position)
        self._code.enter(attempt.otherwise, [*body_results, *self._inputs(attempt, 1)])
        self._code.store(attempt.results, self._code.block(attempt.otherwise), slots)
        text.jump(end)
        text.start(frame.caught)
        references.return_to(before)
        self._choose(frame)
        unwind = text.label("left")
        for number, entry in enumerate(frame.entries):
            text.start(entry)
            references.return_to(before)
            self._hand_over(attempt, 2 + number, uses, position)
            after = references.owned_values()
            self._code.store(attempt.results, self._handle(frame, number, unwind), slots)
            self._leave(frame, failed=False)
            text.jump(end)
        text.start(unwind)
        references.return_to(after)
        self._leave(frame, failed=True)
        text.jump(references.failure())
        text.start(end)
        self._code.load(attempt.results, slots)

    def _new_frame(self, attempt: Try) -> TryFrame:
        text = self.text

        def slots(types: Sequence[ir.Type]) -> list[str]:
            return [text.slot(llvm_type(t), "null" if t.managed else None) for t in types]

        frame = TryFrame(
            attempt, text.label("caught"), [text.label("handler") for _ in attempt.handlers],
            text.slot("i1"), slots((*attempt.saved, *attempt.kept)),
            [slots(types) for types in attempt.parts], text.slot("ptr"), text.slot("ptr"),
        )  # fmt: skip
        text.line(f"store i1 false, ptr {frame.valid}")
        text.line(f"store ptr null, ptr {frame.exception}")
        return frame

    def _inputs(self, attempt: Try, block: int) -> list[str]:
        return [self._code.name(value) for value in attempt.inputs_of(block)]

    def _hand_over(self, attempt: Try, block: int, uses: LastUses, position: int) -> None:
        """Give a block the references of its inputs.

        What the other blocks use is kept while the body runs, and then released.
        """
        inputs, later = attempt.inputs_of(block), attempt.later_args

        def ends(value: ir.Register) -> bool:
            return uses.ends_at(value, position) and (block > 0 or value not in later)

        self._code.hand_over(later if block else inputs, inputs, ends)

    # -- handlers ---------------------------------------------------------------------------------

    def _choose(self, frame: TryFrame) -> None:
        """Emit the choice of the handler for the exception that is set."""
        text, attempt = self.text, frame.attempt
        look, throw, fail = text.label("look"), text.label("throw"), text.label("fail")
        text.branch(text.load(frame.valid, "i1"), look, throw)
        text.start(look)
        error = fetch(text)
        number, *part_values = python_code.call_site(text, attempt.choose, [error], fail)
        slots = [slot for group in frame.part_slots for slot in group]
        types = [type for group in attempt.parts for type in group]
        for type, slot, part_value in zip(types, slots, part_values, strict=True):
            text.line(f"store {llvm_type(type)} {part_value}, ptr {slot}")
        chosen, none = text.label("chosen"), text.label("none")
        text.branch(text.value(f"icmp sge i64 {number}, 0"), chosen, none)
        text.start(chosen)
        outer = begin_handling(text, error)
        text.line(f"store ptr {error}, ptr {frame.exception}")
        text.line(f"store ptr {outer}, ptr {frame.outer}")
        text.switch("i64", number, frame.entries)
        text.start(none)
        self._drop_slots(types, slots)
        restore(text, error)
        text.jump(fail)
        text.start(fail)
        text.call("void", "Py_DecRef", f"ptr {error}")
        text.jump(throw)
        text.start(throw)
        self._clear(frame)
        text.jump(self.references.failure())

    def _handle(self, frame: TryFrame, number: int, unwind: str) -> list[str]:
        """Emit a handler; return the names of its results.  Its errors go to ``left``."""
        text, attempt = self.text, frame.attempt
        block = attempt.handlers[number]
        types, slots = [*attempt.saved, *attempt.kept], [*frame.saved]
        for index, (kinds, places) in enumerate(zip(attempt.parts, frame.part_slots, strict=True)):
            if index != number:
                self._drop_slots(kinds, places)
                continue
            types += kinds
            slots += places
        names = []
        for type, slot in zip(types, slots, strict=True):
            names.append(text.load(slot, llvm_type(type)))
            if type.managed:
                text.line(f"store ptr null, ptr {slot}")
            if type is ir.OBJECT:
                self.views.note_definition(names[-1])
        self._code.enter(block, [*names, *self._inputs(attempt, 2 + number)])
        self.references.guard(unwind)
        results = self._code.block(block)
        self.references.unguard()
        return results

    # -- errors without exceptions ----------------------------------------------------------------

    def shortcut(self, site: ir.Site, opcode: str, names: Sequence[str]) -> None:
        """Branch to the handler at once where native code gives up, if it is plain what the kernel
        would raise, and what the handler needs of it.
        """
        error = known_error(site, opcode)
        frame = self._frames[-1] if self._frames else None
        if error is None or frame is None or not self.references.is_guarded_by(frame.caught):
            return
        choice = frame.attempt.without_exception(error)
        stores = None if choice is None else _known_parts(frame, choice, site, names)
        if choice is None or stores is None:
            return
        text = self.text
        raises = text.load(frame.valid, "i1")
        if opcode in DIVISIONS:
            divisor = site.takes[1]
            assert isinstance(divisor, ir.Scalar)
            test = "fcmp oeq" if divisor.kind == "f" else "icmp eq"
            zero = literal(0, divisor)
            none = text.value(f"{test} {llvm_type(divisor)} {names[1]}, {zero}")
            raises = text.value(f"and i1 {raises}, {none}")
        short, call = text.label("short"), text.label("call")
        text.branch(raises, short, call)
        text.start(short)
        for type, name, slot in stores:
            text.line(f"store {llvm_type(type)} {name}, ptr {slot}")
        text.jump(self.references.failure(frame.entries[choice[0]]))
        text.start(call)

    def _leave(self, frame: TryFrame, failed: bool) -> None:
        """End the handling of an exception; an error of the handler stays set."""
        text = self.text
        error = text.load(frame.exception)
        ends, done = text.label("ends"), text.label("done")
        text.branch(text.is_null(error), done, ends)
        text.start(ends)
        pending = fetch(text) if failed else ""
        end_handling(text, text.load(frame.outer))
        python_code.call_site(text, frame.attempt.leave, [], done)
        if failed:
            restore(text, pending)
            text.call("void", "Py_DecRef", f"ptr {pending}")
        text.call("void", "Py_DecRef", f"ptr {error}")
        text.jump(done)
        text.start(done)


def _known_parts(
    frame: TryFrame, choice: tuple[int, list[Any]], site: ir.Site, names: Sequence[str]
) -> list[tuple[ir.Type, str, str]] | None:
    """Return the numbers that a handler takes of an exception, with their slots; None if it takes
    anything that is no argument of the site.
    """
    number, values = choice
    attempt, stores = frame.attempt, []
    params = attempt.part_params(number)
    for value, param, slot in zip(values, params, frame.part_slots[number], strict=True):
        if not is_used(attempt.handlers[number], param):
            continue
        places = [n for n, argument in enumerate(known_parts(site)) if argument is value]
        if not places or site.takes[places[0]] != param.type or param.type.managed:
            return None
        stores.append((param.type, names[places[0]], slot))
    return stores
