"""Texts of objects with staged values in them are made at run time, by the objects' own methods."""

from __future__ import annotations

import collections
import dataclasses
import types

import pytest

import autograph
import runtime as tf


class Sign:
    def __init__(self, value):
        self.value = value

    def __str__(self):
        if self.value > 0:
            return f"+{self.value}"
        return "not positive"

    def __repr__(self):
        return f"Sign({self.value!r})"


class Named(list):
    def __init__(self, *items):
        super().__init__(items)
        self.name = "items"

    def __repr__(self):
        return self.name + list.__repr__(self)


@dataclasses.dataclass
class Data:
    a: object


Two = collections.namedtuple("Two", "a b")


def of_objects(x):
    print(Sign(x), [Sign(x)], {"a": Sign(x)})
    return f"{Sign(x)}|{Sign(x)!r:>60}"


def of_records(x):
    print(Data(Two(x, [x])), types.SimpleNamespace(a=x), Two(x, 1))


def of_collections(x):
    default = collections.defaultdict(list, a=x)
    print(collections.deque([x, 2], maxlen=3), default, collections.OrderedDict(a=x))
    print(collections.UserDict(a=x), collections.UserList([x]), Named(x, Sign(x), 1))


def as_it_was(x):
    sign = Sign([x, 1])
    print(repr(sign))
    sign.value.append(5)
    print(repr(sign))


def of_cycles(x):
    data, items = Data(x), [x]
    data.a = [data, x]
    items.append(items)
    print(data, items)


def by_percent_and_format(x):
    print("%s %r" % (Sign(x), Data(x)), "{} {!r}".format(Sign(x), Data(x)))


@pytest.mark.parametrize("value", [-3, 4])
@pytest.mark.parametrize(
    "program",
    [of_objects, of_records, of_collections, as_it_was, of_cycles, by_percent_and_format],
)
def test_texts(program, value, capsys):
    expected = program(tf.constant(value)), capsys.readouterr().out
    staged = tf.function(program, experimental_autograph_options=autograph.Feature.ALL)
    found = staged(tf.constant(value))
    found = None if found is None else found.numpy().decode()
    assert (found, capsys.readouterr().out) == expected


def test_a_graph_that_is_being_built_gets_nothing_of_a_text(capsys):
    def program(x):
        print(Sign(x))
        return x

    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.int32, [])
        y = autograph.to_graph(program)(x)
        count = len(graph.get_operations())
        with tf.Session() as session:
            session.run(y, {x: 3})
        assert len(graph.get_operations()) == count
    assert capsys.readouterr().out == "+3\n"


def test_too_many_objects():
    def program(x):
        print([Data(x) for _ in range(3000)])

    staged = tf.function(program, experimental_autograph_options=autograph.Feature.ALL)
    with pytest.raises(autograph.ConcreteValueError, match="more than 2000 objects"):
        staged(tf.constant(1))


def test_what_ends_with_an_effect_is_not_copied():
    class Ending(Sign):
        def __del__(self):
            ended.append(self)

    def program(x):
        sign = Ending(x)
        return f"{sign}"

    ended = []
    with pytest.raises(autograph.ConcreteValueError, match="the __del__ of the class"):
        tf.function(program)(tf.constant(1))


def test_classes_have_their_methods_back():
    class Number:
        def __init__(self, value):
            self.value = value

        def __add__(self, other):
            if other > 0:
                return self.value + other
            return self.value

        @property
        def half(self):
            return self.value // 2 if self.value > 1 else 0

    before = dict(vars(Number))

    def program(x):
        number = Number(x)
        inside = dict(vars(Number))
        assert inside["__add__"] is not before["__add__"]
        return number + number.half

    assert tf.function(program)(tf.constant(6)).numpy() == 9
    after = dict(vars(Number))
    assert after == before
    assert all(after[name] is before[name] for name in before)


class Proxy:
    """Says that it is a dict or a list, and passes on what is done with it."""

    def __init__(self, container):
        self.__dict__["__wrapped__"] = container

    __class__ = property(lambda self: type(self.__wrapped__))

    def __getitem__(self, key):
        return self.__wrapped__[key]

    def __setitem__(self, key, value):
        self.__wrapped__[key] = value


def test_proxies_of_containers():
    def program(x):
        scores, marks = Proxy({"a": 1}), Proxy([1, 2])
        if x > 0:
            scores["a"] = x * 2
        for i in range(x):
            marks[1] = marks[1] + i
        return scores["a"], marks[1]

    for x in (3, -3):
        assert tuple(tf.jit(program, strict=True)(x)) == program(x)
