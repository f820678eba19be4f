"""Slices and rows whose bounds are known at run time: read and written where they lie."""

import linecache
import random
import re

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.printer import print_module
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.native_arrays import layouts, same
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs
from tests.support.nightly import seeds

pytestmark = needs("jit")


def decompose(a, n):
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= np.dot(a[i, :i], a[:i, j])
    return a


def eliminate(a, n):
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k + 1 :] -= a[i, k] / a[k, k] * a[k, k + 1 :]
        a[k + 1 :, k] = 0.0
    return a


def orthogonalise(a, n):
    q = np.zeros_like(a)
    for k in range(n):
        q[:, k] = a[:, k] / np.sqrt(np.dot(a[:, k], a[:, k]))
        for j in range(k + 1, n):
            a[:, j] -= q[:, k] * np.sum(q[:, k] * a[:, j])
    return q


def turn(a, n):
    total = 0.0
    for k in range(n):
        a[k, :k] += 0.5 * np.flip(a[k, :k])
        a[:k, -1] = a[k::-1, 0][:k] - a[-k - 1 : -1, 1]
        a[k:, None, : k + 1] -= 0.25
        total += a[..., k].max() + a[k, k:].min() + a[:k, 0].sum()
    return total


def products(a, n):
    x = np.zeros_like(a)
    for k in range(n):
        x[k, k + 1 :] = a[:, k] @ a[:, k + 1 :]
        x[k + 1 :, k] += x[k + 1 :, :k] @ a[:k, k]
        x[k:, k:] -= np.outer(a[k:, k], a[k, k:])
        x[:k, :k] += a[1 : 1 + k] @ a[:, :k]
    return x


@pytest.mark.parametrize(
    "function", [decompose, eliminate, orthogonalise, products, turn], ids=lambda f: f.__name__
)
def test_kernels_call_no_kernels(function):
    n = 7
    a = np.random.default_rng(0).normal(size=(n, n)) + 9 * np.eye(n)
    with lowered_modules() as modules:
        native = tf.jit(function)
        for one in layouts(a):
            if one.dtype.isnative:
                expected, given = one.copy(), one.copy(order="K")
                same(native(given, n), function(expected, n))
                same(given, expected)
    text = "\n".join(map(print_module, modules))
    assert "fusion" in text
    assert not re.search("callback (getitem|setitem|matmul|tensordot)", text)


def shift(a, i, j, n):
    for _ in range(n):
        a[i:] = a[: len(a) - i]
        a[:j] = a[len(a) - j :] + a[0]
        a[i:, j:] = a[: len(a) - i, : len(a) - j] * 0.5
        a[j, 1:] = a[i, :-1]
        a[:, j] = a[:, i][::-1]
        a[i:] += a[i]
    return a


@pytest.mark.parametrize(("i", "j"), [(0, 0), (1, 0), (1, 2), (3, 3), (5, 4)])
def test_elements_are_read_before_they_are_written(i, j):
    a = np.random.default_rng(0).normal(size=(6, 6))
    expected, given = a.copy(), a.copy()
    same(tf.jit(shift)(given, i, j, 3), shift(expected, i, j, 3))
    same(given, expected)


def picked(a, b, i, j):
    b[0] = 7.0
    part = a[i, :j] * 2.0
    b[:j] = part
    return b


def of_unequal_sizes(a, b, i, j):
    b[0] = 7.0
    total = a[:i, 0] + b[:j]
    b[j] = total[0]
    return a[9, :i] + b


def written(a, b, i, j):
    b[0] = 7.0
    a[i, :j] = b[:3]
    return a


def multiplied(a, b, i, j):
    b[0] = 7.0
    return a[i:, :j] @ b[:3], a[:, i] @ a[:3, :j], b


@pytest.mark.parametrize(
    "function", [multiplied, picked, of_unequal_sizes, written], ids=lambda f: f.__name__
)
def test_errors_are_those_of_numpy(function):
    native = tf.jit(function)
    for i in (0, 2, -4, 3):
        for j in (0, 3, 4, -2):
            outcomes = []
            for run, mode in ((function, "never"), (native, "never"), (native, "always")):
                a, b = np.arange(12.0).reshape(3, 4), np.arange(4.0)
                with JIT(mode):
                    try:
                        found = run(a, b, i, j)
                    except (IndexError, ValueError) as error:
                        kind = IndexError if isinstance(error, IndexError) else ValueError
                        found = kind, str(error) if run is native else str(error).split(" [Op")[0]
                outcomes.append(repr((found, a, b)))
            assert outcomes[1] == outcomes[2], (i, j)
            assert outcomes[0].split("\n")[0][:60] == outcomes[2].split("\n")[0][:60], (i, j)


def test_bounds_of_all_integer_types():
    def f(a, i, j):
        return a[i:j] * 2.0, a[j::-1] + a[j::-1], a[i] * 1.0, a[:, i:] - 1.0

    native = tf.jit(f)
    a = np.random.default_rng(0).normal(size=(5, 5))
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64"):
        for i, j in ((0, 3), (2, 200), (4, 4)):
            i, j = np.array([i, j]).astype(dtype)
            if (dtype, j) != ("int8", -56):
                same(native(a, i, j), f(a, i, j))
    same(native(a, -2, -(2**63)), f(a, -2, -(2**63)))
    same(native(a, 1, 2**63 - 1), f(a, 1, 2**63 - 1))


SLICES = (
    ":{0};6 - {0}:;1:1 + {0};i:i + {0};-{0} - 1:-1;:5 - {0}:-1;0:{0}:1;j:-k:2;k - 2::-1;-99:{0}"
)
INDEXES = "i;j;-i;k;0;-1;i % 4;j % 4;-1 - k % 3"


class Writer:
    """Writes a program that reads and writes slices of sizes that are known at run time."""

    def __init__(self, seed):
        self.draw = random.Random(seed)

    def slice(self, size):
        choices = SLICES.split(";")
        return self.draw.choice(choices if self.draw.random() < 0.05 else choices[:7]).format(size)

    def index(self):
        return self.draw.choice(INDEXES.split(";"))

    def part(self, sizes, target=False):
        """A view with such sizes, of which one may be written to if it is a target."""
        keys = [self.slice(size) for size in sizes]
        name = self.draw.choice("ab" if len(sizes) == 2 else "aabv")
        if name == "v":
            return f"v[{keys[0]}]"
        if len(sizes) == 2:
            forms = ["{n}[{0}, {1}]", "{n}[{0}][:, {1}]", "{n}[{1}, {0}].T"]
        else:
            forms = ["{n}[{i}, {0}]", "{n}[{0}, {i}]", "{n}[{i}][{0}]", "{n}[..., {i}][{0}]"]
        form = forms[0] if target else self.draw.choice(forms)
        return form.format(*keys, n=name, i=self.index())

    def value(self, sizes, depth=0):
        chance = self.draw.random()
        if chance < 0.1:
            return self.draw.choice(("s", "2.0", f"a[{self.index()}, {self.index()}]"))
        if chance < 0.45 or depth > 2:
            return self.part(sizes)
        left, right = self.value(sizes, depth + 1), self.value(sizes, depth + 1)
        if chance < 0.85:
            return f"({left} {self.draw.choice('+-*')} {right})"
        return f"np.maximum({left}, {right})"

    def statement(self):
        chance = self.draw.random()
        sizes = [self.draw.choice("jkkk") for _ in range(self.draw.choice((1, 1, 2)))]
        one = sizes[:1]
        if chance < 0.55:
            operator = self.draw.choice(("=", "=", "+=", "-="))
            return f"{self.part(sizes, target=True)} {operator} {self.value(sizes)}"
        if chance < 0.7:
            return f"s += np.sum({self.value(sizes)})"
        if chance < 0.8:
            return f"s += {self.part(one)} @ np.flip({self.part(one)})"
        if chance < 0.9:
            return f"{self.part(one, True)} = {self.part([one[0], 'j'])} @ {self.part(['j'])}"
        return f"{self.part([one[0], 'j'], True)} -= np.outer({self.part(one)}, {self.part(['j'])})"

    def program(self):
        body = [self.statement() for _ in range(self.draw.randint(1, 4))]
        body += [f"{name}[...] = np.clip({name}, -9.0, 9.0)" for name in "ab"]
        lines = ["def f(a, b, v, i, j, n):", "    s = 0.5", "    for k in range(n):"]
        lines += [f"        {line}" for line in [*body, "s = s % 16.0"]]
        return "\n".join([*lines, "    return a, b, v, s"])


def outcome(function, args):
    """Return what a function returns and leaves of its arguments, or its error's class and text."""
    args = [x.copy(order="K") if isinstance(x, np.ndarray) else x for x in args]
    try:
        found = function(*args)
    except (IndexError, ValueError) as error:
        return type(error), str(error)
    return [np.asarray(x).tolist() for x in (*found, *args)]


@pytest.mark.parametrize("first", seeds(0, 24, 2, 5))
def test_random_programs(first):
    returned = 0
    for seed in range(first, first + 2):
        source, name = Writer(seed).program(), f"<slices {seed}>"
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        space = {"np": np}
        exec(compile(source, name, "exec"), space)
        native, draw = tf.jit(space["f"]), np.random.default_rng(seed)
        for i, j, n in ((0, 2, 3), (1, 3, 7), (-7, 1, 2)):
            args = [draw.integers(-3, 4, shape).astype(float) for shape in ((6, 6), (6, 6), 6)]
            with JIT("never"):
                wanted = outcome(native, [*args, i, j, n])
            with JIT("always"):
                assert outcome(native, [*args, i, j, n]) == wanted, (source, i, j, n)
            if isinstance(wanted, list):
                assert wanted == outcome(space["f"], [*args, i, j, n]), (source, i, j, n)
                returned += 1
    assert returned
