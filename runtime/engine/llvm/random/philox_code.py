"""LLVM code of NumPy's Philox generator: the same numbers, from the same state in memory.

Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (2011).  The generator turns
a counter of 256 bits into blocks of four numbers of 64 bits.  What is left of a block lies in a
buffer, and so does the upper half of a number of which 32 bits were taken.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.ops.random_seed import generator

COUNTER, KEY, POSITION, BUFFER, HAS_HALF, HALF = 0, 8, 16, 24, 56, 60
"""Offsets in NumPy's ``philox_state``: the first two are addresses."""
_ROUNDS = 10
_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_SHORT, _WIDE = ir.Scalar("u", 32), ir.Scalar("u", 128)
BUFFER_SIZE = 4
"""Numbers of a block."""


@cache
def is_state_known() -> bool:
    """Return whether the state of NumPy's generator lies in memory as this code expects."""
    rng = generator(1, 2)
    rng.integers(0, 1 << 32, 3, "uint32")
    source: Any = rng.bit_generator
    at, shown = source.ctypes.state_address, source.state

    def words(address: int, count: int) -> list[int]:
        return [ctypes.c_uint64.from_address(address + 8 * n).value for n in range(count)]

    def word32(place: int) -> int:
        return ctypes.c_uint32.from_address(at + place).value

    counter, key = words(at, 2)
    structure = ctypes.c_uint64.from_address(source.ctypes.bit_generator.value).value
    return structure == at and [
        words(counter, 4), words(key, 2), word32(POSITION), words(at + BUFFER, 4),
        word32(HAS_HALF), word32(HALF),
    ] == [
        shown["state"]["counter"].tolist(), shown["state"]["key"].tolist(), shown["buffer_pos"],
        shown["buffer"].tolist(), shown["has_uint32"], shown["uinteger"],
    ]  # fmt: skip


def drawn_uniform(text: FunctionText, type: ir.Scalar, structure: str) -> str:
    """Draw a float from 0 to before 1, by the C structure of a generator."""
    _declare(text)
    code = Builder(text)
    return _uniform(type, code.address(structure).load_address()).name


def fill_uniform(
    text: FunctionText, type: ir.Scalar, structure: str, count: str, data: str
) -> None:
    """Draw so many floats from 0 to before 1, one behind the other."""
    _declare(text)
    params = "ptr %state, i64 %count, ptr %data"
    name = text.define(f"random.fill.{type}", "void", params, partial(_write_fill, type))
    code = Builder(text)
    code.run(name, code.address(structure).load_address(), f"i64 {count}", f"ptr {data}")


def _declare(text: FunctionText) -> None:
    text.define("random.refill", "i64", "ptr %state", _write_refill)
    text.define("random.next64", "i64", "ptr %state", _write_next64, "alwaysinline")
    text.define("random.next32", "i32", "ptr %state", _write_next32, "alwaysinline")


def _uniform(type: ir.Scalar, state: Address) -> LaneValue:
    drawn = state.code.value("", ir.Scalar("u", 64 if type.bits == 64 else 32))
    call = f"call {drawn.kind} @random.next{drawn.type.bits}(ptr {state})"
    return _float_of(type, drawn.emit(call))


def _float_of(type: ir.Scalar, drawn: LaneValue) -> LaneValue:
    """Return the float from 0 to before 1 that random bits mean."""
    dropped, scale = (11, 53) if type.bits == 64 else (8, 24)
    return (drawn >> dropped).to(type) * 2.0**-scale


def _block(counter: Sequence[LaneValue], key: Sequence[LaneValue]) -> list[LaneValue]:
    """Return the four numbers of a counter."""
    words, keys = list(counter), list(key)
    for number in range(_ROUNDS):
        if number:
            keys = [key_word + weyl for key_word, weyl in zip(keys, _WEYL, strict=True)]
        halves = []
        for place, factor in zip((0, 2), _MULTIPLIERS, strict=True):
            product = words[place].to(_WIDE) * factor
            halves.append([(product >> 64).to(SIZE), product.to(SIZE)])
        (high0, low0), (high1, low1) = halves
        mixed = [high1 ^ words[1] ^ keys[0], high0 ^ words[3] ^ keys[1]]
        words = [mixed[0], low1, mixed[1], low0]
    return words


def _words(address: Address, count: int) -> list[LaneValue]:
    return [(address + 8 * number).load() for number in range(count)]


def _store_words(address: Address, words: Sequence[LaneValue]) -> None:
    for number, value in enumerate(words):
        (address + 8 * number).store(value)


def _write_refill(text: FunctionText) -> None:
    """Write the function that computes the next block, and gives its first number."""
    code = Builder(text)
    state = code.address("%state")
    place = (state + COUNTER).load_address()
    counter, carry = [], code.value("true", ir.BOOL)
    for counter_word in _words(place, BUFFER_SIZE):
        counter.append(counter_word + carry.to(SIZE))
        carry = carry & (counter[-1] == 0)
    _store_words(place, counter)
    block = _block(counter, _words((state + KEY).load_address(), 2))
    _store_words(state + BUFFER, block)
    (state + POSITION).store(code.value(1, ir.INT32))
    code.finish(f"i64 {block[0]}")


def _write_next64(text: FunctionText) -> None:
    code = Builder(text)
    state = code.address("%state")
    position = (state + POSITION).load(ir.INT32)
    with text.leaving((position < BUFFER_SIZE).name, likely=None):
        drawn = (state + BUFFER).element(SIZE, position.as_type(_SHORT).to(SIZE)).load()
        (state + POSITION).store(position + 1)
        code.finish(f"i64 {drawn}")
    code.finish(f"i64 {text.value('call i64 @random.refill(ptr %state)')}")


def _write_next32(text: FunctionText) -> None:
    code = Builder(text)
    flag, place = code.address("%state") + HAS_HALF, code.address("%state") + HALF
    with text.leaving((flag.load(ir.INT32) != 0).name, likely=None):
        flag.store(code.value(0, ir.INT32))
        code.finish(f"i32 {place.load(ir.INT32)}")
    halves = code.value(text.value("call i64 @random.next64(ptr %state)"))
    flag.store(code.value(1, ir.INT32))
    place.store((halves >> 32).to(_SHORT))
    code.finish(f"i32 {halves.to(_SHORT)}")


def _write_fill(type: ir.Scalar, text: FunctionText) -> None:
    """Write the function that draws floats: what is left of a block, whole blocks, the rest."""
    code = Builder(text)
    state, data = code.address("%state"), code.address("%data")
    done = CodeVariable(code, SIZE, "0")
    _fill_while(code, type, done, to_the_end=False)
    first = done.get()
    place, key = (state + COUNTER).load_address(), (state + KEY).load_address()
    counter, keys = _words(place, BUFFER_SIZE), _words(key, 2)
    per_block = BUFFER_SIZE * (64 // type.bits)
    blocks = (code.value("%count") - first) // per_block
    new_low = counter[0] + blocks
    with code.only_if(new_low > counter[0]):  # no carry, and there is a block
        start = data.element(type, first)
        with code.each(blocks) as number:
            low = counter[0] + (number + 1)
            target = start.element(type, number * per_block)
            _store_floats(type, _block([low, *counter[1:]], keys), target)
        _store_words(place, [new_low])
        block = _block([new_low, *counter[1:]], keys)
        _store_words(state + BUFFER, block)
        (state + POSITION).store(code.value(BUFFER_SIZE, ir.INT32))
        if type.bits == 32:
            (state + HALF).store((block[-1] >> 32).to(_SHORT))
        done.set(first + blocks * per_block)
    _fill_while(code, type, done, to_the_end=True)
    code.finish()


def _store_floats(type: ir.Scalar, block: Sequence[LaneValue], place: Address) -> None:
    """Store the floats that the numbers of a block mean."""
    draws = list(block)
    if type.bits == 32:
        draws = [half.to(_SHORT) for number in block for half in (number, number >> 32)]
    for number, draw in enumerate(draws):
        place.element(type, number).store(_float_of(type, draw), 1)


def _fill_while(code: Builder, type: ir.Scalar, done: CodeVariable, to_the_end: bool) -> None:
    """Draw floats one by one: all that are missing, or as long as something is left of a block."""
    state = code.address("%state")

    def goes_on() -> LaneValue:
        going = done.get() < code.value("%count")
        if to_the_end:
            return going
        is_buffered = (state + POSITION).load(ir.INT32) < BUFFER_SIZE
        if type.bits == 32:
            is_buffered = is_buffered | ((state + HAS_HALF).load(ir.INT32) != 0)
        return going & is_buffered

    with code.repeat_while(goes_on):
        number = done.get()
        address = code.address("%data").element(type, number)
        address.store(_uniform(type, state), 1)
        done.set(number + 1)
