"""LLVM code of NumPy's Philox generator: the same numbers, from the same state in memory.

Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (2011).  The generator turns
a counter of 256 bits into blocks of four numbers of 64 bits.  What is left of a block lies in a
buffer, and so does the upper half of a number of which 32 bits were taken.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import word
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.ops.random_seed import generator

COUNTER, KEY, POSITION, BUFFER, HAS_HALF, HALF = 0, 8, 16, 24, 56, 60
"""Offsets in NumPy's ``philox_state``: the first two are addresses."""
_ROUNDS = 10
_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
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
    return _uniform(text, type, text.value(f"load ptr, ptr {structure}"))


def fill_uniform(
    text: FunctionText, type: ir.Scalar, structure: str, count: str, data: str
) -> None:
    """Draw so many floats from 0 to before 1, one behind the other."""
    _declare(text)
    name = f"random.fill.{type}"
    text.declared[name] = _fill_function(name, type)
    state = text.value(f"load ptr, ptr {structure}")
    text.line(f"call void @{name}(ptr {state}, i64 {count}, ptr {data})")


def _declare(text: FunctionText) -> None:
    if "random.next64" not in text.declared:
        text.declared["random.refill"] = _refill_function()
        text.declared["random.next64"] = _NEXT64
        text.declared["random.next32"] = _NEXT32


def _uniform(text: FunctionText, type: ir.Scalar, state: str) -> str:
    bits = 64 if type.bits == 64 else 32
    return _float_of(text, type, text.value(f"call i{bits} @random.next{bits}(ptr {state})"))


def _float_of(text: FunctionText, type: ir.Scalar, drawn: str) -> str:
    """Return the float from 0 to before 1 that random bits mean."""
    wide = type.bits == 64
    kind, bits, dropped, scale = llvm_type(type), *((64, 11, 53) if wide else (32, 8, 24))
    mantissa, factor = text.value(f"lshr i{bits} {drawn}, {dropped}"), literal(2.0**-scale, type)
    return text.value(f"fmul {kind} {text.value(f'uitofp i{bits} {mantissa} to {kind}')}, {factor}")


def _block(text: FunctionText, counter: Sequence[str], key: Sequence[str]) -> list[str]:
    """Return the four numbers of a counter."""
    words, keys = list(counter), list(key)
    for number in range(_ROUNDS):
        if number:
            keys = [
                text.value(f"add i64 {key_word}, {weyl - (1 << 64)}")
                for key_word, weyl in zip(keys, _WEYL, strict=True)
            ]
        halves = []
        for place, factor in zip((0, 2), _MULTIPLIERS, strict=True):
            wide = text.value(f"zext i64 {words[place]} to i128")
            product = text.value(f"mul i128 {wide}, {factor}")
            high = text.value(f"lshr i128 {product}, 64")
            halves.append([text.value(f"trunc i128 {half} to i64") for half in (high, product)])
        (high0, low0), (high1, low1) = halves
        mixed = [
            text.value(f"xor i64 {text.value(f'xor i64 {high}, {words[place]}')}, {key_word}")
            for high, place, key_word in ((high1, 1, keys[0]), (high0, 3, keys[1]))
        ]
        words = [mixed[0], low1, mixed[1], low0]
    return words


def _words(text: FunctionText, address: str, count: int) -> list[str]:
    return [word(text, address, 8 * number) for number in range(count)]


def _store_words(text: FunctionText, address: str, words: Sequence[str]) -> None:
    for number, value in enumerate(words):
        text.line(f"store i64 {value}, ptr {text.gep(address, 8 * number)}")


def _refill_function() -> str:
    """Return the function that computes the next block, and gives its first number."""
    text = FunctionText("define internal i64 @random.refill(ptr %state) noinline")
    place = word(text, "%state", COUNTER, "ptr")
    counter, carry = [], "true"
    for counter_word in _words(text, place, BUFFER_SIZE):
        carried = text.value(f"zext i1 {carry} to i64")
        counter.append(text.value(f"add i64 {counter_word}, {carried}"))
        zero = text.value(f"icmp eq i64 {counter[-1]}, 0")
        carry = text.value(f"and i1 {carry}, {zero}")
    _store_words(text, place, counter)
    block = _block(text, counter, _words(text, word(text, "%state", KEY, "ptr"), 2))
    _store_words(text, text.gep("%state", BUFFER), block)
    text.line(f"store i32 1, ptr {text.gep('%state', POSITION)}")
    text.line(f"ret i64 {block[0]}")
    return text.text()


_NEXT64 = f"""
define internal i64 @random.next64(ptr %state) alwaysinline {{
entry:
  %place = getelementptr i8, ptr %state, i64 {POSITION}
  %position = load i32, ptr %place
  %left = icmp slt i32 %position, {BUFFER_SIZE}
  br i1 %left, label %buffered, label %empty
buffered:
  %buffer = getelementptr i8, ptr %state, i64 {BUFFER}
  %wide = zext i32 %position to i64
  %address = getelementptr i64, ptr %buffer, i64 %wide
  %found = load i64, ptr %address
  %next = add i32 %position, 1
  store i32 %next, ptr %place
  ret i64 %found
empty:
  %first = call i64 @random.refill(ptr %state)
  ret i64 %first
}}"""

_NEXT32 = f"""
define internal i32 @random.next32(ptr %state) alwaysinline {{
entry:
  %flag = getelementptr i8, ptr %state, i64 {HAS_HALF}
  %place = getelementptr i8, ptr %state, i64 {HALF}
  %has = load i32, ptr %flag
  %known = icmp ne i32 %has, 0
  br i1 %known, label %second, label %first
second:
  store i32 0, ptr %flag
  %kept = load i32, ptr %place
  ret i32 %kept
first:
  %both = call i64 @random.next64(ptr %state)
  %upper = lshr i64 %both, 32
  %half = trunc i64 %upper to i32
  store i32 1, ptr %flag
  store i32 %half, ptr %place
  %low = trunc i64 %both to i32
  ret i32 %low
}}"""


def _fill_function(name: str, type: ir.Scalar) -> str:
    """Return the function that draws floats: what is left of a block, whole blocks, the rest."""
    text = FunctionText(f"define internal void @{name}(ptr %state, i64 %count, ptr %data) noinline")
    done = text.slot("i64", "0")
    _fill_while(text, type, done, to_the_end=False)
    first = text.value(f"load i64, ptr {done}")
    place, key = word(text, "%state", COUNTER, "ptr"), word(text, "%state", KEY, "ptr")
    counter, keys = _words(text, place, BUFFER_SIZE), _words(text, key, 2)
    per_block = BUFFER_SIZE * (64 // type.bits)
    remaining = text.value(f"sub i64 %count, {first}")
    blocks = text.value(f"udiv i64 {remaining}, {per_block}")
    new_low = text.value(f"add i64 {counter[0]}, {blocks}")
    no_carry = text.value(f"icmp ugt i64 {new_low}, {counter[0]}")  # and there is a block
    with text.only_if(no_carry):
        start = text.value(f"getelementptr {llvm_type(type)}, ptr %data, i64 {first}")
        with text.counted_loop(blocks) as number:
            above = text.value(f"add i64 {number}, 1")
            low = text.value(f"add i64 {counter[0]}, {above}")
            offset = text.value(f"mul i64 {number}, {per_block}")
            target = text.value(f"getelementptr {llvm_type(type)}, ptr {start}, i64 {offset}")
            _store_floats(text, type, _block(text, [low, *counter[1:]], keys), target)
        _store_words(text, place, [new_low])
        block = _block(text, [new_low, *counter[1:]], keys)
        _store_words(text, text.gep("%state", BUFFER), block)
        text.line(f"store i32 {BUFFER_SIZE}, ptr {text.gep('%state', POSITION)}")
        if type.bits == 32:
            half = text.value(f"trunc i64 {text.value(f'lshr i64 {block[-1]}, 32')} to i32")
            text.line(f"store i32 {half}, ptr {text.gep('%state', HALF)}")
        drawn = text.value(f"mul i64 {blocks}, {per_block}")
        text.line(f"store i64 {text.value(f'add i64 {first}, {drawn}')}, ptr {done}")
    _fill_while(text, type, done, to_the_end=True)
    text.line("ret void")
    text.declared = {}
    return text.text()


def _store_floats(text: FunctionText, type: ir.Scalar, block: Sequence[str], place: str) -> None:
    """Store the floats that the numbers of a block mean."""
    draws = list(block)
    if type.bits == 32:
        draws = [
            text.value(f"trunc i64 {half} to i32")
            for number in block for half in (number, text.value(f"lshr i64 {number}, 32"))
        ]  # fmt: skip
    kind = llvm_type(type)
    for number, draw in enumerate(draws):
        address = text.value(f"getelementptr {kind}, ptr {place}, i64 {number}")
        text.line(f"store {kind} {_float_of(text, type, draw)}, ptr {address}, align 1")


def _fill_while(text: FunctionText, type: ir.Scalar, done: str, to_the_end: bool) -> None:
    """Draw floats one by one: all that are missing, or as long as something is left of a block."""
    head, draw, end = text.label("head"), text.label("more"), text.label("end")
    text.line(f"br label %{head}")
    text.start(head)
    number = text.value(f"load i64, ptr {done}")
    going = text.value(f"icmp ult i64 {number}, %count")
    if not to_the_end:
        position = word(text, "%state", POSITION, "i32")
        is_buffered = text.value(f"icmp slt i32 {position}, {BUFFER_SIZE}")
        if type.bits == 32:
            half = text.value(f"icmp ne i32 {word(text, '%state', HAS_HALF, 'i32')}, 0")
            is_buffered = text.value(f"or i1 {is_buffered}, {half}")
        going = text.value(f"and i1 {going}, {is_buffered}")
    text.branch(going, draw, end)
    text.start(draw)
    kind = llvm_type(type)
    address = text.value(f"getelementptr {kind}, ptr %data, i64 {number}")
    text.line(f"store {kind} {_uniform(text, type, '%state')}, ptr {address}, align 1")
    text.line(f"store i64 {text.value(f'add i64 {number}, 1')}, ptr {done}")
    text.line(f"br label %{head}")
    text.start(end)
