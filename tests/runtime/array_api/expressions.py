"""Expressions in `xp` whose values any conforming namespace gives alike; arrays are named below."""

from __future__ import annotations

import numpy as np

NAMES = {
    "f": np.array([[0.5, -1.25, 3.0], [2.0, 0.0, -7.5]], np.float32),
    "g": np.array([[1.5], [-2.0]], np.float64),
    "i": np.array([[3, -1, 2], [0, 7, -5]], np.int32),
    "j": np.array([4, 0, 9], np.int8),
    "u": np.array([200, 3, 7], np.uint8),
    "b": np.array([[True, False, True], [False, False, True]]),
    "c": np.array([1 + 2j, -1j, 0.5, 2], np.complex64),
    "v": np.array([5, 1, 5, 2, 1, 1], np.int64),
    "w": np.array([2.5, -1.0, 2.5, np.inf, 0.0], np.float32),
    "cube": np.arange(24, dtype=np.float64).reshape(2, 3, 4),
    "square": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]]),
    "pair": np.stack([np.eye(2) * 2 + 1, np.array([[1.0, 2.0], [3.0, 5.0]])]),
    "rhs": np.array([[1.0, 2.0], [0.0, 1.0], [3.0, -1.0]]),
}

EXPRESSIONS = """
xp.arange(7)
xp.arange(2, 11, 3)
xp.arange(5, 0, -2)
xp.arange(0.5, 3)
xp.linspace(0, 1, 5)
xp.linspace(0, 1, 4, endpoint=False)
xp.zeros((2, 3))
xp.ones(3, dtype=xp.int8)
xp.full((2,), 7)
xp.full((2, 1), 2.5, dtype=xp.float64)
xp.eye(3)
xp.eye(2, 4, k=1)
xp.zeros_like(f)
xp.ones_like(i, dtype=xp.float32)
xp.full_like(u, 9)
xp.full_like(b, True)
xp.tril(i)
xp.tril(cube, k=-1)
xp.triu(i, k=1)
xp.triu(b, k=-1)
xp.meshgrid(j, j[:2], indexing='ij')[0]
xp.meshgrid(v, v)[1]
xp.asarray([[1, 2], [3, 4]])
xp.asarray([True, False])
xp.asarray(1.5)
xp.asarray(f, dtype=xp.float64)
xp.asarray([1, 2], dtype=xp.uint16)
xp.astype(f, xp.int32)
xp.astype(b, xp.float32)
xp.broadcast_to(j, (2, 3))
xp.broadcast_arrays(g, i)[0]
xp.broadcast_arrays(g, i)[1]
xp.can_cast(xp.int8, xp.int16)
xp.can_cast(xp.float32, xp.complex128)
xp.result_type(xp.int8, xp.uint8) == xp.int16
xp.result_type(j, xp.int32) == xp.int32
xp.result_type(f, 1.0) == xp.float32
xp.isdtype(xp.uint8, 'integral')
xp.isdtype(xp.float32, ('bool', 'complex floating'))
xp.iinfo(xp.int16).max
xp.finfo(xp.float32).bits
xp.finfo(xp.complex128).eps
xp.concat([f, f], axis=1)
xp.concat([i, j[None, :]])
xp.concat([i, j], axis=None)
xp.stack([j, u], axis=1)
xp.expand_dims(f, axis=-2)
xp.squeeze(f[:, :1], axis=1)
xp.flip(f)
xp.flip(cube, axis=(0, 2))
xp.permute_dims(cube, (2, 0, 1))
xp.moveaxis(cube, 0, -1)
xp.moveaxis(cube, (0, 1), (2, 0))
xp.reshape(cube, (4, -1))
xp.roll(f, 1)
xp.roll(f, (1, 2), axis=(0, 1))
xp.repeat(i, 2)
xp.repeat(i, 2, axis=1)
xp.tile(i, (2, 1))
xp.tile(j, (2, 2))
xp.unstack(f, axis=1)[2]
xp.matrix_transpose(cube)
xp.max(f)
xp.max(i, axis=0)
xp.min(cube, axis=(0, 2), keepdims=True)
xp.sum(f, axis=1)
xp.sum(j)
xp.sum(u, axis=0)
xp.sum(c)
xp.sum(i, dtype=xp.float64)
xp.prod(f, axis=-1)
xp.prod(j)
xp.mean(f, axis=0, keepdims=True)
xp.std(f)
xp.std(f, axis=1, correction=1)
xp.var(cube, axis=(1, 2))
xp.cumulative_sum(v)
xp.cumulative_sum(f, axis=1, include_initial=True)
xp.cumulative_prod(v)
xp.cumulative_prod(f, axis=0, include_initial=True)
xp.all(b)
xp.all(f, axis=1)
xp.any(b, axis=0, keepdims=True)
xp.any(i)
xp.diff(v)
xp.diff(f, axis=0, n=1)
xp.diff(v, n=2, prepend=v[:1], append=v[:2])
xp.argmax(f)
xp.argmax(i, axis=1, keepdims=True)
xp.argmin(cube, axis=0)
xp.count_nonzero(b)
xp.count_nonzero(i, axis=1)
xp.nonzero(i)[0]
xp.nonzero(f)[1]
xp.searchsorted(xp.sort(v), v)
xp.searchsorted(xp.sort(v), v, side='right')
xp.searchsorted(v, v, sorter=xp.argsort(v))
xp.where(b, i, j)
xp.where(b, f, 2.0)
xp.sort(v)
xp.sort(f, axis=0, descending=True)
xp.take(v, xp.argsort(v))
xp.argsort(v, descending=True)
xp.argsort(i, axis=0)
xp.unique_all(v).values
xp.unique_all(v).indices
xp.unique_all(v).inverse_indices
xp.unique_all(v).counts
xp.unique_counts(b).values
xp.unique_counts(b).counts
xp.unique_inverse(i).inverse_indices
xp.unique_all(c).values
xp.unique_values(w)
xp.take(f, xp.asarray([2, 0]), axis=1)
xp.take(v, xp.asarray([1, -1]))
xp.take_along_axis(f, xp.argsort(f, axis=1), axis=1)
xp.clip(f, -1.0, 2.0)
xp.clip(i, min=0)
xp.clip(f, max=1.5)
xp.matmul(square, rhs)
xp.matmul(square, rhs[:, 0])
xp.matmul(pair, pair)
xp.tensordot(square, rhs, axes=1)
xp.tensordot(cube, cube, axes=((0, 1), (0, 1)))
xp.vecdot(f, f)
xp.vecdot(c, c)
xp.vecdot(rhs, rhs, axis=-2)
xp.linalg.cholesky(square)
xp.linalg.cholesky(square, upper=True)
xp.linalg.cross(rhs[:, 0], rhs[:, 1])
xp.linalg.cross(square, square[:1, :])
xp.linalg.det(pair)
xp.linalg.diagonal(cube, offset=1)
xp.linalg.eigh(square).eigenvalues
xp.linalg.eigvalsh(square)
xp.linalg.inv(pair)
xp.linalg.matrix_norm(cube)
xp.linalg.matrix_norm(cube, ord=1, keepdims=True)
xp.linalg.matrix_norm(square, ord='nuc')
xp.linalg.matrix_norm(square, ord=-2)
xp.linalg.matrix_power(square, 3)
xp.linalg.matrix_power(square, -2)
xp.linalg.matrix_power(square, 0)
xp.linalg.matrix_rank(pair)
xp.linalg.outer(j, u)
xp.linalg.pinv(rhs)
xp.abs(xp.linalg.qr(square).R)
xp.linalg.slogdet(pair).sign
xp.linalg.slogdet(pair).logabsdet
xp.linalg.solve(square, rhs)
xp.linalg.solve(square, rhs[:, 0])
xp.linalg.svd(rhs).S
xp.linalg.svdvals(cube)
xp.linalg.trace(cube)
xp.linalg.trace(i, offset=1)
xp.linalg.vector_norm(f)
xp.linalg.vector_norm(f, axis=1, ord=1)
xp.linalg.vector_norm(f, ord=0)
xp.linalg.vector_norm(f, axis=(0, 1), keepdims=True, ord=3)
xp.linalg.vector_norm(c, ord=float('inf'))
xp.fft.fft(c)
xp.fft.ifft(c, n=6)
xp.fft.fftn(xp.astype(cube, xp.complex128))
xp.fft.ifftn(xp.astype(cube, xp.complex128), s=(2, 2), axes=(0, 1))
xp.fft.rfft(f)
xp.fft.rfft(f, n=5, axis=0, norm='ortho')
xp.fft.irfft(c)
xp.fft.irfft(c, n=5)
xp.fft.rfftn(cube)
xp.fft.irfftn(xp.astype(cube, xp.complex128), norm='forward')
xp.fft.hfft(c)
xp.fft.ihfft(w[:3])
xp.fft.fftfreq(5, d=0.5)
xp.fft.rfftfreq(6)
xp.fft.fftshift(f)
xp.fft.ifftshift(cube, axes=(0,))
f + 1.5
2 - i
-f
abs(i)
i @ i.T
i // 2
i % 2
f ** 2
~b
b & True
i < 2
f == 0.0
cube[1, ..., ::2]
cube[0, 1:, None, 2]
i[i > 0]
i[b]
v[xp.asarray([0, 2])]
cube.mT
i.size
i.ndim
""".strip().splitlines()
