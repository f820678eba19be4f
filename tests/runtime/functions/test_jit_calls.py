"""``runtime.jit``: forms of calls, methods, recursion, calls inside of others."""

from __future__ import annotations

import pytest

import runtime
from tests.runtime.functions.jit_results import same, traces


@runtime.jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


class TestFunctions:
    def test_defaults_and_keywords(self):
        @runtime.jit
        def scale(x, factor=2, *, offset=0):
            return x * factor + offset

        assert scale(3) == 6
        assert scale(3, 4) == 12
        assert scale(x=3, offset=1) == 7
        with pytest.raises(TypeError, match="scale"):
            scale()

    def test_methods(self):
        class Scale:
            def __init__(self, factor):
                self.factor = factor

            @runtime.jit
            def __call__(self, x):
                return x * self.factor

            @runtime.jit
            def twice(self, x):
                return self(self(x))

        assert Scale(3)(4) == 12
        assert Scale(0.5).twice(8) == 2.0

    def test_recursion(self):
        @runtime.jit
        def fib(n):
            return n if n < 2 else fib(n - 1) + fib(n - 2)

        assert [fib(n) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
        assert traces(fib) == 1

    def test_inside_others(self):
        @runtime.jit
        def square(n):
            return n * n

        @runtime.jit
        def squares(n):
            return [square(i) for i in range(n)]

        @runtime.function
        def of_tensor(x):
            return square(x) + 1

        assert squares(4) == [0, 1, 4, 9]
        assert of_tensor(runtime.constant(3)).numpy() == 10

    def test_print_on_each_call(self, capsys):
        @runtime.jit
        def greet(name, n):
            print("hello", name, n / 2)

        greet("ann", 3)
        greet("bob", 4)
        assert capsys.readouterr().out == "hello ann 1.5\nhello bob 2.0\n"

    def test_print_with_staged_texts_around(self, capsys):
        def lines(n):
            for i in range(n):
                print(i, "of", n, sep=", " if i else " ", end=";" if i < n - 1 else f" <{n}>\n")
            print(sep=str(n), end=str(n))

        for number in (3, 1):
            runtime.jit(lines)(number)
            found = capsys.readouterr().out
            lines(number)
            assert found == capsys.readouterr().out
        with pytest.raises(TypeError, match="end must be None or a string, not int"):
            runtime.jit(lambda n: print(n, end=n))(3)

    def test_run_eagerly(self):
        runtime.config.run_functions_eagerly(True)
        try:
            assert collatz(27) == 111
        finally:
            runtime.config.run_functions_eagerly(False)

    def test_as_an_option_of_function(self):
        @runtime.function(stage_numbers=True)
        def half(n):
            return n / 2

        assert same(half(3), 1.5)
        assert same(half(4), 2.0)
        assert traces(half) == 1

    def test_concrete_functions(self):
        @runtime.jit
        def add(a, b):
            return a + b

        concrete = add.get_concrete_function(1, 2.5)
        assert same(concrete(3, 0.5), 3.5)
        with pytest.raises(TypeError, match="other types"):
            concrete(3, "x")
        assert "a: int" in str(add.explain())
