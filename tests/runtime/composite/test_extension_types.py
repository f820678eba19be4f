"""Extension types: TensorFlow's values, what is said of mistakes, saved traces, interception."""

import copy
import inspect
import pickle
import typing

import numpy as np
import pytest

import runtime as tf
from tests.runtime.composite.extension_type_calls import STORED
from tests.support.tensorflow_values import assert_agree

VALUES = STORED.stored()
STAGED = [call for call in STORED.calls if call.startswith(("registered", "looped", "tf."))
          and "caught" not in call and VALUES[call] and isinstance(VALUES[call], list)
          and isinstance(VALUES[call][0], str)]  # fmt: skip


class Masked(tf.experimental.ExtensionType):
    __name__ = "tests.Masked"
    values: tf.Tensor
    mask: tf.Tensor

    class Spec:
        def __init__(self, shape, dtype=tf.float32):
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)


class Tree(tf.experimental.ExtensionType):
    __name__ = "tests.Tree"
    value: tf.Tensor
    children: tuple["Tree", ...] = ()
    names: typing.Mapping[str, int] = {}  # noqa: RUF012


@pytest.mark.parametrize("call", STORED.calls)
def test_as_tensorflow(call):
    assert_agree(STORED.run(tf, call), VALUES[call])


@pytest.mark.parametrize("call", STAGED)
def test_as_tensorflow_in_a_function(call):
    assert_agree(STORED.run(tf, call, tf.function), VALUES[call])


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Masked([1], None), "mask: expected a Tensor, got 'NoneType'"),
        (lambda: Tree(1, 2), "children: expected tuple, got 'int'"),
        (lambda: Tree(1, [2]), "children[0]: expected 'Tree', got 'int'"),
        (lambda: Tree(1, (), {"a": "b"}), "names['a']: expected 'int', got 'str'"),
        (lambda: Masked([1]), "missing a required argument: 'mask'"),
    ],
)
def test_what_is_said_of_wrong_fields(make, text):
    with pytest.raises(TypeError) as error:
        make()
    assert text in str(error.value)


def test_a_user_constructor_must_set_all_fields():
    class Half(tf.experimental.ExtensionType):
        a: tf.Tensor
        b: tf.Tensor

        def __init__(self, a):
            self.a = a

    with pytest.raises(ValueError, match="Missing required fields: {'b'}"):
        Half(1)


def test_values_can_be_copied_and_pickled():
    tree = Tree(1, [Tree(2)], {"a": 3})
    for again in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert bool(again == tree) and again.names["a"] == 3
    spec = pickle.loads(pickle.dumps(tf.type_spec_from_value(tree)))
    assert spec == tf.type_spec_from_value(tree)


def test_constructors_show_the_fields():
    assert str(inspect.signature(Tree)).startswith("(value: ")
    assert [*inspect.signature(Tree).parameters] == ["value", "children", "names"]


def test_one_trace_serves_values_of_one_type():
    @tf.function
    def total(value):
        return tf.reduce_sum(value.values)

    assert total(Masked([1.0, 2.0], [True, False])).numpy() == 3
    assert total(Masked([1.0, 5.0], [True, False])).numpy() == 6
    assert total.experimental_get_tracing_count() == 1
    total(Masked([1, 5], [True, False]))
    assert total.experimental_get_tracing_count() == 2


def test_gradients_go_through_fields():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        value = Masked(x * x, [True, False])
        loss = tf.reduce_sum(tf.where(value.mask, value.values, 0.0))
    assert tape.gradient(loss, x).numpy().tolist() == [2.0, 0.0]


def test_a_loop_must_keep_static_fields():
    def body(tree):
        return Tree(tree.value, [tree])

    for call in (tf.while_loop, tf.function(tf.while_loop)):
        with pytest.raises(ValueError, match="must return the types of 'loop_vars'"):
            call(lambda tree: tree.value < 3, body, [Tree(1)])


def test_loops_take_invariants_of_types():
    @tf.function
    def grown(value):
        def body(value):
            twice = [tf.concat([part, part], 0) for part in (value.values, value.mask)]
            return Masked(*twice)

        invariants = [Masked.Spec([None])]
        return tf.while_loop(lambda v: tf.size(v.values) < 5, body, [value], invariants)

    (result,) = grown(Masked([1.0], [True]))
    assert result.values.numpy().tolist() == [1.0] * 8


def test_saved_traces_keep_their_types(tmp_path):
    class Scale(tf.Module):
        def __init__(self):
            super().__init__()
            self.factor = tf.Variable(2.0)

        @tf.function
        def scaled(self, x: Masked):
            return Masked(x.values * self.factor, x.mask)

        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None])])
        def rows(self, x):
            return x * self.factor, tf.sparse.from_dense(x.to_tensor())

    module = Scale()
    module.scaled.get_concrete_function(Masked.Spec([None]))
    tf.saved_model.save(module, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    result = loaded.scaled(Masked([1.0, 3.0], [True, False]))
    assert type(result) is Masked and result.values.numpy().tolist() == [2.0, 6.0]
    ragged, sparse = loaded.rows(tf.ragged.constant([[1.0], [], [2.0, 3.0]]))
    assert ragged.to_list() == [[2.0], [], [4.0, 6.0]]
    assert tf.sparse.to_dense(sparse).numpy().tolist() == [[1, 0], [0, 0], [2, 3]]


def test_a_type_without_a_name_is_not_saved(tmp_path):
    class Unnamed(tf.experimental.ExtensionType):
        x: tf.Tensor

    module = tf.Module()
    module.f = tf.function(lambda value: value.x)
    module.f(Unnamed(1.0))
    with pytest.raises(tf.errors.UnimplementedError, match="give the class an attribute __name__"):
        tf.saved_model.save(module, str(tmp_path / "model"))


def test_functions_are_as_before_once_nothing_is_registered():
    code = tf.stack.__code__

    @tf.experimental.dispatch_for_api(tf.stack)
    def stacked(values: list[Masked], axis=0):
        return "registered"

    assert tf.stack([Masked(1, True)]) == "registered"
    assert tf.stack([1, 2]).numpy().tolist() == [1, 2]
    assert list(inspect.signature(tf.stack).parameters) == ["values", "axis", "name"]
    with pytest.raises(TypeError, match="axes"):
        tf.stack([1, 2], axes=0)
    tf.experimental.unregister_dispatch_for(stacked)
    assert tf.stack.__code__ is code and not hasattr(tf.stack, "__signature__")


def test_two_targets_for_one_call_are_refused():
    @tf.experimental.dispatch_for_api(tf.stack, {0: list[Masked]})
    def first(*args, **kwargs):
        return 1

    @tf.experimental.dispatch_for_api(tf.stack, {"values": list[typing.Union[Masked, Tree]]})
    def second(*args, **kwargs):
        return 2

    try:
        assert tf.stack([Tree(1)]) == 2
        with pytest.raises(ValueError, match="Multiple dispatch targets"):
            tf.stack([Masked(1, True)])
    finally:
        for function in (first, second):
            tf.experimental.unregister_dispatch_for(function)


def test_classes_of_the_users_own_take_part():
    class Money:
        def __init__(self, cents):
            self.cents = tf.convert_to_tensor(cents)

    @tf.experimental.dispatch_for_binary_elementwise_apis(Money, Money)
    def together(api, x, y):
        return Money(api(x.cents, y.cents))

    @tf.experimental.dispatch_for_api(tf.reduce_sum)
    def total(input_tensor: Money, axis=None, keepdims=False):
        return Money(tf.reduce_sum(input_tensor.cents, axis, keepdims))

    try:
        assert tf.add(Money(3), Money(4)).cents.numpy() == 7
        assert tf.reduce_sum(Money([3, 4])).cents.numpy() == 7
        with pytest.raises(ValueError, match="has already been registered"):
            tf.experimental.dispatch_for_binary_elementwise_apis(Money, Money)(together)
    finally:
        tf.experimental.unregister_dispatch_for(together)
        tf.experimental.unregister_dispatch_for(total)
    with pytest.raises(ValueError, match="unsupported type"):
        tf.add(Money(3), Money(4))


def test_datasets_check_what_a_generator_yields():
    def values():
        yield Masked(np.arange(3.0, dtype=np.float32), [True] * 3)
        yield Masked([1, 2, 3], [True] * 3)

    dataset = tf.data.Dataset.from_generator(values, output_signature=Masked.Spec([3]))
    rows = iter(dataset)
    assert next(rows).values.numpy().tolist() == [0, 1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError):
        next(rows)
    with pytest.raises(TypeError, match="Dataset.batch"):
        dataset.batch(2)


def test_annotations_may_be_texts():
    class Leaf(tf.experimental.ExtensionType):
        x: "tf.Tensor"

    class Pair(tf.experimental.ExtensionType):
        left: "Leaf"
        right: "typing.Optional[Pair]" = None

    pair = Pair(Leaf(1), Pair(Leaf(2)))
    assert pair.right.left.x.numpy() == 2
    with pytest.raises(TypeError, match="left: expected 'Leaf', got 'int'"):
        Pair(1)
