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
from runtime.engine.llvm.builder import Address, Builder, CodeVariable
from runtime.engine.llvm.random.draw import Draw, Skip, sources_of
from runtime.engine.llvm.random.philox_code import drawn_uniform, fill_uniform
from runtime.engine.llvm.random.seed_code import advance_counter, seeded_generator, words_of
from runtime.engine.llvm.references import FunctionPart, LastUses
from runtime.engine.llvm.text import FunctionText
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
            stream = self._text.load(slots.stream)
            for slot in slots:
                self._text.line(f"store ptr null, ptr {slot}")
            self._text.call("void", "Py_DecRef", f"ptr {stream}")

    def take(self) -> None:
        """Do nothing: the next draw looks the stream up."""


class DrawCode(FunctionPart):
    """Code of the random numbers of a function."""

    def __init__(self, code: FunctionCode) -> None:
        super().__init__(code)
        self._streams = code.streams

    def draw(self, draw: Draw, uses: LastUses, position: int) -> None:
        """Emit a draw; where native code cannot draw, its site is called."""
        if draw.source is None:
            self._draw_by_seed(draw, uses, position)
            return
        text, generator = self.text, self._streams.of(draw).generator
        with self._code.or_site(draw, uses.last_used_args(draw, position)) as (slots, slow):
            empty = text.is_null(text.load(generator))
            with text.only_if(empty, likely=False):
                text.require(self._streams.look_up(draw, self.references.failure()), slow, None)
            self._draw_from(draw, text.load(generator), slots, slow)

    def skip(self, skip: Skip, uses: LastUses, position: int) -> None:
        """Emit the advance of the counter of a generator; the state before is the result."""
        text, code = self.text, Builder(self.text)
        with self._code.or_site(skip) as ((slot,), slow):
            array = current_array(text, skip.place)
            text.require(code.address(array).exists().name, slow)
            self.views.note_definition(array)
            view = self.views.of(array, (dtype_number(ir.INT64), 1))
            words = words_of(code, view, 3, 64, slow)
            allocate(text, ir.INT64, ["3"], slot, slow)
            new_state = text.load(slot)
            count = code.value(self._code.name(skip.args[0]), ir.INT64)
            words[:2] = advance_counter(code, words, count)
            data = code.address(word(text, new_state, DATA, "ptr"))
            for number, value in enumerate(words):
                (data + 8 * number).store(value)
            self.references.retain(ir.OBJECT, array)
            self._code.store(skip.results, [array], [slot])
            assigned = assign_array(text, skip.place, new_state)
            self.references.drop(ir.OBJECT, new_state)
            text.require(assigned, slow)

    def _draw_by_seed(self, draw: Draw, uses: LastUses, position: int) -> None:
        """Emit a draw from a generator that is made of a seed."""
        code, seed = Builder(self.text), draw.args[-1]
        with self._code.or_site(draw, uses.last_used_args(draw, position)) as (slots, slow):
            view = self.views.of(self._code.name(seed), (dtype_number(draw.seed), 1))
            words = words_of(code, view, draw.words, draw.seed.bits, slow)
            self._draw_from(draw, seeded_generator(code, words).name, slots, slow)

    def _draw_from(self, draw: Draw, generator: str, slots: Sequence[str], slow: str) -> None:
        """Draw from a generator into the slot, or branch to ``slow``."""
        params = [self._code.name(value) for value in draw.args]
        if draw.source is None:
            params.pop()
        drawing = _Drawing(self.text, draw, generator, params, slow)
        if draw.results[0].type is ir.OBJECT:
            drawing.array(slots[0])
            self._code.note_arrays(draw, slots)
        else:
            self._code.store(draw.results, [drawing.number().name], slots)


def _look_into(text: FunctionText, slots: StreamSlots, stream: str) -> str:
    """Put a stream in its slots; return whether no thread draws from it."""
    code = Builder(text)
    code.address(slots.stream).store(code.address(stream))
    lock = word(text, stream, offset(RandomStream, "lock"), "ptr")
    is_free = code.address(word(text, lock, offset(VisibleLock, "held"), "ptr")).is_null()
    address = word(text, stream, offset(RandomStream, "address"), "ptr")
    generator = code.call_address("PyLong_AsVoidPtr", f"ptr {address}", extern=True)
    free_generator = text.value(f"select i1 {is_free}, ptr {generator}, ptr null")
    code.address(slots.generator).store(code.address(free_generator))
    return is_free.name


class _Drawing(Builder):
    """Code of one draw: its generator, and the parameters of the distribution; where they are
    wrong, it branches to ``slow``.
    """

    def __init__(
        self, text: FunctionText, draw: Draw, generator: str, params: Sequence[str], slow: str
    ) -> None:
        super().__init__(text)
        self._draw = draw
        self._type = draw.layout.element
        self._generator = self.address(generator)
        self._params = [self.value(name, self._type) for name in params]
        self._slow = slow

    def number(self) -> LaneValue:
        """Draw a number."""
        type = self._type
        if type.kind != "f":
            place = CodeVariable(self, type)
            self._fill_whole(self.address(place.address), 1)
            return place.get()
        if self._draw.opcode == "random.truncated":
            return self._truncated()
        if self._draw.opcode == "random.uniform":
            drawn = drawn_uniform(self.text, type, str(self._generator))
            return self._scale(self.value(drawn, type))
        name = f"random_standard_normal{'' if type.bits == 64 else '_f'}"
        return self._scale(self.call(name, self._generator, gives=type, extern=True))

    def array(self, slot: str) -> None:
        """Draw an array into the slot; branch to ``slow``, too, if there is no memory."""
        text, type, sizes = self.text, self._type, [str(size) for size in self._draw.layout.dims]
        count = int(np.prod([int(size) for size in sizes], dtype=np.int64))
        if type.kind != "f":
            self._check_order()
        allocate(text, type, sizes, slot, self._slow)
        data = self.address(word(text, text.load(slot), DATA, "ptr"))
        if type.kind != "f":
            self._fill_whole(data, count)
            return
        if self._draw.opcode == "random.uniform":
            fill_uniform(text, type, str(self._generator), str(count), str(data))
        else:
            name = f"random_standard_normal_fill{'' if type.bits == 64 else '_f'}"
            self.run(name, self._generator, count, data, extern=True)
        with self.each(count) as number:
            place = data.element(type, number)
            place.store(self._scale(place.load(type)))

    def _check_order(self) -> None:
        """Branch to ``slow`` if the least number is not less than the limit."""
        if self._params:
            self.text.require((self._params[0] < self._params[1]).name, self._slow)

    def _fill_whole(self, place: Address, count: int) -> None:
        """Draw so many integers from the first parameter to before the second, or all of the dtype.
        """
        type = self._type
        low = str(0 if type.kind == "u" else -(1 << type.bits - 1))
        span = "-1"
        if self._params:
            self._check_order()
            least, limit = self._params
            low, span = least.name, (limit - 1 - least).name
        kind = f"i{type.bits} zeroext"
        self.run(
            f"random_bounded_uint{type.bits}_fill", self._generator, f"{kind} {low}",
            f"{kind} {span}", count, "i1 zeroext false", place, extern=True,
        )  # fmt: skip

    def _scale(self, drawn: LaneValue) -> LaneValue:
        """Return a float with the parameters of its distribution, as the kernel computes it."""
        if self._draw.opcode == "random.normal":
            mean, deviation = self._params
            return drawn * deviation + mean
        low, high = self._params
        value = drawn * (high - low) + low
        most = self._next_after(high, low)
        return value.compare("ult", most).choose(value, most)  # so is NaN

    def _next_after(self, number: LaneValue, towards: LaneValue) -> LaneValue:
        """Return the float after another one."""
        type, names = self._type, (number.name, towards.name)
        if all(name.startswith("0x") for name in names):
            numbers = [struct.unpack("<d", struct.pack("<Q", int(name, 16)))[0] for name in names]
            first, second = np.array(numbers, np.float64 if type.bits == 64 else np.float32)
            return self.constant(float(np.nextafter(first, second)), type)
        name, kind = "nextafter" if type.bits == 64 else "nextafterf", number.kind
        self.text.declared[name] = (
            f"declare {kind} @{name}({kind}, {kind}) memory(none) nounwind willreturn"
        )
        return self.call(name, number, towards, gives=type)

    def _truncated(self) -> LaneValue:
        """Return a normally distributed number within two deviations, as the kernel draws it."""
        self.text.define("random.truncated", "double", "ptr %generator", _write_truncated)
        drawn = self.call("random.truncated", self._generator, gives=ir.FLOAT64)
        mean, deviation = (param.to(ir.FLOAT64) for param in self._params)
        return (drawn * deviation + mean).to(self._type)


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
