"""Extension types: calls whose values TensorFlow 2.21 gave.

``python -m tests.runtime.composite.extension_type_calls``, where TensorFlow is installed, writes
them anew.  Annotations are not postponed: classes in a function are not known by their names.
"""

import typing

from tests.support.tensorflow_values import StoredCalls


def names(tf):
    class Masked(tf.experimental.ExtensionType):
        values: tf.Tensor
        mask: tf.Tensor

        shape = property(lambda self: self.values.shape)
        dtype = property(lambda self: self.values.dtype)

        def filled(self, default):
            return tf.where(self.mask, self.values, default)

        def __validate__(self):
            self.values.shape.assert_is_compatible_with(self.mask.shape)
            assert self.mask.dtype.is_bool, "mask must be bool"

        class Spec:
            def __init__(self, shape, dtype=tf.float32):
                self.values = tf.TensorSpec(shape, dtype)
                self.mask = tf.TensorSpec(shape, tf.bool)

    class Pencil(tf.experimental.ExtensionType):
        color: str = "black"
        has_eraser: bool = True
        length: tf.Tensor = 1.0

    class Player(tf.experimental.ExtensionType):
        name: tf.Tensor
        attributes: typing.Mapping[str, tf.Tensor]

    class Nested(tf.experimental.ExtensionType):
        pencils: tuple[Pencil, ...]
        size: typing.Union[int, float]
        rows: typing.Union[None, tf.RaggedTensor] = None
        shape: tf.TensorShape = None if False else tf.TensorShape([2, None])
        kind: tf.DType = tf.float32

    class Toy(tf.experimental.ExtensionType):
        name: str
        price: tf.Tensor

        def __init__(self, name, price, discount=0.0):
            self.name = name
            self.price = price * (1 - discount)

    class Network(tf.experimental.BatchableExtensionType):
        shape: tf.TensorShape
        work: tf.Tensor
        bandwidth: tf.Tensor

        def __init__(self, work, bandwidth):
            self.work = tf.convert_to_tensor(work)
            self.bandwidth = tf.convert_to_tensor(bandwidth)
            self.shape = self.work.shape[:-1].merge_with(self.bandwidth.shape[:-2])

    class Rows(tf.experimental.BatchableExtensionType):
        ids: tf.RaggedTensor
        weight: tf.Tensor

    class SumEncoder(tf.experimental.ExtensionTypeBatchEncoder):
        def batch(self, spec, batch_size):
            return Summed.Spec(tf.TensorSpec([batch_size, *spec.x.shape], spec.x.dtype))

        def unbatch(self, spec):
            return Summed.Spec(tf.TensorSpec(spec.x.shape[1:], spec.x.dtype))

        def encode(self, spec, value, minimum_rank=0):
            return value.x * 2

        def encoding_specs(self, spec):
            return spec.x

        def decode(self, spec, encoded_value):
            return Summed(encoded_value / 2)

    class Summed(tf.experimental.BatchableExtensionType):
        __batch_encoder__ = SumEncoder()
        x: tf.Tensor

    def caught(function):
        try:
            function()
        except Exception as error:
            return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return "nothing"

    def registered(decorator, function, use):
        decorator(function)
        try:
            return use()
        finally:
            tf.experimental.unregister_dispatch_for(function)

    def made(**attributes):
        return type("Bad", (tf.experimental.ExtensionType,), attributes)

    def stacked(values: list[Masked], axis=0, name=None):
        return Masked(
            tf.stack([v.values for v in values], axis), tf.stack([v.mask for v in values], axis)
        )

    def mixed(values: typing.List[typing.Union[Masked, tf.Tensor]], axis=0, name=None):  # noqa: UP006
        parts = [v.values if isinstance(v, Masked) else v for v in values]
        return tf.concat(parts, axis)

    def one(api, x):
        return Masked(api(x.values), x.mask)

    def two(api, x, y):
        a, b = [v if isinstance(v, Masked) else Masked(v, tf.ones_like(v, tf.bool)) for v in (x, y)]
        return Masked(api(a.values, b.values), a.mask & b.mask)

    choice = typing.Union[Masked, tf.Tensor]
    networks = Network([[5.0, 3.0], [1.0, 4.0]], [[[0.0, 2.0], [2.0, 0.0]]] * 2)

    def balanced(network):
        change = tf.expand_dims(network.work, -1) - tf.expand_dims(network.work, -2)
        change = tf.maximum(tf.minimum(change / 4, network.bandwidth), -network.bandwidth)
        return Network(network.work + tf.reduce_sum(change, -1), network.bandwidth)

    def looped(x, start):
        def body(i, v):
            return i + 1, Masked(v.values * 2.0, v.mask)

        return tf.while_loop(lambda i, v: i < 3, body, [tf.constant(0), start])[1].filled(x)

    rows = Rows(tf.ragged.constant([[1, 2], [], [3]]), [0.5, 1.5, 2.5])
    x = Masked([1.0, -2.0, 3.0], [True, False, True])
    return {
        "Masked": Masked, "Pencil": Pencil, "Player": Player, "Nested": Nested, "Toy": Toy,
        "Network": Network, "Rows": Rows, "Summed": Summed, "caught": caught,
        "registered": registered, "stacked": stacked, "one": one, "two": two, "choice": choice,
        "networks": networks, "balanced": balanced, "looped": looped, "rows": rows, "x": x,
        "mixed": mixed, "made": made, "y": Masked([4.0, 5.0, -6.0], [True, True, False]),
        "api": tf.experimental.dispatch_for_api,
        "unary": tf.experimental.dispatch_for_unary_elementwise_apis,
        "binary": tf.experimental.dispatch_for_binary_elementwise_apis,
        "anne": Player("Anne", {"height": 8.25, "speed": 28.5}),
        "drop": tf.experimental.unregister_dispatch_for,
        "as_dict": tf.experimental.extension_type.as_dict, "union": typing.Union,
    }  # fmt: skip


CALLS = """
x.values
x.filled(0.0)
x.shape.as_list()
str(x.dtype)
repr(Masked(1, True)._type_spec.values)
repr(Pencil())
repr(Pencil(length=0.5, color='blue'))
repr(Toy('ball', 5.0, discount=0.5))
repr(Nested([Pencil(), Pencil('red')], 3))
repr(Nested([], 3.5, tf.ragged.constant([[1], [2, 3]])).rows.to_list())
repr(Nested([], 3).shape), repr(Nested([], 3, kind=tf.int32).kind)
caught(lambda: Masked([1, 2, 3], None))
caught(lambda: Masked([1, 2, 3], [0, 1, 0]))
caught(lambda: Masked([1, 2, 3], [True, False]))
caught(lambda: Masked([1, 2, 3]))
caught(lambda: Masked([1], [True], 3))
caught(lambda: Nested([1], 3))
caught(lambda: Nested([], 'a'))
caught(lambda: Pencil(color=3))
caught(lambda: Pencil(colour='red'))
caught(lambda: setattr(x, 'mask', [True, True, True]))
caught(lambda: setattr(x, 'other', 3))
caught(lambda: delattr(x, 'mask'))
caught(lambda: made(__annotations__={'a': list}))
caught(lambda: made(a=3))
caught(lambda: made(__annotations__={'value_type': int}))
caught(lambda: made(__annotations__={'a': int}, a='b'))
caught(lambda: tf.experimental.ExtensionType())
caught(lambda: tf.convert_to_tensor(x))
caught(lambda: anne.attributes.__setitem__('height', 3))
x == x
x == Masked([1.0, -2.0, 4.0], [True, False, True])
x == Masked([1.0, -2.0], [True, False])
x == x.values
x != x
Pencil() == Pencil('red')
anne.attributes['height'] + anne.attributes['speed']
sorted(anne.attributes), len(anne.attributes)
list(as_dict(x))
repr(tf.type_spec_from_value(anne).name)
Masked.Spec([None]).is_compatible_with(x)
Masked.Spec([4]).is_compatible_with(x)
Masked.Spec([3], tf.int32).is_compatible_with(x)
Masked.Spec([3]) == tf.type_spec_from_value(x)
tf.type_spec_from_value(Pencil()).is_compatible_with(Pencil('red'))
Masked.Spec([None]).values.shape.as_list()
caught(lambda: Player.Spec(name=3, attributes={}))
tf.nest.flatten(x, expand_composites=True)
len(tf.nest.flatten([x, 3]))
tf.nest.map_structure(lambda t: t, x, expand_composites=True).filled(7.0)
tf.cond(tf.constant(True), lambda: x, lambda: Masked([2.0], [True])).filled(0.0)
tf.cond(tf.constant(False), lambda: x, lambda: Masked([2.0], [True])).filled(0.0)
looped(0.5, x)
tf.function(lambda v: Masked(v.values + 1.0, v.mask))(x).filled(0.0)
tf.function(lambda v: v.filled(9.0), input_signature=[Masked.Spec([None])])(x)
tf.function(lambda v: v.filled(9.0)).get_concrete_function(Masked.Spec([None]))(x)
tf.function(lambda p: p.attributes['speed'])(anne)
tf.function(lambda p: tf.constant(len(p.color)))(Pencil('red'))
registered(api(tf.stack), stacked, lambda: tf.stack([x, x]).filled(0.0))
registered(api(tf.stack), stacked, lambda: tf.stack([x, x], axis=1).filled(0.0))
registered(api(tf.stack), stacked, lambda: tf.stack([[1], [2]]))
registered(api(tf.stack), stacked, lambda: caught(lambda: tf.stack([x, [1.0, 2.0, 3.0]])))
registered(api(tf.concat), mixed, lambda: tf.concat([x, tf.constant([7.0])], 0))
registered(api(tf.concat), mixed, lambda: tf.concat([tf.constant([8.0]), tf.constant([7.0])], 0))
registered(unary(Masked), one, lambda: tf.abs(x).filled(0.0))
registered(unary(Masked), one, lambda: tf.cast(x, tf.int32).filled(0))
registered(unary(Masked), one, lambda: tf.nn.leaky_relu(x, 0.5).filled(0.0))
registered(unary(Masked), one, lambda: tf.nn.relu(x).filled(0.0))
registered(unary(Masked), one, lambda: tf.clip_by_value(x, 0.0, 2.0).filled(0.0))
registered(unary(Masked), one, lambda: tf.function(lambda v: tf.exp(v))(x).filled(0.0))
registered(binary(Masked, Masked), two, lambda: tf.add(x, x).filled(0.0))
registered(binary(Masked, Masked), two, lambda: caught(lambda: tf.add(x, 1.0)))
registered(binary(choice, choice), two, lambda: tf.multiply(x, tf.constant(2.0)).filled(0.0))
registered(binary(choice, choice), two, lambda: tf.add(tf.constant(2.0), tf.constant(2.0)))
registered(binary(choice, choice), two, lambda: tf.maximum(tf.constant(0.5), x).filled(0.0))
caught(lambda: tf.stack([x, x]))
caught(lambda: tf.abs(x))
caught(lambda: drop(stacked))
caught(lambda: api(tf.stack)(lambda values, axis=0, name=None: 3))
caught(lambda: api(tf.stack, {'value': Masked})(lambda values, axis=0, name=None: 3))
caught(lambda: api(tf.stack, 3))
caught(lambda: api(print))
tf.map_fn(lambda n: n.work * 2.0, networks, fn_output_signature=tf.float32)
tf.map_fn(balanced, networks).work
tf.map_fn(balanced, networks).shape.as_list()
[n.work for n in tf.data.Dataset.from_tensor_slices(networks)]
[n.bandwidth for n in tf.data.Dataset.from_tensor_slices(networks).batch(2)]
[n.work for n in tf.data.Dataset.from_tensors(networks).unbatch()]
[n.work for n in tf.data.Dataset.from_tensor_slices(networks).map(balanced)]
[r.ids for r in tf.data.Dataset.from_tensor_slices(rows).batch(2)]
[r.weight for r in tf.data.Dataset.from_tensor_slices(rows).batch(2)]
[r.weight for r in tf.data.Dataset.from_tensors(rows)]
[s.x for s in tf.data.Dataset.from_tensor_slices(Summed([1.0, 2.0, 3.0])).batch(2)]
[p.filled(0.0) for p in tf.data.Dataset.from_tensors(x)]
"""

STORED = StoredCalls(__file__, CALLS, names)

if __name__ == "__main__":
    STORED.write()
