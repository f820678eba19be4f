"""erf and erfc.

Near 0, erf is a polynomial.  Elsewhere, erfc x = exp(-x x) P(t) / (x + 7 / 16) with
t = (x - 3) / (x + 3), after Schonfelder (1978); for the erf of float32, erfc is a polynomial.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.exponentials import (
    ReducedArgument,
    exp_exactly,
    ldexp,
    reduce_argument,
)
from runtime.engine.llvm.vector_math.pairs import (
    Pair,
    at_most,
    exact_product,
    exact_sum,
    ordered_sum,
    polynomial,
    quotient,
)

# erf x = x + x P(x x), up to 1
ERF = {
    32: (
        0.12837916612625122, -0.3761262595653534, 0.11283600330352783, -0.026854444295167923,
        0.005189535208046436, -0.000802083988673985, 7.889112748671323e-05,
    ),
    64: (
        0.12837916709551256, -0.3761263890318355, 0.11283791670945252, -0.026866170643275983,
        0.005223977607421778, -0.0008548325989628574, 0.00012055295318818887,
        -1.492474463738959e-05, 1.6447517425080417e-06, -1.6209174424050597e-07,
        1.3722971515330743e-08, -7.801182742825681e-10,
    ),
}  # fmt: skip
# erf x = 1 - P(x - 2.5), from 1 to 3.92
ERF_FAR = (
    0.0004069316200911999, -0.0021780801471322775, 0.005446652416139841, -0.008353237062692642,
    0.00861531775444746, -0.006103244610130787, 0.0028181755915284157, -0.0005703725619241595,
    -0.00028650788590312004, 0.0002789015125017613, -6.18868725723587e-05, -2.1040841602371074e-05,
    9.124522875936236e-06,
)  # fmt: skip
# (x + 7 / 16) exp(x x) erfc x = P((x - 3) / (x + 3)), from 1 / 2 to 28
ERFC = (
    0.6153164571860279, -0.04742095555960083, -0.03913138478374565, 0.07420482538268902,
    -0.06411594653255613, 0.035678544879000226, -0.012152078479316127, 0.001220461763077489,
    0.0009816615387317242, -0.00039274466801638607, -5.6583314798954736e-05, 6.335391900157947e-05,
    2.9726559842280974e-06, -1.0184540230874335e-05, -4.4124613252918125e-07,
    1.7587480478918108e-06, 1.861127534420837e-07, -3.160171409723852e-07, -6.281592867116298e-08,
    5.5199650620306956e-08, 1.1534629142636602e-08, -7.411332659550194e-09,
)  # fmt: skip
ERFC_LOW = 5.450079349279853e-17
"""What the first coefficient rounds away."""
ERF_IS_ONE = 3.92
ERFC_IS_ZERO = 27.5


def erf(x: LaneValue) -> LaneValue:
    """Return the error function."""
    bits = x.format.bits
    size = abs(x)
    near = x.times_plus(polynomial(x * x, ERF[bits]), x)
    if bits == 32:
        beyond = polynomial(at_most(size, ERF_IS_ONE) - 2.5, ERF_FAR)
    else:
        beyond = _erfc_of_size(size)
    return (size < 1.0).choose(near, (1.0 - beyond).with_sign_of(x))


def erfc(x: LaneValue) -> LaneValue:
    """Return 1 - erf(x), without loss where erf is almost 1; float32 is computed in float64."""
    if x.format.bits == 32:
        return erfc(x.to(ir.FLOAT64)).to(x.type)
    start = ordered_sum(x.constant(1.0), -x)
    near = start.high - (x * polynomial(x * x, ERF[64]) - start.low)
    beyond = _erfc_of_size(abs(x))
    far = (x < 0.0).choose(2.0 - beyond, beyond)
    return (abs(x) < 0.5).choose(near, far)


def _erfc_of_size(size: LaneValue) -> LaneValue:
    """Return erfc of numbers from 1/2; exp(-x x) needs the exact square."""
    size = at_most(size, ERFC_IS_ZERO)
    square = exact_product(size, size)
    argument = reduce_argument(-square.high)
    r, low = exact_sum(argument.r, argument.low - square.low)
    t = (size - 3.0) / (size + 3.0)
    first, *coefficients = ERFC
    factor = ordered_sum(size.constant(first), t.times_plus(polynomial(t, coefficients), ERFC_LOW))
    power = exp_exactly(ReducedArgument(argument.k, r, low))
    top = exact_product(power, factor.high)
    top = Pair(top.high, power.times_plus(factor.low, top.low))
    return ldexp(quotient(top, exact_sum(size, size.constant(0.4375))), argument.k)
