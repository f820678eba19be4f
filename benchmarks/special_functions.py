"""erf, erfc, lgamma and digamma: where their coefficients come from, their errors and their speed.

    python benchmarks/special_functions.py coefficients   # those of special_kernels.py
    python benchmarks/special_functions.py                # errors in ulp against mpmath, and times

Needs mpmath and SciPy (the extra `bench`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from runtime.ops.math import special_kernels

try:
    import mpmath as mp
    from scipy import special
except ImportError:
    sys.exit("these measurements need mpmath and SciPy: pip install 'pyautograph[bench]'")

mp.mp.dps = 60
EXACT: dict[str, Callable[[Any], Any]] = {
    "erf": mp.erf, "erfc": mp.erfc, "digamma": mp.digamma,
    "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
}  # fmt: skip
SCIPY = {
    "erf": special.erf, "erfc": special.erfc, "digamma": special.psi, "lgamma": special.gammaln,
}  # fmt: skip
RANGES = {
    "erf": [(1e-300, 1e-290), (-1, 1), (1, 1.5), (-6, 6)],
    "erfc": [(-6, 0), (0, 0.5), (0.5, 2), (2, 6), (6, 26.5)],
    "lgamma": [(1e-9, 0.5), (0.5, 1.5), (0.99, 1.01), (1.5, 2.5), (1.99, 2.01), (2.5, 8), (8, 1e6)],
    "digamma": [(1e-9, 0.5), (0.5, 1), (1, 2.25), (1.46, 1.463), (2.25, 8), (8, 1e6)],
}


def interpolated(function: Callable[[Any], Any], low: Any, high: Any, count: int) -> list[float]:
    """The coefficients of the polynomial through ``count`` Chebyshev nodes, the constant first."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    nodes = [middle + half * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    values = [function(x) for x in nodes]
    for step in range(1, count):  # Newton's divided differences
        for k in range(count - 1, step - 1, -1):
            values[k] = (values[k] - values[k - 1]) / (nodes[k] - nodes[k - step])
    powers = [values[-1]]
    for k in range(count - 2, -1, -1):  # times (x - node), plus the next value
        shifted = [mp.mpf(0), *powers]
        powers = [a - nodes[k] * b for a, b in zip(shifted, [*powers, mp.mpf(0)], strict=True)]
        powers[0] += values[k]
    return [float(p) for p in powers]


def coefficients() -> dict[str, list[float]]:
    """Those of special_kernels.py, by name."""
    root = mp.findroot(mp.digamma, 1.46)

    def scaled_erfc(t: Any) -> Any:
        x = 3 * (1 + t) / (1 - t)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)

    low, high = ((mp.mpf(x) - 3) / (mp.mpf(x) + 3) for x in (0.5, 28))
    return {
        "ERF": interpolated(lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s), 0, 1, 13),
        "ERFC": interpolated(scaled_erfc, low, high, 24),
        "LGAMMA": interpolated(lambda z: mp.loggamma(2 + z) / z, -0.5, 0.5, 20),
        "DIGAMMA": interpolated(
            lambda z: mp.digamma(z + 1.625) / (z + 1.625 - root), -0.625, 0.625, 25
        ),
        "ROOT": [float(root), float(root - float(root))],
    }


def errors(name: str, low: float, high: float) -> tuple[float, float]:
    """The largest errors in units in the last place: ours and SciPy's."""
    x = np.random.default_rng(1).uniform(low, high, 3000)
    exact = [EXACT[name](mp.mpf(v)) for v in x.tolist()]
    units = np.spacing(np.abs(np.array([float(v) for v in exact])))
    worst = []
    for function in (getattr(special_kernels, name), SCIPY[name]):
        off = [abs(mp.mpf(f) - e) for f, e in zip(function(x).tolist(), exact, strict=True)]
        worst.append(max(float(o) / u for o, u in zip(off, units.tolist(), strict=True)))
    return worst[0], worst[1]


def milliseconds(function: Callable[[Any], Any], x: Any) -> float:
    """The least time of seven calls."""
    found = []
    for _ in range(7):
        start = time.process_time()
        function(x)
        found.append(time.process_time() - start)
    return min(found) * 1e3


def main() -> None:
    """Print what the command line asks for."""
    if sys.argv[1:] == ["coefficients"]:
        for name, numbers in coefficients().items():
            print(f"{name} = ({', '.join(map(repr, numbers))})")
        return
    print("largest error in ulp: here, SciPy")
    for name, ranges in RANGES.items():
        for low, high in ranges:
            here, other = errors(name, low, high)
            print(f"  {name:8} {f'[{low:g}, {high:g}]':18} {here:6.2f} {other:12.2f}")
    print("1e6 elements, milliseconds: here, SciPy")
    x = np.random.default_rng(0).normal(size=1_000_000) * 3
    for name in SCIPY:
        for dtype in (np.float64, np.float32):
            times = [milliseconds(f, x.astype(dtype))
                     for f in (getattr(special_kernels, name), SCIPY[name])]  # fmt: skip
            print(f"  {name:8} {dtype.__name__:8} {times[0]:7.1f} {times[1]:7.1f}")


if __name__ == "__main__":
    main()
