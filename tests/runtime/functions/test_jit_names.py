"""Names and members that ``runtime.jit`` functions look up: enumerations, locals, attributes."""

import enum
import inspect
import sys

import pytest

import autograph
import runtime as tf
from autograph.errors import ConcreteValueError, EffectError, UnsupportedSyntaxError


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"

    @classmethod
    def _missing_(cls, value):
        return cls.SMALL


class Box:
    x = 1


def by_value(n):
    return Color(n).name, Color(n) is Color.RED


def by_name(s):
    return Color[s].value


def of_ints(n):
    return Level(n) == Level.HIGH, Level(n) + n


def handled(n):
    try:
        return Color(n).value * 10
    except ValueError:
        return -1


def outcome(function, *args):
    try:
        return function(*args)
    except (ValueError, KeyError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "function, inputs",
    [(by_value, (1, 2, 5)), (by_name, ("RED", "GREEN", "BLUE")), (of_ints, (1, 3, 2)),
     (handled, (2, 7, 1))],
)  # fmt: skip
def test_members_of_enumerations(function, inputs):
    staged = tf.jit(function)
    for value in (*inputs, *inputs):
        assert outcome(staged, value) == outcome(function, value)
    assert staged.experimental_get_tracing_count() == 1


def test_an_enumeration_with_a_rule_of_its_own_is_refused():
    with pytest.raises(ConcreteValueError, match="Size.. looks up a member by a staged value"):
        tf.jit(lambda s: Size(s).value)("l")


def test_locals_are_the_users():
    def names(x):
        y = x + 1
        found = locals()
        return sorted(found), found["y"], len(found)

    staged = tf.jit(names)
    for x in (3, 4):
        assert staged(x) == names(x)


def test_locals_of_some_paths_are_refused():
    def names(x):
        for i in range(3):
            if x > i:
                y = i
        return list(locals()), y

    with pytest.raises(EffectError, match="'y' is assigned on only one path"):
        tf.jit(names)(3)


@pytest.mark.parametrize("ask", [getattr, hasattr, delattr, lambda box, s: setattr(box, s, 1)])
def test_names_of_attributes_must_be_known(ask):
    with pytest.raises(ConcreteValueError, match="attr.. of an object of type Box needs a name"):
        tf.jit(lambda s: ask(Box(), s))("x")


def test_a_function_that_met_a_deep_stack_is_converted_later():
    def helper(n):
        total = 0
        for i in range(n):
            total += i if i % 2 else 2
        return total

    converted = autograph.to_graph(lambda n: helper(n))

    def at_depth(k):
        return converted(3) if k == 0 else at_depth(k - 1)

    for left in range(5, 200, 5):
        try:
            at_depth(sys.getrecursionlimit() - len(inspect.stack(0)) - left)
        except (RecursionError, UnsupportedSyntaxError):  # the latter where it is converted there
            continue
    assert tf.jit(lambda n: helper(n))(5) == helper(5)
