"""Direct calls of kernels: they compute what the general way does, and leave all else to it."""

import numpy as np
import pytest

import runtime as tf
from runtime.eager.kernel_calls import KernelCalls, _keywords
from runtime.eager.tensor import EAGER, Tensor, new_tensor, silent_run
from runtime.ops import dispatch
from runtime.ops.op import TABLE, lookup
from runtime.types.errors import InvalidArgumentError

calls = KernelCalls(Tensor, new_tensor, silent_run)
x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])


def test_it_gives_what_the_kernel_gives():
    assert calls[lookup("tensordot")]((x, y), {"axes": 1}) == 13
    assert calls[lookup("tanh")]((x,), {}).tolist() == np.tanh(x.numpy()).tolist()
    assert calls[lookup("stack")]([x, y], {"axis": 0}).shape == (2, 2)


@pytest.mark.parametrize(
    ("name", "inputs", "attrs"),
    [
        ("tanh", (1.0,), {}),  # no tensor
        ("tanh", (tf.constant(1),), {}),  # a dtype that it does not take
        ("add", (x, tf.constant([1, 2])), {}),  # two dtypes
        ("stack", (x, tf.constant([1, 2])), {"axis": 0}),
        ("stack", (x, 1.0), {"axis": 0}),
        ("reduce_sum", (x,), {"axis": None}),  # not all keywords
    ],
)
def test_it_leaves_the_rest_to_the_general_way(name, inputs, attrs):
    assert calls[lookup(name)](inputs, attrs) is NotImplemented


def test_inputs_that_share_no_dtype_may_differ():
    where = lookup("where")
    assert calls[where]((tf.constant([True, False]), x, y), {}).tolist() == [1, 5]


def test_every_plain_op_has_one():
    for op in TABLE.values():
        if op.plain:
            assert callable(calls[op])


def test_a_mistake_is_worded_as_before():
    with pytest.raises(InvalidArgumentError, match="tensordot: axis 0 of a has size 2"):
        tf.tensordot(x, tf.constant([1.0, 2.0, 3.0]), 1)
    with pytest.raises(InvalidArgumentError, match="number 1. has dtype int32"):
        lookup("add")(x, tf.constant([1, 2]))
    with pytest.raises(TypeError, match=r"missing its argument 'b'"):
        lookup("tensordot")(x, axes=1)


class Applies:
    """Input that defines itself what ops do with it."""

    def _apply_op(self, op, inputs, attrs, name):
        return op.name, inputs, attrs, name


def overriding(value, dtype=None, name=None, as_ref=False):
    raise dispatch.OpOverride(value, "no help")


tf.register_tensor_conversion_function(Applies, overriding)


def test_apply_does_what_a_call_does():
    op, one = lookup("tensordot"), Applies()
    wanted = ("tensordot", (x, one), {"axes": 1}, "n")
    assert op(x, one, axes=1, name="n") == op.apply((x, one), {"axes": 1}, "n") == wanted
    assert tf.tensordot(x, one, 1, "n") == wanted
    assert tf.reduce_sum(one, name="n")[2] == {"axis": None, "keepdims": False}

    @tf.function
    def staged(x):
        return op.apply((x, y), {"axes": 1}), op(x, y, axes=1)

    assert [float(v) for v in staged(x)] == [13, 13]


def test_a_listener_hears_of_every_op_with_its_inputs_as_they_were():
    heard = []

    class Listener:
        def record(self, op, inputs, attrs, outputs):
            heard.append((op.name, inputs))

    given = [x, y]
    with dispatch.listening(Listener()):
        EAGER.apply(lookup("stack"), given, {"axis": 0}, None)
        x + y
        -x
    given.clear()
    assert [name for name, _ in heard] == ["stack", "add", "negative"]
    assert [len(inputs) for _, inputs in heard] == [2, 2, 1]


def test_direct_does_what_a_call_does():
    op, one = lookup("tensordot"), Applies()
    assert op.direct(x, y, 1).numpy() == 13
    assert op.direct([1.0, 2.0], y, 1, "name").numpy() == 13
    assert op.direct(x, one, 1, "n") == ("tensordot", (x, one), {"axes": 1}, "n")
    with pytest.raises(InvalidArgumentError, match="number 1. has dtype int32"):
        op.direct(x, tf.constant([1, 2]), 1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = op.direct(x, y, 1)
    assert tape.gradient(z, x).numpy().tolist() == [3, 5]
    assert float(tf.function(lambda x: op.direct(x, y, 1))(x)) == 13


FIXED = [op for op in TABLE.values() if op.plain and op.arity and _keywords(op) and op.samples]


def value_of(tensor):
    array = np.asarray(tensor)
    return array.tolist() if array.dtype == object else (array.shape, array.tobytes())


@pytest.mark.parametrize("op", FIXED, ids=lambda op: op.name)
def test_direct_gives_what_a_call_gives(op):
    for sample in op.samples()[:3]:
        if {*sample.attrs} == {*_keywords(op)}:
            inputs = [tf.constant(value) for value in sample.inputs]
            wanted = op(*inputs, **sample.attrs)
            found = op.direct(*inputs, *[sample.attrs[name] for name in _keywords(op)])
            assert type(found) is type(wanted)
            for one, other in zip(found, wanted) if type(wanted) is tuple else [(found, wanted)]:
                assert one.dtype == other.dtype
                assert value_of(one) == value_of(other)


def test_direct_takes_a_fixed_number_of_inputs_and_attributes():
    with pytest.raises(TypeError, match="inputs and attributes of stack have no fixed order"):
        lookup("stack").direct(x, y, 0)
