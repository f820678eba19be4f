"""State that outlives a call of a traced function: each call does what plain Python would do."""

import gc
import weakref

import numpy as np
import pytest

import runtime as tf


def plain(value):
    """A value with arrays in place of tensors, and a mark for what is one."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([plain(item) for item in value])
    if isinstance(value, tf.Tensor):
        return "tensor", value.numpy().tolist()
    return value


class Meter:
    """What calls change."""

    def __init__(self):
        self.total = 0
        self.count = 0
        self.last = None
        self.items = {"k": 0.0}
        self.row = [0, 0]
        self.pair = (tf.constant(0.0), 1)


def total_if(meter, x):
    if x > 0:
        meter.total = meter.total + x
    return meter.total


def count_if(meter, x):
    if x > 1:
        meter.count += 1
    return x


def keep_last(meter, x):
    meter.last = x * 2
    return x


def item(meter, x):
    meter.items["k"] = meter.items["k"] + x
    return meter.items["k"]


def new_item(meter, x):
    meter.items["new"] = meter.items.get("new", 0.0) + x
    return x


def row(meter, x):
    meter.row[0] += x
    meter.row[1] = meter.row[0] * 2
    return x


def pair(meter, x):
    total, scale = meter.pair
    meter.pair = (total + x * scale, scale)
    return meter.pair[0]


def twice_changed(meter, x):
    meter.total = meter.total + x
    meter.total = meter.total * 2
    meter.count = meter.total + meter.count
    return meter.count


def in_a_loop(meter, x):
    for _ in tf.range(3):
        meter.total = meter.total + x
        if meter.total > 5:
            meter.count += 1
    return meter.total


def in_a_helper(meter, x):
    def helper(by):
        meter.total = meter.total + by

    helper(x)
    helper(x + 1)
    return meter.total


def swapped(meter, x):
    meter.total, meter.count = meter.count + x, meter.total
    return x


def replaced_list(meter, x):
    meter.row = [meter.row[1], x]
    return x


def deleted(meter, x):
    if hasattr(meter, "mark"):
        del meter.mark
    else:
        meter.mark = x
    return x


def read_before(meter, x):
    before = meter.total
    meter.total = x
    return before


WRITES = [
    total_if, count_if, keep_last, item, new_item, row, pair, twice_changed, in_a_loop,
    in_a_helper, swapped, replaced_list, deleted, read_before,
]  # fmt: skip


@pytest.mark.parametrize("write", WRITES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("numbers", [(1.0, -2.0, 3.0, 4.0, 5.0)], ids=["floats"])
def test_calls_leave_what_python_leaves(write, numbers):
    traced, eager, runs = Meter(), Meter(), 0

    @tf.function
    def call(meter, x):
        nonlocal runs
        runs = runs + 1
        return write(meter, x)

    for number in numbers:
        got, wanted = call(traced, tf.constant(number)), write(eager, tf.constant(number))
        assert np.array_equal(got, wanted)
        left, right = plain(vars(traced)), plain(vars(eager))
        if write is count_if:
            assert type(left["count"]) is int
        if write is not total_if or number > 0:  # both paths of an ``if`` give a tensor
            assert left == right
    assert runs <= 6, "traces multiply with values"


def test_a_method_carries_the_state_of_each_object():
    class Sum:
        def __init__(self):
            self.total = 0

        @tf.function
        def add(self, x):
            if x > 0:
                self.total = self.total + x
            return self.total

    one, other = Sum(), Sum()
    assert [int(one.add(tf.constant(i))) for i in (1, 2, 3)] == [1, 3, 6]
    assert [int(other.add(tf.constant(i))) for i in (10, -5)] == [10, 10]
    assert int(one.total) == 6
    assert one.add.experimental_get_tracing_count() <= 2 + 1
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None, "a trace keeps its object alive"


def test_a_number_stays_a_number_and_values_make_no_traces():
    class Counter:
        def __init__(self):
            self.positive = 0
            self.label = "none"

        @tf.function
        def see(self, x):
            if x > 0:
                self.positive += 1
            self.label = "high" if x > 2 else "low"
            return self.positive

    counter = Counter()
    for i in (1, 2, 3, 4):
        counter.see(tf.constant(i))
        assert type(counter.positive) is int
        assert type(counter.label) is str
    assert (counter.positive, counter.label) == (4, "high")
    assert counter.see.experimental_get_tracing_count() == 1
    counter.positive = 10
    assert int(counter.see(tf.constant(1))) == 11
    assert counter.see.experimental_get_tracing_count() == 1


TOTAL = 0


def test_nonlocal_and_global():
    count = 0

    @tf.function
    def note(x):
        nonlocal count
        global TOTAL
        if x > 1:
            count += 1
        TOTAL = TOTAL + x
        return x

    for i in (1, 2, 3):
        note(tf.constant(i))
    assert count == 2
    assert int(TOTAL) == 6


class Account:
    """Has attributes of its own."""

    opened = 0
    balance = 0


def test_attributes_of_classes():
    @tf.function
    def deposit(x):
        if x > 1:
            Account.opened += 1
        Account.balance = Account.balance + x
        return Account.balance

    assert [int(deposit(tf.constant(i))) for i in (1, 2, 3)] == [1, 3, 6]
    assert (Account.opened, int(Account.balance)) == (2, 6)
    Account.opened = Account.balance = 0


def test_state_that_another_one_changed_is_read():
    state = {"n": 0}

    @tf.function
    def step(x):
        state["n"] = state["n"] + x
        return state["n"]

    step(tf.constant(1))
    state["n"] = tf.constant(100)
    assert int(step(tf.constant(1))) == 101
    state["n"] = 7
    assert int(step(tf.constant(1))) == 8
    state["n"] = 7.5
    assert float(step(tf.constant(1.0))) == 8.5
    del state["n"]
    with pytest.raises(KeyError):
        step(tf.constant(1))


def test_what_is_only_read_stays_a_constant():
    state = {"n": 0, "scale": 2}

    @tf.function
    def step(x):
        state["n"] = state["n"] + x * state["scale"]
        return state["n"]

    step(tf.constant(1))
    step(tf.constant(1))
    state["scale"] = 5
    assert int(step(tf.constant(1))) == 6


def test_growing_tensors_share_a_trace():
    log = {"seen": tf.zeros([0])}

    @tf.function
    def note(x):
        log["seen"] = tf.concat([log["seen"], [x]], 0)
        return tf.reduce_sum(log["seen"])

    assert [float(note(tf.constant(float(i)))) for i in range(6)] == [0, 1, 3, 6, 10, 15]
    assert log["seen"].numpy().tolist() == [0, 1, 2, 3, 4, 5]
    assert note.experimental_get_tracing_count() == 1


def test_a_function_that_calls_one_that_carries_state():
    log = {"n": 0}

    @tf.function
    def inner(x):
        log["n"] = log["n"] + x
        return log["n"]

    @tf.function
    def outer(x):
        return inner(x) + inner(x)

    assert [int(outer(tf.constant(i))) for i in (1, 2)] == [1 + 2, 4 + 6]
    assert int(inner(tf.constant(1))) == 7
    assert int(outer(tf.constant(1))) == 8 + 9


def test_a_function_called_in_a_staged_loop():
    log = {"n": 0}

    @tf.function
    def inner(x):
        log["n"] = log["n"] + x
        return log["n"]

    @tf.function
    def outer(n):
        for i in tf.range(n):
            if i != 1:
                inner(i)
        return log["n"]

    assert int(outer(tf.constant(4))) == 5
    assert int(outer(tf.constant(4))) == 10
    assert int(log["n"]) == 10


def test_methods_of_two_objects_in_one_function():
    class Cell:
        def __init__(self):
            self.state = tf.zeros([2])

        @tf.function
        def step(self, x):
            self.state = self.state * 0.5 + x
            return self.state

    one, other = Cell(), Cell()

    @tf.function
    def both(x):
        return one.step(x) + other.step(x * 2.0)

    both(tf.ones([2]))
    assert both(tf.ones([2])).numpy().tolist() == [4.5, 4.5]
    assert one.state.numpy().tolist() == [1.5, 1.5]
    assert other.state.numpy().tolist() == [3.0, 3.0]


def test_objects_that_are_made_in_the_call_are_unaffected():
    class Box:
        def __init__(self, value):
            self.value = value

    @tf.function
    def boxed(x):
        box = Box(x)
        box.value = box.value + 1
        found = []
        found.append(box.value)
        return found[0]

    assert [int(boxed(tf.constant(i))) for i in (1, 2)] == [2, 3]
    assert boxed.experimental_get_tracing_count() == 1


def test_concrete_functions_carry_state():
    log = {"n": tf.constant(0)}

    @tf.function
    def step(x):
        log["n"] = log["n"] + x
        return log["n"]

    concrete = step.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert int(log["n"]) == 0
    assert [int(concrete(tf.constant(i))) for i in (1, 2, 3)] == [1, 3, 6]
    assert int(step(tf.constant(1))) == 7
    log["n"] = tf.constant(0.5)
    with pytest.raises(TypeError, match="other types"):
        concrete(tf.constant(1))
