"""The two versions of a converted function: unstaged outside of traces, staged in a trace."""

from __future__ import annotations

import gc
import inspect
import pickle
import sys
import threading
import types
import warnings
import weakref

import pytest

import autograph
import runtime as tf
from autograph import staging
from autograph.staging import registry
from autograph.syntax.code_markers import version_link_of
from runtime.staging import backend
from tests.autograph.staging.tiny_lists import BACKEND


@pytest.fixture(autouse=True)
def plain():
    """Graphs that other tests left behind do not matter here."""
    gc.collect()
    with staging.force_version(staged=False):
        yield


@pytest.fixture
def unforced(plain, monkeypatch):
    """As in a program: the backends say whether values may be staged."""
    monkeypatch.setattr(registry, "_forced", [])
    gc.collect()


def clip(x):
    if x > 3:
        return 3
    return x


def offsets(*, by=2):
    factor = by

    class Local:
        name = "local"

        def scaled(self, x):
            return clip(x) * factor

    def inner(x, *args, **kwargs):
        nonlocal factor
        factor += 1
        return Local().scaled(x) + sum(args) + sum(kwargs[k] for k in kwargs)

    return inner


def has_half(function):
    return version_link_of(autograph.to_graph(function).__code__) is not None


def test_variables_are_the_users_alone():
    inner = offsets()
    converted = autograph.to_graph(inner)
    assert converted.__closure__ == inner.__closure__
    assert converted.__code__.co_freevars == inner.__code__.co_freevars
    assert converted.__code__.co_varnames == inner.__code__.co_varnames
    assert converted.__code__.co_firstlineno == inner.__code__.co_firstlineno
    assert inspect.signature(converted) == inspect.signature(inner)
    assert inspect.getsource(converted) == inspect.getsource(inner)

    def names(x):
        y = clip(x)
        return sorted(locals()), y, dir()

    assert autograph.to_graph(names)(5) == names(5)


def test_arguments_reach_the_functional_half_as_they_came():
    def everything(a, /, b, *args, c=3, **kwargs):
        result = 0
        if a > 0:
            result = 1
        return result, a, b, args, c, kwargs

    converted = autograph.to_graph(everything)
    for force_version in (False, True):
        with staging.force_version(force_version):
            assert converted(1, 2, 4, 5, c=6, a=7) == (1, 1, 2, (4, 5), 6, {"a": 7})
            assert converted(0, b=2) == (0, 0, 2, (), 3, {})
            with pytest.raises(TypeError, match=r"everything\(\) missing 1 required positional"):
                converted(1)


def test_defaults_are_those_of_the_converted_function(unforced):
    def growing(x, by=1, *, until=10):
        while x < until:
            x += by
        return x

    converted = autograph.to_graph(growing)
    traced = lambda x: tf.function(lambda x: converted(x))(tf.constant(x)).numpy()
    assert traced(7) == converted(7) == 10
    converted.__defaults__, converted.__kwdefaults__ = (4,), {"until": 20}
    assert traced(7) == converted(7) == 23


class Private:
    def __init__(self):
        self.__x = 1

    def method(self, *, __k=4):
        if self.__x > 0:
            self.__x += __k
        return self.__x, __class__, super().__repr__()


@pytest.mark.parametrize("functional", [False, True])
def test_private_names_and_super(functional):
    with staging.force_version(functional):
        found = autograph.to_graph(Private.method)(Private(), _Private__k=2)
    assert found[:2] == (3, Private)
    assert found[2].startswith(f"<{__name__}.Private")


def test_both_halves_share_the_cells():
    def make():
        count = 0

        def step():
            nonlocal count
            if count < 10:
                count += 1
            return count

        return step

    converted = autograph.to_graph(make())
    assert converted() == 1
    with staging.force_version(staged=True):
        assert converted() == 2
    assert converted() == 3


def depth_of_stack():
    return len(inspect.stack(0))


def caller_name():
    return sys._getframe(1).f_code.co_name, depth_of_stack()


def test_frames_are_exact():
    def nested():
        if True:
            for _ in range(1):
                return caller_name()

    converted = autograph.to_graph(nested)
    assert converted() == nested()

    def warns():
        if clip(5):
            warnings.warn("careful", stacklevel=2)

    for function in (warns, autograph.to_graph(warns)):
        with pytest.warns(UserWarning, match="careful") as caught:
            function()
        assert caught[0].filename == __file__


def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


def test_recursion_goes_as_deep_as_python():
    limit = sys.getrecursionlimit() - depth_of_stack() - 30
    assert autograph.to_graph(down)(limit) == limit


def test_functions_inside_stay_the_users():
    converted = autograph.to_graph(offsets)
    inner, original = converted(), offsets()
    assert inner(5, 1, z=2) == original(5, 1, z=2)
    assert inner.__code__.co_freevars == original.__code__.co_freevars
    assert inner.__qualname__ == original.__qualname__
    assert inspect.getsource(inner) == inspect.getsource(original)
    assert autograph.to_code(inner) == autograph.to_code(original)
    assert version_link_of(inner.__code__) is None and has_half(inner)
    with staging.force_version(staged=True):
        assert int(tf.function(lambda x: inner(x))(tf.constant(5))) == original(5)


@pytest.mark.usefixtures("unforced")
def test_lambdas_inside_are_found():
    def lambdas():
        return [lambda x: x if x > 0 else -x, lambda x: clip(x)]

    staging.register(BACKEND)
    try:
        with staging.force_version(staged=False):
            made = autograph.to_graph(lambdas)()
        for found, expected in zip(made, lambdas(), strict=True):
            assert autograph.to_code(found) == autograph.to_code(expected)
            assert BACKEND.stage(autograph.to_graph(found), 5) == expected(5)
    finally:
        staging.unregister(BACKEND)


def test_comprehensions_and_generator_expressions():
    def collect(n):
        table = {k: clip(k) for k in range(n)}
        lazily = (clip(v) if v > 1 else -v for v in table.values())
        return table, [(lambda: w)() for w in lazily], {clip(z) for z in range(n)}

    assert autograph.to_graph(collect)(6) == collect(6)


def test_a_generator_expression_resumed_while_tracing_is_staged():
    @autograph.do_not_convert
    def traced(values):
        return tf.function(lambda: list(values))()

    def run(xs):
        return traced(x if x * 2 > 3 else -x for x in xs)

    for function in (run, autograph.to_graph(run)):
        if function is not run:
            assert [int(v) for v in function([tf.constant(1), tf.constant(5)])] == [-1, 5]


def test_what_may_meet_staged_values_midway_has_no_plain_half():
    def enters(x):
        with tf.Graph().as_default():
            return x

    def generates(x):
        yield x

    async def waits(x):
        return x

    def opens(x):
        session = tf.InteractiveSession()
        return session, x

    def stacks(stack, graph):
        stack.enter_context(graph.as_default())

    def calls_them(x):
        def inner():
            with x:
                yield 1

        return inner()

    assert not any(map(has_half, (enters, generates, waits, opens, stacks)))
    assert has_half(calls_them) and has_half(clip)


@pytest.mark.usefixtures("unforced")
def test_tracing_that_starts_in_the_middle_reaches_converted_functions():
    def staged(x):
        with tf.Graph().as_default(), tf.Session() as session:
            place = tf.placeholder(tf.int32, [])
            return session.run(clip(place), {place: x})

    def outer(values):
        found = []
        for value in values:
            found.append(int(staged(value)))
        return found

    assert autograph.to_graph(outer)([1, 5]) == [1, 3]


@pytest.mark.usefixtures("unforced")
def test_a_tensor_of_a_graph_is_staged_outside_of_it():
    converted = autograph.to_graph(clip)
    graph = tf.Graph()
    with graph.as_default():
        place = tf.placeholder(tf.int32, [])
    assert staging.may_stage()
    found = converted(place)
    with tf.Session(graph=graph) as session:
        assert session.run(found, {place: 5}) == 3
    del place, found, session, graph
    gc.collect()


@pytest.mark.usefixtures("unforced")
def test_another_thread_that_traces_changes_nothing():
    inside, leave = threading.Event(), threading.Event()

    def trace():
        with tf.function(lambda x: x).get_concrete_function(tf.constant(1)).graph.as_default():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=trace)
    thread.start()
    inside.wait(10)
    try:
        assert staging.TRACES
        seen = []
        autograph.to_graph(lambda: seen.append(sys._getframe(0)))()
        assert autograph.to_graph(clip)(7) == 3
        if not backend.graphs_in_use:
            assert not staging.may_stage()
    finally:
        leave.set()
        thread.join()


@pytest.mark.usefixtures("unforced")
def test_a_backend_that_announces_nothing_is_asked():
    assert not BACKEND.announces
    before = len(staging.TRACES)
    staging.register(BACKEND)
    try:
        assert len(staging.TRACES) == before + 1
        assert BACKEND.stage(autograph.to_graph(clip), 7) == 3
    finally:
        staging.unregister(BACKEND)
    assert len(staging.TRACES) == before


def test_pickling_and_life():
    converted = autograph.to_graph(clip)
    with pytest.raises(pickle.PicklingError, match="not the same object"):
        pickle.dumps(converted)
    assert pickle.loads(pickle.dumps(clip)) is clip

    def local(n):
        return n if n < 2 else local(n - 1) + local(n - 2)

    def make():
        return types.FunctionType(local.__code__.replace(), globals(), None, None,
                                  local.__closure__)  # fmt: skip

    function = make()
    converted = autograph.to_graph(function)
    assert converted(5) == 5
    references = weakref.ref(function), weakref.ref(function.__code__), weakref.ref(converted)
    del function, converted
    gc.collect()
    assert [ref() for ref in references] == [None] * 3


def test_doc_and_decorated_lines():
    @autograph.do_not_convert
    def skipped():
        """Text."""

    assert autograph.to_graph(skipped).__doc__ == "Text."
    assert autograph.to_graph(skipped)() is None
    code, expected = autograph.to_graph(skipped).__code__, skipped.__code__
    assert code.co_firstlineno == expected.co_firstlineno


@pytest.mark.skipif(
    sys.version_info[:2] == (3, 12), reason="3.12 reports a line again after a jump inside it"
)
def test_no_line_is_traced_twice():
    def lines(function):
        seen = []

        def local(frame, event, _):
            if event == "line":
                seen.append(frame.f_lineno)
            return local

        sys.settrace(lambda frame, *_: local if frame.f_code.co_name == "body" else None)
        try:
            function(3)
        finally:
            sys.settrace(None)
        return seen

    def body(n):
        """A text."""
        while n:
            n = n - clip(1)
        return n

    converted = autograph.to_graph(body)
    converted(3)  # looks up what it calls
    assert lines(converted) == lines(body)
