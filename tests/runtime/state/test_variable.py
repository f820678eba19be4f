"""Variables: eager and in graphs, operators, program order, sessions, errors."""

import contextlib
import copy
import pickle
import sys
import threading

import numpy as np
import pytest

import runtime as tf


@pytest.fixture
def sess():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_eager_variable():
    v = tf.Variable([1.0, 2.0], name="v")
    value = "array([1., 2.], dtype=float32)"
    assert repr(v) == f"<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy={value}>"
    assert (v.name, v.shape, v.dtype, v.trainable, v.ndim) == ("v:0", (2,), tf.float32, True, 1)
    assert v.assign([3, 4]) is v and v.numpy().tolist() == [3.0, 4.0]
    assert v.assign_add([1, 1]).numpy().tolist() == [4.0, 5.0]
    assert v.assign_sub(np.float32([1, 1]), read_value=False) is None
    assert v.read_value().numpy().tolist() == v.value().numpy().tolist() == [3.0, 4.0]
    assert repr(tf.Variable(1.0)) == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>"


def test_a_read_is_not_changed_by_a_later_write():
    v = tf.Variable([1, 2])
    before = v.read_value()
    view = v.numpy()
    v.assign([5, 6])
    view[0] = 100
    assert before.numpy().tolist() == [1, 2] and v.numpy().tolist() == [5, 6]


def test_initial_values():
    assert tf.Variable(1).dtype is tf.int32
    assert tf.Variable(1, dtype=tf.float64).dtype is tf.float64
    assert tf.Variable(lambda: 3.0).numpy() == 3.0
    assert tf.Variable(tf.Variable(4.0)).numpy() == 4.0
    with pytest.raises(ValueError, match="initial_value"):
        tf.Variable()
    with pytest.raises(ValueError, match=r"shape \(\(2,\)\) is not compatible .*\(\(3,\)\)"):
        tf.Variable([1, 2], shape=[3])


def test_it_acts_as_its_value():
    v = tf.Variable(3.0)
    results = [v + 1, 1 + v, v * tf.constant(2.0), tf.constant(2.0) - v, -v, v**2, v / 2, v // 2]
    assert [r.numpy() for r in results] == [4, 4, 6, -1, -3, 9, 1.5, 1]
    comparisons = [v > 2, v == 3.0, v != 3.0, v <= 2]
    assert [bool(c) for c in comparisons] == [True, True, False, False]
    assert (float(v), int(v), bool(v), f"{v:.1f}") == (3.0, 3, True, "3.0")
    w = tf.Variable([[1, 2], [3, 4]])
    assert len(w) == 2 and [row.numpy().tolist() for row in w] == [[1, 2], [3, 4]]
    assert w[1, 0].numpy() == 3 and np.asarray(w).sum() == 10
    assert tf.reduce_sum(w).numpy() == 10 and tf.stack([v, 1.0]).numpy().tolist() == [3.0, 1.0]
    assert [0, 1, 2, 3][tf.Variable(2)] == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(v)
    assert v.ref() in {v.ref()}


def test_what_does_not_fit_is_refused():
    v = tf.Variable([1.0, 2.0], name="v")
    with pytest.raises(ValueError, match=r"'v:0': Shape mismatch.*\(2,\).*\(3,\)"):
        v.assign([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="requested dtype float32"):
        v.assign(tf.constant([1, 2]))
    assert v.numpy().tolist() == [1.0, 2.0]
    loose = tf.Variable([1.0], shape=tf.TensorShape(None))
    assert loose.assign([[1.0, 2.0]]).numpy().shape == (1, 2)


def test_copies():
    v = tf.Variable([1.0], name="v")
    twin = copy.deepcopy(v)
    twin.assign_add([1.0])
    assert (v.numpy(), twin.numpy(), twin.name) == ([1.0], [2.0], "v:0")
    assert copy.copy(v) is v


def test_in_a_graph(sess):
    v = tf.Variable([1.0, 2.0], name="v")
    doubled = v * 2
    bumped = v.assign_add([1, 1])
    with pytest.raises(tf.errors.FailedPreconditionError, match="'v:0'.*initializer"):
        sess.run(doubled)
    assert sess.run(tf.is_variable_initialized(v)) == np.False_
    assert sess.run(tf.global_variables_initializer()) is None
    assert sess.run(v.is_initialized()) == np.True_
    assert sess.run(doubled).tolist() == [2.0, 4.0]
    assert sess.run(bumped).tolist() == sess.run(v).tolist() == [2.0, 3.0]
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32>"
    assert v.eval().tolist() == [2.0, 3.0]
    with pytest.raises(NotImplementedError, match="Session.run"):
        v.numpy()


def test_a_fetched_variable_is_read_after_the_writes_of_the_run(sess):
    v = tf.Variable(1)
    write = v.assign(v * 10)
    sess.run(v.initializer)
    assert sess.run([v, write, v]) == [10, 10, 10]
    operations = len(sess.graph.get_operations())
    assert sess.run(v) == 10 and len(sess.graph.get_operations()) == operations
    sess.graph.finalize()
    assert sess.run({"v": v}) == {"v": 10}


def test_a_variable_that_was_fetched_is_read_after_later_writes(sess):
    v = tf.Variable(1)
    sess.run(v.initializer)
    assert sess.run(v) == 1
    assert sess.run([v.assign_add(1), v]) == [2, 2]


def test_names_and_collections(sess):
    with tf.name_scope("layer"):
        a = tf.Variable(1.0, name="w")
        b = tf.Variable(1.0, name="w", trainable=False)
    assert [v.name for v in (a, b)] == ["layer/w:0", "layer/w_1:0"]
    assert [v.name for v in tf.global_variables()] == ["layer/w:0", "layer/w_1:0"]
    assert [v.name for v in tf.trainable_variables()] == ["layer/w:0"]
    sess.run(tf.variables_initializer([a]))
    assert sess.run([a.is_initialized(), b.is_initialized()]) == [True, False]


def test_each_session_has_its_own_values():
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1)
        bump = v.assign_add(1)
        first, second = tf.Session(graph=graph), tf.Session(graph=graph)
        for session in (first, second):
            session.run(v.initializer)
        assert [first.run(bump), first.run(bump), second.run(v)] == [2, 3, 1]


def test_in_branches_and_loops_of_a_graph(sess):
    v = tf.Variable(0)
    x = tf.placeholder(tf.int32, ())
    chosen = tf.cond(x > 0, lambda: v.assign_add(x), lambda: v.read_value() - 100)
    _, looped = tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, s + v.assign_add(1)), (0, 0)
    )
    sess.run(tf.global_variables_initializer())
    assert [sess.run(chosen, {x: n}) for n in (5, -1)] == [5, -95]
    assert sess.run(looped) == 6 + 7 + 8 and sess.run(v) == 8


def test_no_new_variable_for_each_turn_of_a_graphs_loop(sess):
    def count(start):
        v = tf.Variable(start)
        with tf.control_dependencies([v.assign_add(1)]):
            return v.read_value()

    with pytest.raises(ValueError, match="inside a branch or loop of a graph.*Create it before"):
        tf.while_loop(lambda i: i < 3, lambda i: i + count(0), [0])
    shared = tf.while_loop(lambda i: i < 3, lambda i: i + count(lambda: 0), [0])
    sess.run(tf.global_variables_initializer())
    assert sess.run(shared) == [3]


def test_load_and_eager_helpers(sess):
    v = tf.Variable(1.0)
    v.load(7.0, sess)
    assert sess.run(v) == 7.0
    with tf.init_scope():
        assert isinstance(tf.global_variables_initializer(), tf.Operation)


def test_initializers_are_nothing_under_eager_execution():
    assert tf.global_variables_initializer() is None and tf.global_variables() == []


def test_a_variable_of_another_graph_is_refused():
    with tf.Graph().as_default():
        v = tf.Variable(1.0, name="v")
    with tf.Graph().as_default(), pytest.raises(ValueError, match="'v:0' must be from the same"):
        v + 1


def test_threads_add_to_one_variable():
    in_use = sys.getswitchinterval()
    eager = tf.Variable([0, 0])

    @tf.function
    def step():
        eager.assign_add([1, 2])

    step()
    with tf.Session(graph=tf.Graph()) as session:
        v = tf.Variable(0)
        session.run(v.initializer)
        more, less = v.assign_add(3).op, v.assign_sub(1).op

        def work():
            for _ in range(200):
                session.run(more)
                session.run(less)
                step()

        threads = [threading.Thread(target=work) for _ in range(4)]
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(in_use)
        assert session.run(v) == 4 * 200 * 2
    assert eager.numpy().tolist() == [801, 1602]


def test_what_cannot_be_added():
    v = tf.Variable([1, 2])
    with pytest.raises(ValueError, match="shapes?"):
        v.assign_add([1, 2, 3])
    with pytest.raises(ValueError, match="shapes must be equal"):
        v.assign_add([[1], [2]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes must be equal"):
        v.assign_sub(1)
    with pytest.raises(TypeError, match="bool"):
        tf.Variable(True).assign_add(True)
    assert v.numpy().tolist() == [1, 2]
    wide = tf.Variable([1, 2], shape=tf.TensorShape(None))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \(2,\) using .* shape \(\)"):
        wide.assign_add(1)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="shapes must be equal"):
        tf.Variable([1, 2]).assign_add(1)


def test_pickles():
    v = pickle.loads(pickle.dumps(tf.Variable([1.0, 2.0], trainable=False, name="v")))
    assert (v.numpy().tolist(), v.trainable, v.name) == ([1, 2], False, "v:0")
    with tf.Graph().as_default(), pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(tf.Variable(1.0))


def test_names_follow_the_scopes():
    with tf.name_scope("a"), tf.name_scope("b") as scope:
        assert (scope, tf.get_current_name_scope()) == ("a/b/", "a/b")
        assert tf.Variable(1.0, name="v").name == "a/b/v:0"
        with tf.name_scope("c/"):
            assert tf.Variable(1.0, name="v").name == "c/v:0"
        with tf.name_scope(None):
            assert tf.Variable(1.0, name="v").name == "v:0"
    assert (tf.get_current_name_scope(), tf.Variable(1.0).name) == ("", "Variable:0")


@pytest.mark.parametrize("home", [None, tf.Graph])
def test_names_in_a_function_are_the_functions_own(home):
    made = []

    @tf.function
    def once():
        with tf.name_scope("inner"):
            if not made:
                made.append(tf.Variable(lambda: 0.0, name="v"))
        return made[0].read_value()

    with contextlib.nullcontext() if home is None else home().as_default():
        with tf.name_scope("outer"):
            once()
        assert tf.Variable(1.0, name="w").name == "w:0"
    assert made[0].name == "inner/v:0"


def test_making_one_waits_for_nothing():
    with tf.Graph().as_default(), tf.Session() as session:
        other = tf.Variable(1.0)
        with tf.control_dependencies([other.value()]):
            v = tf.Variable(2.0)
        session.run(v.initializer)
        assert session.run(v) == 2


def test_what_synchronises_on_reading_is_not_trained():
    on_read = tf.VariableSynchronization.ON_READ
    assert not tf.Variable(1.0, synchronization=on_read).trainable
    assert tf.Variable(1.0, synchronization=on_read, trainable=True).trainable
    with tf.Graph().as_default():
        v = tf.Variable(1.0, collections=["trainable_variables", "mine"])
        tf.Variable(1.0, synchronization=on_read)
        assert [x.name for x in tf.trainable_variables()] == [v.name]
        assert [x.name for x in tf.global_variables()] == ["Variable_1:0"]


def test_copies_keep_what_was_said():
    kind = tf.VariableSynchronization.ON_READ, tf.VariableAggregation.SUM
    with tf.name_scope("s"):
        v = tf.Variable([1.0], synchronization=kind[0], aggregation=kind[1], name="v")
    for twin in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        assert (twin.name, twin.trainable) == ("s/v:0", False)
        assert (twin.synchronization, twin.aggregation) == kind


def test_assignments_follow_each_other():
    def chained(v):
        return v.assign(2.0).assign_add(3.0).assign_sub(1.0)

    def rows(v):
        delta = tf.IndexedSlices([2.0], [1])
        return v.scatter_add(delta).scatter_mul(delta).scatter_nd_update([[0]], [9.0])

    assert chained(tf.Variable(1.0)).numpy() == 4
    assert rows(tf.Variable([1.0, 2.0])).numpy().tolist() == [9, 8]
    with tf.Graph().as_default(), tf.Session() as session:
        v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])
        session.run(tf.global_variables_initializer())
        assert session.run(chained(v)) == 4 == session.run(v)
        assert session.run(rows(w)).tolist() == [9, 8]
        assert not hasattr(v + 1, "assign_add")


def test_values_lie_row_by_row():
    columns = tf.transpose(tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    v = tf.Variable(columns)
    assert v.value()._array.flags.c_contiguous
    v.assign(columns * 2.0)
    v.assign(columns)
    assert v.value()._array.flags.c_contiguous and v.numpy().tolist() == columns.numpy().tolist()
