"""Random ops: seeds give the same numbers eagerly and in graphs; distributions; strings aside."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime import errors


def draw(run):
    """Four draws under one global seed, two of them with seeds of their own."""
    tf.random.set_seed(7)
    tensors = [
        tf.random.uniform([3]), tf.random.normal([2, 2]), tf.random.uniform([3], seed=5),
        tf.random.shuffle(tf.range(10)),
    ]  # fmt: skip
    return run(tensors)


def test_graph_draws_as_eager():
    eager = draw(lambda tensors: [t.numpy() for t in tensors])
    again = draw(lambda tensors: [t.numpy() for t in tensors])
    with tf.Graph().as_default() as graph:
        staged = draw(tf.Session(graph=graph).run)
    for a, b, c in zip(eager, again, staged):
        np.testing.assert_array_equal(a, b, strict=True)
        np.testing.assert_array_equal(a, c, strict=True)


def test_streams_go_on():
    tf.random.set_seed(7)
    eager = [tf.random.uniform([2], seed=3).numpy().tolist() for _ in range(3)]
    assert eager[0] != eager[1] != eager[2]
    tf.random.set_seed(7)
    with tf.Graph().as_default() as graph:
        x = tf.random.uniform([2], seed=3)
        session = tf.Session(graph=graph)
        assert [session.run(x).tolist() for _ in range(3)] == eager
        first, second = session.run([tf.random.normal([2]), tf.random.normal([2])])
        assert first.tolist() != second.tolist()


def test_stateless_depends_on_its_seed_alone():
    one = tf.random.stateless_uniform([3], seed=[1, 2]).numpy()
    assert one.tolist() == tf.random.stateless_uniform([3], seed=[1, 2]).numpy().tolist()
    assert one.tolist() != tf.random.stateless_uniform([3], seed=[1, 3]).numpy().tolist()


def test_distributions():
    tf.random.set_seed(1)
    n = 20_000
    u = tf.random.uniform([n], -1.0, 3.0)
    assert u.dtype == tf.float32 and -1 <= u.numpy().min() and u.numpy().max() < 3
    assert abs(u.numpy().mean() - 1) < 0.05
    z = tf.random.normal([n], 2.0, 3.0).numpy()
    assert abs(z.mean() - 2) < 0.1 and abs(z.std() - 3) < 0.1 and z.dtype == np.float32
    t = tf.random.truncated_normal([n]).numpy()
    assert np.abs(t).max() <= 2 and t.dtype == np.float32
    i = tf.random.uniform([n], 2, 5, tf.int32).numpy()
    assert set(i.tolist()) == {2, 3, 4} and i.dtype == np.int32
    c = tf.random.categorical(np.log([[0.2, 0.8]]), n).numpy()
    assert c.shape == (1, n) and c.dtype == np.int64 and abs(c.mean() - 0.8) < 0.02


def test_mistakes():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.uniform([2], dtype=tf.int32)
    with pytest.raises(errors.InvalidArgumentError, match="Need minval < maxval, got 3 >= 3"):
        tf.random.uniform([2], 3, 3, tf.int32)
    with pytest.raises(TypeError, match="seed must be an int"):
        tf.random.set_seed("x")


# -- one program, one sequence of numbers, however it runs ---------------------------------------


def straight(n):
    a = tf.random.normal([2])
    b = tf.random.uniform([2], seed=5)
    c = tf.random.uniform([2], seed=5)
    return a, b, c, tf.random.shuffle(tf.range(n))


def looped(n):
    total = tf.random.normal([])
    for i in tf.range(n):
        if i % 2 == 0:
            total += tf.random.uniform([]) * 2
        else:
            total -= tf.random.normal([], seed=3)
    return total, tf.random.normal([])


def seeded_inside(n):
    tf.random.set_seed(n if isinstance(n, int) else 4)
    return tf.random.normal([]), tf.random.gamma([2], [1.0, 2.0]), tf.random.poisson([1], [3.0])


def seeded_in_a_branch(n):
    if n > 2:
        tf.random.set_seed(11)
    return tf.random.uniform([3])


PROGRAMS = [straight, looped, seeded_inside, seeded_in_a_branch]


def lists(values):
    return tf.nest.map_structure(lambda v: np.asarray(v).tolist(), values)


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_draws_the_same_numbers_every_way(program, n):
    tf.random.set_seed(7)
    eager = [lists(program(tf.constant(n))) for _ in range(3)]
    if program is not seeded_inside and (program is not seeded_in_a_branch or n < 2):
        assert eager[0] != eager[1] != eager[2]
    tf.random.set_seed(7)
    function = tf.function(program)
    assert [lists(function(tf.constant(n))) for _ in range(3)] == eager
    tf.random.set_seed(7)
    assert lists(function(tf.constant(n))) == eager[0], "the old trace starts anew"
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(7)
        holder = tf.placeholder(tf.int32, [])
        result = autograph.to_graph(program)(holder)
        found = [lists(session.run(result, {holder: n})) for _ in range(3)]
        if program is not seeded_inside:  # by hand, the seed is the graph's
            assert found == eager
        with tf.Session() as second:
            assert lists(second.run(result, {holder: n})) == found[0]


def test_seeds_of_graphs():
    tf.random.set_seed(1)
    expected = tf.random.normal([2]).numpy().tolist()
    with tf.Graph().as_default(), tf.Session() as session:  # made under the global seed
        x = tf.random.normal([2])
        assert session.run(x).tolist() == expected
    tf.random.set_seed(2)
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        assert graph.seed == 1
        y = tf.random.normal([2])
        with tf.Session() as session:
            assert session.run(y).tolist() == expected
    assert tf.random.normal([2]).numpy().tolist() != expected, "eager execution has its own"


def test_rules_of_two_seeds():
    def two(global_seed, seed):
        tf.random.set_seed(global_seed)
        return tf.random.uniform([3], seed=seed).numpy().tolist()

    assert two(1, 2) == two(1, 2)
    assert len({str(two(*seeds)) for seeds in ((1, 2), (1, 3), (2, 2), (1, None), (2, None))}) == 5
    tf.random.set_seed(1)
    tf.random.uniform([3])
    assert tf.random.uniform([3], seed=2).numpy().tolist() == two(1, 2), "draws do not mix"
    alone = "import runtime as tf; print(tf.random.uniform([2], seed=3).numpy().tolist())"
    runs = {subprocess.check_output([sys.executable, "-c", alone]) for _ in range(2)}
    assert len(runs) == 1, "a seed of its own is enough"


def test_without_seeds_nobody_can_foresee_them():
    code = "import runtime as tf; print(tf.random.uniform([2]).numpy().tolist())"
    runs = {subprocess.check_output([sys.executable, "-c", code]) for _ in range(2)}
    assert len(runs) == 2


def test_more_distributions():
    tf.random.set_seed(1)
    g = tf.random.gamma([20_000], [1.0, 4.0], 2.0).numpy()
    assert g.shape == (20_000, 2) and g.dtype == np.float32
    np.testing.assert_allclose(g.mean(0), [0.5, 2], atol=0.05)
    p = tf.random.poisson([20_000], [1.0, 30.0], tf.float64).numpy()
    np.testing.assert_allclose(p.mean(0), [1, 30], rtol=0.03)
    assert p.dtype == np.float64
    b = tf.random.stateless_binomial([20_000, 2], [1, 2], [10.0, 20.0], [0.1, 0.9]).numpy()
    np.testing.assert_allclose(b.mean(0), [1, 18], rtol=0.03)
    assert b.dtype == np.int32
    t = tf.random.stateless_parameterized_truncated_normal(
        [5000], [1, 2], 1.0, 2.0, 4.0, 9.0
    ).numpy()
    assert 4 <= t.min() and t.max() <= 9
    sg = tf.random.stateless_gamma([1000, 2], [1, 2], [1.0, 4.0])
    np.testing.assert_allclose(sg.numpy().mean(0), [1, 4], rtol=0.2)
    sp = tf.random.stateless_poisson([1000, 2], [1, 2], [1.0, 30.0])
    assert sp.dtype is tf.int32 and abs(sp.numpy()[:, 1].mean() - 30) < 1
    c = tf.random.stateless_categorical(np.log([[0.2, 0.8]]), 10_000, [1, 2]).numpy()
    assert abs(c.mean() - 0.8) < 0.02
    whole = tf.random.stateless_uniform([1000], [1, 2], None, None, tf.int32).numpy()
    assert whole.min() < -(2**30) and whole.max() > 2**30
    assert tf.multinomial(np.log([[1.0]]), 3).numpy().tolist() == [[0, 0, 0]]


def test_seeds_made_of_seeds():
    three = tf.random.split([1, 2], 3).numpy()
    assert three.shape == (3, 2) and three.dtype == np.int32 and len(set(three[:, 0])) == 3
    one, other = tf.random.fold_in([1, 2], 5).numpy(), tf.random.fold_in([1, 2], 6).numpy()
    assert one.tolist() != other.tolist() and one[1] == 5


def test_orders():
    experimental = tf.random.experimental
    order = experimental.stateless_shuffle(tf.range(20), [1, 2]).numpy().tolist()
    assert sorted(order) == list(range(20)) != order
    assert order == experimental.stateless_shuffle(tf.range(20), [1, 2]).numpy().tolist()
    for last in (0, 1, 6, 63, 64, 1000):
        places = experimental.index_shuffle(tf.range(last + 1), [1, 2, 3], last).numpy()
        assert sorted(places.tolist()) == list(range(last + 1))
        assert experimental.index_shuffle(last, [1, 2, 3], last).numpy() == places[last]
    other = experimental.index_shuffle(tf.range(1001), [1, 2, 4], 1000)
    assert places.tolist() != other.numpy().tolist()
    with pytest.raises(errors.InvalidArgumentError, match="index_shuffle"):
        experimental.index_shuffle(5, [1, 2, 3], 4)


def test_mistakes_with_seeds():
    with pytest.raises(TypeError, match="seed must be an int or None, got 'x'"):
        tf.random.uniform([2], seed="x")
    with pytest.raises(errors.InvalidArgumentError, match=r"seed must have shape \[2\], not"):
        tf.random.stateless_uniform([2], [1, 2, 3])
    with pytest.raises(TypeError, match="whole numbers"):
        tf.random.stateless_normal([2], [1.0, 2.0])
    for rate in (-1.0, np.nan, 1e30):
        with pytest.raises(errors.InvalidArgumentError, match="lam must be from 0 to 9e"):
            tf.random.poisson([2], rate)
    with pytest.raises(errors.InvalidArgumentError, match="lam must be from 0 to 9e"):
        tf.random.poisson([2], np.inf, tf.int32)
    for draw in (
        lambda: tf.random.stateless_uniform([2], [1, 2], alg="x"),
        lambda: tf.random.stateless_normal([2], [1, 2], alg="threefry"),
        lambda: tf.random.split([1, 2], alg="x"),
        lambda: tf.random.fold_in([1, 2], 3, alg="x"),
    ):
        with pytest.raises(ValueError, match="Unsupported algorithm"):
            draw()


def test_edges_of_distributions():
    assert tf.random.poisson([2], [np.inf, 0.0]).numpy().tolist() == [[np.inf, 0]] * 2
    small = tf.random.gamma([200], 1e-3).numpy()
    assert small.min() == np.finfo(np.float32).tiny  # never 0
    assert tf.random_poisson(2.0, [3, 4]).shape == [3, 4]  # TensorFlow 1: the rate first


def test_crops():
    value = tf.reshape(tf.range(60), [3, 4, 5])
    seen = set()
    for _ in range(40):
        block = tf.random_crop(value, [2, 4, 1]).numpy()
        assert block.shape == (2, 4, 1) and (np.diff(block, axis=0) == 20).all()
        seen.add(int(block[0, 0, 0]))
    assert seen <= {0, 1, 2, 3, 4, 20, 21, 22, 23, 24} and len(seen) > 5
    with pytest.raises(errors.InvalidArgumentError, match=r"\[3 4 5\] vs. \[4 1 1\]"):
        tf.random_crop(value, [4, 1, 1])
    assert tf.function(lambda: tf.random_crop(value, [1, 1, 1]))().shape.as_list() == [1, 1, 1]


def test_gamma_distributed_numbers_move_with_alpha_at_one_probability():
    igamma = pytest.importorskip("scipy.special").gammainc

    def quantile(alpha, probability):
        low, high = 0.0, alpha + 60.0
        for _ in range(100):
            middle = (low + high) / 2
            below = igamma(alpha, middle) < probability
            low, high = (middle, high) if below else (low, middle)
        return low

    alpha, beta = tf.constant([0.3, 4.0], tf.float64), tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([alpha, beta])
        y = tf.random.stateless_gamma([3, 2], [1, 2], alpha, beta, tf.float64)
    by_alpha, by_beta = tape.gradient(y, [alpha, beta])
    for column, a in enumerate((0.3, 4.0)):
        moved = 0.0
        for number in y.numpy()[:, column]:
            at = igamma(a, number * 2.0)
            moved += (quantile(a + 1e-5, at) - quantile(a - 1e-5, at)) / 2e-5 / 2.0
        np.testing.assert_allclose(by_alpha[column], moved, rtol=1e-7)
    np.testing.assert_allclose(by_beta, -y.numpy().sum() / 2.0)
