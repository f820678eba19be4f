"""The functions of vectors: errors over the whole range, special values, bits of all widths."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from tests.runtime.engine.vector_math import samples
from tests.runtime.engine.vector_math.compiled import Function, compiled, narrower, this_machine
from tests.support import ROOT

pytest.importorskip("llvmlite")

from runtime.engine.llvm.vector_math import functions  # noqa: E402
from runtime.engine.llvm.vector_math.processor import Processor, host, processor_of  # noqa: E402

PAGE = (ROOT / "docs" / "vector_math.md").read_text(encoding="utf-8")
BOUNDS = {
    name: {"float32": float(single), "float64": float(double)}
    for name, single, double in re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", PAGE, re.M)
}
"""Units in the last place, as the page has them."""
OPS = sorted([*functions.UNARY, *functions.BINARY])
CASES = [(op, dtype) for op in OPS for dtype in samples.DTYPES]


@cache
def functions_of(bits: int, lanes: int) -> dict[tuple[str, str], Function]:
    target = narrower()[bits] if bits else this_machine()
    found = compiled([(op, dtype, lanes) for op, dtype in CASES], target)
    return {(op, dtype): function for (op, dtype, _), function in found.items()}


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether arrays are equal, with the signs of zeros; NaN is NaN."""
    nan = np.isnan(left) & np.isnan(right)
    return bool(np.all(nan | (left == right) & (np.signbit(left) == np.signbit(right))))


@pytest.mark.parametrize("op, dtype", CASES)
def test_errors_are_within_the_bound_over_the_whole_range(op: str, dtype: str) -> None:
    if dtype == "float64" and not samples.EXTENDED:
        pytest.skip("this platform has no oracle for float64")
    inputs = samples.numbers(op, dtype, 2_000 if op in samples.SLOW else 10_000)
    exact = samples.exact(op, inputs)
    for bits in (0, 128) if 128 in narrower() else (0,):  # with fused multiply-add and without
        found = functions_of(bits, host().lanes(dtype) if not bits else 4)[op, dtype](*inputs)
        errors = samples.ulps(found, exact)
        worst = int(np.argmax(errors))
        case = bits, [x[worst] for x in inputs], found[worst], exact[worst]
        assert errors[worst] <= BOUNDS[op][dtype], case
        zero = exact == 0
        assert np.array_equal(np.signbit(found[zero]), np.signbit(exact[zero]))


def test_the_page_lists_the_functions() -> None:
    assert list(BOUNDS) == OPS


@pytest.mark.parametrize("lanes", functions.LANES)
def test_a_lane_has_the_bits_of_the_scalar_function(lanes: int) -> None:
    for op, dtype in CASES:
        inputs = samples.numbers(op, dtype, 100)
        scalar = functions_of(0, 1)[op, dtype](*inputs)
        assert same_bits(functions_of(0, lanes)[op, dtype](*inputs), scalar), (op, dtype)


@pytest.mark.parametrize("bits", (256, 512))
def test_widths_of_registers_do_not_change_bits(bits: int) -> None:
    if bits not in narrower():
        pytest.skip(f"this machine has no vectors of {bits} bits")
    for op, dtype in CASES:
        inputs = samples.numbers(op, dtype, 100)
        scalar = functions_of(0, 1)[op, dtype](*inputs)
        assert same_bits(functions_of(bits, 8)[op, dtype](*inputs), scalar), (op, dtype)


def test_facts_about_processors() -> None:
    avx512 = dict.fromkeys(("avx2", "fma", "avx512f", "avx512dq", "avx512vl"), True)
    assert processor_of("x86_64-unknown-linux-gnu", avx512) == Processor(512, True)
    assert processor_of("x86_64-pc-windows-msvc", {"avx2": True, "fma": True}).lanes("float64") == 4
    assert processor_of("x86_64-apple-darwin", {"sse2": True}) == Processor(128, False)
    assert processor_of("arm64-apple-darwin23", {"neon": True}) == Processor(128, True)
    assert processor_of("sparc64-unknown-linux", {}) == Processor(128, False)


def test_unknown_functions_are_refused() -> None:
    for wrong in (("gamma", "float32", 8), ("exp", "float16", 8), ("exp", "float32", 3)):
        with pytest.raises(ValueError, match="there is no function"):
            functions.call_name(*wrong)
