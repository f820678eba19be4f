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
from runtime.engine.llvm.builder import Builder, CodeVariable
from runtime.engine.llvm.random.draw import Draw, Skip, sources_of
from runtime.engine.llvm.random.philox_code import drawn_uniform, fill_uniform
from runtime.engine.llvm.random.seed_code import advance_counter, seeded_generator, words_of
from runtime.engine.llvm.references import LastUses
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue
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
        text, generator = self.text, self._streams.of(draw).generator
        with self._code.or_site(draw, uses.last_used_args(draw, position)) as (slots, slow):
            empty = text.value(f"icmp eq ptr {text.value(f'load ptr, ptr {generator}')}, null")
            with text.only_if(empty, likely=False):
                text.require(self._streams.look_up(draw, self.references.failure()), slow, None)
            self._draw_from(draw, text.value(f"load ptr, ptr {generator}"), slots, slow)

    def skip(self, skip: Skip, uses: LastUses, position: int) -> None:
        """Emit the advance of the counter of a generator; the state before is the result."""
        text = self.text
        with self._code.or_site(skip) as ((slot,), slow):
            array = current_array(text, skip.place)
            text.require(text.value(f"icmp ne ptr {array}, null"), slow)
            self.views.note_definition(array)
            words = words_of(text, self.views.of(array, (dtype_number(ir.INT64), 1)), 3, 64, slow)
            allocate(text, ir.INT64, ["3"], slot, slow)
            new_state = text.value(f"load ptr, ptr {slot}")
            words[:2] = advance_counter(text, words, self._code.name(skip.args[0]))
            data = word(text, new_state, DATA, "ptr")
            for number, value in enumerate(words):
                text.line(f"store i64 {value}, ptr {text.gep(data, 8 * number)}")
            self.references.retain(ir.OBJECT, array)
            self._code.store(skip.results, [array], [slot])
            assigned = assign_array(text, skip.place, new_state)
            self.references.drop(ir.OBJECT, new_state)
            text.require(assigned, slow)

    def _draw_by_seed(self, draw: Draw, uses: LastUses, position: int) -> None:
        """Emit a draw from a generator that is made of a seed."""
        text, seed = self.text, draw.args[-1]
        with self._code.or_site(draw, uses.last_used_args(draw, position)) as (slots, slow):
            view = self.views.of(self._code.name(seed), (dtype_number(draw.seed), 1))
            words = words_of(text, view, draw.words, draw.seed.bits, slow)
            self._draw_from(draw, seeded_generator(text, words), slots, slow)

    def _draw_from(self, draw: Draw, generator: str, slots: Sequence[str], slow: str) -> None:
        """Draw from a generator into the slot, or branch to ``slow``."""
        params = [self._code.name(value) for value in draw.args]
        if draw.source is None:
            params.pop()
        if draw.results[0].type is ir.OBJECT:
            _array(self.text, draw, generator, params, slots[0], slow)
            self._code.note_arrays(draw, slots)
        else:
            number = _number(self.text, draw, generator, params, slow)
            self._code.store(draw.results, [number], slots)


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
) -> None:
    """Draw an array into the slot; branch to ``slow`` if the parameters are wrong, or there is no
    memory.
    """
    type, sizes = draw.layout.element, [str(size) for size in draw.layout.dims]
    count = str(np.prod([int(size) for size in sizes], dtype=np.int64))
    if type.kind != "f" and params:
        _check_order(text, type, params, slow)
    allocate(text, type, sizes, slot, slow)
    data = word(text, text.value(f"load ptr, ptr {slot}"), DATA, "ptr")
    if type.kind != "f":
        _fill_whole(text, draw, generator, params, data, count, slow)
        return
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
    text.define("random.truncated", "double", "ptr %generator", _write_truncated)
    drawn = text.value(f"call double @random.truncated(ptr {generator})")
    kind = llvm_type(type)
    mean, deviation = params
    if type.bits == 32:
        mean, deviation = (text.value(f"fpext float {x} to double") for x in params)
    product = text.value(f"fmul double {drawn}, {deviation}")
    value = text.value(f"fadd double {product}, {mean}")
    return value if type.bits == 64 else text.value(f"fptrunc double {value} to {kind}")


def _write_truncated(text: FunctionText) -> None:
    """As the kernel: at most 100 numbers are drawn anew, then one is drawn where it is flat."""
    code, generator = Builder(text), "ptr %generator"

    def draw(name: str) -> LaneValue:
        return code.value(text.call("double", f"random_standard_{name}", generator), ir.FLOAT64)

    drawn, count = CodeVariable(code, ir.FLOAT64), CodeVariable(code, ir.INT32, "0")
    drawn.set(draw("normal"))

    def is_far() -> LaneValue:
        return (drawn.get() < -2.0) | (drawn.get() > 2.0)

    with code.repeat_while(lambda: is_far() & (count.get() != 100)):
        drawn.set(draw("normal"))
        count.set(count.get() + 1)
    with code.only_if(is_far()):
        drawn.set(draw("uniform") * 4.0 + -2.0)
    text.line(f"ret double {drawn.get()}")
