"""Static shapes of what a call of a wider trace gives: as far as its arguments make them known."""

import runtime as tf

WIDE = tf.TensorSpec(None, tf.float32)
SCALAR = tf.TensorSpec([], tf.int32)


def shape_of_call(f, *args):
    """The static shape of f(*args) in a graph."""
    with tf.Graph().as_default():
        return f(*args).shape


def test_shapes_of_arguments_go_through():
    rows = tf.function(lambda x: tf.reshape(x, [-1, 3]), input_signature=[WIDE])
    assert shape_of_call(rows, tf.zeros([10, 10, 3])) == [100, 3]
    assert shape_of_call(lambda x: rows(x) + rows(x), tf.zeros([2, 3])) == [2, 3]
    with tf.Graph().as_default():
        assert rows(tf.placeholder(tf.float32, [None, 3])).shape.as_list() == [None, 3]


def test_sizes_that_are_known_go_through():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32), SCALAR])
    def wide(x, s):
        return tf.ones(tf.stack([tf.shape(x)[0], s]), tf.int32)

    @tf.function(input_signature=[SCALAR] * 3)
    def box(a, b, c):
        return tf.ones(tf.concat([[a], [b], [c]], -1))

    @tf.function
    def both():
        x, y = wide(tf.zeros([3, 6], tf.int32), 5), tf.function(box)(1, 2, 3)
        assert x.shape == [3, 5]
        assert y.shape == [1, 2, 3]
        return x, y

    x, y = both()
    assert x.shape == [3, 5]
    assert y.shape == [1, 2, 3]


def test_a_concrete_function_is_called_with_several_shapes():
    f = tf.function(lambda w, x: tf.transpose(x, [1, 0, 2]) * w)
    concrete = f.get_concrete_function(WIDE, WIDE)

    @tf.function
    def calls():
        one = concrete(tf.ones([2]), tf.ones([5, 4, 2]))
        two = concrete(tf.ones([3]), tf.ones([1, 4, 3]))
        assert (one.shape, two.shape) == ([4, 5, 2], [4, 1, 3])
        return one, two

    assert [t.shape.as_list() for t in calls()] == [[4, 5, 2], [4, 1, 3]]


def test_what_cannot_be_is_left_to_the_run():
    total = tf.function(lambda x, y: tf.matmul(x, y), input_signature=[WIDE, WIDE])
    with tf.Graph().as_default():
        assert total(tf.zeros([2, 3]), tf.zeros([2, 3])).shape.rank is None


def test_gradients_of_narrowed_calls():
    square = tf.function(lambda x: tf.reshape(x * x, [-1]), input_signature=[WIDE])

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        return tape.gradient(y, x)

    assert slope(tf.constant([[1.0, 2.0]])).numpy().tolist() == [[2.0, 4.0]]


def test_functions_that_call_themselves():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), SCALAR])
    def repeated(x, n):
        if n > 0:
            return repeated(tf.concat([x, x], 0), n - 1)
        return x

    @tf.function
    def twice():
        return repeated(tf.constant([7]), 1)

    assert twice().numpy().tolist() == [7, 7]
