"""Loops, builtins and functions over datasets and iterators, staged as well as eagerly."""

import numpy as np
import pytest

import autograph
import runtime as tf

D = tf.data.Dataset
OUTER = D.range(6)
PAIRS = D.from_tensor_slices(([1, 2, 3, 4], [10.0, 20.0, 30.0, 40.0]))
DICTS = D.from_tensor_slices({"a": [1, 2, 3], "b": [[1, 2], [3, 4], [5, 6]]})


def zero():
    return tf.constant(0, tf.int64)


def summed():
    total = zero()
    for x in OUTER:
        total += x
    return total


def broken_off():
    total = zero()
    for x in OUTER:
        if x == 4:
            break
        if x % 2 == 1:
            continue
        total += x + 10
    else:
        total = -total
    return total


def with_else():
    total = zero()
    for x in OUTER:
        total += x
        if x > 99:
            break
    else:
        total = -total
    return total


def found():
    for x in OUTER:
        if x * x > 10:
            return x
    return tf.constant(-1, tf.int64)


def unpacked():
    total = tf.constant(0.0)
    for k, x in PAIRS:
        total += tf.cast(k, tf.float32) * x
    return total


def dicts():
    total = 0
    for item in DICTS:
        total += item["a"] * tf.reduce_sum(item["b"])
    return total


def nested():
    total = zero()
    for x in D.range(4):
        for y in D.range(x):
            total += x * y
    return total


def last_of_all():
    last = zero()
    for last in OUTER:
        pass
    return last


def numbered():
    total = zero()
    for i, x in enumerate(OUTER, 2):
        total += i * x
    for i, (k, x) in enumerate(PAIRS):
        total += i * tf.cast(k, tf.int64)
    return total


def side_by_side():
    total = zero()
    for x, (k, y) in zip(OUTER, PAIRS):
        total += x * tf.cast(k, tf.int64)
    for x, k in zip(OUTER, [5, 6, 7]):
        total += x * k
    for k, x, y in zip(range(4), OUTER, OUTER.skip(2)):
        total += k * x * y
    return total


def mapped_and_filtered():
    total = zero()
    for x in map(lambda v: v * v, filter(lambda v: v > 2, OUTER)):
        total += x
    for x in map(lambda v, w: v * w, OUTER, OUTER):
        total += x
    return total


def folded():
    return sum(OUTER), max(OUTER), min(OUTER), any(OUTER), all(OUTER), len(OUTER)


def listed():
    squares = [x * x for x in OUTER if x != 3]
    return squares[1] + squares[-1], len(squares), len(list(OUTER))


def stepped():
    it = iter(OUTER)
    first = next(it)
    total = first * 100
    for x in it:
        total += x
        if x == 2:
            break
    total += 1000 * next(it)
    rest = zero()
    for x in it:
        rest += x
    return total, rest, next(it, zero() - 1)


def with_defaults():
    it = iter(D.range(2))
    return next(it, -1), next(it, -1), next(it, -1), next(it, -1)


def taken_in_turns():
    it = iter(OUTER)
    total = zero()
    for a, b in zip(it, it):
        total = total * 100 + a * 10 + b
    return total


def past_the_end():
    it = iter(D.range(1))
    total = next(it)
    try:
        total += next(it)
    except StopIteration:
        total -= 7
    return total


def chosen():
    data = OUTER if summed() > 3 else OUTER.take(2)
    for _ in tf.range(2):
        data = data.skip(1)
    total = zero()
    for x in data:
        total += x
    return total


def made_inside():
    data = D.range(tf.reduce_max(tf.constant([3, 5], tf.int64))).map(lambda x: x + 1).batch(2)
    total = zero()
    for x in data:
        total = total * 10 + tf.reduce_sum(x)
    return total


def called_within():
    def total_of(data, start):
        for x in data:
            start += x
        return start

    return total_of(OUTER, total_of(OUTER.take(3), zero()))


def doubled_of_outer():
    for x in OUTER:
        if x != 2:
            yield x * 2


def generated():
    def pairs_of(data):
        for x in data:
            yield x, x + 1

    total = zero()
    for x in doubled_of_outer():
        total += x
    for x, y in pairs_of(OUTER.take(3)):
        total = total * 10 + x * y
    return total


PROGRAMS = (
    summed, broken_off, with_else, found, unpacked, dicts, nested, last_of_all, numbered,
    side_by_side, mapped_and_filtered, folded, listed, stepped, with_defaults, taken_in_turns,
    past_the_end, chosen, made_inside, called_within, generated,
)  # fmt: skip


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
    with pytest.raises(autograph.ConcreteValueError, match="how many elements"):
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
