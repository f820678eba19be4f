"""What each method gives: eagerly, in functions and in sessions, with its spec and cardinality."""

import collections
import itertools

import numpy as np
import pytest

import runtime as tf
from tests.support.ways import (
    MOST,
    elements,
    in_function,
    in_session,
    leaves,
    looped_in_session,
)

D = tf.data.Dataset
INFINITE, UNKNOWN = tf.data.INFINITE_CARDINALITY, tf.data.UNKNOWN_CARDINALITY
Point = collections.namedtuple("Point", "x y")
N = D.range


def fill(x):
    return tf.fill([x], x)


def running(state, x):
    return state + x, state + x


def int64s(*values):
    return D.from_tensor_slices(np.array(values, np.int64))


COUNT = itertools.islice(itertools.cycle([0, 1, 2]), MOST)

# name: (dataset, elements, cardinality)
CASES = {
    "slices": (lambda: D.from_tensor_slices([[1, 2], [3, 4]]), [[1, 2], [3, 4]], 2),
    "slices of a tuple": (
        lambda: D.from_tensor_slices(([1, 2], ["a", "b"])), [(1, b"a"), (2, b"b")], 2),
    "slices of a dict": (
        lambda: D.from_tensor_slices({"b": [1, 2], "a": ([3, 4], [True, False])}),
        [{"b": 1, "a": (3, True)}, {"b": 2, "a": (4, False)}], 2),
    "slices of a namedtuple": (
        lambda: D.from_tensor_slices(Point([1, 2], [3, 4])), [Point(1, 3), Point(2, 4)], 2),
    "slices of nothing": (lambda: D.from_tensor_slices([]), [], 0),
    "tensors": (lambda: D.from_tensors(({"a": 1}, [2, 3])), [({"a": 1}, [2, 3])], 1),
    "a list": (
        lambda: tf.data.experimental.from_list([(1, [2]), (3, [4, 5])]),
        [(1, [2]), (3, [4, 5])], 2),
    "range": (lambda: N(2, 9, 3), [2, 5, 8], 3),
    "range down": (lambda: N(5, 0, -2), [5, 3, 1], 3),
    "range of floats": (lambda: N(3, output_type=tf.float32), [0.0, 1.0, 2.0], 3),
    "long range": (lambda: N(10000).skip(9998), [9998, 9999], 2),
    "counter": (lambda: D.counter(2, 3), list(range(2, 2 + 3 * MOST, 3)), INFINITE),
    "generator": (
        lambda: D.from_generator(
            lambda n: ((k, [k] * k) for k in range(n)), args=(3,),
            output_signature=(tf.TensorSpec((), tf.int32), tf.TensorSpec([None], tf.float32))),
        [(0, []), (1, [1.0]), (2, [2.0, 2.0])], UNKNOWN),
    "generator of dicts": (
        lambda: D.from_generator(lambda: iter([{"a": 1}]), {"a": tf.int64}, {"a": ()}),
        [{"a": 1}], UNKNOWN),
    "map": (lambda: N(3).map(lambda x: x * x + 1), [1, 2, 5], 3),
    "map to nests": (
        lambda: N(2).map(lambda x: (x, {"d": (x, -x)})).map(lambda x, d: (d, x)),
        [({"d": (0, 0)}, 0), ({"d": (1, -1)}, 1)], 2),
    "map to a list": (lambda: N(2).map(lambda x: [x, 2 * x]), [(0, 0), (1, 2)], 2),
    "map to a namedtuple": (
        lambda: N(2).map(lambda x: Point(x, x)).map(lambda p: p.x + p.y), [0, 2], 2),
    "map to constants": (lambda: N(2).map(lambda x: (1.5, "s", True)), [(1.5, b"s", True)] * 2, 2),
    "map by a staged test": (lambda: N(4).map(lambda x: x * 10 if x > 1 else -x), [0, -1, 20, 30],
                             4),
    "map in threads": (lambda: N(20).map(lambda x: x * x, 4), [x * x for x in range(20)], 20),
    "filter": (lambda: N(9).filter(lambda x: x % 3 == 1), [1, 4, 7], UNKNOWN),
    "take while": (lambda: N(9).take_while(lambda x: x < 3), [0, 1, 2], UNKNOWN),
    "take": (lambda: N(9).take(2), [0, 1], 2),
    "take all": (lambda: N(3).take(-1), [0, 1, 2], 3),
    "skip": (lambda: N(5).skip(3), [3, 4], 2),
    "skip all": (lambda: N(5).skip(-1), [], 0),
    "shard": (lambda: N(10).shard(3, 1), [1, 4, 7], 3),
    "repeat": (lambda: N(2).repeat(2), [0, 1, 0, 1], 4),
    "repeat without end": (lambda: N(3).repeat(), list(COUNT), INFINITE),
    "repeat nothing": (lambda: N(0).repeat(), [], 0),
    "concatenate": (lambda: N(2).concatenate(N(5, 7)), [0, 1, 5, 6], 4),
    "zip": (lambda: D.zip((N(3), {"a": N(5)})), [(0, {"a": 0}), (1, {"a": 1}), (2, {"a": 2})], 3),
    "zip of arguments": (lambda: D.zip(N(2), N(5).repeat()), [(0, 0), (1, 1)], 2),
    "enumerate": (lambda: int64s(7, 8).enumerate(5), [(5, 7), (6, 8)], 2),
    "batch": (lambda: N(5).batch(2), [[0, 1], [2, 3], [4]], 3),
    "batch of strings": (lambda: D.from_tensor_slices(["a", "b"]).batch(2), [[b"a", b"b"]], 1),
    "batch of nests": (
        lambda: N(3).map(lambda x: {"a": x, "b": [x, x]}).batch(2, drop_remainder=True),
        [{"a": [0, 1], "b": [[0, 0], [1, 1]]}], 1),
    "unbatch": (lambda: N(5).batch(2).unbatch(), [0, 1, 2, 3, 4], UNKNOWN),
    "rebatch": (lambda: N(5).batch(2).rebatch(3), [[0, 1, 2], [3, 4]], UNKNOWN),
    "rebatch in turns": (
        lambda: N(7).batch(4).rebatch([3, 0, 1]), [[0, 1, 2], [], [3], [4, 5, 6], []], UNKNOWN),
    "rebatch without a rest": (
        lambda: N(7).map(lambda x: (x, [x])).batch(3).rebatch(2, drop_remainder=True),
        [([0, 1], [[0], [1]]), ([2, 3], [[2], [3]]), ([4, 5], [[4], [5]])], UNKNOWN),
    "interleave without end": (
        lambda: N(2).repeat().interleave(D.from_tensors, 1), [0, 1] * (MOST // 2), INFINITE),
    "sample without end": (
        lambda: D.sample_from_datasets([N(1).repeat(), N(5)], [1.0, 0.0]), [0] * MOST, INFINITE),
    "padded batch": (lambda: N(1, 4).map(fill).padded_batch(2), [[[1, 0], [2, 2]], [[3, 3, 3]]], 2),
    "padded batch of a shape": (
        lambda: N(1, 3).map(lambda x: (fill(x), x)).padded_batch(2, ([3], []), np.int64(-1)),
        [([[1, -1, -1], [2, 2, -1]], [1, 2])], 1),
    "padded batch to a tensor's sizes": (
        lambda: N(1, 3).map(lambda x: (fill(x), x)).padded_batch(
            2, (tf.constant([3], tf.int64), []), (None, np.int64(0))),
        [([[1, 0, 0], [2, 2, 0]], [1, 2])], 1),
    "padded batches to their key's size": (
        lambda: N(1, 4).map(fill).group_by_window(
            lambda x: tf.shape(x, tf.int64)[0] % 2,
            lambda key, w: w.padded_batch(2, tf.stack([key + 3])), 2),
        [[[1, 0, 0, 0], [3, 3, 3, 0]], [[2, 2, 0]]], UNKNOWN),
    "padded batch of strings": (
        lambda: N(1, 3).map(lambda x: tf.fill([x], "a")).padded_batch(2, padding_values="-"),
        [[[b"a", b"-"], [b"a", b"a"]]], 1),
    "window": (lambda: N(5).window(2), [[0, 1], [2, 3], [4]], 3),
    "window, sliding": (
        lambda: N(6).window(3, 1, 2, drop_remainder=True), [[0, 2, 4], [1, 3, 5]], 2),
    "window with gaps": (lambda: N(9).window(2, 4), [[0, 1], [4, 5], [8]], 3),
    "window of nests": (
        lambda: D.zip((N(3), N(5, 8))).window(2), [([0, 1], [5, 6]), ([2], [7])], 2),
    "windows as batches": (
        lambda: N(5).window(3, 1, drop_remainder=True).flat_map(lambda w: w.batch(3)),
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]], UNKNOWN),
    "flat map": (lambda: N(4).flat_map(N), [0, 0, 1, 0, 1, 2], UNKNOWN),
    "interleave": (
        lambda: N(1, 4).interleave(lambda x: D.from_tensors(x).repeat(3), 2, 2),
        [1, 1, 2, 2, 1, 2, 3, 3, 3], UNKNOWN),
    "interleave in threads": (
        lambda: N(1, 4).interleave(lambda x: D.from_tensors(x).repeat(3), 2, 2, 2),
        [1, 1, 2, 2, 1, 2, 3, 3, 3], UNKNOWN),
    "group by window": (
        lambda: N(7).group_by_window(lambda x: x % 2, lambda key, w: w.batch(3), 3),
        [[0, 2, 4], [1, 3, 5], [6]], UNKNOWN),
    "groups of the key's size": (
        lambda: N(6).group_by_window(
            lambda x: x % 2, lambda key, w: w.batch(9), window_size_func=lambda k: k + 1),
        [[0], [2], [1, 3], [4], [5]], UNKNOWN),
    "buckets": (
        lambda: int64s(1, 4, 3, 2).map(fill).bucket_by_sequence_length(
            lambda x: tf.shape(x)[0], [3], [2, 2]),
        [[[4, 4, 4, 4], [3, 3, 3, 0]], [[1, 0], [2, 2]]], UNKNOWN),
    "buckets padded to their boundary": (
        lambda: int64s(1, 3).map(fill).bucket_by_sequence_length(
            lambda x: tf.shape(x)[0], [3, 5], [1, 1, 1], pad_to_bucket_boundary=True),
        [[[1, 0]], [[3, 3, 3, 0]]], UNKNOWN),
    "unique": (lambda: int64s(1, 5, 1, 5, 2).unique(), [1, 5, 2], UNKNOWN),
    "scan": (lambda: N(5).scan(np.int64(0), running), [0, 1, 3, 6, 10], 5),
    "choose": (
        lambda: D.choose_from_datasets([N(3), N(10, 12)], int64s(0, 1, 0, 1, 1, 0)),
        [0, 10, 1, 11], UNKNOWN),
    "choose on": (
        lambda: D.choose_from_datasets([N(3), N(10, 12)], int64s(0, 1, 1, 1, 0), False),
        [0, 10, 11, 1], UNKNOWN),
    "sample": (lambda: D.sample_from_datasets([N(2), N(5, 9)], [1.0, 0.0]), [0, 1], UNKNOWN),
    "prefetch": (lambda: N(4).prefetch(2).prefetch(tf.data.AUTOTUNE), [0, 1, 2, 3], 4),
    "cache": (lambda: N(4).cache().repeat(2), [0, 1, 2, 3] * 2, 8),
    "apply": (lambda: N(3).apply(lambda d: d.batch(2)), [[0, 1], [2]], 2),
    "ignore errors": (
        lambda: N(4).map(lambda x: tf.gather([5, 6], 3 - x)).ignore_errors(), [6, 5], UNKNOWN),
    "options": (lambda: N(2).with_options(tf.data.Options()), [0, 1], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_elements(name):
    make, expected, size = CASES[name]
    dataset = make()
    assert elements(dataset) == expected
    assert elements(dataset) == expected  # a second iteration starts anew
    assert int(dataset.cardinality()) == size


@pytest.mark.parametrize("name", [n for n in CASES if not n.startswith("window")])
def test_in_a_function(name):
    make, expected, _ = CASES[name]
    assert in_function(make) == [leaves(element) for element in expected]


@pytest.mark.parametrize("name", [n for n in CASES if not n.startswith("window")])
def test_in_a_session(name):
    make, expected, _ = CASES[name]
    assert in_session(make) == expected
    assert looped_in_session(make) == len(expected)


@pytest.mark.parametrize("name", CASES)
def test_the_spec_describes_the_elements(name):
    dataset = CASES[name][0]()
    for element in dataset.take(5):
        tf.nest.map_structure(check, dataset.element_spec, element)


def check(spec, value):
    if isinstance(value, tf.data.Dataset):
        assert spec.element_spec == value.element_spec
    else:
        assert spec.dtype is value.dtype and spec.shape.is_compatible_with(value.shape)


def test_specs():
    scalar = tf.TensorSpec((), tf.int64)
    assert N(3).batch(2).element_spec == tf.TensorSpec([None], tf.int64)
    assert N(3).batch(2, drop_remainder=True).element_spec == tf.TensorSpec([2], tf.int64)
    assert N(3).window(2).element_spec == tf.data.DatasetSpec(scalar)
    assert repr(N(3).map(lambda x: x)) == (
        "<_MapDataset element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None)>"
    )
    joint = D.from_tensors([1]).concatenate(D.from_tensors([1, 2]))
    assert joint.element_spec == tf.TensorSpec([None], tf.int32)
    assert tf.data.get_output_types(D.zip((N(1), N(2)))) == (tf.int64, tf.int64)


def test_elements_by_number():
    assert int(tf.data.experimental.at(N(5).map(lambda x: x * x), 3)) == 9
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.data.experimental.at(N(5), tf.constant(4))) == 4


def test_specs_of_rebatched():
    def size(made):
        return made.element_spec.shape[0]

    four, some = N(8).batch(4, drop_remainder=True), N(8).batch(4)
    assert [size(four.rebatch(s)) for s in (2, [2, 2], [2, 1, 1], 3)] == [2, 2, None, None]
    assert [size(some.rebatch(s)) for s in (2, [2, 2])] == [None, None]
    assert [size(some.rebatch(s, True)) for s in (3, [2, 2], [1, 2])] == [3, 2, None]


def test_errors_do_not_bring_zipped_elements_out_of_step():
    numbers = D.from_tensor_slices([1, 0, 2])
    pairs = D.zip((numbers.map(lambda x: 8 // x), numbers)).ignore_errors()
    assert elements(pairs) == [(8, 1), (4, 2)]


def test_errors_that_windows_leap_over():
    quotients = D.from_tensor_slices([1, 0, 2, 0, 4, 0, 8]).map(lambda x: 8 // x)
    windows = quotients.window(2, 2, 2, drop_remainder=True).flat_map(lambda w: w.batch(2))
    assert elements(windows) == [[8, 4], [4, 2], [2, 1]]
    assert elements(quotients.window(2, drop_remainder=True).ignore_errors()) == []


def test_reduce_with_a_ragged_state():
    rows = D.from_tensor_slices([3, 1]).map(lambda n: tf.ragged.range([n, 1]))
    last = rows.reduce(tf.ragged.constant([[0], [1]]), lambda state, row: row)
    assert last.to_list() == [[0], [0]]


def test_scan_with_a_tensor_array():
    def note(array, x):
        seen = array.stack()
        return array.write(array.size(), x), seen

    start = tf.TensorArray(tf.int64, 0, dynamic_size=True, clear_after_read=False,
                           element_shape=[]).write(0, -1)  # fmt: skip
    data = N(3).scan(start, note)
    assert elements(data) == elements(data) == [[-1], [-1, 0], [-1, 0, 1]]


def test_ignored_errors_are_told(capsys):
    data = D.from_tensor_slices([1, 0]).map(lambda x: 8 // x)
    assert elements(data.ignore_errors(log_warning=True)) == [8]
    assert "Error raised with error message" in capsys.readouterr().err


def test_reduce():
    assert int(N(5).reduce(np.int64(0), lambda s, x: s + x)) == 10
    total, count = N(5).reduce((np.int64(0), 0), lambda s, x: (s[0] + x, s[1] + 1))
    assert (int(total), int(count)) == (10, 5)
    longer = N(3).reduce(tf.zeros([0], tf.int64), lambda s, x: tf.concat([s, [x]], 0))
    assert longer.numpy().tolist() == [0, 1, 2]
    pairs = D.zip((N(3), N(3))).reduce(np.int64(0), lambda s, pair: s + pair[0] * pair[1])
    assert int(pairs) == 5


def test_reduce_in_a_graph():
    def total(n):
        return N(n).reduce(np.int64(0), lambda s, x: s + x if x % 2 == 0 else s)

    assert int(tf.function(total)(tf.constant(7, tf.int64))) == 12
    with tf.Graph().as_default(), tf.Session() as session:
        n = tf.placeholder(tf.int64, [])
        assert session.run(total(n), {n: 5}) == 6


def test_functions_use_tensors_and_variables_around_them():
    scale = tf.Variable(2, dtype=tf.int64)
    dataset = N(3).map(lambda x: x * scale)
    assert elements(dataset) == [0, 2, 4]
    scale.assign(5)
    assert elements(dataset) == [0, 5, 10]

    @tf.function
    def captured(n):
        return N(3).map(lambda x: x + n).reduce(np.int64(0), lambda s, x: s * 10 + x)

    assert int(captured(tf.constant(1, tf.int64))) == 123
    assert int(captured(tf.constant(2, tf.int64))) == 234


def test_python_effects_happen_once():
    seen = []

    def note(x):
        seen.append("traced")
        return x

    assert elements(N(5).map(note)) == [0, 1, 2, 3, 4]
    assert len(seen) == 1


def test_single_elements():
    assert D.from_tensors(3).get_single_element() == 3
    for dataset in (N(0), N(2)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Dataset (was empty|had more)"):
            dataset.get_single_element()


def test_arrays_of_numpy_come_out():
    (first, second) = D.from_tensor_slices({"a": [1, 2]}).as_numpy_iterator()
    assert first == {"a": 1} and type(second["a"]) is np.int32


def test_length_and_truth():
    assert len(N(4)) == 4 and bool(N(0))
    with pytest.raises(TypeError, match="infinite"):
        len(N(4).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(N(4).filter(lambda x: x > 1))


def test_a_thousand_maps_one_after_the_other():
    dataset = tf.data.Dataset.range(3)
    for _ in range(1000):
        dataset = dataset.map(increment)
    assert [int(value) for value in dataset] == [1000, 1001, 1002]


def increment(value):
    return value + 1
