"""Cases of ``keras.ops`` whose results Keras computed: name, arguments, keyword arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.keras.golden import values

X = (values(3, 4, low=-2.0, high=2.0, turn=1)).astype(np.float32)
Y = (values(3, 4, low=-2.0, high=2.0, turn=3)).astype(np.float32)
P = np.abs(X) + 0.25
V = X[0]
IDS = np.array([0, 2, 0], np.int32)
INTS = np.array([[0, 3, -4], [12, -18, 7]], np.int32)
OTHERS = np.array([[6, 9, 10], [8, 12, 0]], np.int32)
HOLES = X.copy()
HOLES[0, 1] = HOLES[1] = np.nan
EDGES = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.5, -1.5], np.float32)
BOX = values(2, 3, 3, low=-1.0, high=1.0, turn=2).astype(np.float32)
S = (X[:, :3] @ X[:, :3].T + 2 * np.eye(3)).astype(np.float32)
WAVES = values(2, 5, 4, low=-1.0, high=1.0, turn=4).astype(np.float32)
HEADS = values(2, 3, 4, 2, low=-1.0, high=1.0, turn=5).astype(np.float32)
IMAGE = values(1, 5, 5, 2, low=-1.0, high=1.0, turn=6).astype(np.float32)
FILTERS = values(3, 3, 2, 2, low=-1.0, high=1.0, turn=7).astype(np.float32)
SIGNAL_FILTERS = values(3, 4, 1, low=-1.0, high=1.0, turn=8).astype(np.float32)
MIXERS = FILTERS.reshape(1, 1, 4, 9)

Arguments = tuple[Any, ...]
TABLE: dict[str, list[Arguments]] = {
    "allclose": [(X, Y), (X, X)], "amax": [(X, 1)], "amin": [(X,)], "angle": [(X,), (INTS,)],
    "append": [(X, Y), (X, Y, 1)], "array_split": [(V, 3), (X, 2, 1)],
    "average": [(X,), (X, 1), (X, 0, P), (X, 1, P[0]), (INTS, 0)],
    "bartlett": [(6,), (7,)], "bincount": [(IDS,), (IDS, None, 5), (IDS, np.float32([1, 2, 3]))],
    "bitwise_and": [(INTS, OTHERS)], "bitwise_invert": [(INTS,)], "bitwise_not": [(INTS,)],
    "bitwise_left_shift": [(INTS, 2)], "bitwise_or": [(INTS, OTHERS)],
    "bitwise_right_shift": [(INTS, 1)], "bitwise_xor": [(INTS, OTHERS)],
    "left_shift": [(INTS, 1)], "right_shift": [(INTS, 2)],
    "blackman": [(6,)], "hamming": [(6,)], "hanning": [(7,)], "kaiser": [(6, 3.0)],
    "cbrt": [(X,), (INTS,), (INTS.astype(np.int64),)], "cdist": [(X, Y[:2])],
    "cholesky_inverse": [(np.linalg.cholesky(S),), (np.linalg.cholesky(S).T.copy(), True)],
    "copy": [(X,)], "corrcoef": [(X,)],
    "correlate": [(X[0], Y[0, :3]), (X[0], Y[0, :3], "same"), (X[0], Y[0], "full")],
    "cross": [(BOX[0], BOX[1]), (BOX[0, :, :2], BOX[1]), (BOX[0, :, :2], BOX[1, :, :2])],
    "deg2rad": [(X,), (INTS,)], "rad2deg": [(X,)], "depthwise_conv": [
        (IMAGE, FILTERS), (IMAGE, FILTERS, 2, "same"), (WAVES, SIGNAL_FILTERS),
        (IMAGE, FILTERS, 1, "valid", None, 2)],
    "diagflat": [(V,), (INTS, 1)], "diagonal": [(X,), (BOX, 1, 1, 2)], "diff": [(X,), (X, 2, 0),
        (X > 0,)],
    "digitize": [(X, [-1.0, 0.0, 1.0]), (INTS, [0.0, 5.0])],
        "divide_no_nan": [(X, IDS.repeat(4).reshape(3, 4)), (INTS, OTHERS)],
    "dot_product_attention": [(HEADS, HEADS + 1, HEADS * 2),
        (HEADS, HEADS[:, :, :2], HEADS[:, :, 2:]),
        (HEADS, HEADS, HEADS, None, None, 0.5, True)],
    "dsplit": [(WAVES, 2)], "dstack": [([X, Y],), ([V, V],)],
    "fabs": [(X,)], "fft": [((X, Y),)], "fft2": [((X, Y),)], "ifft2": [((X, Y),)],
    "fliplr": [(X,)], "flipud": [(X,)], "fmax": [(HOLES, Y)], "fmin": [(HOLES, Y)],
    "fmod": [(X, Y), (INTS, 5)], "gcd": [(INTS, OTHERS)], "lcm": [(INTS, OTHERS)],
    "geomspace": [(1.0, 8.0, 4), (P[0], P[1], 3), (2.0, 32.0, 4, False)],
    "heaviside": [(X, 0.5), (INTS, 2)], "histogram": [(X.ravel(), 4), (X.ravel(), 3, (-1.0, 1.0))],
    "hsplit": [(X, 2), (V, 2)], "vsplit": [(X, [1])], "hypot": [(X, Y)], "i0": [(X,)],
    "identity": [(3,)], "in_top_k": [(IDS, X, 2)], "irfft": [((X, Y),), ((X, Y), 5)],
        "rfft": [(X,), (X, 6)],
    "isclose": [(X, X + 1e-6), (INTS, OTHERS), (HOLES, X), (HOLES, HOLES, 1e-5, 1e-8, True)],
    "isin": [(INTS, [3, 7])], "isneginf": [(EDGES,)], "isposinf": [(EDGES,)], "isreal": [(X,)],
    "kron": [(INTS, OTHERS), (X, V)],
    "layer_normalization": [(X,), (X, V, V + 1), (WAVES, None, None, (1, 2), 1e-3)],
    "rms_normalization": [(X,), (X, V, -1, 1e-3)],
    "ldexp": [(X, INTS[0, 1])], "logaddexp2": [(X, Y), (INTS, OTHERS)], "logdet": [(S,)],
    "logspace": [(0.0, 2.0, 3), (0.0, 1.0, 4, False, 2.0)], "lu_factor": [(S,), (S[[2, 0, 1]],)],
    "matrix_rank": [(S,), (np.ones((3, 3), np.float32),)], "median": [(X,), (X, 1), (X, 0, True),
        (INTS,)],
    "nan_to_num": [(EDGES,), (EDGES, 1.0, 2.0, 3.0)], "nanargmax": [(HOLES, 0), (HOLES, 1)],
    "nanargmin": [(HOLES, 1)], "nancumprod": [(HOLES, 0)], "nancumsum": [(HOLES,), (HOLES, 1)],
    "nanmax": [(HOLES, 1), (HOLES,)], "nanmin": [(HOLES, 0)], "nanmean": [(HOLES, 1), (INTS,)],
    "nanmedian": [(HOLES, 0), (HOLES, 1)], "nanpercentile": [(HOLES, 30.0)],
        "nanprod": [(HOLES, 1)],
    "nanquantile": [(HOLES, [0.2, 0.7], 0), (HOLES, 0.4, 1, "linear", True)],
        "nanstd": [(HOLES, 0)],
    "nansum": [(HOLES,), (HOLES, 1, True), (INTS, 0)], "nanvar": [(HOLES,), (HOLES, 1)],
    "nextafter": [(X, Y)], "percentile": [(X, 40.0), (X, [10.0, 90.0], 1)], "pinv": [(X,)],
    "psnr": [(X, Y, 4.0)], "ptp": [(X, 1), (INTS, 0, True)],
    "quantile": [(X, 0.3), (X, [0.1, 0.5], 1), (X, [0.1, 0.5], 0, "linear", True), (BOX, 0.4,
        (0, 2)),
        (X, 0.3, 1, "lower"), (X, 0.3, 1, "higher"), (X, 0.3, 1, "midpoint"), (X, 0.3, 1,
        "nearest"),
        (HOLES, 0.5, 0)],
    "rot90": [(X,), (INTS[:, :2], 2), (X, 3), (BOX, 1, (1, 2))], "saturate_cast": [(X * 200,
        "int8")],
    "searchsorted": [(np.sort(V), Y[1]), (np.sort(V), V, "right")],
    "segment_max": [(X, IDS, 3)], "segment_min": [(X, IDS, 3)], "segment_prod": [(X, IDS, 3)],
    "segment_sum": [(X, np.array([0, 1, 0])), (X, IDS, 4)],
    "select": [([X > 0, Y > 0], [X, Y], 7.0)], "separable_conv": [(IMAGE, FILTERS, MIXERS)],
    "signbit": [(EDGES,), (INTS,)], "sinc": [(X,), (INTS,)], "slogdet": [(S,), (-S,)],
    "trapezoid": [(X,), (X, None, 2.0, 0), (X, np.sort(V))], "tri": [(3,), (2, 4, 1), (3, 3, -1)],
    "trunc": [(X,), (INTS,)], "unravel_index": [(IDS, (2, 3))], "vander": [(V,), (V, 3, True),
        (IDS,)],
    "vdot": [(X, Y)], "view_as_complex": [(X[:, :2],)],
        "view_as_real": [(X[:, :2] + np.complex64(1j),)],
}  # fmt: skip
CASES = [(name, number) for name, several in TABLE.items() for number in range(len(several))]
