"""Results that ONNX cannot describe are refused."""

import pytest

import runtime as tf


def test_a_result_of_unknown_rank_is_refused(tmp_path):
    def total(x):
        result = 0.0
        for row in x:
            result = result + row
        return result

    with pytest.raises(tf.errors.UnimplementedError, match="unknown number of dimensions"):
        tf.export.onnx(total, tmp_path / "total.onnx", tf.TensorSpec([3, None], tf.float32))
    assert not list(tmp_path.iterdir())
