"""Calls whose results TensorFlow 2.21 gave: `tensorflow_calls.json` holds them.

Where TensorFlow is installed, `python tests/runtime/ops/tensorflow_calls.py` writes the file anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

VALUES = Path(__file__).with_suffix(".json")


def numbers(*shape, low=-1.0, high=1.0, dtype=np.float32):
    """Numbers that look random, the same everywhere."""
    size = int(np.prod(shape))
    steps = (np.arange(size) * 7919 % 10007 + 0.5) / 10007
    return (low + (high - low) * steps).reshape(shape).astype(dtype)


SQUARE = numbers(3, 3) + 2 * np.eye(3, dtype=np.float32)
NAMESPACE = {
    "np": np,
    "numbers": numbers,
    "image": numbers(2, 7, 6, 3),
    "line": numbers(2, 9, 3),
    "cube": numbers(1, 4, 5, 4, 2),
    "square": SQUARE,
    "squares": np.stack([SQUARE, SQUARE.T * 2]),
    "positive": SQUARE @ SQUARE.T,
    "wave": numbers(2, 16),
    "waves": numbers(2, 4, 6) + 1j * numbers(2, 4, 6, low=0.0).astype(np.complex64),
    "ids": np.array([0, 2, 0, 1], np.int32),
}

CALLS = """
tf.nn.conv1d(line, numbers(3, 3, 2), 1, 'SAME')
tf.nn.conv1d(line, numbers(3, 3, 2), 2, 'VALID')
tf.nn.conv2d(image, numbers(3, 2, 3, 4), 1, 'SAME')
tf.nn.conv2d(image, numbers(3, 2, 3, 4), [1, 2, 3, 1], 'SAME')
tf.nn.conv2d(image, numbers(3, 2, 3, 4), 2, 'VALID')
tf.nn.conv2d(image, numbers(3, 2, 3, 4), 1, 'VALID', dilations=2)
tf.nn.conv2d(image, numbers(3, 2, 3, 4), 1, [[0, 0], [1, 2], [0, 1], [0, 0]])
tf.nn.conv3d(cube, numbers(2, 2, 3, 2, 3), [1, 1, 1, 1, 1], 'SAME')
tf.nn.convolution(image, numbers(2, 2, 3, 1))
tf.nn.convolution(image, numbers(2, 2, 3, 1), padding='SAME', dilations=[2, 1])
tf.nn.atrous_conv2d(image, numbers(2, 2, 3, 1), 2, 'SAME')
tf.nn.conv1d_transpose(line, numbers(3, 2, 3), [2, 18, 2], 2)
tf.nn.conv2d_transpose(image, numbers(3, 2, 4, 3), [2, 14, 12, 4], 2)
tf.nn.conv2d_transpose(image, numbers(3, 2, 4, 3), [2, 9, 7, 4], 1, 'VALID')
tf.nn.conv3d_transpose(cube, numbers(2, 2, 2, 3, 2), [1, 8, 10, 8, 3], 2)
tf.nn.depthwise_conv2d(image, numbers(3, 3, 3, 2), [1, 1, 1, 1], 'SAME')
tf.nn.depthwise_conv2d(image, numbers(2, 3, 3, 1), [1, 2, 2, 1], 'VALID')
tf.nn.separable_conv2d(image, numbers(2, 2, 3, 2), numbers(1, 1, 6, 4), [1, 1, 1, 1], 'SAME')
tf.nn.max_pool(image, 2, 2, 'VALID')
tf.nn.max_pool2d(image, [3, 2], [2, 1], 'SAME')
tf.nn.max_pool1d(line, 3, 2, 'SAME')
tf.nn.max_pool3d(cube, 2, 1, 'VALID')
tf.nn.avg_pool(image, 2, 1, 'SAME')
tf.nn.avg_pool2d(image, 3, 2, 'VALID')
tf.nn.avg_pool1d(line, 2, 1, 'SAME')
tf.nn.avg_pool3d(cube, 2, 2, 'SAME')
tf.nn.pool(image, [2, 3], 'MAX', strides=[2, 2], padding='SAME')
tf.nn.pool(image, [2, 2], 'AVG')
tf.nn.batch_normalization(image, numbers(3), numbers(3, low=0.5), numbers(3), numbers(3), 1e-3)
tf.nn.batch_normalization(image, numbers(3), numbers(3, low=0.5), None, None, 1e-3)
tf.nn.local_response_normalization(numbers(1, 2, 2, 9), 2, 1.5, 0.8, 0.6)
tf.nn.lrn(image)
tf.nn.crelu(line)
tf.nn.embedding_lookup(numbers(5, 3), [[0, 4], [2, 2]])
tf.nn.embedding_lookup(numbers(5, 3), [0, 4, 2], max_norm=0.5)
tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0, 0.5], [2.0, -3.0, 0.1], 1.7)
tf.nn.log_poisson_loss([1.0, 2.0, 0.5], [0.3, -1.0, 2.0])
tf.nn.log_poisson_loss([1.0, 2.0, 0.5, 7.0], [0.3, -1.0, 2.0, 1.0], compute_full_loss=True)
tf.nn.moments(image, [0, 1])
tf.nn.weighted_moments(line, [1], numbers(2, 9, 1, low=0.1))
tf.nn.sufficient_statistics(line, [0, 1])[:3]
tf.nn.normalize_moments(8.0, [3.0, 4.0], [20.0, 30.0], [1.0, 2.0])
tf.nn.space_to_depth(numbers(1, 4, 6, 2), 2)
tf.nn.depth_to_space(numbers(1, 2, 3, 8), 2)
tf.space_to_batch(numbers(1, 4, 6, 2), [2, 3], [[0, 0], [2, 1]])
tf.batch_to_space(numbers(6, 2, 3, 2), [2, 3], [[0, 1], [2, 1]])
tf.nn.scale_regularization_loss(numbers(4))
tf.math.digamma([0.5, 1.0, 3.25, -0.5, 100.0])
tf.math.polygamma([1.0, 2.0, 3.0], [0.5, 2.0, 7.0])
tf.math.zeta([2.0, 3.5, 1.5], [1.0, 0.25, 9.0])
tf.math.igamma([0.5, 2.0, 9.0, 30.0], [0.25, 3.0, 9.0, 10.0])
tf.math.igammac([0.5, 2.0, 9.0, 30.0], [0.25, 3.0, 9.0, 10.0])
tf.math.betainc([0.5, 2.0, 9.0], [1.5, 3.0, 0.5], [0.2, 0.5, 0.99])
tf.math.bessel_i0([0.0, 0.5, -3.0, 20.0])
tf.math.bessel_i0e([0.0, 0.5, -3.0, 200.0])
tf.math.bessel_i1([0.0, 0.5, -3.0, 20.0])
tf.math.bessel_i1e([0.0, 0.5, -3.0, 200.0])
tf.math.erfinv([0.0, 0.5, -0.9, 0.999, 1.0])
tf.math.erfcinv([1.0, 0.5, 1.9, 0.001])
tf.math.ndtri([0.5, 0.025, 0.999, 0.0])
tf.math.lbeta(numbers(2, 3, low=0.5, high=4.0))
tf.math.nextafter([1.0, -1.0], [2.0, -2.0])
tf.math.reciprocal_no_nan([0.0, 4.0, -0.5])
tf.math.xlog1py([0.0, 2.0, 3.0], [-1.0, 0.5, 1e-4])
tf.math.polyval([2.0, 0.5, -1.0], numbers(4))
tf.math.is_non_decreasing([1, 2, 2])
tf.math.is_strictly_increasing([1, 2, 2])
tf.math.is_strictly_increasing([3])
tf.math.accumulate_n([numbers(3), numbers(3), numbers(3)])
tf.math.unsorted_segment_mean(numbers(4, 2), ids, 4)
tf.math.unsorted_segment_sqrt_n(numbers(4, 2), ids, 4)
tf.math.bincount([1, 1, 3, 2, 1])
tf.math.bincount([1, 1, 3, 2, 1], minlength=6)
tf.math.bincount([1, 1, 3, 2, 9], maxlength=4)
tf.math.bincount([1, 1, 3, 2, 1], weights=[0.5, 1.0, 2.0, 0.25, 4.0])
tf.math.bincount([[1, 1, 3], [2, 1, 0]], axis=-1)
tf.math.bincount([[1, 1, 3], [2, 1, 0]], axis=-1, binary_output=True)
tf.math.bincount([1, 1, 3], dtype=tf.int64)
tf.math.confusion_matrix([1, 2, 4], [2, 2, 4])
tf.math.confusion_matrix([1, 2, 1], [2, 2, 0], 4, [1.0, 0.5, 2.0], tf.float32)
tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5)
tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5)
tf.unravel_index([2, 5, 7], [3, 3])
tf.unravel_index(7, [2, 2, 2])
tf.reverse_sequence(numbers(2, 5, 3), [3, 5], seq_axis=1, batch_axis=0)
tf.reverse_sequence(numbers(5, 2), [2, 4], seq_axis=0, batch_axis=1)
tf.dynamic_partition([10, 20, 30, 40, 50], [0, 0, 1, 1, 0], 2)
tf.dynamic_partition(numbers(2, 3, 2), [[0, 2, 1], [1, 1, 0]], 3)
tf.dynamic_stitch([[0, 2], [1, 0]], [[1.0, 2.0], [3.0, 4.0]])
tf.dynamic_stitch([2, [1, 0]], [[61, 62], [[41, 42], [11, 12]]])
tf.bitcast([1.0, -2.5], tf.int32)
tf.bitcast([1.0, -2.5], tf.uint8)
tf.vectorized_map(lambda x: tf.reduce_sum(x * x), line)
tf.linalg.svd(numbers(4, 3), compute_uv=False)
tf.linalg.eigvalsh(positive)
tf.sort(tf.math.real(tf.linalg.eig(positive)[0]))
tf.linalg.expm(squares)
tf.linalg.logm(np.complex64(positive))
tf.linalg.sqrtm(positive)
tf.linalg.slogdet(squares)
tf.linalg.logdet(positive)
tf.linalg.pinv(numbers(4, 3))
tf.linalg.matrix_rank(np.outer(numbers(4), numbers(3)))
tf.linalg.matrix_rank(squares)
tf.linalg.lu(squares)
tf.linalg.lu_solve(*tf.linalg.lu(squares), numbers(2, 3, 2))
tf.linalg.lu_reconstruct(*tf.linalg.lu(squares))
tf.linalg.lu_matrix_inverse(*tf.linalg.lu(squares))
tf.linalg.lstsq(numbers(5, 3), numbers(5, 2))
tf.linalg.lstsq(numbers(5, 3), numbers(5, 2), l2_regularizer=0.5)
tf.linalg.lstsq(numbers(2, 4), numbers(2, 1))
tf.linalg.cholesky_solve(tf.linalg.cholesky(positive), numbers(3, 2))
tf.linalg.triangular_solve(square, numbers(3, 2))
tf.linalg.triangular_solve(square, numbers(3, 2), lower=False)
tf.linalg.triangular_solve(square, numbers(3, 2), adjoint=True)
tf.linalg.normalize(numbers(3, 4), axis=-1)
tf.linalg.normalize(numbers(3, 4), ord=1)
tf.linalg.set_diag(numbers(2, 3, 4), numbers(2, 3))
tf.linalg.set_diag(numbers(3, 4), numbers(2), k=2)
tf.linalg.set_diag(numbers(3, 4), numbers(2), k=-1)
tf.linalg.tensor_diag(numbers(2, 3))
tf.linalg.tensor_diag_part(numbers(2, 3, 2, 3))
tf.linalg.tridiagonal_matmul(numbers(3, 4), numbers(4, 2))
tf.linalg.tridiagonal_solve(tf.constant(numbers(3, 4) + 2), tf.constant(numbers(4, 2)))
tf.linalg.tridiagonal_solve(tf.constant(numbers(3, 4) + 2), tf.constant(numbers(4)))
tf.linalg.global_norm([numbers(3), numbers(2, 2)])
tf.sort(tf.math.real(tf.eigvals(positive)))
tf.signal.fft(waves)
tf.signal.ifft(waves)
tf.signal.fft2d(waves)
tf.signal.ifft2d(waves)
tf.signal.fft3d(waves)
tf.signal.ifft3d(waves)
tf.signal.rfft(wave)
tf.signal.rfft(wave, [10])
tf.signal.rfft(wave, [20])
tf.signal.irfft(waves)
tf.signal.irfft(waves, [7])
tf.signal.rfft2d(numbers(2, 4, 6))
tf.signal.irfft2d(waves)
tf.signal.irfft2d(waves, [4, 6])
tf.signal.rfft3d(numbers(2, 4, 6))
tf.signal.fftshift(numbers(5, 4))
tf.signal.ifftshift(numbers(5, 4), axes=[0])
tf.signal.hann_window(9)
tf.signal.hann_window(8, periodic=False)
tf.signal.hamming_window(9)
tf.signal.kaiser_window(9, beta=4.0)
tf.signal.vorbis_window(8)
tf.signal.frame(wave, 5, 3)
tf.signal.frame(wave, 5, 3, pad_end=True, pad_value=9)
tf.signal.frame(numbers(7, 2), 3, 2, axis=0)
tf.signal.overlap_and_add(numbers(2, 4, 5), 2)
tf.signal.stft(wave, 6, 2)
tf.signal.stft(wave, 6, 2, fft_length=9, pad_end=True)
tf.signal.inverse_stft(tf.signal.stft(wave, 8, 4), 8, 4)
tf.signal.inverse_stft(tf.signal.stft(wave, 8, 4), 8, 4, None, tf.signal.inverse_stft_window_fn(4))
tf.signal.dct(wave)
tf.signal.dct(wave, type=1)
tf.signal.dct(wave, type=3, norm='ortho')
tf.signal.dct(wave, norm='ortho', n=7)
tf.signal.idct(wave, norm='ortho')
tf.boolean_mask(line, [1, 0, 0, 1, 0, 0, 1, 1, 0], axis=1)
tf.expand_dims(ids, [0])
tf.squeeze(numbers(1, 2, 1), [-3, 0])
tf.concat([ids, ids], [0])
tf.stack([])
tf.pad(2.5, np.zeros((0, 2), np.int32))
tf.scatter_nd([[0], [2]], [True, True], [3])
tf.clip_by_value(wave, 0.5, -0.5)
tf.clip_by_norm(line, -1.0)
tf.clip_by_global_norm([], 1.0)
tf.compat.v1.clip_by_average_norm(line, 0.01)
tf.saturate_cast(waves * 300, tf.uint8)
tf.math.squared_difference(waves, waves[0])
tf.math.divide_no_nan(ids, [2, 0, 4, 0])
tf.math.reduce_euclidean_norm(ids)
tf.math.segment_prod([1, 2, 3], [0, 0, 2])
tf.math.in_top_k([2, 0, 7], square, 2)
tf.argmin([True, False])
tf.linspace(0, 10, 5)
tf.linspace(0.0, 1.0, 0)
tf.matmul(tf.cast([[100, 2]], tf.int8), tf.cast([[100], [2]], tf.int8), output_type=tf.int32)
tf.matmul(square, square, a_is_sparse=True)
tf.einsum('ij,jk->ik', square, square, optimize='optimal')
tf.tensordot(square, square, np.array([[1], [0]]))
tf.math.confusion_matrix([[1], [2]], [2, 2])
tf.nn.leaky_relu(ids - 1)
tf.nn.softmax_cross_entropy_with_logits(np.eye(3, dtype=np.int32), square)
tf.nn.l2_normalize(waves, [0, 1])
tf.batch_to_space(numbers(4, 1, 1, 3), 2, [[0, 0], [0, 0]])
""".strip().splitlines()


def outcome(tf, call):
    """What a call gives, as plain data; complex numbers as pairs."""
    result = eval(call, {**NAMESPACE, "tf": tf})
    several = result if isinstance(result, tuple | list) else (result,)
    return [described(np.asarray(r)) for r in several]


def described(array):
    values = np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array
    rounded = [float(f"{v:.9g}") if isinstance(v, float) else v for v in values.ravel().tolist()]
    return {"dtype": array.dtype.name, "shape": list(array.shape), "values": rounded}


if __name__ == "__main__":
    import tensorflow

    found = {}
    for call in CALLS:
        try:
            found[call] = outcome(tensorflow, call)
        except Exception as error:
            print(f"{call}: {error}")
    VALUES.write_text(json.dumps(found, indent=0).replace(",\n", ", ") + "\n", encoding="utf-8")
