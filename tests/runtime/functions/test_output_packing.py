"""The short way through a call: every call gives, and raises, what the first one does."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf
from runtime import config

Pair = collections.namedtuple("Pair", "left right")


def test_every_call_gives_the_same():
    v = tf.Variable(0.0)

    @tf.function(jit_compile=False)  # machine code, once it pays, would empty ``_direct``
    def f(x, k):
        parts = tf.split(x, 2)
        best = tf.unstack(tf.reduce_max(x)[None])  # one output, as a tuple
        v.assign_add(parts[0][0])
        while k > 0:
            k -= 1
        return {"b": Pair(parts, None), "a": (best[0], k, v), "text": tf.strings.as_string(k)}

    x = tf.constant([1.0, 5.0, 3.0, 2.0])
    results = [f(x, tf.constant(3)) for _ in range(4)]
    for number, result in enumerate(results, 1):
        assert list(result) == ["b", "a", "text"] and type(result["b"]) is Pair
        assert [p.numpy().tolist() for p in result["b"].left] == [[1.0, 5.0], [3.0, 2.0]]
        assert result["b"].right is None and result["text"].numpy() == b"0"
        assert [t.numpy() for t in result["a"]] == [5.0, 0, float(number)]
    assert 2 in f._direct


@pytest.mark.parametrize("with_effects", [False, True])
def test_errors_name_the_operation_and_line_in_every_call(with_effects):
    @tf.function
    def pick(x, i):
        if with_effects:
            tf.print(end="")
        y = x * 2
        return tf.gather(y, i)

    x = tf.constant([1, 2])
    texts = []
    for i in (0, 7, 1, 7, 1):
        if i < 2:
            assert pick(x, tf.constant(i)).numpy() == 2 * (i + 1)
            continue
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            pick(x, tf.constant(i))
        assert caught.value.op.type == "GatherV2" and "return tf.gather(y, i)" in str(caught.value)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_exceptions_of_the_program_keep_their_class():
    @tf.function
    def positive(x):
        if x < 0:
            raise KeyError("negative")
        return x

    for value in (1, -1, 2, -2, 3):
        if value > 0:
            assert positive(tf.constant(value)).numpy() == value
        else:
            with pytest.raises(KeyError, match="negative"):
                positive(tf.constant(value))


def test_numpy_stays_silent_and_keeps_its_settings():
    f = tf.function(lambda x: x / 0.0)
    with np.errstate(all="raise"):
        for _ in range(3):
            assert np.isinf(f(tf.constant(1.0)).numpy())
        with pytest.raises(FloatingPointError):
            np.float32(1) / np.float32(0)


def test_calls_under_a_graph_or_run_eagerly_do_not_take_the_short_way():
    f = tf.function(lambda x: x + 1)
    one = tf.constant(1)
    assert [f(one).numpy() for _ in range(3)] == [2] * 3
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(f(one)) == 2
    config.run_functions_eagerly(True)
    try:
        assert f(1) == 2
    finally:
        config.run_functions_eagerly(False)
    f.cache_clear()
    assert f(one).numpy() == 2 and f.experimental_get_tracing_count() == 2


def test_values_that_are_equal_but_not_the_same_have_traces_of_their_own():
    f = tf.function(lambda x, k: x if type(k) is int else -x)
    x = tf.constant(3)
    found = [f(x, k).numpy() for _ in range(3) for k in (1, True, 0, False)]
    assert found == [3, -3, 3, -3] * 3 and f.experimental_get_tracing_count() == 4


def test_traces_of_unknown_sizes_are_found_again():
    f = tf.function(lambda x: tf.reduce_sum(x), input_signature=[tf.TensorSpec([None])])
    for _ in range(3):
        assert [f(tf.ones([n])).numpy() for n in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="does not fit"):
        f(tf.ones([1, 1]))


def test_arguments_of_every_kind_find_their_trace_again():
    seen = []

    def program(a, b=1, *rest, mode="x", **named):
        seen.append(1)
        total = a["p"] * b + sum(rest) + sum(named.values())
        return total if mode == "x" else -total

    f = tf.function(program)
    one, array = tf.constant(1.0), np.array([1.0, 2.0], np.float32)
    calls = [
        (({"p": one},), {}), (({"p": array},), {}), (({"p": one}, 2), {}), (({"p": one}, 2.0), {}),
        (({"p": one}, np.float32(3)), {}), (({"p": one}, 1, one, 4.0), {}), (({"p": 2},), {"b": 3}),
        (({"p": one},), {"mode": "y"}), (({"p": one},), {"z": one, "y": array}),
        (({"p": one},), {"y": array, "z": one}), (({"p": one}, 1, 4.0, one), {}),
    ]  # fmt: skip
    for _ in range(4):
        for args, kwargs in calls:
            expected = np.asarray(program(*args, **kwargs), np.float32)
            assert np.array_equal(np.asarray(f(*args, **kwargs)), expected)
    assert f.experimental_get_tracing_count() == len(calls)


def test_arguments_given_in_another_order_than_declared():
    f = tf.function(lambda a, b, c=tf.constant(100): a - b + c)
    x, y = tf.constant(1), tf.constant(2)
    for _ in range(4):
        assert [f(b=x, a=y).numpy(), f(a=x, b=y).numpy(), f(c=x, b=x, a=y).numpy()] == [101, 99, 2]
    g = tf.function(lambda d: d["b"] - d["a"])
    for _ in range(4):
        assert [g({"a": x, "b": y}).numpy(), g({"b": x, "a": y}).numpy()] == [1, -1]


def test_arrays_that_change_between_calls():
    f = tf.function(lambda x: x)
    array = np.zeros(2)
    results = []
    for _ in range(4):
        results.append(f(array))
        array += 1
    assert [r.numpy().tolist() for r in results] == [[k, k] for k in (0.0, 1.0, 2.0, 3.0)]


def test_zeros_of_both_signs():
    f = tf.function(lambda x: x)
    for _ in range(4):
        assert [np.signbit(f(x).numpy()) for x in (0.0, -0.0)] == [False, True]


def test_arrays_for_an_input_signature():
    spec = tf.TensorSpec([None], tf.float32)
    f = tf.function(lambda x, y: (x, y), input_signature=[spec, spec])
    for kind in (np.float32, np.float64, np.int32, np.float32):
        for _ in range(3):
            first, second = f(np.zeros(2, kind), np.ones(3, kind))
            assert first.numpy().tolist() == [0, 0] and second.numpy().tolist() == [1, 1, 1]
            assert first.dtype == second.dtype == tf.float32
    with pytest.raises(TypeError, match="does not fit"):
        f(np.zeros((1, 1), np.float32), np.ones(3, np.float32))
    for _ in range(3):
        assert f(y=np.ones(1, np.float32), x=np.zeros(1, np.float32))[0].numpy() == [0]


def test_concrete_functions_of_plain_tensors():
    f = tf.function(lambda x, k, d: x * k - d["y"])
    spec = tf.TensorSpec([None], tf.int32)
    exact = f.get_concrete_function(tf.constant([1, 2]), 3, {"y": tf.constant(1)})
    wide = f.get_concrete_function(spec, 3, {"y": tf.constant(1)})
    x, y = tf.constant([1, 2]), tf.constant(1)
    for _ in range(3):
        for concrete in (exact, wide):
            assert concrete(x, y).numpy().tolist() == [2, 5]
            assert concrete(x, 3, {"y": y}).numpy().tolist() == [2, 5]
            assert concrete(np.array([1, 2], np.int32), y).numpy().tolist() == [2, 5]
        assert wide(tf.constant([4]), y).numpy().tolist() == [11]
        for wrong in (tf.constant([4]), tf.constant([1.0, 2.0])):
            with pytest.raises(tf.errors.InvalidArgumentError):
                exact(wrong, y)
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(exact(x, y)).tolist() == [2, 5]


@dataclasses.dataclass
class Record:
    items: object
    count: object


def squares(n):
    found = []
    for i in tf.range(n):
        found.append(i * i)
    return found


def plain(value):
    """A result as Python's values, with the classes of what is around them."""
    if isinstance(value, list | tuple):
        return type(value), [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Record):
        return plain([value.items, value.count])
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return None if value is None else np.asarray(tf.convert_to_tensor(value)).tolist()


def pairs_of_lists(n):
    found = []
    for i in tf.range(n):
        row = []
        for k in tf.range(i):
            row.append(k)
        found.append((i, row))
    return found


def texts(n):
    found = []
    for i in tf.range(n):
        found.append(f"item {i}")
    return found


def sometimes_none(n):
    found = []
    for i in tf.range(n):
        found.append(i if i > 1 else None)
    return found, (squares(n) if n > 2 else None), (None if n > 2 else n)


def maybe_nothing(n):
    if n > 2:
        return squares(n)


def numbers(n):
    found, k = [], 0
    while k < n:
        found.append(k)
        k += 1
    return {"found": found, "none": None, "sum": {"k": k}}


RESULTS = [
    squares, pairs_of_lists, texts, sometimes_none, maybe_nothing, numbers,
    lambda n: (squares(n), n), lambda n: {"b": squares(n), "a": (n, squares(n - 1))},
    lambda n: Pair(squares(n), None), lambda n: Record(squares(n), n), lambda n: [squares(n)] * 2,
    lambda n: (squares(n), tf.RaggedTensor.from_row_lengths(tf.range(n), n[None])),
    lambda n: [i for i in tf.range(n) if i > 0], lambda n: inner_squares(n), lambda n: [],
    lambda n: squares(n - n), lambda n: (tf.sin if n > 2 else tf.cos)(tf.cast(n, tf.float32)),
]
inner_squares = tf.function(squares)


@pytest.mark.parametrize("program", RESULTS)
def test_results_of_a_length_that_the_run_decides(program):
    traced = tf.function(program)
    concrete = traced.get_concrete_function(tf.constant(0))
    for n in (3, 5, 0, 2, 4, 1):
        expected = plain(program(tf.constant(n)))
        assert plain(traced(tf.constant(n))) == expected
        assert plain(concrete(tf.constant(n))) == expected
    assert traced.experimental_get_tracing_count() == 1


def test_lists_of_numbers_from_machine_code_hold_tensors():
    traced = tf.function(numbers, jit_compile=True)
    for n in (3, 5, 0, 2):
        assert plain(traced(tf.constant(n))) == plain(numbers(tf.constant(n)))


def multiples(x, n):
    found = []
    for i in tf.range(n):
        factor = tf.cast(i, tf.float32)
        found.append((x * factor, i, [x * x] * 2))
    return {"found": found, "more": [x * k for k in tf.range(1.0, 4.0)]}


def twice(program):
    inner = tf.function(program)
    return tf.function(lambda *args: inner(*args))


@pytest.mark.parametrize("wrap", [tf.function, twice])
def test_gradients_through_lists_of_staged_length(wrap):
    traced = wrap(multiples)
    for n in (3, 1, 4, 2):
        x, gradients = tf.constant(2.0), []
        for program in (multiples, traced, traced):
            with tf.GradientTape() as outer, tf.GradientTape() as tape:
                tape.watch(x)
                outer.watch(x)
                found = program(x, tf.constant(n))
                total = found["more"][-1] * 10.0
                for item, _, squares_of_it in found["found"]:
                    total += item * item * item + squares_of_it[1]
                first = tape.gradient(total, x)
            gradients.append((first.numpy(), outer.gradient(first, x).numpy()))
        cubes = sum(i**3 for i in range(n))
        assert gradients == [(3 * 4.0 * cubes + 4.0 * n + 30.0, 6 * 2.0 * cubes + 2.0 * n)] * 3


def test_forward_derivatives_through_a_list_of_staged_length():
    traced = tf.function(multiples)
    for n in (3, 1, 4):
        x = tf.constant(2.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
            found = traced(x, tf.constant(n))["found"]
        assert [forward.jvp(item).numpy() for item, _, _ in found] == list(range(n))


def test_deep_results():
    @tf.function
    def deep(x):
        for _ in range(300):
            x = (x,)
        return x

    for _ in range(4):
        found = deep(tf.constant(1.0))
        while isinstance(found, tuple):
            (found,) = found
        assert found.numpy() == 1.0
