"""LLVM code of generators that are made of a seed: NumPy's Philox, on the stack.

Two words of a seed become a key as ``numpy.random.SeedSequence`` makes it; three words are the
state of a ``runtime.random.Generator``: two of the counter and the key.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.builder import SIZE, Builder
from runtime.engine.llvm.element_code import element_address
from runtime.engine.llvm.random.draw import TEMPLATE
from runtime.engine.llvm.random.philox_code import BUFFER_SIZE, COUNTER, HAS_HALF, KEY, POSITION
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.ops.random_seed import MASK, STRIDE

_STATE, _COUNTER, _KEY, _WORDS = 5, 13, 17, 19
"""Places of the parts of a generator, in words, and the number of words."""
_A, _TIMES_A = 0x43B0D7E5, 0x931E8875
_B, _TIMES_B = 0x8B51F9DD, 0x58F38DED
_LEFT, _RIGHT = 0xCA01F9DD, 0x4973F715
_POOL = 4
_UNSIGNED = ir.Scalar("u", 32)


def seeded_generator(text: FunctionText, words: Sequence[str]) -> str:
    """Return the C structure of a new generator for the words of a seed."""
    place = text.slot(f"[{_WORDS} x i64]")
    if len(words) == 2:
        counter, key = ["0"] * 4, _key_of(text, words)
    else:
        counter, key = ["0", words[0], words[1], "0"], [words[2], "0"]
    text.declared[TEMPLATE] = f"@{TEMPLATE} = external global [5 x i64]"
    addresses = {n: text.gep(place, 8 * n) for n in (_STATE, _COUNTER, _KEY)}
    text.line(f"store ptr {addresses[_STATE]}, ptr {place}")
    for number in range(1, _STATE):
        function = text.gep(f"@{TEMPLATE}", 8 * number)
        function_pointer = text.value(f"load i64, ptr {function}")
        text.line(f"store i64 {function_pointer}, ptr {text.gep(place, 8 * number)}")
    for offset, field in ((COUNTER, _COUNTER), (KEY, _KEY)):
        text.line(f"store ptr {addresses[field]}, ptr {text.gep(addresses[_STATE], offset)}")
    text.line(f"store i32 {BUFFER_SIZE}, ptr {text.gep(addresses[_STATE], POSITION)}")
    text.line(f"store i32 0, ptr {text.gep(addresses[_STATE], HAS_HALF)}")
    for start, values in ((_COUNTER, counter), (_KEY, key)):
        for number, value in enumerate(values):
            text.line(f"store i64 {value}, ptr {text.gep(place, 8 * (start + number))}")
    return place


def words_of(text: FunctionText, view: View, count: int, bits: int, slow: str) -> list[str]:
    """Return the words of a seed, whose view this is; branch if it has not so many."""
    right = text.value(f"icmp eq i64 {view.sizes[0]}, {count}")
    text.require(right, slow)
    words = []
    for number in range(count):
        address = element_address(text, view, [str(number)])
        word = text.value(f"load i{bits}, ptr {address}, align 1")
        words.append(word if bits == 64 else text.value(f"sext i{bits} {word} to i64"))
    return words


def advance_counter(text: FunctionText, words: Sequence[str], count: str) -> list[str]:
    """Return the words of the counter of a state after so many draws."""
    low, high = (text.value(f"zext i64 {word} to i128") for word in words[:2])
    counter = text.value(f"or i128 {text.value(f'shl i128 {high}, 64')}, {low}")
    far = text.value(f"mul i128 {text.value(f'sext i64 {count} to i128')}, {STRIDE}")
    after = text.value(f"add i128 {counter}, {far}")
    upper = text.value(f"lshr i128 {after}, 64")
    return [text.value(f"trunc i128 {half} to i64") for half in (after, upper)]


def _key_of(text: FunctionText, words: Sequence[str]) -> list[str]:
    """Return the key for two words of a seed."""
    name = "random.key"
    if name not in text.declared:
        text.declared[name] = _key_function(name)
    key = text.value(f"call {{i64, i64}} @{name}(i64 {words[0]}, i64 {words[1]})")
    return [text.value(f"extractvalue {{i64, i64}} {key}, {n}") for n in (0, 1)]


def _key_function(name: str) -> str:
    """Return the function that mixes two words, as NumPy's ``SeedSequence`` does."""
    head = f"define internal {{i64, i64}} @{name}(i64 %first, i64 %second) noinline"
    code = Builder(FunctionText(head))
    halves = []
    for word in ("%first", "%second"):
        seed = code.value(word) & MASK
        high = seed >> 32
        halves.append([half.to(ir.INT32) for half in (seed, high)])
    (low, high), (other_low, other_high) = halves
    is_short = high == 0  # its upper half is no word then
    entropy = [low] + [
        is_short.choose(short, long)
        for short, long in ((other_low, high), (other_high, other_low), (0, other_high))
    ]
    factor = _A

    def hash_word(value: LaneValue, times: int) -> LaneValue:
        nonlocal factor
        mixed = value ^ factor
        factor = factor * times % (1 << 32)
        return _fold_halves(mixed * factor)

    pool = [hash_word(pool_word, _TIMES_A) for pool_word in entropy]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                lhs = pool[target] * _LEFT
                rhs = hash_word(pool[source], _TIMES_A) * _RIGHT
                pool[target] = _fold_halves(lhs - rhs)
    factor = _B
    words = [hash_word(pool_word, _TIMES_B).as_type(_UNSIGNED).to(SIZE) for pool_word in pool]
    key = "undef"
    for number in (0, 1):
        whole = words[2 * number] | (words[2 * number + 1] << 32)
        key = code.text.value(f"insertvalue {{i64, i64}} {key}, i64 {whole}, {number}")
    return code.finish(f"{{i64, i64}} {key}")


def _fold_halves(value: LaneValue) -> LaneValue:
    return value ^ (value >> 16)
