"""random.Generator: states, draws in every mode, splitting."""

import numpy as np
import pytest

import autograph
import runtime as tf

Generator = tf.random.Generator


def program(g, n):
    total = g.normal([2])
    for _ in tf.range(n):
        total += g.uniform([2], 1.0, 2.0)
    return total, g.uniform([3], 0, 10, tf.int32), g.truncated_normal([2])


def lists(values):
    return [np.asarray(v).tolist() for v in values]


def test_the_same_numbers_every_way():
    g = Generator.from_seed(3)
    eager = [lists(program(g, tf.constant(2))) for _ in range(2)]
    assert eager[0] != eager[1]
    g.reset_from_seed(3)
    function = tf.function(lambda n: program(g, n))
    assert [lists(function(tf.constant(2))) for _ in range(2)] == eager
    with tf.Graph().as_default(), tf.Session() as session:
        g = Generator.from_seed(3)
        result = autograph.to_graph(program)(g, tf.constant(2))
        session.run(tf.global_variables_initializer())
        assert [lists(session.run(result)) for _ in range(2)] == eager


def test_a_graphs_generator_goes_on_from_run_to_run():
    g = Generator.from_seed(3)
    eager = [g.normal([2]).numpy().tolist() for _ in range(3)]
    with tf.Graph().as_default(), tf.Session() as session:
        drawn = Generator.from_seed(3).normal([2])
        session.run(tf.global_variables_initializer())
        assert [session.run(drawn).tolist() for _ in range(3)] == eager


def test_a_variable_is_the_state():
    v = tf.Variable([1, 2, 3], dtype=tf.int64)
    g = Generator(state=v, alg="philox")
    assert g.state is v
    g.skip(4)
    assert v.numpy().tolist() == [1 + 4 * 256, 2, 3]
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        Generator(state=tf.Variable([1, 2], dtype=tf.int64), alg="philox")


def test_states():
    g = Generator.from_seed(1)
    assert g.state.numpy().tolist() == [1, 0, 0] and g.algorithm == 1
    first = g.normal([4]).numpy().tolist()
    assert g.state.numpy().tolist() == [1 + 4 * 256, 0, 0]
    g.reset([1, 0, 0])
    assert g.normal([4]).numpy().tolist() == first
    copy = Generator(copy_from=g)
    assert copy.normal([2]).numpy().tolist() == g.normal([2]).numpy().tolist()
    g.skip(3)
    assert copy.state.numpy()[0] + 3 * 256 == g.state.numpy()[0]
    keyed = Generator.from_key_counter(key=7, counter=[2**63 - 1, 0], alg="philox")
    assert keyed.key.numpy() == 7
    keyed.skip(2**55)
    assert keyed.state.numpy().tolist() == [2**63 - 1 - 2**64 + 2**63, 0, 7]
    state = tf.random.create_rng_state(1, "philox")
    assert Generator.from_state(state, "philox").normal([4]).numpy().tolist() == first
    g.reset_from_key_counter(1, [2, 3])
    assert g.state.numpy().tolist() == [2, 3, 1]


def test_checkpoints_and_saved_models_hold_the_state(tmp_path):
    class Noisy(tf.Module):
        def __init__(self):
            super().__init__()
            self.noise = tf.random.Generator.from_seed(3)

        @tf.function(input_signature=[])
        def draw(self):
            return self.noise.normal([2])

    first, second = Noisy(), Noisy()
    first.draw()
    path = tf.train.Checkpoint(model=first, other=tf.random.Generator.from_seed(8)).write(
        str(tmp_path / "checkpoint")
    )
    tf.saved_model.save(first, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    other = tf.random.Generator.from_seed(9)
    tf.train.Checkpoint(model=second, other=other).read(path).assert_consumed()
    assert np.array_equal(other.state, tf.random.Generator.from_seed(8).state)
    expected = first.draw()
    np.testing.assert_array_equal(second.draw(), expected)
    np.testing.assert_array_equal(loaded.draw(), expected)


def test_split_and_seeds():
    g = Generator.from_seed(1)
    parts = g.split(3)
    assert len({p.key.numpy().item() for p in parts}) == 3
    assert len({str(p.normal([2]).numpy()) for p in parts}) == 3
    seeds = g.make_seeds(4)
    assert seeds.shape.as_list() == [2, 4] and seeds.dtype is tf.int64
    assert tf.random.stateless_normal([2], seeds[:, 0]).shape.as_list() == [2]
    big = g.uniform_full_int([1000]).numpy()
    assert big.dtype == np.uint64 and big.max() > 2**62
    assert g.binomial([1000], 10.0, 0.5).numpy().mean() == pytest.approx(5, abs=0.5)


def test_global():
    before = tf.random.get_global_generator()
    try:
        tf.random.set_global_generator(Generator.from_seed(5))
        one = tf.random.get_global_generator().normal([2]).numpy().tolist()
        assert one == Generator.from_seed(5).normal([2]).numpy().tolist()
    finally:
        tf.random.set_global_generator(before)


def test_mistakes():
    with pytest.raises(ValueError, match="one of copy_from and state"):
        Generator()
    with pytest.raises(ValueError, match="there is 'philox' only"):
        Generator.from_seed(1, alg="threefry")
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        Generator.from_state([1, 2], "philox")
    with pytest.raises(ValueError, match="two words"):
        Generator.from_key_counter(1, 0, "philox")
    with pytest.raises(ValueError, match="Must specify maxval"):
        Generator.from_seed(1).uniform([2], dtype=tf.int32)
