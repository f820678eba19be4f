"""Builder of LLVM IR as text: names, lines and the LLVM types of kernel types.

Text is parsed by LLVM faster than llvmlite's object model is built in Python.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.kernel_types import ANY, Bounds


def llvm_type(type: ir.Type) -> str:
    """Return the LLVM type of the values of a kernel type."""
    if not isinstance(type, ir.Scalar):
        return "ptr"
    if type.lanes > 1:
        return f"<{type.lanes} x {llvm_type(type.lane)}>"
    if type.kind == "c":
        return f"{{{llvm_type(type.part)}, {llvm_type(type.part)}}}"
    if type.kind == "f":
        return "double" if type.bits == 64 else "float"
    return f"i{type.bits}"


def literal(value: Any, type: ir.Scalar) -> str:
    """Return the LLVM constant of a number; floats by their bits, which keeps NaN and -0.0."""
    if type.lanes > 1:
        lane = f"{llvm_type(type.lane)} {literal(value, type.lane)}"
        return f"<{', '.join([lane] * type.lanes)}>"
    if type.kind == "c":
        kind = llvm_type(type.part)
        real, imag = (literal(x, type.part) for x in (complex(value).real, complex(value).imag))
        return f"{{{kind} {real}, {kind} {imag}}}"
    if type.kind == "b":
        return "true" if value else "false"
    if type.kind == "f":
        return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
    number = int(value)
    return str(number - (1 << 64) if number >= 1 << 63 and type.bits == 64 else number)


class HeldState(Protocol):
    """State of the program that a function holds in stack slots while no other code runs."""

    def give_back(self) -> None:
        """Add lines that put it where others see it, and may change it."""

    def take(self) -> None:
        """Add lines that take it again."""


class FunctionText:
    """Lines of one LLVM function.  Stack slots stand in its first block."""

    def __init__(self, head: str) -> None:
        self.head = head
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        """External functions that it calls: name -> declaration."""
        self.constants: dict[str, str] = {}
        """Constant texts -> names of the globals that hold them."""
        self.bounds: dict[str, Bounds] = {}
        """By name of an int64: its bounds, which LLVM does not always find out."""
        self.held: Sequence[HeldState] = ()
        self.current = "entry"
        """Label of the basic block that lines are added to."""
        self.array_class = ""
        """Name of the class of arrays; empty as long as nothing needs it."""
        self._count = 0
        self._cells = 0

    def name(self, base: str = "t") -> str:
        """Return a fresh local name."""
        self._count += 1
        return f"%{base}{self._count}"

    def label(self, base: str) -> str:
        """Return a fresh label."""
        self._count += 1
        return f"{base}{self._count}"

    def before_others(self) -> None:
        """Give back the state that the function holds: kernels or other threads may run next."""
        for state in self.held:
            state.give_back()

    def after_others(self) -> None:
        """Take the state again: kernels or other threads may have run."""
        for state in self.held:
            state.take()

    def go_on(self, done: str, go: str, fail: str) -> None:
        """End the block after others have run: take the state again, or fail if it is not done."""
        if self.held:
            good = self.label("good")
            self.branch(done, good, fail)
            self.start(good)
            self.after_others()
            self.jump(go)
        else:
            self.branch(done, go, fail)

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(f"  {text}")

    def jump(self, label: str) -> None:
        """End the block: go on at a label."""
        self.line(f"br label %{label}")

    def start(self, label: str) -> None:
        """Begin the basic block of a label."""
        self.lines.append(f"{label}:")
        self.current = label

    def value(self, text: str) -> str:
        """Add an instruction; return the name of its result."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def load(self, address: str, kind: str = "ptr") -> str:
        """Add a load of a value of one of LLVM's types; return its name."""
        return self.value(f"load {kind}, ptr {address}")

    def is_null(self, address: str) -> str:
        """Return whether an address is none."""
        return self.value(f"icmp eq ptr {address}, null")

    def slot(self, type: str, initial: str | None = None) -> str:
        """Return the address of a new stack slot."""
        name = self.name("s")
        self.slots.append(f"  {name} = alloca {type}")
        if initial is not None:
            self.slots.append(f"  store {type} {initial}, ptr {name}")
        return name

    def constant_offset(self, slot: str, offset: int) -> str:
        """Return the address so many bytes after that of a stack slot, for the whole function."""
        name = self.name("s")
        self.slots.append(f"  {name} = getelementptr i8, ptr {slot}, i64 {offset}")
        return name

    def cells(self, count: int) -> str:
        """Return the address of cells of 64 bits, which all calls of sites share."""
        self._cells = max(self._cells, count)
        return "%cells"

    def constant(self, value: str) -> str:
        """Return the address of a constant ASCII text."""
        return self.constants.setdefault(value, f"@text_{value}" if value else "null")

    def call(self, gives: str, function: str, *args: str) -> str:
        """Add a call of an external function on typed arguments; return its result ("" if void).
        """
        types = ", ".join(arg.rsplit(" ", 1)[0] for arg in args)
        self.declared[function] = f"declare {gives} @{function}({types})"
        return self.invoke(gives, function, *args)

    def invoke(self, gives: str, function: str, *args: str) -> str:
        """Add a call of a function of the module; return its result ("" if void)."""
        text = f"call {gives} @{function}({', '.join(args)})"
        if gives == "void":
            self.line(text)
            return ""
        return self.value(text)

    def branch(
        self, condition: str, true: str, false: str, likely: bool | None = None, metadata: str = ""
    ) -> None:
        """Add a conditional branch; ``likely`` says which way it goes nearly always, ``metadata``
        what is known of the loop that it closes.
        """
        facts = "" if likely is None else ", !prof !0" if likely else ", !prof !1"
        facts += f", !llvm.loop {metadata}" if metadata else ""
        self.line(f"br i1 {condition}, label %{true}, label %{false}{facts}")

    def switch(self, kind: str, chooser: str, labels: Sequence[str]) -> None:
        """End the block: go on at the label that a number chooses, else at the last one; a bool
        chooses the first one when it is true.
        """
        if kind == "i1":
            self.branch(chooser, labels[0], labels[-1])
            return
        cases = " ".join(f"{kind} {n}, label %{label}" for n, label in enumerate(labels))
        self.line(f"switch {kind} {chooser}, label %{labels[-1]} [{cases}]")

    def require(self, condition: str, otherwise: str, likely: bool | None = True) -> None:
        """Go on where a condition holds, as it does nearly always; else branch away."""
        good = self.label("good")
        self.branch(condition, good, otherwise, likely)
        self.start(good)

    def refuse(self, condition: str, otherwise: str) -> None:
        """Go on where a condition does not hold, as nearly always; else branch away."""
        good = self.label("good")
        self.branch(condition, otherwise, good, likely=False)
        self.start(good)

    @contextmanager
    def leaving(
        self, condition: str, otherwise: str = "", likely: bool | None = False, holds: bool = True
    ) -> Iterator[None]:
        """As ``refuse``; the lines that are added meanwhile run before the branch away, or end the
        block.  With ``holds=False`` they run where the condition does not hold.
        """
        leaves, good = self.label("leaves"), self.label("good")
        self.branch(condition, *((leaves, good) if holds else (good, leaves)), likely)
        self.start(leaves)
        yield
        if otherwise:
            self.jump(otherwise)
        self.start(good)

    def give_if(
        self, condition: str, result: str, likely: bool | None = False, holds: bool = True
    ) -> None:
        """Return a result, with its type, if a condition holds, or does not."""
        with self.leaving(condition, likely=likely, holds=holds):
            self.line(f"ret {result}")

    def attempt(self) -> Iterator[str]:
        """Run the lines that are added meanwhile, first for the usual way, which may branch to the
        label that is given, then, without one, for what happens there.  Both go on together.
        """
        slow, done = self.label("slow"), self.label("done")
        yield slow
        self.jump(done)
        self.start(slow)
        yield ""
        self.jump(done)
        self.start(done)

    def join(self, *kinds: str) -> Join:
        """Return the place where ways through the code meet, each with values of these types."""
        return Join(self, kinds)

    def define(
        self, name: str, gives: str, params: str, write: Callable[[FunctionText], object],
        traits: str = "noinline",
    ) -> str:  # fmt: skip
        """Add a function of the module, unless it is there; return its name.  ``write`` adds its
        lines.
        """
        if name not in self.declared:
            inner = FunctionText(f"define internal {gives} @{name}({params}) {traits}")
            write(inner)
            self.declared.update(inner.declared)
            self.declared[name] = inner.text()
        return name

    def bounds_of(self, name: str) -> Bounds:
        """Return the bounds of an int64."""
        if name.lstrip("-").isdigit():
            return Bounds(int(name), int(name))
        return self.bounds.get(name, ANY)

    @contextmanager
    def counted_loop(self, stop: str, start: str = "0", metadata: str = "") -> Iterator[str]:
        """Run the lines that are added meanwhile for each number from start up to stop."""
        slot = self.slot("i64")
        self.line(f"store i64 {start}, ptr {slot}")
        head, body, end = self.label("head"), self.label("body"), self.label("end")
        self.jump(head)
        self.start(head)
        counter = self.value(f"load i64, ptr {slot}")
        self.branch(self.value(f"icmp ult i64 {counter}, {stop}"), body, end)
        self.start(body)
        yield counter
        self.line(f"store i64 {self.value(f'add nuw i64 {counter}, 1')}, ptr {slot}")
        self.line(f"br label %{head}" + (f", !llvm.loop {metadata}" if metadata else ""))
        self.start(end)

    @contextmanager
    def only_if(
        self, condition: str, likely: bool | None = None, holds: bool = True
    ) -> Iterator[None]:
        """Run the lines that are added meanwhile if a condition holds, or if it does not."""
        then, end = self.label("then"), self.label("end")
        self.branch(condition, *((then, end) if holds else (end, then)), likely)
        self.start(then)
        yield
        self.jump(end)
        self.start(end)

    def either(self, condition: str, likely: bool | None = None) -> Iterator[bool]:
        """Run the lines that are added meanwhile, first (True) for where a condition holds, then
        (False) for where it does not.
        """
        then, otherwise, end = self.label("then"), self.label("else"), self.label("end")
        self.branch(condition, then, otherwise, likely)
        for label, holds in ((then, True), (otherwise, False)):
            self.start(label)
            yield holds
            self.jump(end)
        self.start(end)

    @contextmanager
    def repeat_while(self, condition: Callable[[], str]) -> Iterator[None]:
        """Run the lines that are added meanwhile as long as what a function emits holds."""
        head, body, end = self.label("head"), self.label("body"), self.label("end")
        self.jump(head)
        self.start(head)
        self.branch(condition(), body, end)
        self.start(body)
        yield
        self.jump(head)
        self.start(end)

    @contextmanager
    def repeat(self, base: str = "head", metadata: str = "") -> Iterator[list[str]]:
        """Run the lines that are added meanwhile, and again while the condition put in the list
        holds.
        """
        head, end, conditions = self.label(base), self.label("end"), list[str]()
        self.jump(head)
        self.start(head)
        yield conditions
        (condition,) = conditions
        self.branch(condition, head, end, metadata=metadata)
        self.start(end)

    @contextmanager
    def without_lock(self, condition: str) -> Iterator[None]:
        """Let other Python threads run during the lines that are added, if a condition holds."""
        if condition == "false":
            yield
            return
        state = self.slot("ptr")
        self.before_others()
        with self.only_if(condition):
            self.line(f"store ptr {self.call('ptr', 'PyEval_SaveThread')}, ptr {state}")
        yield
        with self.only_if(condition):
            saved = self.value(f"load ptr, ptr {state}")
            self.call("void", "PyEval_RestoreThread", f"ptr {saved}")
        self.after_others()

    def gep(self, address: str, offset: str | int) -> str:
        """Emit a getelementptr: return the address so many bytes further on."""
        return self.value(f"getelementptr i8, ptr {address}, i64 {offset}")

    def text(self) -> str:
        """Return the text of the function."""
        if self._cells:
            self.slots.append(f"  %cells = alloca [{self._cells} x i64]")
        body = [self.head + " {", "entry:", *self.slots, *filter(None, self.lines), "}"]
        return "\n".join(body)


class Join:
    """Place where ways through the code meet, each with values of its own."""

    def __init__(self, text: FunctionText, kinds: Sequence[str]) -> None:
        self._text = text
        self._kinds = kinds
        self._ways: list[tuple[str, Sequence[str]]] = []
        self.label = text.label("done")

    def note(self, *values: str) -> None:
        """Note the values with which the current block goes there."""
        self._ways.append((self._text.current, values))

    def bring(self, *values: str) -> None:
        """End the block: go there with values."""
        self.note(*values)
        self._text.jump(self.label)

    def bring_unless(self, flag: str, *values: str, likely: bool | None = False) -> None:
        """Go there with values; what follows is for where a flag is true, which is rare."""
        self.note(*values)
        rare = self._text.label("rare")
        self._text.branch(flag, rare, self.label, likely)
        self._text.start(rare)

    def values(self) -> list[str]:
        """Go on there; return the values of the way that was taken."""
        text = self._text
        text.start(self.label)
        return [
            text.value(f"phi {kind} {', '.join(f'[{v[n]}, %{label}]' for label, v in self._ways)}")
            for n, kind in enumerate(self._kinds)
        ]

    def value(self) -> str:
        """Go on there; return the only value."""
        (value,) = self.values()
        return value
