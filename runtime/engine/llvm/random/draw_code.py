"""LLVM code that draws random numbers by NumPy's C functions.

A function looks its streams up where it first draws, and again after other code has run: it may
have begun them anew.  Nobody else draws meanwhile; where a thread is in the middle of a draw,
kernels draw, which wait for it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.array_code import DATA, word
from runtime.engine.llvm.arrays.allocation import allocate, dtype_number
from runtime.engine.llvm.random.draw import Draw, Skip, sources_of
from runtime.engine.llvm.random.philox_code import drawn_uniform, fill_uniform
from runtime.engine.llvm.random.seed_code import advance_counter, seeded_generator, words_of
from runtime.engine.llvm.references import LastUses
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.variables.access import offset
from runtime.engine.llvm.variables.storage_code import assign_array, current_array
from runtime.ops.random_seed import RandomStream
from runtime.ops.visible_lock import VisibleLock

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode


class StreamSlots(NamedTuple):
    """Stack slots of a stream: the stream, which the function refers to, and NumPy's C structure of
    its generator; null if it has to be looked up.
    """

    stream: str
    generator: str


class Streams:
    """Streams from which a function draws."""

    def __init__(self, text: FunctionText, function: ir.KernelFunction) -> None:
        self._text = text
        self._slots = {
            source: StreamSlots(text.slot("ptr", "null"), text.slot("ptr", "null"))
            for source in sources_of(function)
        }

    def __len__(self) -> int:
        return len(self._slots)

    def of(self, draw: Draw) -> StreamSlots:
        """Return the slots of the stream that a draw takes numbers from."""
        assert draw.source is not None
        return self._slots[draw.source]

    def look_up(self, draw: Draw, fail: str) -> str:
        """Look all streams up; return whether no thread draws from that of a draw."""
        assert draw.lookup is not None and draw.source is not None
        streams = python_code.call_site(self._text, draw.lookup, (), fail)
        free = {
            source: _look_into(self._text, slots, stream)
            for (source, slots), stream in zip(self._slots.items(), streams, strict=True)
        }
        return free[draw.source]

    def give_back(self) -> None:
        """Let the streams go: others may draw from them, and begin them anew."""
        for slots in self._slots.values():
            stream = self._text.value(f"load ptr, ptr {slots.stream}")
            for slot in slots:
                self._text.line(f"store ptr null, ptr {slot}")
            self._text.call("void", "Py_DecRef", f"ptr {stream}")

    def take(self) -> None:
        """Do nothing: the next draw looks the stream up."""


class DrawCode:
    """Code of the random numbers of a function."""

    def __init__(self, code: FunctionCode) -> None:
        self._code = code
        self.text = code.text
        self.references = code.references
        self.views = code.views
        self._streams = code.streams

    def draw(self, draw: Draw, uses: LastUses, position: int) -> None:
        """Emit a draw; where native code cannot draw, its site is called."""
        if draw.source is None:
            self._draw_by_seed(draw, uses, position)
            return
        text, (result,), slots = self.text, draw.results, self._streams.of(draw)
        fail = self.references.failure()
        look, fast, slow, done = (text.label(name) for name in ("look", "fast", "slow", "done"))
        slot = text.slot(llvm_type(result.type))
        generator = text.value(f"load ptr, ptr {slots.generator}")
        text.branch(text.value(f"icmp ne ptr {generator}, null"), fast, look, likely=True)
        text.start(look)
        text.branch(self._streams.look_up(draw, fail), fast, slow)
        text.start(fast)
        self._draw_from(draw, text.value(f"load ptr, ptr {slots.generator}"), slot, slow, done)

    def skip(self, skip: Skip, uses: LastUses, position: int) -> None:
        """Emit the advance of the counter of a generator; the state before is the result."""
        text, (result,), slot = self.text, skip.results, self.text.slot("ptr")
        present, slow, done = (text.label(name) for name in ("there", "slow", "done"))
        array = current_array(text, skip.place)
        text.branch(text.value(f"icmp ne ptr {array}, null"), present, slow, likely=True)
        text.start(present)
        self.views.note_definition(array)
        words = words_of(text, self.views.of(array, (dtype_number(ir.INT64), 1)), 3, 64, slow)
        allocate(text, ir.INT64, ["3"], slot, slow)
        new_state = text.value(f"load ptr, ptr {slot}")
        words[:2] = advance_counter(text, words, self._code.name(skip.args[0]))
        data = word(text, new_state, DATA, "ptr")
        for number, value in enumerate(words):
            text.line(f"store i64 {value}, ptr {text.gep(data, 8 * number)}")
        self.references.retain(ir.OBJECT, array)
        assigned = assign_array(text, skip.place, new_state)
        self.references.drop(ir.OBJECT, new_state)
        lost, good = text.label("lost"), text.label("good")
        text.branch(assigned, good, lost, likely=True)
        text.start(lost)
        self.references.drop(ir.OBJECT, array)
        text.line(f"br label %{slow}")
        text.start(good)
        self._code.store([result], [array], [slot])
        text.line(f"br label %{done}")
        self._code.by_site(skip, [self._code.name(skip.args[0])], [slot], slow, done)
        self._code.load([result], [slot])

    def _draw_by_seed(self, draw: Draw, uses: LastUses, position: int) -> None:
        """Emit a draw from a generator that is made of a seed."""
        text, (result,), seed = self.text, draw.results, draw.args[-1]
        slot, slow, done = text.slot(llvm_type(result.type)), text.label("slow"), text.label("done")
        view = self.views.of(self._code.name(seed), (dtype_number(draw.seed), 1))
        words = words_of(text, view, draw.words, draw.seed.bits, slow)
        self._draw_from(draw, seeded_generator(text, words), slot, slow, done)
        self._code.release(uses.last_used_args(draw, position))

    def _draw_from(self, draw: Draw, generator: str, slot: str, slow: str, done: str) -> None:
        """Draw from a generator, or at ``slow`` by the kernel; load the result of the slot."""
        text, (result,) = self.text, draw.results
        names = [self._code.name(value) for value in draw.args]
        params = names if draw.source is not None else names[:-1]
        if result.type is ir.OBJECT:
            name = _array(text, draw, generator, params, slot, slow)
            self.views.note_definition(name)
            self.views.note_store(slot, name)
        else:
            self._code.store([result], [_number(text, draw, generator, params, slow)], [slot])
        text.line(f"br label %{done}")
        self._code.by_site(draw, names, [slot], slow, done)
        self._code.load([result], [slot])


def _look_into(text: FunctionText, slots: StreamSlots, stream: str) -> str:
    """Put a stream in its slots; return whether no thread draws from it."""
    text.line(f"store ptr {stream}, ptr {slots.stream}")
    lock = word(text, stream, offset(RandomStream, "lock"), "ptr")
    owner = word(text, lock, offset(VisibleLock, "held"), "ptr")
    free = text.value(f"icmp eq ptr {owner}, null")
    address = word(text, stream, offset(RandomStream, "address"), "ptr")
    generator = text.call("ptr", "PyLong_AsVoidPtr", f"ptr {address}")
    free_generator = text.value(f"select i1 {free}, ptr {generator}, ptr null")
    text.line(f"store ptr {free_generator}, ptr {slots.generator}")
    return free


def _number(
    text: FunctionText, draw: Draw, generator: str, params: Sequence[str], slow: str
) -> str:
    """Draw a number; branch to ``slow`` if the parameters are wrong."""
    type = draw.layout.element
    if type.kind != "f":
        slot = text.slot(llvm_type(type))
        _fill_whole(text, draw, generator, params, slot, "1", slow)
        return text.value(f"load {llvm_type(type)}, ptr {slot}")
    if draw.opcode == "random.truncated":
        return _draw_truncated(text, type, generator, params)
    if draw.opcode == "random.uniform":
        drawn = drawn_uniform(text, type, generator)
    else:
        name = f"random_standard_normal{'' if type.bits == 64 else '_f'}"
        drawn = text.call(llvm_type(type), name, f"ptr {generator}")
    return _scale_draw(text, draw, drawn, params)


def _array(
    text: FunctionText, draw: Draw, generator: str, params: Sequence[str], slot: str, slow: str
) -> str:
    """Draw an array, put it in the slot, and return it; branch to ``slow`` if the parameters are
    wrong, or there is no memory.
    """
    type, sizes = draw.layout.element, [str(size) for size in draw.layout.dims]
    count = str(np.prod([int(size) for size in sizes], dtype=np.int64))
    if type.kind != "f" and params:
        _check_order(text, type, params, slow)
    allocate(text, type, sizes, slot, slow)
    array = text.value(f"load ptr, ptr {slot}")
    data = word(text, array, DATA, "ptr")
    if type.kind != "f":
        _fill_whole(text, draw, generator, params, data, count, slow)
        return array
    if draw.opcode == "random.uniform":
        fill_uniform(text, type, generator, count, data)
    else:
        name = f"random_standard_normal_fill{'' if type.bits == 64 else '_f'}"
        text.call("void", name, f"ptr {generator}", f"i64 {count}", f"ptr {data}")
    kind = llvm_type(type)
    with text.counted_loop(count) as number:
        place = text.value(f"getelementptr {kind}, ptr {data}, i64 {number}")
        scaled = _scale_draw(text, draw, text.value(f"load {kind}, ptr {place}"), params)
        text.line(f"store {kind} {scaled}, ptr {place}")
    return array


def _check_order(text: FunctionText, type: ir.Scalar, params: Sequence[str], slow: str) -> None:
    """Branch to ``slow`` if the least number is not less than the limit."""
    less = "slt" if type.kind == "i" else "ult"
    ordered = text.value(f"icmp {less} {llvm_type(type)} {params[0]}, {params[1]}")
    text.require(ordered, slow)


def _fill_whole(
    text: FunctionText, draw: Draw, generator: str, params: Sequence[str], place: str, count: str,
    slow: str,
) -> None:  # fmt: skip
    """Draw so many integers from the first parameter to before the second, or all of the dtype."""
    type = draw.layout.element
    kind, low, span = llvm_type(type), str(0 if type.kind == "u" else -(1 << type.bits - 1)), "-1"
    if params:
        _check_order(text, type, params, slow)
        low, limit = params
        greatest = text.value(f"sub {kind} {limit}, 1")
        span = text.value(f"sub {kind} {greatest}, {low}")
    text.call(
        "void", f"random_bounded_uint{type.bits}_fill", f"ptr {generator}", f"{kind} zeroext {low}",
        f"{kind} zeroext {span}", f"i64 {count}", "i1 zeroext false", f"ptr {place}",
    )  # fmt: skip


def _scale_draw(text: FunctionText, draw: Draw, drawn: str, params: Sequence[str]) -> str:
    """Return a float with the parameters of its distribution, as the kernel computes it."""
    kind = llvm_type(draw.layout.element)
    if draw.opcode == "random.normal":
        mean, deviation = params
        return text.value(f"fadd {kind} {text.value(f'fmul {kind} {drawn}, {deviation}')}, {mean}")
    low, high = params
    span = text.value(f"fsub {kind} {high}, {low}")
    value = text.value(f"fadd {kind} {text.value(f'fmul {kind} {drawn}, {span}')}, {low}")
    most = _next_after(text, draw.layout.element, high, low)
    less = text.value(f"fcmp ult {kind} {value}, {most}")  # so is NaN
    return text.value(f"select i1 {less}, {kind} {value}, {kind} {most}")


def _next_after(text: FunctionText, type: ir.Scalar, number: str, towards: str) -> str:
    """Return the float after another one."""
    kind = llvm_type(type)
    if number.startswith("0x") and towards.startswith("0x"):
        numbers = [struct.unpack("<d", struct.pack("<Q", int(x, 16)))[0] for x in (number, towards)]
        first, second = np.array(numbers, np.float64 if type.bits == 64 else np.float32)
        after = float(np.nextafter(first, second))
        return f"0x{struct.unpack('<Q', struct.pack('<d', after))[0]:016X}"
    name = "nextafter" if type.bits == 64 else "nextafterf"
    text.declared[name] = f"declare {kind} @{name}({kind}, {kind}) memory(none) nounwind willreturn"
    return text.value(f"call {kind} @{name}({kind} {number}, {kind} {towards})")


def _draw_truncated(
    text: FunctionText, type: ir.Scalar, generator: str, params: Sequence[str]
) -> str:
    """Draw a normally distributed number within two deviations, as the kernel does."""
    for name in ("random_standard_normal", "random_standard_uniform"):
        text.declared[name] = f"declare double @{name}(ptr)"
    text.declared["random.truncated"] = _TRUNCATED
    drawn = text.value(f"call double @random.truncated(ptr {generator})")
    kind = llvm_type(type)
    mean, deviation = params
    if type.bits == 32:
        mean, deviation = (text.value(f"fpext float {x} to double") for x in params)
    product = text.value(f"fmul double {drawn}, {deviation}")
    value = text.value(f"fadd double {product}, {mean}")
    return value if type.bits == 64 else text.value(f"fptrunc double {value} to {kind}")


_TRUNCATED = """
define internal double @random.truncated(ptr %generator) noinline {
entry:
  %first = call double @random_standard_normal(ptr %generator)
  br label %look
look:
  %drawn = phi double [%first, %entry], [%again, %draw]
  %count = phi i32 [0, %entry], [%more, %draw]
  %low = fcmp olt double %drawn, -2.0
  %high = fcmp ogt double %drawn, 2.0
  %wrong = or i1 %low, %high
  %tired = icmp eq i32 %count, 100
  br i1 %tired, label %flat, label %test
test:
  br i1 %wrong, label %draw, label %found
draw:
  %again = call double @random_standard_normal(ptr %generator)
  %more = add i32 %count, 1
  br label %look
flat:
  %uniform = call double @random_standard_uniform(ptr %generator)
  %wide = fmul double %uniform, 4.0
  %moved = fadd double %wide, -2.0
  %last = select i1 %wrong, double %moved, double %drawn
  ret double %last
found:
  ret double %drawn
}"""
"""As the kernel: at most 100 numbers are drawn anew, then one is drawn where it is flat."""
