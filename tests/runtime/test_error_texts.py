"""Errors name the remedy: vectors as conditions, functions in C, text, misspelt names."""

from __future__ import annotations

import cmath
import math
import operator
import subprocess
import sys

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.graph.named_like import op_like
from runtime.types.conversion import conversion_call
from tests.support import ROOT

VECTOR, EMPTY = [1.0, 2.0], []


def sign(x):
    return 1 if x > 0 else -1


def count_down(x):
    while x > 0:
        x = x - 1
    return x


def both(x):
    return x > 0 and x < 9


def negated(x):
    return not x


CONDITIONS = [sign, count_down, both, negated]


def in_session(function):
    def run(x):
        with tf.Graph().as_default(), tf.Session() as session:
            fed = tf.placeholder(tf.float32, None)
            return session.run(autograph.to_graph(function)(fed), {fed: np.array(x, np.float32)})

    return run


@pytest.mark.parametrize("function", CONDITIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("way", [lambda f: f, tf.function, in_session], ids=["eager", "fn", "run"])
@pytest.mark.parametrize("value", [VECTOR, EMPTY], ids=["two", "none"])
def test_a_condition_on_a_vector_names_the_reductions(way, function, value):
    argument = value if way is in_session else tf.constant(value, tf.float32)
    with pytest.raises(ValueError, match="truth value of a tensor of shape") as caught:
        way(function)(argument)
    text = str(caught.value)
    assert "runtime.reduce_any(x) or runtime.reduce_all(x)" in text
    assert ("runtime.size(x) > 0" in text) == (not value)
    if way is not in_session and way is tf.function:
        assert f"{__file__}:" in "".join(caught.value.__notes__)


def test_a_loop_by_hand_on_a_vector_names_the_reductions():
    @tf.function(autograph=False)
    def loop(x):
        return tf.while_loop(lambda x: x > 0, lambda x: [x - 1], [x])

    with pytest.raises(ValueError, match="runtime.reduce_any"):
        loop(tf.constant(VECTOR))


def test_an_error_of_a_body_stays_itself():
    @tf.function
    def loop(x):
        while tf.reduce_any(x > 0):
            x = tf.py_function(lambda v: int("no"), [x], tf.float32)
        return x

    with pytest.raises(ValueError, match="invalid literal"):
        loop(tf.constant(VECTOR))


@pytest.mark.parametrize(("function", "name"), [
    (math.sqrt, "runtime.sqrt"), (np.sqrt, "runtime.sqrt"), (np.arctan2, "runtime.atan2"),
    (np.sum, "runtime.reduce_sum"), (np.linalg.inv, "runtime.linalg.inv"),
    (math.isnan, "runtime.is_nan"), (cmath.phase, "runtime.angle"),
    (operator.neg, None), (math.comb, None), (len, None), ("text".upper, None),
])  # fmt: skip
def test_the_operation_like_a_function(function, name):
    if name is None:
        assert op_like(function) in (None, f"runtime.{function.__name__}")
        return
    assert op_like(function) == name
    assert callable(operator.attrgetter(name.removeprefix("runtime."))(tf))


def test_every_other_name_is_an_operation():
    from runtime.graph import named_like

    for name in named_like._OTHER_NAMES.values():
        assert any(hasattr(m, name) for m in (tf, tf.math, tf.linalg, tf.bitwise)), name


def test_the_error_of_a_function_in_c_names_the_operation():
    """In code that is not converted; tests/errors/unconverted/library.py is converted."""
    with tf.Graph().as_default(), pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        math.sqrt(tf.placeholder(tf.float32, ()))
    assert caught.value.help == "use runtime.sqrt in place of math.sqrt"


def test_text_beside_numbers_speaks_of_no_cast():
    number, text = tf.constant(1), tf.constant("a")
    for left, right in [(number, text), (text, number), (number, "a"), ([number], ["a"])]:
        with pytest.raises(TypeError) as caught:
            tf.add(left, right)
        assert "runtime.cast" not in str(caught.value)
        assert "runtime.strings." in str(caught.value)

    @tf.function
    def choose(x):
        if x > 0:
            y = 1
        else:
            y = "a"
        return y

    with pytest.raises(autograph.DtypeJoinError) as caught:
        choose(number)
    assert caught.value.help == "make both text or both numbers, or use two variables"


@pytest.mark.parametrize(("value", "wanted"), [
    ("1", tf.int32), ("1.5", tf.float32), (7, tf.string), ("", tf.bool), (2, tf.float64),
])  # fmt: skip
def test_a_proposed_conversion_converts(value, wanted):
    x = tf.constant(value)
    call = conversion_call("x", x.dtype, wanted)
    assert eval(call, {"runtime": tf, "x": x}).dtype is wanted


@pytest.mark.parametrize(("name", "meant"), [
    ("reduce_man", "reduce_mean"), ("Variabel", "Variable"), ("placehoder", "placeholder"),
    ("relu", "runtime.nn.relu"), ("mean", "reduce_mean"), ("flaot32", "float32"),
])  # fmt: skip
def test_an_unknown_name_proposes_the_nearest(name, meant):
    with pytest.raises(AttributeError) as caught:
        getattr(tf, name)
    text = f"module 'runtime' has no attribute {name!r}; did you mean {meant!r}?"
    assert str(caught.value) == text
    assert not hasattr(tf, "no_such_thing") and not hasattr(tf, "__wrapped__")
    with pytest.raises(AttributeError, match="did you mean 'to_graph'"):
        autograph.to_grph
    with pytest.raises(AttributeError, match="did you mean 'float32'"):
        tf.dtypes.flaot32


@pytest.mark.parametrize(("expression", "meant"), [
    ("tf.math.sqrtt", "sqrt"), ("tf.data.Datset", "Dataset"), ("tf.constant(1.0).nmpy()", "numpy"),
    ("tf.Variable(1.0).asign(2.0)", "assign"), ("tf.reduce_man", "reduce_mean"),
    ("tf.function(lambda x: x.shap)(tf.constant(1.0))", "shape"),
])  # fmt: skip
def test_a_traceback_proposes_the_nearest_once(expression, meant):
    ran = subprocess.run(
        [sys.executable, "-c", f"import runtime as tf\n{expression}"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    last = ran.stderr.splitlines()[-1]
    assert last.lower().count("did you mean") == 1 and f"'{meant}'" in last, last
