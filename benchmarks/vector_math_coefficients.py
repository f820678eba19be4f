"""Where the coefficients of ``runtime/engine/llvm/vector_math`` come from: minimax polynomials.

    python benchmarks/vector_math_coefficients.py [name ...]

Remez's exchange algorithm in 60 digits finds each polynomial: it solves for the polynomial whose
weighted error alternates on a set of points, moves the points to the extremes of the error, and
repeats.  Needs mpmath (the extra `bench`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

try:
    import mpmath as mp
except ImportError:
    sys.exit("the coefficients need mpmath: pip install 'pyautograph[bench]'")

mp.mp.dps = 60
GRID = 400


class Fit(NamedTuple):
    """A function, the interval, the weight of errors, and numbers of coefficients by bits."""

    function: Callable[[Any], Any]
    low: Any
    high: Any
    weight: Callable[[Any], Any]
    counts: dict[int, int]


def series(function: Callable[[Any], Any], terms: Callable[[int], Any]) -> Callable[[Any], Any]:
    """The function, by its power series near 0, where its formula cancels."""
    return lambda x: mp.fsum(terms(n) * x**n for n in range(60)) if abs(x) < 0.05 else function(x)


def relative(function: Callable[[Any], Any], power: int) -> Callable[[Any], Any]:
    """Weight of errors of a factor of x**power in a sum of that value."""
    return lambda x: abs(x**power / function(x)) if x else mp.mpf(0)


def scaled_erfc(x: Any) -> Any:
    """A function that hardly changes."""
    return (x + 0.4375) * mp.exp(x * x) * mp.erfc(x)


LN2_HALF = mp.log(2) / 2 * 1.001
QUOTIENT = series(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda n: 1 / mp.factorial(n + 2))
ROOT = mp.sqrt(2)
FITS = {
    # exp(r) = 1 + r + r r P(r): EXP is for exp, EXPM1 for functions whose error is relative to r
    "EXP": Fit(QUOTIENT, -LN2_HALF, LN2_HALF, lambda r: r * r, {32: 5, 64: 10}),
    "EXPM1": Fit(QUOTIENT, -LN2_HALF, LN2_HALF, relative(mp.expm1, 2), {32: 6, 64: 11}),
    "LOG": Fit(
        series(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda n: mp.mpf(-1) ** n / (n + 3)),
        1 / ROOT - 1, ROOT - 1, relative(mp.log1p, 3), {32: 8},
    ),
    # log((1 + s) / (1 - s)) = 2 s + s z P(z), z = s s
    "LOG_QUOTIENT": Fit(
        series(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
               lambda n: mp.mpf(2) / (2 * n + 3)),
        0, (3 - 2 * ROOT) ** 2, lambda z: z, {64: 7},
    ),
    # artanh s = s + s z (1 / 3 + z P(z)): LOG_TAIL; of float32, for powers: LOG_SHORT
    "LOG_TAIL": Fit(
        series(lambda z: ((mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z - mp.mpf(1) / 3) / z,
               lambda n: mp.mpf(1) / (2 * n + 5)),
        0, (3 - 2 * ROOT) ** 2, lambda z: z * z, {64: 8},
    ),
    "LOG_SHORT": Fit(
        series(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
               lambda n: mp.mpf(2) / (2 * n + 3)),
        0, (3 - 2 * ROOT) ** 2, lambda z: z, {64: 5},
    ),
    "EXP_SHORT": Fit(QUOTIENT, -LN2_HALF, LN2_HALF, lambda r: r * r, {64: 6}),
    # erf x = x + x P(x x); for larger x of float32, erf x = 1 - P(x - 2.5)
    "ERF": Fit(
        series(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
               lambda n: 2 / mp.sqrt(mp.pi) * mp.mpf(-1) ** n / mp.factorial(n) / (2 * n + 1)
               - (n == 0)),
        0, 1, lambda z: 1, {32: 7, 64: 12},
    ),
    "ERF_FAR": Fit(lambda t: mp.erfc(t + 2.5), -1.5, mp.mpf("1.42"), lambda t: 1, {32: 13}),
    # (x + 7 / 16) exp(x x) erfc x = P((x - 3) / (x + 3))
    "ERFC": Fit(
        lambda t: scaled_erfc(3 * (1 + t) / (1 - t)), mp.mpf(-5) / 7, mp.mpf(25) / 31,
        lambda t: 1 / scaled_erfc(3 * (1 + t) / (1 - t)), {64: 22},
    ),
    # atan x = x + x z P(z), z = x x, up to tan(pi / 8)
    "ATAN": Fit(
        series(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
               lambda n: mp.mpf(-1) ** (n + 1) / (2 * n + 3)),
        0, (ROOT - 1) ** 2, lambda z: z, {32: 5, 64: 11},
    ),
    # asin x = x + x z P(z), z = x x, up to 1 / 2
    "ASIN": Fit(
        series(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
               lambda n: mp.binomial(2 * n + 2, n + 1) / mp.mpf(4) ** (n + 1) / (2 * n + 3)),
        0, 0.25, lambda z: z, {32: 5, 64: 13},
    ),
    # the root of m, between the roots of 1/2 and 2: a first guess
    "CBRT": Fit(mp.cbrt, 1 / ROOT, ROOT, lambda m: 1 / mp.cbrt(m), {32: 4, 64: 5}),
    "SIN": Fit(
        series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
               lambda n: mp.mpf(-1) ** (n + 1) / mp.factorial(2 * n + 3)),
        0, mp.pi**2 / 16, lambda z: z, {32: 3, 64: 6},
    ),
    "COS": Fit(
        series(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
               lambda n: mp.mpf(-1) ** n / mp.factorial(2 * n + 4)),
        0, mp.pi**2 / 16, lambda z: z * z, {32: 3, 64: 6},
    ),
}  # fmt: skip


def remez(fit: Fit, count: int) -> tuple[list[Any], Any]:
    """The polynomial c0 + c1 x + ... nearest to the function, and its greatest error."""
    middle, half = (mp.mpf(fit.low) + fit.high) / 2, (mp.mpf(fit.high) - fit.low) / 2
    points = [
        middle - half * mp.cos(mp.pi * (2 * k + 1) / (2 * count + 2)) for k in range(count + 1)
    ]
    grid = [middle - half * mp.cos(mp.pi * k / GRID) for k in range(GRID + 1)]
    wanted = [fit.function(x) for x in grid]
    weights = [fit.weight(x) for x in grid]
    found: list[Any] = []
    for _ in range(12):
        system = mp.matrix(count + 1, count + 1)
        right = mp.matrix(count + 1, 1)
        for row, x in enumerate(points):
            weight = fit.weight(x)
            for k in range(count):
                system[row, k] = weight * x**k
            system[row, count] = (-1) ** row
            right[row] = weight * fit.function(x)
        solution = mp.lu_solve(system, right)
        found = [solution[k] for k in range(count)]
        errors = [
            w * (t - mp.polyval(found[::-1], x))
            for x, t, w in zip(grid, wanted, weights, strict=True)
        ]
        extremes = alternating(errors, count + 1)
        if extremes is None:
            break
        points = [grid[k] for k in extremes]
        sizes = [abs(errors[k]) for k in extremes]
        if max(sizes) < min(sizes) * 1.02:
            break
    return found, max(map(abs, errors))


def alternating(errors: list[Any], count: int) -> list[int] | None:
    """Positions of extremes of alternating sign, as many as asked for."""
    runs: list[int] = []
    for k, error in enumerate(errors):
        if runs and (errors[runs[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[runs[-1]]):
                runs[-1] = k
        elif error:
            runs.append(k)
    while len(runs) > count:
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    return runs if len(runs) == count else None


def rounded(fit: Fit, bits: int) -> tuple[list[float], list[Any]]:
    """Coefficients in the format, and what else to tell.

    That is log2 of the greatest errors before and after rounding, and what the first rounds away.
    """
    kind = np.float32 if bits == 32 else np.float64
    exact, least = remez(fit, fit.counts[bits])
    found = [float(kind(float(c))) for c in exact]
    points = [mp.mpf(fit.low) + (mp.mpf(fit.high) - fit.low) * k / 1000 for k in range(1001)]
    error = max(fit.weight(x) * abs(fit.function(x) - mp.polyval(found[::-1], x)) for x in points)
    return found, [
        *(mp.nstr(mp.log(e, 2), 4) for e in (least, error)), float(exact[0] - found[0])
    ]  # fmt: skip


def parts(value: Any, widths: list[int]) -> list[float]:
    """The value as a sum of floats with so many bits, each but the last cut off."""
    found = []
    for width in widths:
        scale = mp.mpf(2) ** (width - 1 - mp.floor(mp.log(abs(value), 2)))
        found.append(float(mp.nint(value * scale) / scale))
        value -= found[-1]
    return found


SUMS = {
    "LN2": (mp.log(2), {32: [24, 24], 64: [42, 53]}),
    "HALF_PI": (mp.pi / 2, {32: [24, 24, 24], 64: [33, 33, 53]}),
    "PI": (mp.pi, {32: [24, 24], 64: [53, 53]}),
    "LOG2_E": (1 / mp.log(2), {32: [24, 24], 64: [53, 53]}),
    "LOG10_E": (1 / mp.log(10), {32: [24, 24], 64: [53, 53]}),
    "LOG10_2": (mp.log10(2), {32: [16, 24], 64: [42, 53]}),
    "THIRD": (mp.mpf(1) / 3, {64: [53, 53]}),
    "TWO_OVER_PI": (2 / mp.pi, {32: [24], 64: [53]}),
}


def main() -> None:
    """Prints the constants and coefficients that are named, or all."""
    wanted = sys.argv[1:] or [*SUMS, *FITS]
    for name in [name for name in SUMS if name in wanted]:
        value, formats = SUMS[name]
        for bits, widths in formats.items():
            print(f"{name} {bits}:\n    " + ", ".join(map(repr, parts(value, widths))) + ",")
    for name in [name for name in FITS if name in wanted]:
        for bits in FITS[name].counts:
            found, error = rounded(FITS[name], bits)
            print(
                f"{name} {bits}: errors 2**{error[0]} exact, 2**{error[1]} rounded; {error[2]}"
            )
            print("    " + ", ".join(map(repr, found)) + ",")


if __name__ == "__main__":
    main()
