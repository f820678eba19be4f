"""Loops, builtins and functions over datasets and iterators, staged as well as eagerly."""

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.runtime.data.programs import OUTER, PAIRS, PROGRAMS, zero

D = tf.data.Dataset


def described(value):
    if isinstance(value, tuple):
        return [described(part) for part in value]
    array = np.asarray(value)
    return array.dtype.kind, array.tolist()


@pytest.mark.parametrize("program", PROGRAMS)
def test_staged_is_eager(program):
    expected = described(program())
    assert described(autograph.to_graph(program)()) == expected
    function = tf.function(program)
    assert described(function()) == expected
    assert described(function()) == expected  # nothing is left over from the first run
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.nest.map_structure(tf.convert_to_tensor, autograph.to_graph(program)())
        assert described(tuple(session.run(list(tf.nest.flatten(result))))) == (
            expected if isinstance(expected, list) else [expected]
        )


def test_nothing_is_unrolled():
    @tf.function
    def run():
        total = zero()
        for x in D.range(1000):
            total += x
        return total

    assert run() == 499500
    assert len(run.get_concrete_function().graph.operations) < 20


def test_datasets_as_arguments():
    @tf.function
    def total(dataset, scale):
        result = zero()
        for x in dataset:
            result += x
        return result * scale

    one, two = tf.constant(1, tf.int64), tf.constant(2, tf.int64)
    assert total(D.range(4), two) == 12
    assert total(D.range(9).filter(lambda x: x > 6).prefetch(1), one) == 15
    assert total.experimental_get_tracing_count() == 1
    assert total(D.range(4).batch(2).unbatch(), one) == 6
    assert total.experimental_get_tracing_count() == 1
    concrete = total.get_concrete_function(D.range(1), one)
    assert concrete(D.range(5), two) == 20
    args, _ = concrete.structured_input_signature
    assert args[0] == tf.data.DatasetSpec(tf.TensorSpec((), tf.int64))


def test_declared_types():
    spec = tf.data.DatasetSpec(tf.TensorSpec([None], tf.int64))

    @tf.function(input_signature=[spec, tf.TensorSpec((), tf.int64)])
    def total(dataset, start):
        for x in dataset:
            start += tf.reduce_sum(x)
        return start

    assert total(D.range(5).batch(2), 0) == 10
    assert total(D.range(4).batch(2, drop_remainder=True), 1) == 7
    assert total.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match=r"the argument 'dataset' .* expected DatasetSpec\("):
        total(D.range(5), 0)
    assert "DatasetSpec" in total.get_concrete_function().pretty_printed_signature()


def test_explanations_know_datasets():
    @tf.function
    def total(dataset, start):
        for x in dataset:
            start += tf.reduce_sum(x)
        return start

    total(D.range(3), tf.constant(0, tf.int64))
    total(D.range(3).batch(2), tf.constant(0, tf.int64))
    assert "dataset" in str(total.explain()) and "shape=(None,)" in str(total.explain())


def test_iterators_as_arguments():
    @tf.function
    def two(iterator):
        return next(iterator) * 10 + iterator.get_next()

    it = iter(D.range(5))
    assert [int(two(it)), int(two(it))] == [1, 23]
    assert two.experimental_get_tracing_count() == 1
    with pytest.raises(StopIteration):
        two(iter(D.range(0)))
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        two(it)
    assert next(it, None) is None


def test_iterators_go_on_between_calls():
    it = iter(D.range(6))

    @tf.function
    def some(count):
        total = zero()
        for _ in tf.range(count):
            total = total * 10 + next(it)
        return total

    assert some(tf.constant(3)) == 12
    assert next(it) == 3
    assert some(tf.constant(2)) == 45


def test_datasets_as_results():
    @tf.function
    def make(n):
        return {"data": D.range(n).map(lambda x: x * n), "count": n}

    made = make(tf.constant(3, tf.int64))
    assert [int(x) for x in made["data"]] == [0, 3, 6] and made["count"] == 3
    assert repr(made["data"]).startswith("<_MapDataset")


def test_optionals():
    @tf.function
    def total(iterator):
        result = zero()
        item = iterator.get_next_as_optional()
        while item.has_value():
            result += item.get_value()
            item = iterator.get_next_as_optional()
        return result

    assert total(iter(D.range(5))) == 10
    assert not iter(D.range(0)).get_next_as_optional().has_value()
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        iter(D.range(0)).get_next_as_optional().get_value()


def test_variables_change_in_the_loop():
    seen = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def run(dataset):
        for x in dataset:
            if x % 2 == 0:
                seen.assign_add(x)

    run(D.range(7))
    assert seen.numpy() == 12


def test_gradients_through_a_loop():
    weight = tf.Variable(3.0)

    @tf.function
    def slope():
        with tf.GradientTape() as tape:
            total = tf.constant(0.0)
            for k, x in PAIRS:
                total += weight * weight * x
        return tape.gradient(total, weight)

    assert slope() == 600.0


@pytest.mark.parametrize("use", [
    lambda dataset: tuple(dataset), lambda dataset: sorted(dataset),
], ids=["tuple", "sorted"])  # fmt: skip
def test_what_needs_the_number_of_elements_is_refused(use):
    with pytest.raises(autograph.ConcreteValueError, match="needs the number of elements"):
        tf.function(lambda: use(OUTER))()


def test_plain_python_cannot_go_through_what_is_staged():
    def unpack():
        a, b = OUTER
        return a + b

    listed_outside = autograph.do_not_convert(lambda: list(OUTER))

    for function in (unpack, lambda: listed_outside()):
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Python cannot go"):
            tf.function(function)()
    with tf.Graph().as_default():
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
            iter(OUTER)
        with pytest.raises(RuntimeError, match="as_numpy_iterator"):
            OUTER.as_numpy_iterator()


def test_length_is_checked_when_it_runs():
    @tf.function
    def count(dataset):
        return len(dataset)

    assert count(D.range(3)) == 3
    with pytest.raises(TypeError, match="infinite"):
        count(D.range(3).repeat())
    with pytest.raises(TypeError, match="unknown"):
        count(D.range(3).filter(lambda x: x > 0))


def test_datasets_and_optionals_chosen_by_hand():
    Optional = tf.data.experimental.Optional

    def chosen(p):
        data = tf.cond(p, lambda: D.range(3), lambda: D.range(3, 5))
        nothing = Optional.empty(tf.TensorSpec([], tf.bool))
        maybe = tf.cond(p, lambda: Optional.from_value(p), lambda: nothing)
        rows = tf.switch_case(tf.cast(p, tf.int32), [lambda: (D.range(1), None)] * 2)[0]
        total = data.concatenate(rows).reduce(np.int64(0), lambda s, x: s * 10 + x)
        return total, maybe.has_value()

    for p, expected in ((True, 120), (False, 340)):
        total, there = tf.function(chosen)(tf.constant(p))
        assert (int(total), bool(there)) == (expected, p)
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.placeholder(tf.bool, [])
        assert session.run(chosen(p), {p: False}) == (340, False)
        for other in (lambda: D.from_tensors(1.0), lambda: 1):
            with pytest.raises(TypeError, match="the result must be of one type, but is"):
                tf.cond(p, lambda: D.range(3), other)
        with pytest.raises(TypeError, match="None in the other"):
            tf.cond(p, lambda: D.range(3), lambda: None)
    assert tf.OptionalSpec(tf.TensorSpec([])).value_type is Optional
