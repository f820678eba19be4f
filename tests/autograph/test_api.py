"""The public functions: what they take, what they keep, what they refuse."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import types

import pytest

import autograph
from autograph import Feature, NoSourceError, NotAFunctionError, staging
from tests.autograph.staging.tiny_lists import BACKEND


def clip(x, low: int = 0, *, high: int = 10) -> int:
    """Clips.

At column 0.
    """
    if x < low:
        return low
    return min(x, high)


clip.tag = "kept"


class Account:
    rate = 2

    def __init__(self, balance):
        self.balance = balance
        self.__secret = 7

    def scaled(self, x):
        if x > 0:
            return x * self.rate + self.balance
        return -x

    def secret(self, x):
        if x > 0:
            x = self.__secret
        return x

    @classmethod
    def make(cls, x):
        if x > 0:
            return cls(x)
        return cls(0)

    @staticmethod
    def half(x):
        if x > 1:
            return x / 2
        return x

    def __call__(self, x):
        if x > 1:
            return x + self.balance
        return x


class Special(Account):
    def scaled(self, x):
        if x > 100:
            return super().scaled(x)
        return __class__.__name__


def test_metadata_is_kept():
    converted = autograph.to_graph(clip)
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__defaults__",
                 "__kwdefaults__", "__annotations__", "__dict__", "__globals__"):
        assert getattr(converted, name) == getattr(clip, name), name
    assert inspect.signature(converted) == inspect.signature(clip)
    assert (converted(-5), converted(5), converted(50, high=20)) == (0, 5, 20)


def test_what_is_converted_is_returned_as_it_is():
    converted = autograph.to_graph(clip)
    assert autograph.to_graph(converted) is converted


def test_bound_methods_stay_bound():
    account = Account(5)
    converted = autograph.to_graph(account.scaled)
    assert isinstance(converted, types.MethodType)
    assert converted.__self__ is account
    assert (converted(2), converted(-2)) == (9, 2)


def test_private_names_super_and_class_cell():
    assert autograph.to_graph(Account.secret)(Account(1), 3) == 7
    assert autograph.to_graph(Special.scaled)(Special(1), 101) == 203
    assert autograph.to_graph(Special.scaled)(Special(1), 1) == "Special"


def test_class_and_static_methods():
    assert autograph.to_graph(Account.make)(3).balance == 3
    assert autograph.to_graph(Account.half)(4) == 2
    assert autograph.to_graph(Account.__dict__["half"])(4) == 2


def test_callable_objects_and_partials():
    assert autograph.to_graph(Account(5))(3) == 8
    converted = autograph.to_graph(functools.partial(clip, high=3))
    assert isinstance(converted, functools.partial)
    assert converted(50) == 3


def test_closures_share_their_cells():
    count = 0

    def bump(x):
        nonlocal count
        if x > 0:
            count += x
        return count

    converted = autograph.to_graph(bump)
    assert (converted(2), bump(3), converted(0), count) == (2, 5, 5, 5)


def test_functions_defined_inside_have_the_users_names():
    def outer(x):
        if x > 0:
            class Inner:
                def method(self):
                    return 1

            def inner():
                return 2
        return Inner, inner, [lambda: 3 for _ in "a"][0], next(lambda: 4 for _ in "a")

    kind, inner, *lambdas = autograph.to_graph(outer)(1)
    plain_kind, plain_inner, *plain_lambdas = outer(1)
    assert [f.__qualname__ for f in lambdas] == [f.__qualname__ for f in plain_lambdas]
    assert kind.__qualname__ == plain_kind.__qualname__
    assert kind.method.__qualname__ == plain_kind.method.__qualname__
    assert inner.__qualname__ == plain_inner.__qualname__


def test_two_lambdas_on_a_line():
    first, second = (lambda x: 1 if x > 0 else 2), (lambda x: 3 if x > 0 else 4)
    assert [autograph.to_graph(f)(1) for f in (first, second)] == [1, 3]
    assert autograph.to_code(second).strip() == (
        "lambda x: ag__.if_exp(x > 0, lambda: 3, lambda: 4)()"
    )


def decorate(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) + 100

    return wrapper


@decorate
def decorated(x):
    if x > 0:
        return 1
    return 2


def test_decorated_functions_are_converted_with_their_decorator():
    staging.register(BACKEND)
    try:
        converted = autograph.to_graph(decorated)
        assert converted(1) == 101
        assert BACKEND.stage(converted, -1) == 102
    finally:
        staging.unregister(BACKEND)


@autograph.convert
def by_decorator(x):
    if x > 0:
        return 1
    return 2


@autograph.convert(optional_features=Feature.PRINT)
def by_decorator_with_options(x):
    if x > 0:
        return 1
    return 2


class Decorated:
    @autograph.convert
    def method(self, x):
        if x > 0:
            return 1
        return 2

    @autograph.convert
    @staticmethod
    def static(x):
        if x > 0:
            return 1
        return 2


@pytest.mark.parametrize(
    "function",
    [by_decorator, by_decorator_with_options, Decorated().method, Decorated.static],
    ids=["plain", "options", "method", "static"],
)
def test_convert_as_decorator(function):
    staging.register(BACKEND)
    try:
        assert [BACKEND.stage(function, x) for x in (1, -1)] == [1, 2]
    finally:
        staging.unregister(BACKEND)


@autograph.do_not_convert
def left_alone(x):
    if x > 0:
        return 1
    return 2


def calls_left_alone(x):
    return left_alone(x)


def test_do_not_convert():
    staging.register(BACKEND)
    try:
        converted = autograph.to_graph(calls_left_alone)
        assert converted(1) == 1
        with pytest.raises(TypeError, match="no truth value"):
            BACKEND.stage(converted, 1)
    finally:
        staging.unregister(BACKEND)
    with pytest.raises(TypeError, match="callable"):
        autograph.do_not_convert(3)


def outer(x):
    def inner(y):
        return x if y else inner

    return inner if x else None


def equality_checked(x, y):
    assert x == y, "text"
    print(x == y)


def test_text_of_what_is_converted_already():
    converted = autograph.to_graph(outer)
    assert autograph.to_code(converted) == autograph.to_code(outer)
    traced = types.SimpleNamespace(python_function=outer)
    assert autograph.to_code(traced) == autograph.to_code(outer)
    plain = autograph.to_graph(equality_checked, experimental_optional_features=())
    text = autograph.to_code(equality_checked, experimental_optional_features=())
    assert autograph.to_code(plain) == text != autograph.to_code(equality_checked)
    with staging.force_version(staged=False):  # whatever graphs other tests left alive
        assert autograph.to_code(converted(1)) == autograph.to_code(outer(1))
    with staging.force_version(staged=True):
        inner = converted(1)
    with pytest.raises(NoSourceError, match="as a part of the function around it"):
        autograph.to_code(inner)


def test_without_recursion_callees_stay():
    def caller(x):
        return clip(x)

    staging.register(BACKEND)
    try:
        with pytest.raises(TypeError, match="no truth value"):
            BACKEND.stage(autograph.to_graph(caller, recursive=False), 1)
    finally:
        staging.unregister(BACKEND)


@pytest.mark.parametrize(
    "entity, text",
    [
        (len, "len cannot be converted: it is built in"),
        ([].append, "list.append cannot be converted: it is built in"),
        (int, "int cannot be converted: it is a class"),
        (Account, "Account cannot be converted: it is a class"),
        (3, "3 cannot be converted: an object of type int is not a function"),
        (None, "None cannot be converted"),
    ],
    ids=["builtin", "method", "type", "class", "number", "none"],
)
@pytest.mark.parametrize("public", [autograph.to_graph, autograph.to_code, autograph.convert])
def test_what_is_not_a_function_is_refused(public, entity, text):
    if public is autograph.convert and entity is None:
        return  # the decorator with empty parentheses
    with pytest.raises(NotAFunctionError, match=text.replace("[", r"\[")) as caught:
        public(entity)
    assert isinstance(caught.value, autograph.ConversionError)
    assert "help: pass a function" in str(caught.value)


def test_no_source_is_refused():
    namespace = {}
    exec("def made(x):\n    if x: return 1\n    return 2", namespace)
    with pytest.raises(NoSourceError, match="made"):
        autograph.to_graph(namespace["made"])


def commented(x):
    # above
    y = 0  # beside
    if x > 0:
        # inside
        y = 1
    # below
    return y  # last


def test_comments_are_kept_in_place():
    text = autograph.to_code(commented)
    for comment in ("# above", "y = 0  # beside", "# inside", "# below", "return y  # last"):
        assert comment in text
    lines = [line.strip() for line in text.splitlines()]
    assert lines.index("# inside") + 1 == lines.index("y = 1")


def only_comment(x):
    """Only a docstring."""
    # and a comment


def ellipsis(x): ...


def nested_only(x):
    def inner():
        pass


@pytest.mark.parametrize("function", [only_comment, ellipsis, nested_only, clip, Account.make])
def test_text_parses_and_means_the_same(function):
    text = autograph.to_code(function)
    tree = ast.parse(text)
    assert tree.body[0].name == function.__name__
    assert ast.get_docstring(tree.body[0], clean=False) == function.__doc__


def test_conversions_go_with_their_functions():
    import gc
    import weakref

    def make():
        def local(x):
            if x > 0:
                return local
            return None

        return local

    function = make()
    converted = autograph.to_graph(function)
    assert converted(1) is function
    gone = weakref.ref(function)
    del function, converted
    gc.collect()
    assert gone() is None


def test_conversion_survives_copying_of_defaults():
    original = copy.copy(clip)
    assert autograph.to_graph(original)(99) == 10
