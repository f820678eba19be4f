"""Python's own functions on staged numbers and texts: its results, types and exceptions."""

from __future__ import annotations

import cmath
import marshal
import math
import operator
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime
from autograph.errors import ConcreteValueError
from tests.support.nightly import examples


def outcome(function, arguments):
    """The result with its type, or the class and text of the exception."""
    try:
        found = function(*arguments)
    except Exception as error:
        return type(error), str(error).split("\n")[0]
    return type(found), found


def check(function, *cases):
    """A staged function gives what Python gives, also when it is called again."""
    staged = runtime.jit(function)
    for _ in range(2):
        for arguments in cases:
            wanted, found = outcome(function, arguments), outcome(staged, arguments)
            assert found == wanted, arguments


NUMBERS = [(0,), (2,), (-3,), (2.5,), (-0.5,), (1e300,), (math.inf,), (7,)]


@pytest.mark.parametrize(
    "name", [n for n in dir(math) if n[0] != "_" and callable(getattr(math, n))]
)
def test_math(name):
    function = getattr(math, name)
    if name in ("dist", "fsum", "prod", "sumprod"):
        if name in ("fsum", "prod"):
            check(lambda a, b: function([a, b, 2]), (2.5, 3), (1, 2))
            check(lambda *values: function(values), (2.5, 3.5), (1.5, 2.0))
            check(lambda values: function(values), ([2.5, 3.5],), ([1.5],))
        else:
            check(lambda a, b, c: function([a, b], (c, 2)), (2.5, 3, 1), (1, 2, 0.5))
        return
    counts = {"atan2": 2, "copysign": 2, "comb": 2, "fma": 3, "fmod": 2, "gcd": 2, "hypot": 2,
              "isclose": 2, "lcm": 2, "ldexp": 2, "nextafter": 2, "perm": 2, "pow": 2,
              "remainder": 2}  # fmt: skip
    count = counts.get(name, 1)
    numbers = [number for (number,) in NUMBERS]
    cases = [
        (a, *[b] * (count - 1)) for a in numbers for b in (numbers if count > 1 else [None])
    ]
    staged = runtime.jit(lambda *args: function(*args))
    for arguments in cases:
        wanted, found = outcome(function, arguments), outcome(staged, arguments)
        big = wanted[0] is int and abs(wanted[1]) >= 2**63
        assert issubclass(found[0], OverflowError) if big else found == wanted, arguments


def test_arguments_beside():
    check(lambda x: math.log(x, 2), (8,), (0,), (2.5,))
    check(lambda x: math.log(8, x), (2,), (1,))
    check(lambda x, y: math.isclose(x, y, rel_tol=0.5), (1.0, 1.2), (1.0, 9.0))
    check(lambda x: (cmath.sqrt(x), cmath.phase(x), cmath.polar(x)), (1 + 2j,), (-1 + 0j,), (-4,))
    check(lambda x, y, m: pow(x, y, m), (3, 40, 7), (3, -1, 7), (3, 4, 0))
    check(lambda x, n: round(x, n), (2.567, 1), (-2.5, 0), (1234, -2))
    check(lambda x: round(x), (2.5,), (-3.5,), (7,), (math.nan,), (math.inf,))
    check(lambda x: operator.index(x), (3,), (2.5,))
    check(lambda x: (operator.truth(x), operator.add(x, 1)), (3,), (0,))


def test_arguments_by_name():
    check(lambda x, n: round(number=x, ndigits=n), (2.567, 1), (1234, -2))
    check(lambda x: round(x, ndigits=None), (2.5,))
    check(lambda x: pow(x, exp=3, mod=5), (7,), (2.5,))
    check(lambda x: pow(base=2, exp=x), (7,), (2.5,))
    check(lambda x: complex(real=x, imag=1), (7,), (2.5,))
    check(lambda x: complex(imag=x), (7,), (2.5,))
    check(lambda x: int(x, base=8), ("17",), ("9",))
    check(lambda x: str(object=x), (7,), (2.5,))
    check(lambda x: round(x, number=x), (7,))
    check(lambda x: pow(x, power=x), (7,))


def test_methods_of_numbers():
    check(lambda n: (n.bit_length(), n.bit_count(), bin(n), hex(n), oct(n)), (12,), (0,), (-255,))
    check(lambda x: (x.as_integer_ratio(), x.hex(), x.is_integer()), (2.5,), (-4.0,))
    check(lambda n: chr(n), (97,), (8364,), (-1,))
    check(lambda x: x.upper(), (3,))


def test_numbers_of_texts():
    check(lambda s: int(s), ("12",), (" -3 ",), ("x",), ("1_000",))
    check(lambda s, base: int(s, base), ("ff", 16), ("12", 8), ("zz", 10))
    check(lambda s: float(s), ("1.5",), ("nan?",), ("-inf",))


WORDS = [("",), ("a",), ("Hello, World",), ("straße",), ("  two words ",), ("12",), ("ab\ncd",)]


@pytest.mark.parametrize(
    "name",
    """capitalize casefold expandtabs isalnum isalpha isascii isdecimal isdigit isidentifier
    islower isnumeric isprintable isspace istitle isupper lower lstrip rstrip split splitlines strip
    swapcase title upper""".split(),
)
def test_methods_of_texts(name):
    check(lambda s: getattr(s, name)(), *WORDS)


def test_methods_of_texts_with_arguments():
    pairs = [(s, t) for (s,) in WORDS for t in ("l", "", "a", "two")]
    check(lambda s, t: (s.count(t), s.find(t), s.rfind(t), s.startswith(t), s.endswith(t)), *pairs)
    check(lambda s, t: s.index(t), *pairs)
    check(lambda s, t: s.replace(t, "#"), *pairs)
    check(lambda s, t: s.split(t), *pairs)
    check(lambda s, t: s.partition(t), *pairs)
    check(lambda s, t: (s.removeprefix(t), s.strip(t)), *pairs)
    check(lambda s, n: (s.center(n, "*"), s.ljust(n), s.rjust(n), s.zfill(n)), ("ab", 6), ("ab", 1))
    check(lambda s, t: ",".join([s, t, s]), *pairs)
    check(lambda s, t: "a,b".find(t), *pairs)
    check(lambda s: s.startswith(("H", "a")), *WORDS)


def test_operators_of_texts():
    pairs = [(s, t) for (s,) in WORDS for t in ("l", "", "Hello", "é")]
    check(lambda s, t: (s < t, s <= t, s > t, s >= t, s == t, s != t), *pairs)
    check(lambda s, t: (s + t, s * 2, 3 * s, t in s, s not in t, "b" + s), *pairs)
    check(lambda s: (s[0], s[-1]), *WORDS)
    check(lambda s, i, j: (s[i:j], s[i:], s[::-1], s[j:i:-1]), ("hello", 1, 3), ("é€x", -2, 9))
    check(lambda s: (len(s), not s, bool(s), s or "none"), *WORDS)
    check(lambda s, t: max(s, t) if s < t else min(s, t), *pairs)


def test_characters():
    def vowels(text):
        count = 0
        for character in text:
            if character in "aeiou":
                count += 1
        return count

    def digits(n):
        total = 0
        for character in str(n):
            total += int(character)
        return total

    def caesar(text, shift):
        found = ""
        for character in text:
            if character.isupper():
                found += chr((ord(character) - 65 + shift) % 26 + 65)
            elif character.islower():
                found += chr((ord(character) - 97 + shift) % 26 + 97)
            else:
                found += character
        return found

    check(vowels, ("hello",), ("",), ("xyz",))
    check(digits, (1234,), (0,))
    check(caesar, ("Hello, World", 3), ("", 1), ("abc", -1))
    check(lambda s: [ord(c) - 96 for c in s], ("abc",), ("",))
    check(lambda s: " ".join(reversed(s.split())), ("a b  c",), ("",))
    check(lambda s: (list(s), sorted(s)), ("cab",), ("",))
    check(lambda s: "".join(c.lower() for c in s if c.isalnum()), ("A man, 2",), ("",))
    check(lambda n: "".join(str(int(c) + 1) for c in str(n)), (123,), (9,))
    check(lambda n: sum(int(a) * int(b) for a in str(n) for b in str(n)), (123,))
    check(lambda n: "1" + "0" * n + n * "ab", (3,), (0,), (-1,))
    check(lambda s: 1 if f"{s}" else 2, ("a",), ("",))
    check(lambda s: [bool(s + "a"), not f"{s}", f"{s}" and "b", str(s) or "c"], ("a",), ("",))
    check(lambda s: s == s[::-1], ("anna",), ("ann",))
    check(lambda s: (any(map(str.isdigit, s)), all(c.isalpha() for c in s)), ("a2",), ("ab",))
    check(lambda n: (str(n)[::-1], len(str(n)), str(n)[0], int(str(n)[::-1])), (123,), (7,))


@settings(deadline=None, max_examples=examples(60, kept=20))
@given(st.text(max_size=6), st.text(max_size=2), st.integers(-7, 7))
def test_texts_of_any_characters(text, part, k):
    arguments = (text.replace("\ud800", ""), part, k)
    assert outcome(STAGED, arguments) == outcome(several, arguments)


def several(text, part, k):
    return text[k:], part in text, text.find(part), text < part, text.upper(), len(text + part)


STAGED = runtime.jit(several)


class TestTensors:
    def test_one_number_is_taken_as_such(self):
        @runtime.function
        def root(x):
            return runtime.constant(1.0, runtime.float64) * math.sqrt(x)

        assert root(runtime.constant(4)).numpy() == 2.0
        with pytest.raises(TypeError, match="only length-1 arrays"):
            root(runtime.constant([4.0, 9.0]))

    def test_the_result_is_a_python_number_without_a_gradient(self):
        def gradient(x):
            with runtime.GradientTape() as tape:
                tape.watch(x)
                y = x * math.sin(x)
            return tape.gradient(y, x)

        x = runtime.constant(0.4, runtime.float64)
        assert gradient(x).numpy() == pytest.approx(math.sin(0.4))
        assert runtime.function(gradient)(x).numpy() == pytest.approx(math.sin(0.4))


class TestContainers:
    @pytest.mark.parametrize("module", [marshal, pickle])
    def test_functions_in_c_that_would_look_at_the_storage_are_refused(self, module):
        @runtime.jit
        def f(values):
            return len(module.dumps(values))

        with pytest.raises(ConcreteValueError, match=f"{module.__name__}.dumps"):
            f([2, 3])


def lists_of_some_staged_numbers(n):
    return (
        math.fsum([n, 0.1, 0.2]), math.prod([2**40, n, 0.1]), math.dist((n, 0.1), (0.3, 1)),
        math.fsum([True, n, math.inf]),
    )  # fmt: skip


def test_pythons_numbers_in_lists_keep_their_precision():
    staged = runtime.jit(lists_of_some_staged_numbers)
    for n in (3, 1, -2):
        assert staged(n) == lists_of_some_staged_numbers(n)


def changed_after_calls(text, x):
    words, factors = ["q"], [2.0, 3.0]
    first, product = text.join(words), math.prod(factors, start=x)
    words.append("r")
    factors.append(5.0)
    second = text.join(words)
    if x > 1.0:
        words.append(text.join(words))
    return first, product, second, math.prod(factors, start=x), words


def test_calls_take_lists_as_they_are_then():
    staged = runtime.jit(changed_after_calls, strict=True)
    for x in (0.5, 2.5):
        assert staged("ab", x) == changed_after_calls("ab", x)
