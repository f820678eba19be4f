"""State far from a function, in long or deep collections, large arrays and equal objects."""

import math

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError
from autograph.operators.state import heap
from tests.support.nightly import always, diagonal


class Box:
    """What calls change."""

    def __init__(self, inner=None):
        self.value = 0
        self.inner = inner


class Alike(Box):
    """Boxes that are all equal."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def __eq__(self, other):
        return isinstance(other, Alike)

    def __hash__(self):
        return 1


ROW = [Box() for _ in range(400)]
GRID = [[Box() for _ in range(60)] for _ in range(60)]
CHAIN = Box()
for _ in range(2500):
    CHAIN = Box(CHAIN)
HOLDER = Box()


def in_a_row(x):
    ROW[300].value = ROW[300].value + x
    return ROW[300].value


def in_a_grid(x):
    GRID[50][50].value = GRID[50][50].value + x
    return GRID[50][50].value


def in_a_chain(x):
    last = CHAIN
    for _ in range(2400):
        last = last.inner
    last.value = last.value + x
    return last.value


def on_a_path(x):
    if x > 1:
        GRID[50][51].value = x
    return GRID[50][51].value


def replaced(x):
    HOLDER.value = f"at {x}"
    return x


@pytest.mark.parametrize(
    "program, wrap",
    diagonal([in_a_row, in_a_grid, in_a_chain, on_a_path], [tf.jit, tf.function]),
)
def test_a_distant_object_is_state(program, wrap):
    box = {"in_a_row": ROW[300], "in_a_grid": GRID[50][50], "on_a_path": GRID[50][51]}
    last = CHAIN
    for _ in range(2400):
        last = last.inner
    found = box.get(program.__name__, last)
    calls = [1, 2, 3] if wrap is tf.jit else [tf.constant(n) for n in (1, 2, 3)]
    found.value = 0
    wanted = [int(program(x)) for x in calls]
    found.value = 0
    traced = wrap(program)
    assert [int(traced(x)) for x in calls] == wanted
    assert int(found.value) == wanted[-1]


def test_too_many_objects_are_refused(monkeypatch):
    monkeypatch.setattr(heap, "MOST_OBJECTS", 1000)
    with pytest.raises(EffectError, match="more than 1,000 Python objects.*'GRID"):
        tf.jit(in_a_grid)(1)


@pytest.mark.parametrize("size", always([300_000], [300_000, 20_000_000 // 8]))
def test_a_large_array_that_changes_is_seen(monkeypatch, size):
    monkeypatch.setattr("autograph.operators.state.saved_memory.LARGEST", 1 << 23)
    weights = np.zeros(size)

    @tf.jit
    def read(x):
        return x * weights[7]

    for number in range(4):
        weights[7] = number
        assert read(2.0) == 2.0 * number


@pytest.mark.parametrize("weights", [
    np.zeros((4, 6)).T, np.zeros((6, 6))[::2], np.array([[0.0, "a"], [1, 2]], dtype=object),
])  # fmt: skip
def test_an_array_of_any_layout_that_changes_is_seen(weights):
    @tf.jit
    def read(x):
        return x * weights[0, 0]

    for number in (1.0, 2.0, 3.0):
        weights[0, 0] = number
        assert read(2.0) == 2.0 * number


def test_an_array_of_dates_that_changes_is_seen():
    days = np.array(["2000-01-01", "2000-01-05"], dtype="datetime64[D]")

    @tf.jit
    def read(x):
        return x + int((days[1] - days[0]).astype(int))

    assert read(1) == 5
    days[1] = np.datetime64("2000-01-03")
    assert read(1) == 3


@pytest.mark.parametrize("size", [4, 300_000])
def test_an_array_that_a_path_changes_is_refused(size):
    weights = np.zeros(size)

    def write(x):
        if x > 1:
            weights[1] = 7.0
        return x

    with pytest.raises(EffectError, match="'weights', an array"):
        tf.jit(write)(3)
    assert weights[1] == 0.0


def test_equal_objects_have_state_of_their_own():
    one, two = Alike(10), Alike(20)

    @tf.jit
    def add(box, x):
        box.value = box.value + x
        return box.value * box.factor

    assert [add(one, 1), add(two, 2), add(one, 3), add(two, 4)] == [10, 40, 40, 120]
    assert (one.value, two.value) == (4, 6)


def test_equal_objects_are_read_themselves():
    @tf.jit
    def scaled(box, x):
        return box.factor * x

    assert [scaled(Alike(factor), 2) for factor in (1, 2, 1, 3)] == [2, 4, 2, 6]


def test_equal_objects_with_equal_attributes_share_a_trace():
    @tf.jit
    def scaled(box, x):
        return box.factor * x

    assert [scaled(Alike(3), x) for x in (1, 2, 3)] == [3, 6, 9]
    assert scaled.experimental_get_tracing_count() == 1


def test_a_text_with_staged_values_is_state():
    traced = tf.jit(replaced)
    for x in (1, 2, 3):
        traced(x)
        assert HOLDER.value == f"at {x}"


def plain_raise(x):
    raise ValueError("no", x, [x + 1])


def text_raise(x):
    raise KeyError(f"bad {x * 2}")


@pytest.mark.parametrize("program", [plain_raise, text_raise])
def test_an_exception_holds_the_values_of_its_call(program):
    traced = tf.jit(program)
    for x in (1, 2, 3):
        with pytest.raises((ValueError, KeyError)) as wanted:
            program(x)
        with pytest.raises(type(wanted.value)) as found:
            traced(x)
        assert found.value.args == wanted.value.args


PAIRS = [
    (2**60 + 1, 2.0**60), (2**53 + 1, 2.0**53), (5, 5.0), (2**62, math.inf), (3, math.nan),
    (-(2**60) - 1, -(2.0**60)), (-(2**63), -(2.0**63)), (2**63 - 1, 2.0**63), (4, 4.5),
]  # fmt: skip


def compared(x, y):
    return x == y, x != y, x < y, x <= y, x > y, x >= y


def beside_large_constants(x, y):
    return x == 2.0**60, x < 2.0**60, y == 2**60 + 1, y < 2**60 + 1, 2**60 + 1 > y, 2.0**60 < x


@pytest.mark.parametrize("program", [compared, beside_large_constants])
def test_an_int_and_a_float_are_compared_exactly(program):
    traced = tf.jit(program)
    for x, y in PAIRS:
        assert traced(x, y) == program(x, y)
    swapped = tf.jit(compared)
    for x, y in PAIRS:
        assert swapped(y, x) == compared(y, x)
