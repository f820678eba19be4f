"""Python numbers known at run time compute as Python's: exact, or an error."""

import pytest

import runtime as tf
from tests.support.ways import agree, staged


def product(n):
    result = 1
    while n > 0:
        result = result * 1000
        n -= 1
    return result % 1000007


def inverses(n):
    total = 0
    for i in range(n):
        total += 1 / (i - 2)
    return total


def quotients(n):
    total = 0
    for i in range(n):
        total += 7 // (i - 2) + 7 % (i - 2)
    return total


def powers(n):
    total = 0
    for i in range(n):
        total += (-2) ** i - abs(-i) + (1 << i)
    return total


@pytest.mark.parametrize(
    "function, value",
    [(product, 0), (product, 5), (inverses, 2), (inverses, 4), (quotients, 2), (quotients, 4),
     (powers, 10), (powers, 20)],
)  # fmt: skip
def test_arithmetic_is_pythons(function, value):
    agree(function, value)


def test_an_int_beyond_64_bits_is_an_error():
    with pytest.raises(OverflowError, match="known only at run time has 64 bits.* has 70"):
        staged(product, (8,))


def test_an_int_to_a_negative_power_is_an_error():
    def inverse(n):
        k = 0
        for i in range(n):
            k = 2 ** (0 - i)
        return k

    assert staged(inverse, (1,)) == 1
    with pytest.raises(TypeError, match="Python gives the float 0.5 here"):
        staged(inverse, (2,))


def test_tensors_wrap_around():
    def product(x, n):
        while n > 0:
            x = x * 1000
            n -= 1
        return x

    assert agree(product, 1, 8)[0][0] == "int32"
    assert staged(product, (1, 8)) == tf.pow(tf.constant(1000), 8).numpy()


def spelled_int(text):
    return int(text) + 1


def spelled_float(text):
    return float(text) * 2


def spelled_or_not(text):
    try:
        return int(text)
    except ValueError:
        return -1


def of_its_own_text(n):
    if n > 3:
        return int(f"{n}0") + 1
    return int(float(f"{n}.5") * 2)


@pytest.mark.parametrize("text", ["12", " -7 ", "1.5", "x", "1e3", "0x10", "1_000", ""])
@pytest.mark.parametrize("function", [spelled_int, spelled_float, spelled_or_not])
def test_texts_spell_numbers_as_in_python(function, text):
    agree(function, tf.constant(text))


def test_a_text_that_spells_more_than_64_bits_is_an_error():
    with pytest.raises(OverflowError, match="a staged int has 64 bits"):
        tf.function(spelled_int)(tf.constant("9" * 20))


@pytest.mark.parametrize("n", [2, 5])
def test_texts_made_at_run_time_spell_numbers(n):
    assert tf.function(of_its_own_text)(tf.constant(n)).numpy() == of_its_own_text(n)


def escape_time(n):
    z, c = 0j, complex(-1.2, 0.3)
    for i in range(n):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i, abs(z)
    return n, abs(z)


def roots(n):
    b = 0
    for i in range(n):
        b += i
    d = b * b - 20
    if d >= 0:
        return complex((-b + d**0.5) / 2), complex(-b / 2, 0)
    return complex(-b / 2, (-d) ** 0.5 / 2), complex(complex(b, 1), complex(0, b)).conjugate()


def parts_of_numbers(n):
    total = 0
    for i in range(n):
        total += i.real + i.imag + (i * 0.5).imag + i.conjugate()
        if (i / 2).is_integer():
            total += 100
    return total


def complex_quotients(n):
    z = 1j
    for i in range(n):
        z = z / (i - 2)
    return z


@pytest.mark.parametrize("function, value", [
    (escape_time, 5), (escape_time, 40), (roots, 2), (roots, 6), (parts_of_numbers, 5),
    (complex_quotients, 2), (complex_quotients, 4),
])
def test_complex_numbers_are_pythons(function, value):
    agree(function, value)


def test_what_a_number_has_not_is_an_attribute_error():
    @tf.function
    def ask(n):
        total = 0
        for i in range(n):
            total += i
        return total.nothing

    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ask(tf.constant(3))
    with pytest.raises(AttributeError, match="has no attribute 'real'"):
        tf.function(lambda x: x.real)(tf.constant(3.0))
