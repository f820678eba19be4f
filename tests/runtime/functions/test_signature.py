"""How calls are told apart and declared: arguments, input signatures, annotations."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf
from runtime.types.flags import OPTIMIZE

VECTOR = tf.TensorSpec([None], tf.float32)
Point = collections.namedtuple("Point", "x y")


def count(f):
    return f.experimental_get_tracing_count()


def test_keyword_arguments_keep_their_order_and_values():
    f = tf.function(lambda **named: tf.stack(list(named.values())))
    one, two = tf.constant(1), tf.constant(2)
    assert f(a=one, b=two).numpy().tolist() == [1, 2]
    assert f(b=two, a=one).numpy().tolist() == [2, 1]
    g = tf.function(lambda named: tf.stack(list(named.values())))
    assert g({"a": one, "b": two}).numpy().tolist() == [1, 2]
    assert g({"b": two, "a": one}).numpy().tolist() == [2, 1]


def test_collections_that_change_have_traces_of_their_own():
    f = tf.function(lambda x, items: x * len(items))
    for items, add in ((set(), set.add), (collections.deque(), collections.deque.append)):
        found = []
        for item in range(3):
            found.append(f(tf.constant(1), items).numpy())
            add(items, item)
        assert found == [0, 1, 2]
    assert f(tf.constant(2), bytearray(b"abc")).numpy() == 6
    h = tf.function(lambda x, part: x[part])
    x = tf.constant([1, 2, 3])
    assert h(x, slice(1, 3)).numpy().tolist() == h(x, slice(1, 3)).numpy().tolist() == [2, 3]
    assert count(h) == 1


def test_defaults_arrays_and_nests():
    w = np.array([1.0, 2.0], np.float32)
    f = tf.function(lambda x, w=w, point=Point(1, [2]): x * w + point.y[0])
    assert f(tf.constant(3.0)).numpy().tolist() == [5.0, 8.0]
    assert f(tf.constant(3.0), w + 1).numpy().tolist() == [8.0, 11.0]
    assert f(3.0, w, Point(1, [2])).numpy().tolist() == [5.0, 8.0]
    assert f(np.float32(3), point=Point(1, [2])).numpy().tolist() == [5.0, 8.0]
    assert count(f) == 3  # a tensor, a number, a scalar of NumPy's

    @dataclasses.dataclass
    class Pair:
        left: object
        right: object

    swap = tf.function(lambda pair: Pair(pair.right, pair.left))
    swapped = swap(Pair(tf.constant(1), 2))
    assert (swapped.left.numpy(), swapped.right.numpy()) == (2, 1)


def test_arrays_are_copied():
    f = tf.function(lambda x: x)
    array = np.zeros(2)
    for _ in range(3):
        result = f(array)
        array += 1
        assert result.numpy().tolist() == [array[0] - 1] * 2


@pytest.mark.parametrize("staged", [True, False])
def test_python_numbers_stay_such_when_they_are_staged(staged):
    @tf.function
    def times(x, k):
        return x * k

    def outer(n, x):
        k, half = 0, 0.5
        while k < n:
            k += 1
            half = times(half, 2.0)
        return times(x, k), times(k, 2), times(x, k=k), half

    run = tf.function(outer) if staged else outer
    for kind in (tf.int32, tf.float64):
        found = run(tf.constant(3), tf.constant(5, kind))
        assert [t.numpy() for t in found] == [15, 6, 15, 4.0]
        assert [t.dtype for t in found] == [kind, tf.int32, kind, tf.float32]


def test_input_signatures_of_nests_and_starred_arguments():
    f = tf.function(
        lambda p, *more: p["a"] + p["b"][0] + sum(more),
        input_signature=[{"a": VECTOR, "b": [VECTOR]}, VECTOR, VECTOR],
    )
    assert f({"a": [1.0], "b": [[2.0]]}, [3], np.ones(1)).numpy().tolist() == [7.0]
    assert f({"b": (tf.ones(2),), "a": tf.ones(2)}, [1, 1], [1, 1]).numpy().tolist() == [4.0] * 2
    assert count(f) == 1
    concrete = f.get_concrete_function()
    assert concrete.structured_input_signature[0][1:] == (
        tf.TensorSpec([None], tf.float32, "more_0"), tf.TensorSpec([None], tf.float32, "more_1"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("args", "expected", "given"),
    [
        ((tf.constant([1]), [[1.0]]), "dtype=tf.float32", "shape=(1,), dtype=tf.int32"),
        ((tf.ones([1, 1]), [[1.0]]), "shape=(None,), dtype=tf.float32", "shape=(1, 1)"),
        (("a", [[1.0]]), "shape=(None,)", "got 'a'"),
        ((None, [[1.0]]), "shape=(None,)", "got None"),
        (([1.0], [1.0, 2.0]), "List[TensorSpec", "List[Literal[1.0], Literal[2.0]]"),
        (([1.0], {"a": [1.0]}), "List[TensorSpec", "Dict[['a'"),
        (([1.0], [[1.0]], True), "the default Literal[False]", "Literal[True]"),
        (([1.0],), "missing a required argument: 'y'", "y: List[TensorSpec("),
        (([1.0], [[1.0]], False, 3), "too many positional arguments", "y: List[TensorSpec("),
    ],
)  # fmt: skip
def test_a_mismatch_shows_what_is_expected_and_given(args, expected, given):
    @tf.function(input_signature=[VECTOR, [VECTOR]])
    def f(x, y, flag=False):
        return x

    with pytest.raises(TypeError) as caught:
        f(*args)
    text = str(caught.value)
    assert text.startswith("f()") and expected in text and given in text
    assert "signature is (x: TensorSpec(shape=(None,)" in text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: tf.function(f, input_signature=VECTOR), "must be either a tuple or a list"),
        (lambda f: tf.function(f, input_signature=[3]), r"got invalid args \[3\]"),
        (lambda f: tf.function(f, input_signature=[]), "missing type constraint for x"),
        (lambda f: tf.function(f, input_signature=[VECTOR] * 3), "contains 1 extra type constr"),
        (lambda f: tf.function(lambda *, k: k, input_signature=[]), "keyword-only parameter `k`"),
    ],
)
def test_input_signatures_that_do_not_fit_the_function(make, message):
    with pytest.raises(TypeError, match=message):
        make(lambda x, y=2: x)


def test_signatures_from_annotations():
    def f(x: tf.Tensor, k: int, *rest: "tf.Tensor", y: "tf.Tensor | None" = None):
        return x * k

    hinted = tf.function(f, experimental_follow_type_hints=True)
    assert [hinted(i, 2).numpy() for i in range(4)] == [0, 2, 4, 6] and count(hinted) == 1
    hinted(1, 2, 3, 4, y=5)
    hinted(1, 2, 5, 6, y=7)
    assert count(hinted) == 2
    plain = tf.function(f)
    assert [plain(i, 2).numpy() for i in range(3)] == [0, 2, 4] and count(plain) == 3

    def g(x: VECTOR, k=2):
        return tf.reduce_sum(x) * k

    declared = tf.function(g, experimental_follow_type_hints=True)
    assert [declared([1.0] * n).numpy() for n in range(3)] == [0.0, 2.0, 4.0]
    assert count(declared) == 1
    with pytest.raises(TypeError, match=r"expected TensorSpec\(shape=\(None,\).*\(1, 1\)"):
        declared([[1.0]])
    with pytest.raises(TypeError, match="'x' is annotated as a Tensor, but {} cannot become one"):
        hinted({}, 2)


@pytest.mark.parametrize("option", ["reduce_retracing", "experimental_relax_shapes"])
def test_sizes_that_change_become_unknown(option):
    f = tf.function(lambda x: x, **{option: True})
    for shape in ([1], [2], [3], [1, 2], [3, 4], []):
        assert f(tf.ones(shape)).shape == shape
    kept = f.pretty_printed_concrete_signatures(verbose=False).splitlines()
    assert [line.partition(", dtype")[0] for line in kept] == [
        f"(x: TensorSpec(shape={shape}" for shape in ("(1,)", "(None,)", "<unknown>")
    ]


def test_concrete_functions_take_what_the_python_function_takes_or_its_tensors():
    @tf.function
    def f(a, b=2, *, c, d=4.0):
        return {"s": a["x"] * b, "t": [c, None]}

    nest = {"x": tf.TensorSpec([None], tf.int32, "name")}
    concrete = f.get_concrete_function(nest, 3, c=tf.constant(1.0))
    x, c = tf.constant([1, 2]), tf.constant(5.0)
    for args, kwargs in (
        (({"x": x}, 3), {"c": c, "d": 4.0}), (({"x": x},), {"c": c}), ((x, c), {}),
        ((x,), {"c": c}), ((), {"name": x, "c": c}), ((), {"a": {"x": x}, "b": 3, "c": c}),
    ):  # fmt: skip
        result = concrete(*args, **kwargs)
        assert result["s"].numpy().tolist() == [3, 6] and result["t"][0].numpy() == 5.0
    for args, kwargs, told in (
        (({"x": x}, 4), {"c": c}, r"it got Literal\[4\] for 'b'"), ((), {}, "no value for 'a'"),
        (({"x": x},), {"c": c, "z": 1}, "unexpected argument 'z'"),
        (({"y": x},), {"c": c}, r"got Dict\[\['y'.* for 'a'"), ((x,) * 5, {}, "got 5 arguments"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=told):
            concrete(*args, **kwargs)
    for wrong in ({"x": tf.constant([1.0])}, {"x": tf.constant(1)}):
        for kind in (tf.errors.InvalidArgumentError, ValueError, TypeError):
            with pytest.raises(kind, match="name"):
                concrete(wrong, c=c)


def test_what_concrete_functions_tell():
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, trainable=False, name="w")
    eager = tf.constant([7.0])

    @tf.function
    def inner(x):
        return x + v

    @tf.function
    def f(x, k=3, point=None):
        if tf.reduce_sum(x) > 0:
            x = x * w
        return inner(x) + eager, {"k": k}

    concrete = f.get_concrete_function(VECTOR)
    assert concrete.name == "f" and concrete.graph.name == "f"
    assert concrete.variables == (w, v) or list(map(id, concrete.variables)) == [id(w), id(v)]
    assert [t is v for t in concrete.trainable_variables] == [True]
    assert [t is eager for t in concrete.captured_inputs] == [True]
    assert concrete.output_dtypes == (tf.float32, {"k": tf.int32})
    assert concrete.output_shapes == ([None], {"k": []})
    spec = "TensorSpec(shape=(None,), dtype=tf.float32, name=None)"
    result = f"Tuple[{spec}, Dict[['k', TensorSpec(shape=(), dtype=tf.int32, name=None)]]]"
    short = f"(x: {spec}, k: Literal[3], point: Literal[None]) -> {result}"
    assert concrete.pretty_printed_signature(verbose=False) == short == str(concrete.function_type)
    assert concrete.pretty_printed_signature() == f"""\
Input Parameters:
  x (POSITIONAL_OR_KEYWORD): {spec}
  k (POSITIONAL_OR_KEYWORD): Literal[3]
  point (POSITIONAL_OR_KEYWORD): Literal[None]
Output Type:
  {result}
Captures:
  TensorSpec(shape=(1,), dtype=tf.float32, name=None)
  VariableSpec(shape=(), dtype=tf.float32, trainable=False, name='w:0')
  VariableSpec(shape=(), dtype=tf.float32, trainable=True, name='v:0')"""
    assert short in repr(concrete) and str(concrete).startswith("ConcreteFunction Input Para")
    args, kwargs = concrete.structured_input_signature
    assert args == (tf.TensorSpec([None], tf.float32, "x"), 3, None) and kwargs == {}


def test_the_optimized_graph():
    @tf.function
    def f(x):
        tf.reduce_sum(x * 5)
        return x * (tf.constant(2) + tf.constant(3))

    concrete = f.get_concrete_function(tf.constant([1, 2]))
    recorded = [node.op_def.name for node in concrete.graph.get_operations()]
    optimized = [node.op_def.name for node in concrete.optimized_graph.get_operations()]
    assert "add" in recorded and "reduce_sum" in recorded
    assert optimized == ["placeholder", "constant", "multiply"]
    assert [node.op_def.name for node in concrete.graph.get_operations()] == recorded
    with OPTIMIZE(False):
        assert concrete.optimized_graph is concrete.graph
        assert f(tf.constant([1, 2])).numpy().tolist() == [5, 10]


def test_functions_that_call_each_other():
    @tf.function
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    @tf.function
    def odd(n):
        if n == 0:
            return False
        return even(n - 1)

    assert [bool(even(tf.constant(k))) for k in (0, 1, 7, 8)] == [True, False, False, True]
    assert bool(odd(tf.constant(5))) and not bool(odd(4))


def test_datasets_in_concrete_functions():
    @tf.function
    def total(data, k):
        found = tf.constant(0, tf.int64)
        for x in data:
            found += x * k
        return found

    numbers = tf.data.Dataset.range(4)
    concrete = total.get_concrete_function(numbers, 2)
    assert concrete(numbers).numpy() == concrete(tf.data.Dataset.range(5), 2).numpy() - 8 == 12
    with pytest.raises(TypeError, match="for 'data'"):
        concrete(tf.data.Dataset.from_tensors(1.5), 2)
    total(numbers, 3)
    assert [c.argument for c in total.explain().traces[1].changes] == ["k"]


def test_parameters_may_have_any_name():
    f = tf.function(lambda self, args, key, name: self + args + key + name)
    numbers = {"self": 1, "args": 2, "key": 3, "name": tf.constant(4)}
    assert f(**numbers).numpy() == f(1, 2, 3, tf.constant(4)).numpy() == 10
    assert f.get_concrete_function(**numbers)(**numbers).numpy() == 10
