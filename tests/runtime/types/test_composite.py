"""Input signatures of what consists of several tensors: ragged tensors, tensor arrays, datasets."""

import pytest

import runtime as tf
from runtime.functions import cache_key as keys
from runtime.functions import concrete_function as concrete
from runtime.functions import direct_arguments as direct
from runtime.functions import mutation_check as mutations
from runtime.functions import results as packing
from runtime.functions import retracing
from runtime.functions import signature as arguments
from runtime.functions import type_format as descriptions
from runtime.types.composite import ValueSpec, register_type_spec

ROWS = tf.RaggedTensorSpec([None, None], tf.int32)


def traced(spec):
    """An identity with a signature, and what it saw while tracing."""
    seen = []

    @tf.function(input_signature=[spec])
    def same(x):
        seen.append(x)
        return x

    return same, seen


def test_a_signature_of_ragged_tensors_has_one_trace():
    same, seen = traced(ROWS)
    for rows in ([[1], [2, 3]], [[4, 5, 6]], []):
        given = tf.ragged.constant(rows, tf.int32, ragged_rank=1)
        assert same(given).to_list() == rows
    assert len(seen) == 1
    assert seen[0].flat_values.shape.as_list() == [None]


def test_levels_keep_their_order():
    same, seen = traced(tf.RaggedTensorSpec([None, None, None], tf.int32))
    for rows in ([[[1], [2, 3]], [[4]]], [[[], [5]]]):
        assert same(tf.ragged.constant(rows)).to_list() == rows
    assert len(seen) == 1


@pytest.mark.parametrize(
    "other", [tf.ragged.constant([[1.0]]), tf.constant([[1]]), tf.ragged.constant([[[1]]]), 3, None]
)
def test_other_types_are_refused(other):
    same, _ = traced(ROWS)
    with pytest.raises(TypeError, match=r"'x' does not fit .* expected RaggedTensorSpec"):
        same(other)


def test_numbers_of_rows_may_be_declared():
    same, _ = traced(tf.RaggedTensorSpec([2, None], tf.int32))
    assert same(tf.ragged.constant([[1], [2, 3]])).nrows().numpy() == 2
    with pytest.raises(TypeError, match="does not fit"):
        same(tf.ragged.constant([[1]]))


@pytest.mark.parametrize("declared", [True, False])
def test_concrete_functions_take_values_of_their_specs(declared):
    same = traced(ROWS)[0] if declared else tf.function(lambda x: x)
    concrete = same.get_concrete_function(*([] if declared else [ROWS]))
    assert concrete.structured_input_signature == ((ROWS,), {})
    assert concrete(tf.ragged.constant([[5], [6, 7]])).to_list() == [[5], [6, 7]]
    with pytest.raises(TypeError):
        concrete(tf.ragged.constant([[5.0]]))


def test_tensor_arrays_and_nests():
    array = tf.TensorArraySpec([], tf.float32, dynamic_size=True)
    numbers = tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))

    @tf.function(input_signature=[{"array": array, "rows": ROWS, "numbers": numbers}])
    def total(parts):
        sum_ = tf.constant(0, tf.int64)
        for x in parts["numbers"]:
            sum_ += x
        return parts["array"].write(1, 1.0).stack(), tf.reduce_sum(parts["rows"].flat_values), sum_

    written = tf.TensorArray(tf.float32, 1, dynamic_size=True, element_shape=[]).write(0, 3.0)
    rows = tf.ragged.constant([[1], [2]])
    found = total({"array": written, "rows": rows, "numbers": tf.data.Dataset.range(4)})
    assert [t.numpy().tolist() for t in found] == [[3.0, 1.0], 3, 6]


def test_how_many_values_there_are_does_not_count():
    seen = []

    @tf.function
    def total(x):
        seen.append(x.shape.as_list())
        return tf.reduce_sum(x.flat_values)

    rows = [[[1], [2, 3, 4]], [[1, 2], [3]], [[], []]]
    calls = [total(tf.ragged.constant(r, tf.int32, ragged_rank=1)) for r in rows]
    assert [t.numpy() for t in calls] == [10, 6, 0]
    total(tf.ragged.constant([[1], [2], [3]]))
    total(tf.ragged.constant([[[1], [2]], []]))
    total(tf.ragged.constant([[], [[1, 5], [2]]]))
    assert seen == [[2, None], [3, None], [2, None, None]]
    (change,) = total.explain().traces[1].changes
    assert (change.argument, change.kind) == ("x", "shape")
    assert change.new == "RaggedTensorSpec(TensorShape([3, None]), tf.int32, 1, tf.int64)"


def test_the_number_of_rows_becomes_unknown_by_reduce_retracing():
    same = tf.function(lambda x: x, reduce_retracing=True)
    for count in range(1, 6):
        assert same(tf.ragged.constant([[1]] * count)).to_list() == [[1]] * count
    assert same.experimental_get_tracing_count() == 2
    signature = "(x: RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64))"
    assert signature in same.pretty_printed_concrete_signatures(verbose=False)


def test_ragged_arguments_in_nests_functions_and_tapes():
    v = tf.Variable([1.0, 2.0])
    inner = tf.function(lambda x: tf.reduce_sum(tf.gather(v, x.flat_values)))
    outer = tf.function(lambda nest: inner(nest["rows"][0]))
    for rows in ([[0], [1, 1]], [[1, 0], [0, 1]]):
        with tf.GradientTape() as tape:
            y = outer({"rows": [tf.ragged.constant(rows)]})
        counts = [sum(rows, []).count(k) for k in (0, 1)]
        assert tf.convert_to_tensor(tape.gradient(y, v)).numpy().tolist() == counts
    assert outer.experimental_get_tracing_count() == 1


# -- the protocol: a class that nobody knows ---------------------------------------------------


class Interval:
    """Two tensors, which functions take by the type that its spec gives."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __tf_flatten__(self):
        return None, (self.low, self.high)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(*components)


class IntervalSpec(ValueSpec):
    value_type = Interval

    def __init__(self, dtype):
        self.dtype = dtype

    @classmethod
    def from_value(cls, value):
        return cls(value.low.dtype)

    def _tensors(self):
        return [tf.TensorSpec([], self.dtype)] * 2

    def _tensors_of(self, value):
        return [value.low, value.high]

    def _with_tensors(self, tensors):
        return self if isinstance(tensors[0], tf.TensorSpec) else Interval(*tensors)

    def _type_key(self):
        return IntervalSpec, self.dtype

    def __repr__(self):
        return f"IntervalSpec({self.dtype.name})"


register_type_spec(Interval, IntervalSpec, is_argument=True)


def interval(low, high):
    return Interval(tf.constant(low), tf.constant(high))


def test_functions_take_registered_classes_by_their_types():
    widened = tf.function(lambda i, by=1: [Interval(i.low - by, i.high + by)])
    for number in range(4):
        (found,) = widened(interval(1, number))
        assert (found.low.numpy(), found.high.numpy()) == (0, number + 1)
    assert widened.experimental_get_tracing_count() == 1
    assert widened(interval(1.0, 2.0))[0].high.numpy() == 3.0
    why = "the dtype of 'i' differs: it was IntervalSpec(int32) and is IntervalSpec(float32)"
    assert why in str(widened.explain())


def test_concrete_functions_and_signatures_of_registered_classes():
    @tf.function(input_signature=[{"i": IntervalSpec(tf.int32)}])
    def width(values):
        return values["i"].high - values["i"].low

    assert width({"i": interval(1, 4)}).numpy() == 3
    with pytest.raises(TypeError, match=r"values\[.*does not fit .* IntervalSpec\(int32\)"):
        width({"i": interval(1.0, 4.0)})
    concrete = tf.function(lambda i: i.high).get_concrete_function(IntervalSpec(tf.int32))
    assert concrete.structured_input_signature == ((IntervalSpec(tf.int32),), {})
    assert concrete(interval(1, 4)).numpy() == 4


@pytest.mark.parametrize(
    "module", [arguments, concrete, descriptions, keys, mutations, packing, direct, retracing]
)
def test_functions_know_composites_by_the_protocol_only(module):
    made = [tf.RaggedTensor, tf.IndexedSlices, tf.TensorArray, tf.data.Dataset, tf.RaggedTensorSpec]
    known = vars(module).values()
    homes = {cls.__module__ for cls in made} | {"runtime.type_specs"}
    assert not any(getattr(value, "__module__", None) in homes for value in known)
