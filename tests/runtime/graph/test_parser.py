"""Graphs from text: what is written reads back, runs the same, and bad text is refused by line."""

import random
import textwrap
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import run_graph
from runtime.graph.parser import graph_from_text
from runtime.graph.printer import GraphPrinter
from runtime.ops.op import HIGHER_ORDER, TABLE
from runtime.types import flags
from tests.runtime.engine.passes.random_graphs import graph_of
from tests.support import nightly
from tests.support.extras import installed
from tests.support.nightly import NIGHTLY


def round_trip(graph):
    writer = GraphPrinter(full=True)
    text = writer.graph(graph)
    again = graph_from_text(text, writer.objects)
    assert GraphPrinter(full=True).graph(again) == text
    return again


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_graphs_read_back_before_and_after_the_passes(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + 20):
            graph = graph_of(seed)
            round_trip(graph)
            round_trip(graph.optimized())


def samples():
    for name, op in sorted(TABLE.items()):
        for number, case in enumerate(op.samples() if callable(op.samples) else ()):
            plain = all(isinstance(x, np.ndarray) for x in case.inputs)
            if plain and HIGHER_ORDER not in op.traits:
                yield pytest.param(op, case, id=f"{name}-{number}")
                if not nightly.EVERYTHING:
                    break


def test_every_row_reads_back_and_runs():
    for param in samples():
        op, case = param.values
        graph = tf.Graph()
        with graph.as_default():
            try:
                result = op(*case.inputs, **case.attrs)
            except Exception:  # samples that are for kernels alone
                continue
        outputs = [t for t in tf.nest.flatten(result) if isinstance(t, tf.Tensor)]
        again = round_trip(graph)
        if not outputs or np.dtype(outputs[0].dtype.as_numpy_dtype) == object:
            continue
        if outputs[0].op.stateful or not installed(op.extra):
            continue
        with flags.OPTIMIZE(False):
            one = tf.Session(graph=graph).run(outputs)
            other = tf.Session(graph=again).run([t.name for t in outputs])
        for a, b in zip(one, other, strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), param.id


def test_values_keep_every_digit():
    with tf.Graph().as_default() as graph:
        for value in (
            np.float32(0.1), np.array([np.nan, -np.inf, -0.0, 5e-324, 1 / 3]), np.float16(1 / 3),
            np.array([[1 + 2j, -0.5j]], np.complex64), np.array([b"it's \n", b'"x"', b""], object),
            np.zeros((0, 3)), np.zeros((2, 0), bool), np.array(2**64 - 1, np.uint64),
            np.arange(3000.0), np.array(b"one", object),
        ):  # fmt: skip
            tf.constant(value)
    again = round_trip(graph)
    for one, other in zip(graph.operations, again.operations, strict=True):
        a, b = one.get_attr("value"), other.get_attr("value")
        assert a.dtype == b.dtype and a.shape == b.shape
        assert a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()


def test_a_graph_from_text_runs():
    graph = graph_from_text(
        textwrap.dedent(
            """
            power(x: float32[?], n: int32[]):
              one = constant(value=1.0) : float32[]
              w = while(n, one, x, splits=(0, 1)) : int32[], float32[?]
                test_graph: test(i: int32[], y: float32[?])
                  zero = constant(value=0) : int32[]
                  Greater = greater(i, zero) : bool[]
                  return Greater
                body_graph: body(i: int32[], y: float32[?], x: float32[?])
                  one = constant(value=1) : int32[]
                  sub = subtract(i, one) : int32[]
                  mul = multiply(y, x) : float32[?]
                  return sub, mul
              return w:1
            """
        )
    )
    (found,) = run_graph(graph, [np.array([2, 3], np.float32), np.int32(3)])
    assert found.tolist() == [8, 27]
    body = graph.operations[-1].get_attr("body_graph")
    assert [(a.name, b.name) for a, b in body.captures] == [("x:0", "x:0")]


def test_variables_are_made_and_control_inputs_kept():
    text = (
        "c = constant(value=[1.5]) : float32[1]\n"
        "a = assign_variable(c, storage=@v) : float32[1]\n"
        "r = read_variable(storage=@v) : float32[1] after a\n"
    )
    graph = graph_from_text(text)
    assert str(graph) == text
    assert tf.Session(graph=graph).run("r:0").tolist() == [1.5]


def test_large_constants_are_shortened_for_people():
    with tf.Graph().as_default() as graph:
        tf.constant(np.arange(20), name="c")
    assert str(graph) == "c = constant(value=[ 0, 1, ..., 18, 19]) : int64[20]\n"
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"line 1: the value is shortened"):
        graph_from_text(str(graph))


BAD = [
    ("x = addd(y) : int32[]", "line 1: there is no op 'addd'; did you mean 'add'"),
    ("x = exp(y) : float32[]", "line 1: no operation 'y' precedes this line"),
    ("x = placeholder() : float33[]", "line 1: there is no dtype 'float33'"),
    ("x = placeholder() : float32[2,]", r"line 1: expected a size or \? here"),
    ("x = placeholder( : float32[]", "line 1: expected the name of a tensor here"),
    ("\n  x = placeholder() : float32[]", "line 2: it is indented as nothing before it is"),
    ("x = placeholder() : int32[]\nx = placeholder() : int32[]", "line 2: there are two op"),
    ("x = placeholder() : int32[]\ny = add(x) : int32[]", "line 2: add takes x, y, but there"),
    ("x = placeholder() : int32[]\ny = negative(x) : int64[]", "line 2: the result is int32"),
    ("x = placeholder() : int32[]\ny = negative(x, axis=1) : int32[2]", "line 2: the result is"),
    ("x = placeholder() : int32[]\ny = negative(x:1) : int32[]", "'x' has 1 outputs"),
    ("x = placeholder() : int32[] behind y", "line 1: expected the end of the line here"),
    ("x = constant(value=[1, 2]) : int32[3]", r"line 1: the value has the shape \[2\]"),
    ("x = constant(value=foo) : int32[3]", "line 1: 'foo' is no value"),
    ("x = constant(value=@a) : int32[3]", "line 1: @a is not given"),
    ("f(x: int32[]):", "line 1: the graph has no lines"),
    ("f(x: int32[]):\n  y = negative(x) : int32[]", "ends with a line 'return ...'"),
    ("f(x: int32[], x: int32[]):\n  return x", "line 1: there are two inputs 'x'"),
    ("f(x: int32[]):\n  return y", "line 2: no operation 'y'"),
    ("f(x: int32[]):\n  return x\nfoo", "line 3: "),
]


@pytest.mark.parametrize("text, message", BAD)
def test_bad_text_is_refused_by_line(text, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        graph_from_text(text)


def program(x, n):
    """A program whose graph has all that a text may hold."""
    i = 0
    while i < n:
        x = x * 2.0 if tf.reduce_sum(x) > 1.0 else tf.concat([x[1:], x[:1]], 0)
        i += 1
    tf.print(x, "a'b\n")
    more = tf.zeros([2, 2], tf.int64)[:, None], tf.constant([1 + 2j, 3]), tf.constant([b"y\xff"])
    return x, tf.reshape(x, [-1, 1]), tf.random.uniform([2]), more


NONSENSE = """
( ) [ ] - ~ ? * $9 @x ... 1e999 nan slice() slice(1) empty(-1) empty(99999999999999) array()
array(1) array(float32) array(float32,[[1],[2,3]]) array(float32[2],1) shape[-1] '\\x' b'\\xz' None
True : = , variant resource bfloat16 99999999999999999999 return body( [9223372036854775807,4] axis=
""".split()
NONSENSE += ["9" * 5000, "[" * 3000, "(" * 3000, " after ", "\t", "\0", "\u00e9", "  " * 2000]


def damaged(text, rng):
    """The text with one to three damages."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        to = at + rng.randrange(12)
        lines = text.split("\n")
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + rng.choice(NONSENSE) + text[rng.choice((at, to)) :]
        elif kind == 2 and rng.random() < 0.2:
            text = text[:at]
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        elif kind == 4:
            lines.pop(rng.randrange(len(lines)))
            text = "\n".join(lines)
        else:
            text = text[:at] + chr(rng.randrange(32, 127)) + text[at + 1 :]
    return text


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=NIGHTLY)])
def test_damaged_texts_are_refused_by_line_or_are_graphs(count):
    signature = (tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32))
    writer = GraphPrinter(full=True)
    text = writer.graph(tf.function(program).get_concrete_function(*signature).graph)
    rng = random.Random(count)
    refused = 0
    for _ in range(count):
        try:
            graph_from_text(damaged(text, rng), writer.objects)
        except tf.errors.InvalidArgumentError as error:
            assert error.message.startswith("graph text, line ")
            refused += 1
    assert refused > count // 2


@pytest.mark.parametrize("value", NONSENSE)
def test_values_that_make_no_sense(value):
    if value == "bfloat16":
        pytest.importorskip("ml_dtypes", reason="the error names the extra")
    with pytest.raises(tf.errors.InvalidArgumentError, match="graph text, line 1: "):
        graph_from_text(f"a = reduce_sum(b, axis={value}) : float32[]")
    with pytest.raises(tf.errors.InvalidArgumentError, match="graph text, line 1: "):
        graph_from_text(f"a = constant(value={value}) : float32{value}")
