"""Values of every kind in every role of a call: argument, result, changed, state, default.

Each program runs as plain Python and staged, in calls with other values, which begin with the same
objects: enough of them for direct calls of machine code, and one with a value of another kind in
between.  What calls return, what they leave in their arguments, in an attribute and in a default
have to be the same, of the same types.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import warnings
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from autograph.errors import AutoGraphError
from runtime.types.flags import JIT
from tests.support import ROOT

TEXTS = ("", "a", "bc", "word")


def an_int(random: Random) -> int:
    return random.randint(-100, 100)


def a_float(random: Random) -> float:
    return random.randint(-100, 100) / 4


def an_array(dtype: str) -> Callable[[Random], Any]:
    return lambda random: np.array([an_int(random) for _ in range(3)], dtype)


def several(item: Callable[[Random], Any]) -> Callable[[Random], list[Any]]:
    return lambda random: [item(random) for _ in range(random.randint(1, 3))]


def pair(random: Random) -> tuple[int, float]:
    return an_int(random), a_float(random)


KINDS: dict[str, tuple[Callable[[Random], Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "int": (an_int, lambda x: x + 1, lambda x: x),
    "float": (a_float, lambda x: x * 0.5, lambda x: x),
    "bool": (lambda random: random.random() < 0.5, lambda x: not x, lambda x: x),
    "text": (lambda random: random.choice(TEXTS), lambda x: x + "!", lambda x: x),
    "list": (several(an_int), lambda x: [*x, x[0]], lambda x: change_list(x)),
    "list of tuples": (
        several(pair), lambda x: [x[0][::-1]], lambda x: x.append((7, x[0][1])),
    ),
    "nested list": (several(several(an_int)), lambda x: [x[0]], lambda x: change_list(x[0])),
    "mixed list": (
        lambda random: [*pair(random)], lambda x: [x[1], x[0]], lambda x: change_list(x),
    ),
    "tuple": (
        lambda random: (an_int(random), random.choice(TEXTS)), lambda x: (x[1], x[0] + 1),
        lambda x: x,
    ),
    "dict": (
        lambda random: {"a": an_int(random), "b": a_float(random)},
        lambda x: {"c": x["a"], "d": x["b"]}, lambda x: x.update(a=x["a"] * 2),
    ),
    "deque": (
        lambda random: collections.deque(several(an_int)(random)), lambda x: x[0] + x[-1],
        lambda x: x.append(x[0] + 1),
    ),
    "int array": (an_array("i8"), lambda x: x * 2, lambda x: change_array(x)),
    "float array": (an_array("f4"), lambda x: x + x, lambda x: change_array(x)),
    "scalar of NumPy": (lambda random: np.float64(an_int(random)), lambda x: x * 2, lambda x: x),
    "complex": (lambda random: an_int(random) * 1j, lambda x: x + 1, lambda x: x),
    "None": (lambda random: None, lambda x: x, lambda x: x),
    "bytes": (lambda random: b"ab", lambda x: len(x), lambda x: x),
    "set": (lambda random: {1, 2}, lambda x: len(x), lambda x: x.add(3)),
    "named tuple": (
        lambda random: Pair(an_int(random), several(an_int)(random)), lambda x: (x.a, x.b),
        lambda x: change_list(x.b),
    ),
    "dict of lists": (
        lambda random: {"a": several(an_int)(random)}, lambda x: x["a"] + [1],
        lambda x: change_list(x["a"]),
    ),
    "dict in a dict": (
        lambda random: {"a": {"b": a_float(random)}, "c": an_int(random)},
        lambda x: (x["a"]["b"], x["c"]), lambda x: x["a"].update(b=x["c"]),
    ),
    "dict of arrays": (
        lambda random: {"a": an_array("f8")(random), 1: np.float32(an_int(random))},
        lambda x: (x["a"] + 1, x[1], {"same": x["a"]}), lambda x: change_array(x["a"]),
    ),
    "ordered dict": (
        lambda random: collections.OrderedDict(b=an_int(random), a=a_float(random)),
        lambda x: x["a"] + x["b"], lambda x: x.move_to_end("b"),
    ),
    "dict with defaults": (
        lambda random: collections.defaultdict(int, a=an_int(random)), lambda x: x["a"] * 2,
        lambda x: x.update(b=x["c"]),
    ),
    "counter": (
        lambda random: collections.Counter(a=an_int(random)), lambda x: x["a"] + x["b"],
        lambda x: x.update(["a"]),
    ),
    "bounded deque": (
        lambda random: collections.deque([an_int(random)] * 2, 3), lambda x: x[0],
        lambda x: x.extend([x[0], 5]),
    ),
    "deque of pairs": (
        lambda random: collections.deque([(an_int(random), "a")]), lambda x: x[0][1],
        lambda x: x.rotate(1),
    ),
    "list of arrays": (
        lambda random: [an_array("i8")(random), None], lambda x: x[0] + 1,
        lambda x: change_array(x[0]),
    ),
}  # fmt: skip
"""By name: what values there are, a result made of one, and a change of one where it lies."""


class Pair(NamedTuple):
    a: Any
    b: Any


def change_list(x: list[Any]) -> None:
    x[0] = x[0] + 3


def change_array(x: Any) -> None:
    x[0] = x[1] * 2


def argument(value: Any, kind: Any) -> Callable[..., Any]:
    _, result, _ = kind
    return lambda x: (result(x), 1)


def returned(value: Any, kind: Any) -> Callable[..., Any]:
    return lambda x: {"same": x, "twice": [x, x]}


def changed(value: Any, kind: Any) -> Callable[..., Any]:
    _, _, change = kind

    def program(x: Any) -> Any:
        change(x)

    return program


def state(value: Any, kind: Any) -> Callable[..., Any]:
    class Holder:
        held: Any = copy.deepcopy(value)

    _, result, _ = kind

    def program(x: Any) -> Any:
        before, Holder.held = Holder.held, x
        return result(before)

    return program


def default(value: Any, kind: Any) -> Callable[..., Any]:
    _, result, _ = kind
    held = copy.deepcopy(value)

    def program(x: Any, other: Any = held) -> Any:
        return result(x), result(other)

    return program


def attribute_of_a_class(value: Any, kind: Any) -> Callable[..., Any]:
    class Holder:
        held: Any = copy.deepcopy(value)

    _, result, change = kind

    def program(x: Any) -> Any:
        Holder.held = x
        change(x)
        return result(Holder.held)

    return program


def item(value: Any, kind: Any) -> Callable[..., Any]:
    held = {"a": copy.deepcopy(value)}
    _, result, _ = kind

    def program(x: Any) -> Any:
        before, held["a"] = held["a"], x
        return result(before), result(held["a"])

    return program


def changed_default(value: Any, kind: Any) -> Callable[..., Any]:
    held = copy.deepcopy(value)
    _, result, change = kind

    def program(x: Any, other: Any = held, /) -> Any:
        change(other)
        return result(other)

    return program


ROLES = (argument, returned, changed, state, default, attribute_of_a_class, item, changed_default)
WAYS = ("always", "never")
"""As machine code, and without."""


def described(value: Any) -> Any:
    """A value with the types in it, as something that can be compared."""
    if isinstance(value, dict):
        items = [(key, described(item)) for key, item in value.items()]
        return type(value), items, getattr(value, "default_factory", None)
    if isinstance(value, list | tuple | collections.deque):
        return type(value), [described(item) for item in value], getattr(value, "maxlen", None)
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype, value.tolist()
    return type(value), repr(value)


def outcomes(program: Callable[..., Any], values: list[Any]) -> list[Any]:
    """What calls give, and what they leave in their arguments; and whether a result is the
    argument itself.
    """
    found = []
    for value in copy.deepcopy(values):
        result = program(value)
        found.append((described(result), described(value), result is value))
    return found


REFUSED = {
    *[(name, role) for name in KINDS if "deque" in name for role in (state, item)],
    *[(name, attribute_of_a_class) for name in KINDS if "array" in name or "deque" in name],
}
"""What staging refuses, and plain Python runs: deques in slots, arrays changed beside state."""

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 6))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.__name__)
@pytest.mark.parametrize("name", KINDS)
def test_calls_are_those_of_python(name: str, role: Any, way: str, seed: int) -> None:
    random, kind = Random(seed), KINDS[name]
    first, *others = [kind[0](random) for _ in range(6)]
    expected = outcomes(role(first, kind), [first, *others])
    with JIT(way):
        function = tf.jit(role(first, kind), strict=True)
        if (name, role) in REFUSED:
            with pytest.raises(AutoGraphError):
                outcomes(function, [first, *others])
        else:
            assert outcomes(function, [first, *others]) == expected


SLICES = [0, *(pytest.param(start, marks=pytest.mark.nightly) for start in range(1, 9))]


@pytest.mark.parametrize("start", SLICES)
@pytest.mark.parametrize("name", KINDS)
def test_values_of_other_kinds_in_between(name: str, start: int) -> None:
    random = Random(1)

    def program(x: Any, y: Any, z: Any) -> Any:
        return x + y, z

    for other_name, (other, *_) in [*KINDS.items()][start::9]:
        with JIT("always"):
            function = tf.jit(program, strict=True)
            values = [KINDS[name][0](random) for _ in range(5)]
            values.insert(3, other(random))
            assert [described(function(1, 2.5, value)) for value in copy.deepcopy(values)] == [
                described(program(1, 2.5, value)) for value in values
            ], other_name


@dataclasses.dataclass
class Record:
    weight: Any
    name: str


class Scale:
    """What the key compares by identity."""

    factor = 2.0


SCALE, SCALES = Scale(), tf.Variable(3.0)


def a_tensor(random: Random) -> Any:
    return tf.constant([a_float(random), a_float(random)])


OF_TENSORS: dict[str, tuple[Callable[[Random], Any], Callable[[Any], Any]]] = {
    "tensor": (a_tensor, lambda x: x),
    "scalar": (lambda random: tf.constant(a_float(random)), lambda x: x),
    "array": (an_array("f4"), lambda x: x[:2]),
    "scalar of NumPy": (lambda random: np.float32(an_int(random)), lambda x: x),
    "text": (lambda random: random.choice(TEXTS), lambda x: float(len(x))),
    "int": (an_int, float),
    "float": (a_float, lambda x: x),
    "None": (lambda random: None, lambda x: 1.0),
    "list": (several(a_tensor), lambda x: x[-1]),
    "tuple": (lambda random: (a_tensor(random), "a", None), lambda x: x[0]),
    "named tuple": (lambda random: Pair(a_tensor(random), [1.0]), lambda x: x.a * x.b[0]),
    "dict": (
        lambda random: {"b": a_tensor(random), 1: {(1, "a"): a_float(random)}},
        lambda x: x["b"] + x[1][1, "a"],
    ),
    "record": (lambda random: Record(a_tensor(random), "a"), lambda x: x.weight),
    "object": (lambda random: SCALE, lambda x: x.factor),
    "variable": (lambda random: SCALES, lambda x: x + 1.0),
    "function": (lambda random: abs, lambda x: x(-2.0)),
    "ragged": (
        lambda random: tf.ragged.constant([[a_float(random)], [1.0, 2.0]]),
        lambda x: x.flat_values[:2],
    ),
}  # fmt: skip
"""By name: what values there are, and a tensor or float made of one."""


def of_argument(value: Any, convert: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x, y=1.0: {"result": (convert(x) * tf.constant(2.0) + y, None)}


def of_default(value: Any, convert: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x, y=value: [convert(x) * tf.constant(2.0), convert(y) + tf.constant(1.0)]


def of_state(value: Any, convert: Callable[[Any], Any]) -> Callable[..., Any]:
    held = {"total": tf.constant([0.0, 0.0])}

    def program(x: Any) -> Any:
        held["total"] = held["total"] + convert(x)
        return held["total"] * 2.0

    return program


@pytest.mark.parametrize("compiles", [False, True])
@pytest.mark.parametrize("role", [of_argument, of_default, of_state], ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", OF_TENSORS)
def test_calls_of_tensors_are_eager_ones(name: str, role: Any, compiles: bool) -> None:
    random, (make, convert) = Random(0), OF_TENSORS[name]
    values = [make(random) for _ in range(3)]
    eager, traced = role(values[0], convert), role(values[0], convert)
    function = tf.function(traced, jit_compile=compiles)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.errors.RetracingWarning)
        for value in [*values, *values, *values]:
            alike = tf.nest.map_structure(described_tensor, eager(value))
            assert tf.nest.map_structure(described_tensor, function(value)) == alike
            assert tf.nest.map_structure(described_tensor, function(x=value)) == (
                alike if role is not of_state else
                tf.nest.map_structure(described_tensor, eager(value))
            )  # fmt: skip


def described_tensor(tensor: Any) -> Any:
    return tensor if tensor is None else f"{tensor.dtype} {tensor.numpy().tolist()}"


def test_one_module_writes_python() -> None:
    files = sorted((ROOT / "runtime" / "functions").glob("*.py"))
    assert [p.name for p in files if "PythonSource" in p.read_text()] == ["call_source.py"]
