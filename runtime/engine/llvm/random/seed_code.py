"""LLVM code of generators that are made of a seed: NumPy's Philox, on the stack.

Two words of a seed become a key as ``numpy.random.SeedSequence`` makes it; three words are the
state of a ``runtime.random.Generator``: two of the counter and the key.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.builder import SIZE, Address, Builder
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
_UNSIGNED, _WIDE = ir.Scalar("u", 32), ir.Scalar("u", 128)


def seeded_generator(code: Builder, words: Sequence[LaneValue]) -> Address:
    """Return the C structure of a new generator for the words of a seed."""
    text, zero = code.text, code.value(0)
    place = code.address(text.slot(f"[{_WORDS} x i64]"))
    if len(words) == 2:
        counter, key = [zero] * 4, _key_of(code, words)
    else:
        counter, key = [zero, *words[:2], zero], [words[2], zero]
    text.declared[TEMPLATE] = f"@{TEMPLATE} = external global [5 x i64]"
    state, counter_place, key_place = (place + 8 * n for n in (_STATE, _COUNTER, _KEY))
    place.store(state)
    for number in range(1, _STATE):
        function = (code.address(f"@{TEMPLATE}") + 8 * number).load()
        (place + 8 * number).store(function)
    (state + COUNTER).store(counter_place)
    (state + KEY).store(key_place)
    (state + POSITION).store(code.value(BUFFER_SIZE, ir.INT32))
    (state + HAS_HALF).store(code.value(0, ir.INT32))
    for start, values in ((_COUNTER, counter), (_KEY, key)):
        for number, value in enumerate(values):
            (place + 8 * (start + number)).store(value)
    return place


def words_of(code: Builder, view: View, count: int, bits: int, slow: str) -> list[LaneValue]:
    """Return the words of a seed, whose view this is; branch if it has not so many."""
    code.text.require((code.value(view.sizes[0]) == count).name, slow)
    words, type = [], ir.Scalar("i", bits)
    for number in range(count):
        address = code.address(element_address(code.text, view, [str(number)]))
        words.append(address.load(type, align=1).to(ir.INT64))
    return words


def advance_counter(
    code: Builder, words: Sequence[LaneValue], count: LaneValue
) -> list[LaneValue]:
    """Return the words of the counter of a state after so many draws."""
    low, high = (word.as_type(SIZE).to(_WIDE) for word in words[:2])
    after = ((high << 64) | low) + count.to(ir.Scalar("i", 128)).as_type(_WIDE) * STRIDE
    return [half.to(SIZE) for half in (after, after >> 64)]


def _key_of(code: Builder, words: Sequence[LaneValue]) -> list[LaneValue]:
    """Return the key for two words of a seed."""
    text, name = code.text, "random.key"
    if name not in text.declared:
        text.declared[name] = _key_function(name)
    key = text.invoke("{i64, i64}", name, *[f"i64 {word}" for word in words])
    return [code.value(text.value(f"extractvalue {{i64, i64}} {key}, {n}")) for n in (0, 1)]


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
