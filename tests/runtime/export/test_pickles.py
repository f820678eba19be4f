"""Pickles of traces, of functions of loaded models, and of such models."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import runtime as tf

X = tf.constant([1.0, 2.0])


def sent(value):
    """What arrives twice: Dask's scheduler unpickles and pickles what a client sends."""
    return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(value))))


def counting():
    """A variable, and a function that changes and reads it."""
    variable = tf.Variable(3.0)

    @tf.function
    def count(x, factor=2):
        if tf.reduce_sum(x) > 0:
            variable.assign_add(1.0)
        return {"all": (x * variable * factor,)}

    return variable, count


def test_traces():
    variable, count = counting()
    trace = count.get_concrete_function(X)
    twin = sent(trace)
    assert twin(X)["all"][0].numpy().tolist() == [8.0, 16.0]
    assert variable.numpy() == 3.0  # which is the twin's own
    assert trace(X)["all"][0].numpy().tolist() == [8.0, 16.0]
    assert twin.pretty_printed_signature() == trace.pretty_printed_signature()
    assert twin.__name__ == "count"
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = twin(X)["all"][0]
    assert tape.gradient(y, X).numpy().tolist() == [10.0, 10.0]


def test_variables_stay_those_of_the_pickle():
    variable, count = counting()
    twin, own = sent((count.get_concrete_function(X), variable))
    twin(X)
    assert own.numpy() == 4.0 and twin.variables == (own,)


def test_long_constants_go_along():
    numbers = tf.constant(np.arange(1000.0))
    trace = tf.function(lambda n: numbers[n]).get_concrete_function(tf.TensorSpec([], tf.int32))
    assert sent(trace)(998).numpy() == 998.0


def test_loaded_models(tmp_path):
    module = tf.Module()
    module.variable, module.count = counting()
    module.count(X)
    tf.saved_model.save(module, tmp_path / "saved")
    loaded = tf.saved_model.load(tmp_path / "saved")
    model, variable = sent((loaded, loaded.variable))
    assert model.count(X)["all"][0].numpy().tolist() == [10.0, 20.0] and variable.numpy() == 5.0
    assert sent(loaded.count)(X)["all"][0].numpy().tolist() == [10.0, 20.0]
    assert copy.deepcopy(loaded).variable is not loaded.variable
    (tmp_path / "words").write_text("a b")
    module.words = tf.saved_model.Asset(tmp_path / "words")
    tf.saved_model.save(module, tmp_path / "saved")
    with pytest.raises(tf.errors.UnimplementedError, match="reads the file 'words', which no pick"):
        pickle.dumps(tf.saved_model.load(tmp_path / "saved"))


def test_what_a_pickle_cannot_hold(tmp_path):
    trace = tf.jit(lambda n: n + 1).get_concrete_function(3)
    module = tf.Module()
    module.trace = trace
    for write in (lambda: pickle.dumps(trace), lambda: tf.saved_model.save(module, tmp_path / "a")):
        with pytest.raises(tf.errors.UnimplementedError, match="computes with Python's own numbe"):
            write()
    with tf.Graph().as_default():
        outer = tf.constant(1.0) + 1.0
        inner = tf.function(lambda x: x + outer).get_concrete_function(X)
        with pytest.raises(tf.errors.FailedPreconditionError, match="a tensor of the graph that"):
            pickle.dumps(inner)
