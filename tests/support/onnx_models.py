"""Comparison of ONNX models, run by onnxruntime and onnx' own evaluator, with functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.types import treedef

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


class NoKernelError(Exception):
    """Type of elements that onnxruntime has no kernel for; the model is valid."""


def by_onnxruntime(model: Any, inputs: dict[str, Any]) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        if "NOT_IMPLEMENTED" in str(error) or "Could not find an implementation" in str(error):
            raise NoKernelError(str(error)) from None
        raise
    return session.run(None, inputs)


def by_evaluator(model: Any, inputs: dict[str, Any]) -> list[Any]:
    from onnx.reference import ReferenceEvaluator

    with np.errstate(all="ignore"):
        return ReferenceEvaluator(model).run(None, inputs)


RUNNERS = {"onnxruntime": by_onnxruntime, "evaluator": by_evaluator}


def arrays_of(result: Any) -> list[np.ndarray]:
    leaves = [leaf for leaf in treedef.flatten(result)[0] if leaf is not None]
    return [np.asarray(tf.convert_to_tensor(leaf).numpy()) for leaf in leaves]


def feeds(model: Any, arrays: Sequence[Any]) -> dict[str, Any]:
    names = [info.name for info in model.graph.input]
    return {name: _as_text(np.asarray(array)) for name, array in zip(names, arrays, strict=True)}


def _as_text(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "OSU":
        return array
    texts = [x.decode() if isinstance(x, bytes) else x for x in array.reshape(-1)]
    return np.array(texts, object).reshape(array.shape)


def assert_same(model: Any, arrays: Sequence[Any], expected: Sequence[Any],
                runners: Sequence[str] = tuple(RUNNERS), tolerance: float = 1e-5) -> None:
    """Both runners give the expected arrays: dtypes, shapes, and elements."""
    for name in runners:
        results = RUNNERS[name](model, feeds(model, arrays))
        assert len(results) == len(expected)
        for actual, wanted in zip(results, expected, strict=True):
            actual = np.asarray(actual)
            if wanted.dtype.kind in "OSU" or actual.dtype.kind in "OSU":
                assert _as_text(actual).tolist() == _as_text(wanted).tolist(), name
                continue
            assert actual.dtype == wanted.dtype, (name, actual.dtype, wanted.dtype)
            assert actual.shape == wanted.shape, (name, actual.shape, wanted.shape)
            loose = 2e-3 if wanted.dtype.itemsize == 2 else tolerance
            np.testing.assert_allclose(actual, wanted, rtol=loose, atol=loose, err_msg=name)
