"""Components that are no single tensor: None, RaggedTensors, optionals, TensorArrays, datasets."""

import numpy as np
import pytest

import runtime as tf

D = tf.data.Dataset
N = D.range
Optional = tf.data.experimental.Optional
R = tf.ragged.constant
RAGGED = tf.RaggedTensorSpec([None, None], tf.int32)


def plain(value):
    """Plain values; ragged ones in a set-apart tuple."""
    if isinstance(value, tf.RaggedTensor):
        return ("ragged", value.to_list())
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, D):
        return list(map(plain, value))
    if isinstance(value, Optional):
        return ("optional", plain(value.get_value()) if value.has_value() else None)
    if isinstance(value, tf.TensorArray):
        return plain(value.stack())
    return None if value is None else np.asarray(value).tolist()


def up_to(x):
    return tf.range(x)


def ragged_rows():
    return R([[[1], [2, 3]], [], [[4]]])


def ragged(*rows):
    return ("ragged", list(rows))


def array_of(x):
    return tf.TensorArray(tf.int64, size=2, element_shape=[]).unstack([x, x + 1])


def even_or_nothing(x):
    if x % 2 == 0:
        return Optional.from_value(x)
    return Optional.empty(tf.TensorSpec([], tf.int64))


# name: (dataset, elements)
CASES = {
    "none": (lambda: D.from_tensors((42, None)), [(42, None)]),
    "none in a tuple": (lambda: N(2).map(lambda x: (None, {"a": None})), [(None, {"a": None})] * 2),
    "none is handed on": (
        lambda: N(2).map(lambda x: (x, None)).map(lambda x, y: x if y is None else -x), [0, 1]),
    "batch of none": (
        lambda: N(3).map(lambda x: {"a": x, "b": None}).batch(2),
        [{"a": [0, 1], "b": None}, {"a": [2], "b": None}]),
    "padded batch of none": (
        lambda: N(1, 3).map(lambda x: (up_to(x), None)).padded_batch(2),
        [([[0, 0], [0, 1]], None)]),
    "unbatch of none": (
        lambda: D.from_tensors(([1, 2], None)).unbatch(), [(1, None), (2, None)]),
    "ragged": (lambda: D.from_tensors((R([[1], [2, 3]]), 4)), [(ragged([1], [2, 3]), 4)]),
    "ragged slices": (lambda: D.from_tensor_slices(R([[1, 2], [], [3]])), [[1, 2], [], [3]]),
    "ragged slices of rows": (
        lambda: D.from_tensor_slices((ragged_rows(), [5, 6, 7])),
        [(ragged([1], [2, 3]), 5), (ragged(), 6), (ragged([4]), 7)]),
    "ragged slices become ragged in batches": (
        lambda: D.from_tensor_slices(R([[1, 2], [], [3]])).batch(2),
        [ragged([1, 2], []), ragged([3])]),
    "ragged batches": (
        lambda: D.from_tensor_slices(ragged_rows()).batch(2), [ragged([[1], [2, 3]], []),
                                                              ragged([[4]])]),
    "ragged batches of batches": (
        lambda: D.from_tensor_slices(ragged_rows()).batch(2).batch(2),
        [ragged([[[1], [2, 3]], []], [[[4]]])]),
    "ragged batches taken apart": (
        lambda: D.from_tensor_slices(ragged_rows()).batch(2).unbatch(),
        [ragged([1], [2, 3]), ragged(), ragged([4])]),
    "ragged made and used": (
        lambda: N(3).map(lambda x: tf.RaggedTensor.from_row_lengths(up_to(x + 1), [1, x])).map(
            lambda r: r.with_flat_values(r.flat_values + 1)),
        [ragged([1], []), ragged([1], [2]), ragged([1], [2, 3])]),
    "ragged batch": (
        lambda: N(4).map(lambda x: (up_to(x), x)).ragged_batch(3),
        [(ragged([], [0], [0, 1]), [0, 1, 2]), (ragged([0, 1, 2]), [3])]),
    "ragged batch of matrices": (
        lambda: N(3).map(lambda x: (tf.fill([x, 2], x), tf.fill([2, x], x))).ragged_batch(3, True),
        [(ragged([], [[1, 1]], [[2, 2], [2, 2]]), ragged([[], []], [[1], [1]], [[2, 2], [2, 2]]))]),
    "ragged window": (
        lambda: D.from_tensor_slices((R([[1], [2, 3], []]), [1, 2, 3])).window(2),
        [([[1], [2, 3]], [1, 2]), ([[]], [3])]),
    "ragged, concatenated": (
        lambda: D.from_tensors(R([[1], []])).concatenate(D.from_tensors(R([[2, 3]]))),
        [ragged([1], []), ragged([2, 3])]),
    "ragged, unique": (
        lambda: D.from_tensor_slices(R([[1], [2, 3], [1]])).unique(), [[1], [2, 3]]),
    "ragged of a generator": (
        lambda: D.from_generator(lambda: map(R, [[[1], []], [[2, 3]]]),
                                 output_signature=RAGGED),
        [ragged([1], []), ragged([2, 3])]),
    "optionals": (
        lambda: N(3).map(even_or_nothing), [("optional", 0), ("optional", None), ("optional", 2)]),
    "optionals, asked": (
        lambda: N(3).map(even_or_nothing).filter(lambda o: o.has_value()).map(
            lambda o: o.get_value()),
        [0, 2]),
    "tensor arrays": (lambda: N(2).map(array_of), [[0, 1], [1, 2]]),
    "tensor arrays, handed on": (
        lambda: N(2).map(array_of).map(lambda array: array.read(1)), [1, 2]),
    "a list of datasets": (
        lambda: D.from_tensor_slices([N(2), N(3)]).flat_map(lambda d: d), [0, 1, 0, 1, 2]),
    "a list of datasets in turns": (
        lambda: D.from_tensor_slices([N(2), N(5, 7)]).interleave(lambda d: d, cycle_length=2),
        [0, 5, 1, 6]),
    "a component of datasets": (
        lambda: D.from_tensors([N(2), N(1)]).flat_map(D.from_tensor_slices).flat_map(lambda d: d),
        [0, 1, 0]),
    "batches of datasets": (
        lambda: N(3).map(lambda x: (N(x), x)).batch(2).map(lambda d, x: (d, x)).unbatch().flat_map(
            lambda d, x: d),
        [0, 0, 1]),
    "batches of batches of datasets": (
        lambda: N(4).map(N).batch(2).batch(2).unbatch().unbatch().flat_map(lambda d: d),
        [0, 0, 1, 0, 1, 2]),
    "datasets in a cache": (lambda: N(4).window(2).cache(), [[0, 1], [2, 3]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_elements(name):
    make, expected = CASES[name]
    dataset = make()
    assert [plain(element) for element in dataset] == expected
    assert [plain(element) for element in dataset] == expected


@pytest.mark.parametrize("name", CASES)
def test_in_a_function(name):
    make, expected = CASES[name]

    @tf.function
    def nth(n):
        iterator = iter(make())
        element = next(iterator)
        while n > 0:
            element = next(iterator)
            n -= 1
        return element

    if name == "none in a tuple":
        pytest.skip("a loop over None alone leaves nothing to hand out")
    if name.startswith(("optionals", "tensor array", "datasets", "ragged window", "batches")):
        pytest.skip("what a loop hands on is a tensor")
    assert [plain(nth(tf.constant(n))) for n in range(len(expected))] == expected


@pytest.mark.parametrize("name", CASES)
def test_in_a_session(name):
    make, expected = CASES[name]
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = make().make_initializable_iterator()
        element = iterator.get_next()
        if isinstance(element, tf.TensorArray):
            element = element.stack()
        if isinstance(element, Optional | D) or name == "ragged window" or "none" in name:
            pytest.skip("sessions fetch tensors")
        session.run(iterator.initializer)
        assert [plain(session.run(element)) for _ in expected] == expected
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(element)


def test_specs():
    def spec(name):
        return CASES[name][0]().element_spec

    scalar = tf.TensorSpec([], tf.int64)
    assert spec("none") == (tf.TensorSpec([], tf.int32), tf.NoneTensorSpec())
    assert spec("ragged")[0] == tf.RaggedTensorSpec([2, None], tf.int32)
    assert spec("ragged slices") == tf.RaggedTensorSpec([None], tf.int32, 0)
    assert spec("ragged batches") == tf.RaggedTensorSpec([None, None, None], tf.int32)
    assert str(spec("ragged, concatenated")) == (
        "RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)"
    )
    assert spec("ragged batch of matrices")[0] == tf.RaggedTensorSpec([3, None, 2], tf.int64, 1)
    assert spec("optionals") == tf.OptionalSpec(scalar)
    assert spec("tensor arrays") == tf.TensorArraySpec([], tf.int64)
    assert D.from_tensors([N(2), N(1)]).element_spec == tf.data.DatasetSpec(scalar, [2])
    assert N(3).map(N).batch(2).element_spec == tf.data.DatasetSpec(scalar, [None])
    assert D.from_tensor_slices([N(2), N(1)]).element_spec == tf.data.DatasetSpec(scalar)


def test_specs_say_what_fits():
    ragged = tf.RaggedTensorSpec([None, None], tf.int32)
    assert ragged.is_compatible_with(R([[1], []])) and ragged.is_compatible_with(ragged)
    assert not ragged.is_compatible_with(R([[1.5], []]))
    assert not ragged.is_compatible_with(tf.constant([[1]]))
    assert not ragged.is_compatible_with(tf.RaggedTensorSpec([3, 2, None], tf.int32, 1))
    optional = tf.OptionalSpec(tf.TensorSpec([], tf.int32))
    assert optional.is_compatible_with(Optional.from_value(1))
    assert not optional.is_compatible_with(tf.TensorSpec([], tf.int32))
    assert not optional.is_compatible_with(Optional.from_value([1]))
    assert tf.NoneTensorSpec().is_compatible_with(None)
    assert not tf.NoneTensorSpec().is_compatible_with(1)
    with pytest.raises(ValueError, match="ragged_rank or a shape with a known rank"):
        tf.RaggedTensorSpec(None, tf.int32)
    with pytest.raises(ValueError, match=r"ragged_rank \(2\) must be less than rank \(2\)"):
        tf.RaggedTensorSpec([None, None], tf.int32, 2)


def test_arrays_of_ragged_components():
    (first, second) = D.from_tensor_slices((ragged_rows(), [1, 2, 3])).take(2).as_numpy_iterator()
    assert [row.tolist() for row in first[0]] == [[1], [2, 3]] and first[1] == 1
    assert len(second[0]) == 0


def test_optionals_hold_optionals():
    outer = Optional.from_value((Optional.from_value(3.0), None))
    inner, nothing = outer.get_value()
    assert inner.get_value() == 3.0 and nothing is None
    assert outer.element_spec[0] == tf.OptionalSpec(tf.TensorSpec([], tf.float32))
