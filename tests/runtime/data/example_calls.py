"""Examples and other records in bytes: calls whose values TensorFlow 2.21 gave.

``python -m tests.runtime.data.example_calls``, where TensorFlow is installed, writes them anew.
"""

from __future__ import annotations

from tests.support.tensorflow_values import StoredCalls


def names(tf):
    train = tf.train

    def feature(values):
        if isinstance(values[0], bytes):
            return train.Feature(bytes_list=train.BytesList(value=values))
        if isinstance(values[0], float):
            return train.Feature(float_list=train.FloatList(value=values))
        return train.Feature(int64_list=train.Int64List(value=values))

    def features(lists):
        return train.Features(feature={name: feature(v) for name, v in lists.items()})

    def example(**lists):
        return train.Example(features=features(lists)).SerializeToString()

    def sequence(context, **lists):
        steps = {n: train.FeatureList(feature=[feature(x) for x in v]) for n, v in lists.items()}
        record = train.SequenceExample(
            context=features(context), feature_lists=train.FeatureLists(feature_list=steps)
        )
        return record.SerializeToString()

    def ragged(dtype, key=None, *partitions):
        return tf.io.RaggedFeature(dtype, key, partitions, row_splits_dtype=tf.int64)

    a = example(i=[1, -2], f=[1.5, 2.5, 3.5], s=[b"x"], n=[0, 2], v=[7.0, 8.0], splits=[0, 1, 3],
                lengths=[1, 2], rows=[0, 0, 2], one=[4])  # fmt: skip
    b = example(i=[300, 2**40], s=[b"yy", b"z"], one=[5])
    c = sequence({"len": [2]}, tok=[[1, 2], [3, 4]], w=[[b"a"], [b"b", b"c"]])
    d = sequence({"len": [1]}, tok=[[5, 6]])
    return {
        "a": a, "b": b, "c": c, "d": d, "io": tf.io, "ragged": ragged,
        "Ragged": tf.io.RaggedFeature,
        "context": {"len": tf.io.FixedLenFeature([], tf.int64)}, "Fixed": tf.io.FixedLenFeature,
        "Steps": tf.io.FixedLenSequenceFeature, "Var": tf.io.VarLenFeature,
        "Sparse": tf.io.SparseFeature, "int64": tf.int64, "float32": tf.float32,
        "string": tf.string,
        "parsed": lambda x: tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.constant(x).dtype),
    }  # fmt: skip


CALLS = r"""
io.parse_example([a, b], {'i': Fixed([2], int64), 'one': Fixed([], int64), 's': Var(string)})
io.parse_example([a, b], {'f': Steps([], float32, True), 's': Steps([], string, True, 'q')})
io.parse_example([a, b], {'f': Fixed([3], float32, [9., 8., 7.])})
io.parse_example(a, {'f': Fixed([3, 1], float32), 's': Fixed([1], string), 'i': Var(int64)})
io.parse_example([a, b], {'f': Fixed([3], float32)})
io.parse_example([a, b], {'i': Fixed([3], int64)})
io.parse_example([a, b], {'i': Fixed([2], float32)})
io.parse_example([a, b], {'i': Fixed([2], tf.int32)})
io.parse_example([a, b'\x0a\x05x'], {'i': Fixed([2], int64)})
io.parse_example([a, b], {})
io.parse_example([a, b], {'x': Sparse('n', 'v', float32, 5)})
io.parse_example([a, b], {'f': ragged(float32), 's': ragged(string)})
io.parse_example([a, b], {'p': ragged(float32, 'f', Ragged.RowSplits('splits'))})
io.parse_example([a, b], {'p': ragged(float32, 'f', Ragged.RowLengths('lengths'))})
io.parse_example([a, b], {'p': ragged(float32, 'f', Ragged.ValueRowIds('rows'))})
io.parse_example([a, b], {'p': ragged(int64, 'i', Ragged.UniformRowLength(1))})
io.parse_single_example(a, {'i': Fixed([2, 1], int64), 'f': Var(float32)})
io.parse_single_example(b, {'i': Fixed([2, 1], int64), 'f': Var(float32)})
io.parse_single_example(b, {'q': Steps([1], float32, True), 's': ragged(string)})
io.parse_single_example(a, {'x': Sparse('n', 'v', float32, 5)})
io.parse_single_example(a, {'p': ragged(float32, 'f', Ragged.RowSplits('splits'))})
io.parse_single_example([a], {'i': Fixed([2], int64)})
io.parse_sequence_example([c, d], context, {'tok': Steps([2], int64), 'w': Var(string)})
io.parse_sequence_example([c, d], context, {'tok': ragged(int64), 'w': ragged(string)})
io.parse_single_sequence_example(c, context, {'tok': Steps([2], int64), 'w': Var(string)})
io.parse_single_sequence_example(d, context, {'tok': ragged(int64), 'w': ragged(string)})
io.parse_single_sequence_example(d, context, {'w': Steps([2], string)})
io.parse_single_sequence_example(d, None, {'w': Steps([], string, True)})
io.decode_raw(['abcd', 'efgh'], tf.uint16)
io.decode_raw('abcd', tf.int32, little_endian=False)
io.decode_raw(['abc', 'efghij'], tf.uint8, fixed_length=4)
io.decode_raw('abc', tf.uint16)
io.decode_raw(['a', 'bc'], tf.uint8)
io.serialize_tensor([[1., 2.]])
io.serialize_tensor(['a', 'b'])
io.serialize_tensor(True)
parsed(np.int64(5))
parsed([True, False])
parsed(np.float16([1, 2]))
parsed(np.complex64(1 + 2j))
parsed(np.zeros((0, 2)))
parsed([['a', 'bcd']])
io.parse_tensor(io.serialize_tensor([1]), float32)
io.parse_tensor(b'\x0a\x05x', float32)
io.encode_base64(['ab?>', ''])
io.encode_base64('a', pad=True)
io.decode_base64(['YWI_Pg', 'YQ=='])
io.decode_base64('!!')
tf.train.Example.FromString(a).features.feature['f'].float_list.value[:]
tf.train.Example.FromString(b).features.feature['s'].bytes_list.value[:]
tf.train.Feature(x=1)
tf.train.BytesList(value=['x'])
tf.train.Int64List(value=[1.5])
tf.train.Int64List(value=[2**70])
tf.train.FloatList(value=['a'])
str(tf.train.FloatList(value=[1, .1, 1e10, 3e-9, float('inf'), 123456789.]))
str(tf.train.BytesList(value=[b'x\n\0\xff"\'\\']))
str(tf.train.Example(features=tf.train.Features(feature={'n': tf.train.Feature()})))
tf.train.Feature(float_list=tf.train.FloatList()).SerializeToString()
tf.train.Feature(float_list=tf.train.FloatList()).WhichOneof('kind')
tf.train.Feature().WhichOneof('kind')
"""

STORED = StoredCalls(__file__, CALLS, names)

if __name__ == "__main__":
    STORED.write()
