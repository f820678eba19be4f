"""The namespace against NumPy's, and against array-api-strict where it is installed.

Values, shapes and dtypes; default dtypes differ (float32 and int32 here, 64 bits there).
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
import runtime.array_api as xp
from tests.runtime.array_api.expressions import EXPRESSIONS, NAMES

try:
    import array_api_strict as strict
except ImportError:
    strict = None
else:
    strict.set_array_api_strict_flags(api_version="2024.12")

PEERS = [
    pytest.param("numpy"),
    pytest.param("strict", marks=pytest.mark.skipif(
        strict is None, reason="array-api-strict is not installed")),
]  # fmt: skip
# What NumPy's namespace lacks or does by another name.
NUMPY_LACKS = (
    "descending", "isdtype", "finfo(xp.complex128)", "include_initial", "linalg.pinv", "sorter",
    "broadcast_arrays", "unstack", "can_cast",
)  # fmt: skip


def evaluated(space, arrays, expression):
    result = eval(expression, {"xp": space, **arrays})
    return np.asarray(result)


def comparable(dtype):
    """Default dtypes count as one, whatever their size."""
    return {"i": "int", "f": "float", "c": "complex", "u": "uint"}.get(dtype.kind, dtype.name)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_as_other_namespaces(expression, peer):
    if peer == "numpy":
        if any(word in expression for word in NUMPY_LACKS):
            pytest.skip("NumPy has this by another name")
        space, make = np, lambda a: a
    else:
        space, make = strict, strict.asarray
    try:
        with np.errstate(all="ignore"):
            expected = evaluated(space, {k: make(a) for k, a in NAMES.items()}, expression)
    except (AttributeError, TypeError) as error:
        if peer == "numpy":
            pytest.skip(f"this NumPy cannot: {error}")
        raise
    found = evaluated(xp, {k: xp.asarray(a) for k, a in NAMES.items()}, expression)
    assert found.shape == expected.shape
    assert comparable(found.dtype) == comparable(expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


VALUES_NEEDED = ("can_cast", "result_type", "isdtype", "iinfo", "finfo", ".size", ".ndim")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_staged_as_eagerly(expression):
    if any(word in expression for word in VALUES_NEEDED):
        pytest.skip("gives no array")
    eager = evaluated(xp, {k: tf.constant(a) for k, a in NAMES.items()}, expression)
    with tf.Graph().as_default() as graph:
        holders = {k: tf.placeholder(a.dtype, a.shape) for k, a in NAMES.items()}
        result = eval(expression, {"xp": xp, **holders})
        feeds = {h: NAMES[k] for k, h in holders.items()}
        found = tf.Session(graph=graph).run(result, feeds)
    assert result.shape.is_compatible_with(eager.shape)
    np.testing.assert_allclose(found, eager, rtol=1e-6, atol=1e-7, equal_nan=True)
    assert np.asarray(found).dtype == eager.dtype
