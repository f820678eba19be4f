"""What datasets refuse, in full words: when they are made, when functions are traced, when run."""

import numpy as np
import pytest

import runtime as tf
from tests.support.ways import elements

D = tf.data.Dataset
N = D.range
INT = "TensorSpec(shape=(), dtype=tf.int64, name=None)"
FLOAT = "TensorSpec(shape=(), dtype=tf.float32, name=None)"


def generated(values, spec):
    return elements(D.from_generator(lambda: iter(values), output_signature=spec))


SCALAR = tf.TensorSpec((), tf.int32)

# name: (what is done, the class, the text)
CASES = {
    "scalar slices": (
        lambda: D.from_tensor_slices(3), ValueError,
        "Unbatching a tensor is only supported for rank >= 1, got TensorSpec(shape=(), "
        "dtype=tf.int32, name=None)"),
    "slices of unequal sizes": (
        lambda: D.from_tensor_slices(([1, 2], [1, 2, 3])), ValueError,
        "Dimensions 2 and 3 are not compatible: the components (TensorSpec(shape=(2,), "
        "dtype=tf.int32, name=None), TensorSpec(shape=(3,), dtype=tf.int32, name=None)) must have "
        "one size along their first axis"),
    "no tensor": (
        lambda: D.from_tensors({1}), TypeError,
        "Dataset.from_tensors: Attempt to convert a value ({1}) with an unsupported type "
        "(<class 'set'>) to a Tensor."),
    "range without a step": (
        lambda: N(1, 5, 0), tf.errors.InvalidArgumentError,
        "Dataset.range: step cannot be zero."),
    "batch of nothing": (
        lambda: N(3).batch(0), tf.errors.InvalidArgumentError,
        "batch_size must be greater than zero, got 0"),
    "batch of a fraction": (
        lambda: N(3).batch(1.5), TypeError, "batch_size must be a whole number, got 1.5"),
    "empty window": (
        lambda: N(3).window(0), tf.errors.InvalidArgumentError,
        "size must be greater than zero, got 0"),
    "shuffle buffer": (
        lambda: N(3).shuffle(0), tf.errors.InvalidArgumentError,
        "buffer_size must be greater than zero, got 0"),
    "shard": (
        lambda: N(3).shard(2, 2), tf.errors.InvalidArgumentError,
        "index must be between 0 and 1 (num_shards is 2), got 2"),
    "other elements": (
        lambda: N(3).concatenate(D.from_tensors(1.0)), TypeError,
        f"Dataset.concatenate(): Incompatible dataset elements:\n  {INT} vs.\n  {FLOAT} differ in "
        "structure or dtype"),
    "zip of a list": (
        lambda: D.zip([N(1)]), TypeError,
        "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
        "`tf.data.Dataset` objects. Python `list` is not supported and you should use `tuple` "
        f"instead. Got [<_RangeDataset element_spec={INT}>]"),
    "predicate": (
        lambda: N(3).filter(lambda x: x), ValueError,
        "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return "
        f"type is {INT}."),
    "nothing returned": (
        lambda: N(3).map(lambda x: None), tf.errors.InvalidArgumentError,
        "Unsupported return value from function passed to Dataset.map(): None. Return a tensor, or "
        "several in a tuple or dict."),
    "no element returned": (
        lambda: N(3).map(lambda x: {1}), TypeError,
        "Unsupported return value from function passed to Dataset.map(): Attempt to convert a "
        "value ({1}) with an unsupported type (<class 'set'>) to a Tensor."),
    "no tensor of rows returned": (
        lambda: N(3).map(lambda x: ([[1], [2, 3]], x)), TypeError,
        "Unsupported return value from function passed to Dataset.map(): Can't convert "
        "non-rectangular Python sequence to Tensor: [[1], [2, 3]]. All rows need one length; pad "
        "the shorter ones."),
    "padding of another rank": (
        lambda: N(3).padded_batch(2, [1]), ValueError,
        "The padded shape (1,) is not compatible with the shape () of the corresponding input "
        "component."),
    "padding to less": (
        lambda: D.from_tensors([1, 2]).padded_batch(2, tf.constant([1])), ValueError,
        "The padded shape (1,) is not compatible with the shape (2,) of the corresponding input "
        "component."),
    "padding to a matrix": (
        lambda: D.from_tensors([1, 2]).padded_batch(2, [[1, 1], [1, 1]]), ValueError,
        "Padded shape [[1, 1], [1, 1]] must be a `tf.int64` vector tensor, but its shape was "
        "(2, 2)."),
    "padding to a fraction": (
        lambda: D.from_tensors([1, 2]).padded_batch(2, [1.5]), TypeError,
        "Padded shape [1.5] must be a `tf.int64` vector tensor, but its element type was "
        "float64."),
    "padding to a negative size": (
        lambda: D.from_tensors([1, 2]).padded_batch(2, [-2]), tf.errors.InvalidArgumentError,
        "Padded shape [-2]: sizes must be 0 or more, or -1 for any"),
    "at a place behind the end": (
        lambda: tf.data.experimental.at(N(3), 3), tf.errors.OutOfRangeError,
        "Index out of range: there is no element 3"),
    "weights of another type": (
        lambda: D.sample_from_datasets([N(1), N(2)], [1, 2]), TypeError,
        "Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is "
        "tf.int32."),
    "unique numbers with fractions": (
        lambda: D.from_tensors(1.0).unique(), TypeError,
        "`tf.data.Dataset.unique()` only supports tensors of `tf.int32`, `tf.int64` and "
        f"`tf.string`, but got elements {FLOAT}."),
    "rebatch without sizes": (
        lambda: N(3).batch(2).rebatch([0, 0]), tf.errors.InvalidArgumentError,
        "Dataset.rebatch: sizes must be 0 or more, and one of them more, got [0, 0]"),
    "rebatch to a fraction": (
        lambda: N(3).batch(2).rebatch(1.5), TypeError,
        "batch_size must be a whole number, or a list, got 1.5"),
    "elements in a tuple": (
        lambda: tf.data.experimental.from_list((1, 2)), ValueError,
        "Invalid `elements`. `elements` must be a list, got (1, 2)."),
    "datasets in a list": (
        lambda: D.from_tensors([N(3), D.from_tensors(1.0)]), TypeError,
        "Dataset.from_tensors: the datasets of a list need elements of one type, got "
        f"{INT}, {FLOAT}"),
    "batch of optionals": (
        lambda: D.from_tensors(tf.data.experimental.Optional.from_value(1)).batch(2), TypeError,
        "Dataset.batch() is not supported for components of type OptionalSpec(TensorSpec("
        "shape=(), dtype=tf.int32, name=None))"),
    "padding of ragged": (
        lambda: D.from_tensors(tf.ragged.constant([[1], []])).padded_batch(2), TypeError,
        "Dataset.padded_batch() is only supported for tensors, got elements RaggedTensorSpec("
        "TensorShape([2, None]), tf.int32, 1, tf.int64)"),
    "arrays of datasets": (
        lambda: N(3).window(2).as_numpy_iterator(), TypeError,
        "`tf.data.Dataset.as_numpy_iterator()` does not support datasets containing <class "
        "'runtime.data.dataset.Dataset'>. The dataset `element_spec` is DatasetSpec("
        f"{INT}, TensorShape([]))."),
    "elements of a batch of datasets": (
        lambda: elements(N(3).window(1).batch(3)), tf.errors.InvalidArgumentError,
        "This component is a batch of 3 datasets: take them apart by unbatch() before going "
        "through them"),
    "generator: ragged": (
        lambda: generated([[[1], []]], tf.RaggedTensorSpec([None, None], tf.int32)), TypeError,
        "`generator` yielded [[1], []] where a value of type RaggedTensorSpec(TensorShape([None, "
        "None]), tf.int32, 1, tf.int64) was expected."),
    "other arguments": (
        lambda: D.zip((N(1), N(1))).map(lambda pair: pair), TypeError,
        "Dataset.map(): the function <lambda>(pair) is called with 2 arguments, the components of "
        f"({INT}, {INT}): too many positional arguments"),
    "no dataset made": (
        lambda: N(3).flat_map(lambda x: x), TypeError,
        "The `map_func` argument of Dataset.flat_map() must return a `Dataset` object, but "
        f"returns {INT}"),
    "no function": (
        lambda: N(3).map(3), ValueError,
        "Dataset.map(): Argument `func` must be a callable. Received func=3 (of type "
        "<class 'int'>)"),
    "another state": (
        lambda: N(3).reduce(0, lambda s, x: 1.5), TypeError,
        "Dataset.reduce(): the new state must have the structure and the dtypes of the initial "
        f"state. Expected TensorSpec(shape=(), dtype=tf.int32, name=None); got {FLOAT}. Use "
        "runtime.cast where a dtype changes."),
    "no pair": (
        lambda: N(3).scan(0, lambda s, x: s), TypeError,
        "The function passed to Dataset.scan() must return a pair consisting of the new state and "
        "the output value, but returns TensorSpec(shape=(), dtype=tf.int32, name=None)"),
    "unequal shapes in a batch": (
        lambda: elements(N(1, 3).map(lambda x: tf.fill([x], x)).batch(2)),
        tf.errors.InvalidArgumentError,
        "Cannot batch tensors with different shapes in component 0. First element had shape [1] "
        "and element 1 had shape [2]."),
    "too small a shape": (
        lambda: elements(N(1, 4).map(lambda x: tf.fill([x], x)).padded_batch(3, [2])),
        tf.errors.DataLossError,
        "Attempted to pad to a smaller size than the input element: element 2 of component 0 has "
        "shape [3], the padded shape is [2]."),
    "generator: shape": (
        lambda: generated([{"a": (1, [2])}], {"a": (SCALAR, SCALAR)}), TypeError,
        "`generator` yielded an element of shape (1,) where an element of shape () was expected "
        "at ['a'][1]."),
    "generator: type": (
        lambda: generated([(1, "x")], (SCALAR, SCALAR)), tf.errors.InvalidArgumentError,
        "`generator` yielded an element that could not be converted to the expected type at [1]. "
        "The expected type was int32, but the yielded element was 'x': Cannot convert 'x' to a "
        "tensor of dtype int32. Give a value of that type, or convert the other side with "
        "runtime.strings.as_string."),
    "generator: structure": (
        lambda: generated([{"b": 1}], {"a": SCALAR}), TypeError,
        "`generator` yielded an element that did not match the expected structure. The expected "
        "structure was {'a': TensorSpec(shape=(), dtype=tf.int32, name=None)}, but the yielded "
        "element was {'b': 1}."),
    "a choice of nothing": (
        lambda: elements(D.choose_from_datasets([N(3)], N(2, 3))),
        tf.errors.InvalidArgumentError,
        "choose_from_datasets: a choice of 2, but there are 1 datasets"),
    "another cardinality": (
        lambda: elements(N(3).assert_cardinality(4)), tf.errors.FailedPreconditionError,
        "Input dataset was expected to contain 4 elements but contained only 3 elements."),
    "a larger cardinality": (
        lambda: elements(N(3).assert_cardinality(1)), tf.errors.FailedPreconditionError,
        "Input dataset was expected to contain 1 element but contained at least 2 elements."),
    "no variables in functions": (
        lambda: N(3).map(lambda x: tf.Variable(1) + 1), ValueError,
        "Dataset.map(): the function makes the variable <tf.Variable 'Variable:0' shape=() "
        "dtype=int32, numpy=1>. It is traced once and run for each element: make variables "
        "outside of it."),
    "next of a dataset": (
        lambda: next(N(3)), TypeError, "'Dataset' object is not an iterator"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_refused(name):
    act, kind, text = CASES[name]
    with pytest.raises(kind) as caught:
        act()
    assert str(caught.value).partition("\n  in operation")[0] == text


def test_the_user_s_line_is_named():
    def divided(x):
        return tf.constant(6) // x

    data = D.from_tensor_slices(np.array([2, 0, 3], np.int32)).map(divided)
    iterator = iter(data)
    assert next(iterator) == 3
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        next(iterator)
    assert "test_refusals.py" in str(caught.value)
    assert "in divided: return tf.constant(6) // x" in str(caught.value)
    assert next(iterator) == 2  # one bad element does not end the iteration


def test_an_end_within_a_function_is_no_end_of_the_dataset():
    inner = iter(N(2))
    data = N(5).map(lambda x: next(inner))
    with pytest.raises(tf.errors.InvalidArgumentError, match="produced OutOfRangeError"):
        elements(data)


def test_errors_of_generators_are_the_user_s():
    def generate():
        yield 1
        raise KeyError("mine")

    iterator = iter(D.from_generator(generate, output_signature=SCALAR))
    assert next(iterator) == 1
    with pytest.raises(KeyError, match="mine"):
        next(iterator)


@pytest.mark.parametrize(
    ("types", "shapes", "error", "text"),
    [
        ((tf.int64, tf.int64), [(), ()], TypeError, "must be a nest as output_types="),
        ((tf.int64, tf.int64), ((),), ValueError, "must be a nest"),
        ((tf.int64, (tf.int64, tf.int64)), ((), ((),)), ValueError, r"output_shapes=\(\(\),\)"),
        ({"a": tf.int64}, tf.TensorShape([]), TypeError, "must be a nest"),
    ],
)
def test_shapes_of_another_structure(types, shapes, error, text):
    with pytest.raises(error, match=text):
        D.from_generator(lambda: iter([]), types, shapes)
