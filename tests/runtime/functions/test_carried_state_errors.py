"""State that outlives a call: exceptions, gradients, threads, and what is refused."""

import threading

import pytest

import runtime as tf
from autograph.errors import EffectError


def test_a_raise_midway_leaves_the_state_of_that_moment():
    log = {"n": 0, "steps": 0}

    @tf.function
    def step(x):
        log["n"] = log["n"] + x
        if x < 0:
            raise ValueError("negative")
        log["n"] = log["n"] + 100
        return x

    step(tf.constant(1))
    assert int(log["n"]) == 101
    with pytest.raises(ValueError, match="negative"):
        step(tf.constant(-1))
    assert int(log["n"]) == 100
    step(tf.constant(2))
    assert int(log["n"]) == 202


def test_a_raise_in_a_loop():
    log = {"seen": 0}

    @tf.function
    def sum_until(n):
        for i in tf.range(n):
            log["seen"] = log["seen"] + i
            assert i < 3, "too far"
        return log["seen"]

    with pytest.raises(AssertionError, match="too far"):
        sum_until(tf.constant(10))
    assert int(log["seen"]) == 0 + 1 + 2 + 3
    assert int(sum_until(tf.constant(2))) == 7


def test_what_is_written_only_where_it_raises():
    log = {"bad": 0}

    @tf.function
    def check(x):
        if x < 0:
            log["bad"] = x
            raise ValueError("bad")
        return x

    check(tf.constant(1))
    assert int(log["bad"]) == 0
    with pytest.raises(ValueError, match="bad"):
        check(tf.constant(-4))
    assert int(log["bad"]) == -4
    check(tf.constant(1))
    assert int(log["bad"]) == -4


def test_operations_that_raise():
    log = {"n": 0}

    @tf.function
    def step(x, i):
        log["n"] = log["n"] + 1 * x
        picked = tf.gather([1, 2, 3], i)
        log["n"] = log["n"] + 10 * x
        return picked

    one = tf.constant(1)
    step(one, tf.constant(0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        step(one, tf.constant(9))
    assert int(log["n"]) == 12


def test_an_exception_that_is_caught_inside():
    log = {"n": 0}

    @tf.function
    def step(x):
        try:
            log["n"] = log["n"] + x
            if x < 0:
                raise ValueError("negative")
        except ValueError:
            log["n"] = log["n"] + 1000
        return log["n"]

    assert [int(step(tf.constant(i))) for i in (1, -1, 2)] == [1, 1000, 1002]


def test_python_raises_while_tracing():
    log = {"n": 0}

    @tf.function
    def step(x):
        log["n"] = x
        raise KeyError("always")

    for number in (3, 4):
        with pytest.raises(KeyError, match="always"):
            step(tf.constant(number))
        assert int(log["n"]) == number


def test_gradients_through_calls():
    cell = {"h": tf.constant(1.0)}

    @tf.function
    def step(x):
        cell["h"] = cell["h"] * x
        return cell["h"]

    x = tf.constant(3.0)
    step(x)
    cell["h"] = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        step(x)
        last = step(x)
    assert float(tape.gradient(last, x)) == 6.0
    assert float(tape.gradient(cell["h"], x)) == 6.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            last = step(x) * step(x)
        first = inner.gradient(last, x)
    assert float(first) == 3 * 81 * 9  # h = 9: (9 x) (9 x x)
    assert float(tape.gradient(first, x)) == 6 * 81 * 3


def test_two_threads_at_once():
    class Sum:
        def __init__(self):
            self.total = 0

        @tf.function
        def add(self, x):
            self.total = self.total + x
            return x

    found, errors = Sum(), []

    def work():
        try:
            for _ in range(20):
                found.add(tf.constant(1))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert 20 <= int(found.total) <= 80
    assert found.add.experimental_get_tracing_count() <= 3


class Holder:
    """Made while tracing."""

    def __init__(self, value):
        self.value = value


SEEN = []
SLOT = {"box": None, "fn": None}


def appends(x):
    SEEN.append(x)
    return x


def keeps_an_object(x):
    SLOT["box"] = Holder(x)
    return x


def keeps_a_function(x):
    SLOT["fn"] = lambda: x
    return x


@pytest.mark.parametrize("write", [appends, keeps_an_object, keeps_a_function])
def test_what_cannot_be_carried_is_refused(write):
    with pytest.raises(EffectError, match="outlives the call") as caught:
        tf.function(write)(tf.constant(1))
    assert "Variable" in str(caught.value)
    assert caught.value.where == (__file__, write.__code__.co_firstlineno + 1)
    assert SEEN == []
    assert SLOT == {"box": None, "fn": None}


def test_nothing_staged_is_left_behind_when_tracing_fails():
    log = {"n": 1, "python": 0}

    @tf.function
    def broken(x):
        log["n"] = x
        log["python"] = 1
        return tf.matmul(x, x)

    with pytest.raises(Exception, match="rank|dimension|shape"):
        broken(tf.constant(1.0))
    assert log["n"] == 1


def test_side_effects_of_python_happen_once():
    log = {"n": 0}
    traces = {"count": 0}

    @tf.function
    def step(x):
        traces["count"] += 1
        log["n"] = log["n"] + x
        return x

    for _ in range(4):
        step(tf.constant(1))
    assert traces["count"] == step.experimental_get_tracing_count() == 2  # a number, a tensor


def test_variables_that_are_made_in_the_first_call():
    class Layer:
        def __init__(self):
            self.weight = None
            self.calls = tf.constant(0)

        @tf.function
        def __call__(self, x):
            if self.weight is None:
                self.weight = tf.Variable(2.0)
            self.calls = self.calls + 1
            return self.weight * x

    layer = Layer()
    assert [float(layer(tf.constant(v))) for v in (1.0, 2.0)] == [2.0, 4.0]
    assert int(layer.calls) == 2


def test_properties():
    class Guarded:
        def __init__(self):
            self._value = tf.constant(0.0)

        @property
        def value(self):
            return self._value

        @value.setter
        def value(self, new):
            self._value = tf.minimum(new, 10.0)

        @tf.function
        def add(self, x):
            self.value = self.value + x
            return self.value

    guarded = Guarded()
    assert [float(guarded.add(tf.constant(4.0))) for _ in range(4)] == [4.0, 8.0, 10.0, 10.0]
    assert float(guarded.value) == 10.0


def test_a_memo():
    memo = {}

    @tf.function
    def squared(n, x):
        if n not in memo:
            memo[n] = x * n
        return memo[n]

    assert int(squared(2, tf.constant(5))) == 10
    assert int(squared(2, tf.constant(7))) == 10
    assert int(squared(3, tf.constant(5))) == 15
    assert {key: int(value) for key, value in memo.items()} == {2: 10, 3: 15}


def test_jit_carries_numbers():
    log = {"sum": 0, "most": 0}

    @tf.jit
    def note(x):
        log["sum"] = log["sum"] + x
        if x > log["most"]:
            log["most"] = x
        assert x < 10
        return log["sum"]

    assert [note(x) for x in (1, 5, 3)] == [1, 6, 9]
    assert log == {"sum": 9, "most": 5}
    with pytest.raises(AssertionError):
        note(12)
    assert log == {"sum": 21, "most": 12}
    assert type(log["sum"]) is int
    assert note.experimental_get_tracing_count() == 1
