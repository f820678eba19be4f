"""Assertions on tensors, arrays and nests of them, with TensorFlow's names and tolerances.

cases.py mixes them into the test case, which says how a tensor becomes an array.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.types.dtypes import SMOOTH, as_dtype
from runtime.types.errors import OpError
from runtime.types.shapes import TensorShape

_SHOWN = 20
"""How many differing elements a message lists."""


class Comparisons:
    """The assertions; ``evaluate`` and unittest's methods come from what they are mixed into."""

    evaluate: Callable[[Any], Any]
    assertEqual: Callable[..., None]
    fail: Callable[..., Any]

    def _array(self, value: Any) -> Any:
        """A tensor, an array, a number or a list of them as an array."""
        array = value if isinstance(value, np.ndarray | np.generic) else self.evaluate(value)
        return np.asarray(array)

    def _same_shapes(self, a: Any, b: Any, msg: str | None) -> None:
        contents = f" Contents: {b!r}." if b.size < 500 else ""
        said = f"Shape mismatch: expected {a.shape}, got {b.shape}.{contents}{_after(msg)}"
        self.assertEqual(a.shape, b.shape, said)

    # -- equal, close -----------------------------------------------------------------------------

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """All elements of two tensors or arrays are equal, NaN to NaN; and so are the shapes.

        Ragged tensors are compared as lists.
        """
        if hasattr(a, "to_list") or hasattr(b, "to_list"):
            self.assertEqual(_listed(a), _listed(b), msg)
            return
        left, right = self._array(a), self._array(b)
        self._same_shapes(left, right, msg)
        same = np.asarray(left == right)
        if left.dtype.kind in SMOOTH and right.dtype.kind in SMOOTH:
            same = same | (np.isnan(left) & np.isnan(right))
        if not same.all():
            where, lhs, rhs = _shown(~same, left, right)
            self.fail(
                f"not equal where = {where}\nnot equal lhs = {lhs!r}\nnot equal rhs = {rhs!r}"
                f"{_after(msg)}"
            )

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Some element differs, or the shapes do."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements.{_after(msg)}")

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Tensors, arrays or nests of them differ by at most ``atol + rtol * abs(b)``, NaN by 0."""
        self._close(a, b, rtol, atol, "", msg)

    def _close(
        self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None
    ) -> None:
        a = a._asdict() if hasattr(a, "_asdict") else a
        b = b._asdict() if hasattr(b, "_asdict") else b
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}.{_after(msg)}")
        if isinstance(a, Mapping):
            self.assertEqual(set(a), set(b), f"mismatched keys: a{path} and b{path}{_after(msg)}")
            for key in a:
                self._close(a[key], b[key], rtol, atol, f"{path}[{key!r}]", msg)
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple) and not (
            self._regular(a) and self._regular(b)
        ):
            if len(a) != len(b):
                raise ValueError(
                    f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} "
                    f"items.{_after(msg)}"
                )
            for k, (left, right) in enumerate(zip(a, b, strict=True)):
                self._close(left, right, rtol, atol, f"{path}[{k}]", msg)
        else:
            self._arrays_close(self._array(a), self._array(b), rtol, atol, path, msg)

    def _regular(self, items: Any) -> bool:
        """Whether items make one array of numbers, rather than a nest to go through."""
        try:
            return self._array(items).dtype.kind != "O"
        except (ValueError, TypeError):
            return False

    def _arrays_close(
        self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None
    ) -> None:
        self._same_shapes(a, b, msg)
        with np.errstate(invalid="ignore"):
            a, b = (x.astype(np.float32) if x.dtype.kind == "V" else x for x in (a, b))
            close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if not close.all():
            where, lhs, rhs = _shown(~close, a, b)
            self.fail(
                f"Mismatched value: a{path} is different from b{path}.\n"
                f"not close where = {where}\nnot close lhs = {lhs!r}\nnot close rhs = {rhs!r}\n"
                f"not close dif = {np.abs(lhs - rhs)!r}\n"
                f"rtol = {rtol}, atol = {atol}, dtypes {a.dtype} and {b.dtype}{_after(msg)}"
            )

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Some element is not close."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements.{_after(msg)}")

    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, float_rtol: float = 1e-6,
        float_atol: float = 1e-6, half_rtol: float = 1e-3, half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2, bfloat16_atol: float = 1e-2, msg: str | None = None,
    ) -> None:  # fmt: skip
        """As ``assertAllClose``, with larger tolerances for float32, float16 and bfloat16."""
        left, right = self._array(a), self._array(b)
        kinds = {left.dtype.name, right.dtype.name}
        if kinds & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in kinds:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(left, right, rtol, atol, msg)

    def assertNear(self, f1: Any, f2: Any, err: float, msg: str | None = None) -> None:
        """Two numbers differ by at most ``err``."""
        if not (f1 == f2 or math.fabs(f1 - f2) <= err):
            self.fail(f"{float(f1):f} != {float(f2):f} +/- {err:f}{_after(msg)}")

    def assertArrayNear(
        self, farray1: Any, farray2: Any, err: float, msg: str | None = None
    ) -> None:
        """Two sequences of numbers differ by at most ``err``, each from each."""
        left, right = self._array(farray1), self._array(farray2)
        self.assertEqual(len(left), len(right), msg)
        for a, b in zip(left, right, strict=True):
            self.assertNear(a, b, err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None
    ) -> None:
        """The norm of the difference of two arrays is less than ``err``."""
        norm = np.linalg.norm(np.ravel(self._array(ndarray1) - self._array(ndarray2)))
        if not norm < err:
            self.fail(f"the arrays differ by {norm}, not less than {err}{_after(msg)}")

    # -- each element -----------------------------------------------------------------------------

    def _each(self, a: Any, holds: Callable[[Any], Any], what: str) -> None:
        array = self._array(a)
        satisfied = np.asarray(holds(array))
        if not satisfied.all():
            where, values = _shown(~satisfied, array)
            self.fail(
                f"{np.sum(~satisfied)} of {array.size} element(s) are not {what}, at {where}: "
                f"{values!r}"
            )

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Each element is greater than a number."""
        self._each(a, lambda x: x > comparison_target, f"greater than {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Each element is less than a number."""
        self._each(a, lambda x: x < comparison_target, f"less than {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Each element is at least a number."""
        self._each(a, lambda x: x >= comparison_target, f"{comparison_target} or greater")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Each element is at most a number."""
        self._each(a, lambda x: x <= comparison_target, f"{comparison_target} or less")

    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:  # fmt: skip
        """Each element is in a range, whose bounds belong to it unless they are open."""
        array = self._array(target)
        if array.dtype.kind not in "fiuV":
            self.fail(f"The value of {target} does not have an ordered numeric type, {array.dtype}")
        ends = f"{'(' if open_lower_bound else '['}{lower_bound}, {upper_bound}"
        above = np.greater if open_lower_bound else np.greater_equal
        below = np.less if open_upper_bound else np.less_equal
        self._each(
            array, lambda x: above(x, lower_bound) & below(x, upper_bound),
            f"in the range {ends}{')' if open_upper_bound else ']'}",
        )  # fmt: skip

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Each element is one of a set."""
        allowed = list(expected_set)
        self._each(target, lambda x: np.isin(x, allowed), f"in the set {expected_set}")

    # -- types, texts, errors ---------------------------------------------------------------------

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """A tensor or array has a dtype."""
        dtype = target.dtype if hasattr(target, "dtype") else self._array(target).dtype
        self.assertEqual(as_dtype(dtype), as_dtype(expected_dtype))

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Two tensors or arrays have one shape, as far as it is known."""
        for value in (input_a, input_b):
            if not hasattr(value, "shape"):
                raise TypeError(f"assertShapeEqual takes tensors and arrays, got {value!r}")
        left, right = TensorShape(input_a.shape), TensorShape(input_b.shape)
        self.assertEqual(left.as_list(), right.as_list(), msg)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """A text starts with another."""
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r}{_after(msg)}")

    def assertLen(self, container: Sized, expected_len: int, msg: str | None = None) -> None:
        """A collection has so many items."""
        if len(container) != expected_len:
            self.fail(f"{container!r} has length of {len(container)}, expected {expected_len}."
                      f"{_after(msg)}")  # fmt: skip

    def assertEmpty(self, container: Sized, msg: str | None = None) -> None:
        """A collection has no items."""
        self.assertLen(container, 0, msg)

    def assertNotEmpty(self, container: Sized, msg: str | None = None) -> None:
        """A collection has items."""
        if not len(container):
            self.fail(f"{container!r} has length of 0.{_after(msg)}")

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: type[BaseException], expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """The block raises such an exception, for which a predicate holds or a pattern is found."""
        predicate = expected_err_re_or_predicate
        try:
            yield
        except Exception as error:
            said = error.message if isinstance(error, OpError) else str(error)
            op = getattr(error, "op", None)
            text = said if op is None else f"{said}\nCaused by: {op.name}"
            matches = predicate(error) if callable(predicate) else re.search(predicate, text)
            if not isinstance(error, exception_type) or not matches:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
            return
        self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The block raises an ``errors.OpError`` for which it holds, or is found."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)


def _after(msg: str | None) -> str:
    return f"\n{msg}" if msg else ""


def _shown(chosen: Any, *arrays: Any) -> tuple[Any, ...]:
    """The places that are chosen, and what the arrays have there: the first few of them."""
    places = tuple([axis[:_SHOWN] for axis in np.nonzero(np.atleast_1d(chosen))])
    return places, *[np.atleast_1d(array)[places] for array in arrays]


def _listed(value: Any) -> Any:
    """The rows of a ragged tensor, or of an array."""
    if hasattr(value, "to_list"):
        return value.to_list()
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value
