"""``tf.test``: the test case's assertions, its sessions, and the gradient checker of graphs."""

from __future__ import annotations

import collections
import random
import unittest

import numpy as np
import pytest

import runtime as tf

Pair = collections.namedtuple("Pair", "a b")
case = tf.test.TestCase()
NAN = float("nan")

HOLDS = {
    "equal": lambda: case.assertAllEqual(tf.constant([4, 9]), [4, 9]),
    "nan": lambda: case.assertAllEqual([NAN, 1.0], [NAN, 1.0]),
    "bytes": lambda: case.assertAllEqual(tf.constant(["a"]), [b"a"]),
    "variable": lambda: case.assertAllEqual(tf.Variable([1.0]), [1.0]),
    "ragged": lambda: case.assertAllEqual(tf.ragged.constant([[1], [2, 3]]), [[1], [2, 3]]),
    "unequal": lambda: case.assertNotAllEqual([1, 2], [1, 3]),
    "close": lambda: case.assertAllClose([1.0, NAN], [1.0 + 1e-7, NAN]),
    "close nests": lambda: case.assertAllClose(
        {"a": tf.constant([1.0, 2.0]), "b": (1.0, [2.0, 3.0])},
        {"a": [1.0, 2.0], "b": [1.0, (2.0, 3.0)]},
    ),
    "close pairs": lambda: case.assertAllClose(Pair(1.0, [2.0]), Pair(1.0, np.ones(1) * 2)),
    "uneven": lambda: case.assertAllClose([[1.0, 2.0], [3.0]], [[1.0, 2.0], [3.0]]),
    "not close": lambda: case.assertNotAllClose([1.0], [1.1]),
    "by type": lambda: case.assertAllCloseAccordingToType(np.float16(1.0), np.float16(1.0005)),
    "near": lambda: case.assertNear(1.0, 1.01, 0.1),
    "arrays near": lambda: case.assertArrayNear([1.0, 2.0], [1.0, 2.01], 0.1),
    "norm": lambda: case.assertNDArrayNear(np.ones(2), np.ones(2) * 1.01, 0.1),
    "range": lambda: case.assertAllInRange([1.0, 2.0], 1, 2),
    "set": lambda: case.assertAllInSet([1, 2, 1], {1, 2}),
    "order": lambda: (
        case.assertAllGreater([2, 3], 1), case.assertAllLess([2, 3], 4),
        case.assertAllGreaterEqual([2, 3], 2), case.assertAllLessEqual([2, 3], 3),
    ),
    "dtype": lambda: case.assertDTypeEqual(tf.constant(1.0), np.float32),
    "shape": lambda: case.assertShapeEqual(np.ones([2, 3]), tf.ones([2, 3])),
    "text": lambda: case.assertStartsWith("abc", "ab"),
    "size": lambda: (case.assertLen([1], 1), case.assertEmpty([]), case.assertNotEmpty([1])),
}  # fmt: skip

FAILS = {
    "equal": (lambda: case.assertAllEqual([4, 9], [4, 8], "these"), "not equal where.*these"),
    "shapes": (lambda: case.assertAllEqual([1, 1], 1), r"Shape mismatch: expected \(2,\), got"),
    "ragged": (lambda: case.assertAllEqual(tf.ragged.constant([[1], [2]]), [[1], [3]]), r"\[2\]"),
    "unequal": (lambda: case.assertNotAllEqual([1], [1]), "equal at all elements"),
    "close": (lambda: case.assertAllClose([1.0, 2.0], [1.0, 2.1]), "not close dif"),
    "nan": (lambda: case.assertAllClose([1.0], [NAN]), "not close where"),
    "inside": (lambda: case.assertAllClose({"a": [1.0, (2.0,)]}, {"a": [1.0, (3.0,)]}),
               r"a\['a'\]\[1\] is different"),
    "keys": (lambda: case.assertAllClose({"a": 1.0}, {"b": 1.0}), "mismatched keys"),
    "not close": (lambda: case.assertNotAllClose([1.0], [1.0]), "close at all elements"),
    "by type": (lambda: case.assertAllCloseAccordingToType(1.0, 1.0005), "not close"),
    "near": (lambda: case.assertNear(1.0, 1.2, 0.1), "1.000000 != 1.200000"),
    "norm": (lambda: case.assertNDArrayNear(np.ones(2), np.zeros(2), 0.1), "differ by 1.41"),
    "range": (lambda: case.assertAllInRange([1.0, NAN], 1, 2), "1 of 2 element"),
    "open": (lambda: case.assertAllInRange([1, 2], 1, 2, open_upper_bound=True), r"\[1, 2\)"),
    "texts": (lambda: case.assertAllInRange(["a"], 1, 2), "ordered numeric type"),
    "set": (lambda: case.assertAllInSet([1, 4], {1, 2}), "not in the set"),
    "order": (lambda: case.assertAllGreater([2, 1], 1), "not greater than 1"),
    "dtype": (lambda: case.assertDTypeEqual(tf.constant(1.0), np.float64), "float64"),
    "shape": (lambda: case.assertShapeEqual(np.ones([2, 3]), tf.ones([3, 3])), "2"),
    "text": (lambda: case.assertStartsWith("abc", "b"), "does not start with"),
    "size": (lambda: case.assertLen([1], 2), "has length of 1, expected 2"),
}  # fmt: skip


@pytest.mark.parametrize("check", HOLDS.values(), ids=HOLDS)
def test_holds(check):
    check()


@pytest.mark.parametrize("check, message", FAILS.values(), ids=FAILS)
def test_fails(check, message):
    with pytest.raises(AssertionError, match=f"(?s){message}"):
        check()


def test_nests_that_cannot_be_compared():
    with pytest.raises(ValueError, match="Can't compare dict to non-dict"):
        case.assertAllClose({"a": 1.0}, [1.0])
    with pytest.raises(ValueError, match="a has 1 items, but b has 2"):
        case.assertAllClose([{"a": 1.0}], [{"a": 1.0}, {"a": 2.0}])
    with pytest.raises(TypeError, match="takes tensors and arrays"):
        case.assertShapeEqual(3, np.ones(3))


def test_errors_by_pattern_or_predicate():
    with case.assertRaisesOpError("must be"):
        raise tf.errors.InvalidArgumentError(None, None, "it must be greater")
    with case.assertRaisesWithPredicateMatch(ValueError, lambda error: "x" in str(error)):
        raise ValueError("x")
    with pytest.raises(AssertionError, match="Exception of type .*KeyError"):
        with case.assertRaisesWithPredicateMatch(ValueError, "x"):
            raise KeyError("x")
    with pytest.raises(AssertionError, match="ValueError not raised"):
        with case.assertRaisesWithPredicateMatch(ValueError, "x"):
            pass


def test_eager_sessions_stand_in():
    with case.session() as session, case.cached_session() as other:
        x = tf.square([2, 3])
        assert session.run(x).tolist() == [4, 9] and other.run([x, None])[1] is None
        with pytest.raises(NotImplementedError, match="feed_dict"):
            session.run(x, {"x": [1, 2]})
    assert case.evaluate({"a": (tf.constant(1), 2)}) == {"a": (1, 2)}


def test_sessions_of_graphs():
    class Graphs(tf.test.TestCase):
        def testCached(self):
            with tf.Graph().as_default(), self.cached_session() as session:
                v = tf.Variable([1.0, 2.0])
                self.evaluate(v.initializer)
                self.assertAllClose({"v": v, "n": 3.0}, {"v": [1.0, 2.0], "n": 3.0})
                self.evaluate(v.assign([5.0, 6.0]))
                with self.cached_session() as again:
                    self.assertIs(session, again)
                with self.session() as fresh, self.assertRaises(tf.errors.FailedPreconditionError):
                    fresh.run(v)
                self.assertAllEqual([v, v * 2.0], [[5.0, 6.0], [10.0, 12.0]])
                with self.assertRaisesRegex(ValueError, "different than the one"):
                    with self.cached_session(graph=tf.Graph()):
                        pass

        def testChecker(self):
            with tf.Graph().as_default(), self.session():
                x = tf.placeholder(tf.float64, [2])
                k = tf.placeholder(tf.float64, [])
                y = k * x * x
                error = tf.test.compute_gradient_error
                self.assertLess(error(x, [2], y, [2], extra_feed_dict={k: 3.0}), 1e-6)
                start = [[1.0, 2.0], 5.0]
                self.assertLess(error([x, k], [[2], []], y, [2], x_init_value=start), 1e-6)
                wrong = tf.stop_gradient(x) * x
                self.assertGreater(error(x, [2], wrong, [2], x_init_value=[1.0, 2.0]), 1.5)
                z = tf.placeholder(tf.complex128, [2])
                self.assertLess(error(z, [2], z * z, [2]), 1e-6)
                with self.assertRaisesRegex(ValueError, "does not depend on"):
                    error(x, [2], tf.constant(1.0), [])

        @tf.test.disable_with_predicate(lambda: True, "not here")
        def testSkipped(self):
            raise AssertionError

        def testRandom(self):
            self.numbers = random.random(), np.random.rand(), float(tf.random.uniform([]))
            self.assertTrue(self.get_temp_dir())

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Graphs).run(result)
    assert not result.failures and not result.errors and result.testsRun == 5
    assert sorted(reason for _, reason in result.skipped) == ["Not a test.", "not here"]
    first, second = Graphs("testRandom"), Graphs("testRandom")
    first.run()
    second.run()
    assert first.numbers == second.numbers


def test_no_session():
    with pytest.raises(ValueError, match="needs a default session"):
        tf.test.compute_gradient_error(None, [], None, [])
