"""The rest of large numbers after division by pi / 2, one at a time, in integers.

Payne and Hanek (1983): of x 2 / pi = m 2**q 2 / pi only the bits of 2 / pi matter whose product
with m 2**q is not a multiple of 4; 192 of them leave at least 76 exact bits behind the leading
zeros that the fraction of any float64 can have.
"""

from __future__ import annotations

from functools import cache
from string import Template

NAME = "rt_rest_of_large"
_WORDS = 21
"""Words of the table: 64 zeros, then the bits of 2 / pi for all exponents."""


def _pi(bits: int) -> int:
    """Return pi 2**bits, rounded down but for the last few bits (Machin's formula)."""

    def arctan_of_inverse(n: int) -> int:
        term = total = (1 << bits) // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


_TEXT = Template(
    """
@two_over_pi = internal constant [$words x i64] [$table]
define internal {i64, double, double} @$name(double %x) noinline {
entry:
  %bits = bitcast double %x to i64
  %shifted = lshr i64 %bits, 52
  %exponent = and i64 %shifted, 2047
  %fraction = and i64 %bits, 4503599627370495
  %m = or i64 %fraction, 4503599627370496
  %first = sub i64 %exponent, 1013
  %word = lshr i64 %first, 6
  %from = getelementptr i64, ptr @two_over_pi, i64 %word
$loads
  %two = or i256 %word0, %word1
  %three = or i256 %two, %word2
  %four = or i256 %three, %word3
  %skip = and i64 %first, 63
  %skip_wide = zext i64 %skip to i256
  %moved = shl i256 %four, %skip_wide
  %high = lshr i256 %moved, 64
  %window = trunc i256 %high to i192
  %m_wide = zext i64 %m to i192
  %product = mul i192 %window, %m_wide
  %whole_wide = lshr i192 %product, 190
  %whole = trunc i192 %whole_wide to i64
  %rest = shl i192 %product, 2
  %above = icmp slt i192 %rest, 0
  %up = zext i1 %above to i64
  %quadrant = add i64 %whole, %up
  %minus = sub i192 0, %rest
  %size = select i1 %above, i192 %minus, i192 %rest
  %zeros = call i192 @llvm.ctlz.i192(i192 %size, i1 false)
  %normal = shl i192 %size, %zeros
  %top_bits = lshr i192 %normal, 64
  %top = zext i192 %top_bits to i256
  %radians = mul i256 %top, $half_pi
  %more_zeros = call i256 @llvm.ctlz.i256(i256 %radians, i1 false)
  %result = shl i256 %radians, %more_zeros
  %high_bits = lshr i256 %result, 203
  %high_int = trunc i256 %high_bits to i64
  %low_bits = lshr i256 %result, 150
  %low_int = trunc i256 %low_bits to i64
  %low_part = and i64 %low_int, 9007199254740991
  %zeros_int = trunc i192 %zeros to i64
  %more_int = trunc i256 %more_zeros to i64
  %all_zeros = add i64 %zeros_int, %more_int
  %scale_exponent = sub i64 971, %all_zeros
  %scale_bits = shl i64 %scale_exponent, 52
  %scale = bitcast i64 %scale_bits to double
  %high_whole = uitofp i64 %high_int to double
  %low_whole = uitofp i64 %low_part to double
  %low_scaled = fmul double %low_whole, 0x3CA0000000000000
  %sum = fadd double %high_whole, %low_scaled
  %taken = fsub double %sum, %high_whole
  %left = fsub double %low_scaled, %taken
  %hi = fmul double %sum, %scale
  %lo = fmul double %left, %scale
  %negative = icmp slt i64 %bits, 0
  %flip = xor i1 %negative, %above
  %minus_hi = fneg double %hi
  %minus_lo = fneg double %lo
  %hi_signed = select i1 %flip, double %minus_hi, double %hi
  %lo_signed = select i1 %flip, double %minus_lo, double %lo
  %back = sub i64 0, %quadrant
  %quadrant_signed = select i1 %negative, i64 %back, i64 %quadrant
  %finite = icmp ne i64 %exponent, 2047
  %hi_found = select i1 %finite, double %hi_signed, double 0x7FF8000000000000
  %one = insertvalue {i64, double, double} undef, i64 %quadrant_signed, 0
  %both = insertvalue {i64, double, double} %one, double %hi_found, 1
  %all = insertvalue {i64, double, double} %both, double %lo_signed, 2
  ret {i64, double, double} %all
}"""
)
"""``half_pi`` is pi / 2 times 2**127; 971 is the bias less the bits of the highest part."""


@cache
def definition() -> str:
    """Return the function: quadrant and rest, as a sum of two floats, of a number of 2**-9 or more.

    The table is put together from words, so that the order of bytes does not matter.
    """
    bits = 64 * (_WORDS - 1)
    pi = _pi(bits + 64)
    two_over_pi = (1 << 2 * bits + 65) // pi
    words = ["i64 0"]
    for shift in range(bits - 64, -1, -64):
        word = two_over_pi >> shift & (1 << 64) - 1
        words.append(f"i64 {word - (1 << 64) if word >> 63 else word}")
    loads = "\n".join(
        f"  %at{k} = getelementptr i64, ptr %from, i64 {k}\n"
        f"  %load{k} = load i64, ptr %at{k}\n"
        f"  %wide{k} = zext i64 %load{k} to i256\n"
        f"  %word{k} = shl i256 %wide{k}, {192 - 64 * k}"
        for k in range(4)
    )
    return _TEXT.substitute(
        table=", ".join(words), words=_WORDS, loads=loads, half_pi=_pi(160) >> 34, name=NAME
    )


DECLARED = {
    f"llvm.ctlz.i{bits}": f"declare i{bits} @llvm.ctlz.i{bits}(i{bits}, i1)" for bits in (192, 256)
}
"""LLVM's functions that it calls."""
