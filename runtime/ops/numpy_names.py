"""NumPy's names of functions: a row each, from which public functions are made.

A row names the op that computes the function, and who has the function under which names:

    numpy      NumPy: staged calls are recorded as the op; in parentheses where NumPy is called
    op         the definition, whose text describes all of them; of filled arrays the element
    promotion  how inputs come to the dtype in which it is computed
    standard   the array API standard
    keras      ``keras.ops``; several names are joined by commas

The rows of a section have the same arguments: ``elements`` those of functions that go element by
element, ``axes`` an array and the axes along which it is reduced, ``position`` and ``scan`` an
array and one axis, ``filled`` a shape, and with ``_like`` behind the name an array of that shape.
``array_api``, ``keras/ops`` and ``staging/numpy_arrays/rules`` make functions of the rows, each
with promotion rules of its own; ``numpy_functions.py`` has what they share of other functions.
"""

from __future__ import annotations

import re

from autograph.named_tuples import NamedTuple
from runtime.ops.docstrings import summary
from runtime.ops.op import OpDef, lookup
from runtime.types.dtypes import DType, bool_, complex64, float32, int32
from runtime.types.shapes import TensorSpec

FLOATS, COMMON, TRUTH, SUMS, ORDER = "floats", "common", "truth", "sums", "order"
"""Promotion: integers become floats, the inputs get one dtype, what is not 0 is true, narrow
integers become wide ones, the dtype stays and has an order.
"""
ELEMENTS, AXES, POSITION, SCAN, FILLED = "elements", "axes", "position", "scan", "filled"
"""Sections of the table."""


class NumpyName(NamedTuple):
    """Row of the table; a name that somebody does not have is empty."""

    numpy: str
    op: str
    promotion: str
    standard: str
    keras: tuple[str, ...]
    is_recorded: bool
    """Whether staged calls of NumPy's function are recorded as the op."""
    section: str

    @property
    def definition(self) -> OpDef:
        """The op."""
        return lookup(self.op)

    @property
    def dtypes(self) -> tuple[DType, DType]:
        """A dtype that the op takes, complex if it takes one, and that of what it gives then."""
        op = self.definition
        kind = next(kind for kind in "cfib" if kind in (op.dtype_kinds or "f"))
        dtype_taken = {"c": complex64, "f": float32, "i": int32, "b": bool_}[kind]
        return dtype_taken, op.infer(*[TensorSpec((), dtype_taken)] * len(op.inputs)).dtype

    def doc(self) -> str:
        """What the function does, by the op's text: the inputs of two are ``x1`` and ``x2``.

        What the op does of other dtypes stands in parentheses: promotion keeps them away.
        """
        text = summary(self.definition.__doc__ or "").partition(";")[0].rstrip(".") + "."
        text = re.sub(r" \(of [^)]*\)", "", text)
        inputs = self.definition.inputs
        if len(inputs) == 1 or "``x1" in text:
            return text
        names = dict(zip(inputs, ("x1", "x2"), strict=True))
        return re.sub(
            "``.*?``", lambda code: re.sub(r"\w+", lambda m: names.get(m[0], m[0]), code[0]), text
        )


_TABLE = """
    elements         op             promotion  standard             keras

    absolute         abs            common     abs                  abs,absolute
    arccos           acos           floats     acos                 arccos
    arccosh          acosh          floats     acosh                arccosh
    arcsin           asin           floats     asin                 arcsin
    arcsinh          asinh          floats     asinh                arcsinh
    arctan           atan           floats     atan                 arctan
    arctanh          atanh          floats     atanh                arctanh
    ceil             ceil           floats     ceil                 ceil
    conjugate        conj           common     conj                 conj,conjugate
    cos              cos            floats     cos                  cos
    cosh             cosh           floats     cosh                 cosh
    -                erf            floats     -                    erf
    -                erfc           floats     -                    erfc
    -                erfinv         floats     -                    erfinv
    exp              exp            floats     exp                  exp
    expm1            expm1          floats     expm1                expm1
    floor            floor          floats     floor                floor
    (imag)           imag           common     imag                 imag
    invert           invert         common     bitwise_invert       bitwise_invert,bitwise_not
    isfinite         is_finite      common     isfinite             isfinite
    isinf            is_inf         common     isinf                isinf
    isnan            is_nan         common     isnan                isnan
    log              log            floats     log                  log
    log10            log10          floats     log10                log10
    log1p            log1p          floats     log1p                log1p
    log2             log2           floats     log2                 log2
    logical_not      logical_not    truth      logical_not          logical_not
    negative         negative       common     negative             negative
    positive         positive       common     positive             -
    (real)           real           common     real                 real
    (reciprocal)     reciprocal     floats     reciprocal           reciprocal
    rint             rint           floats     -                    -
    (round)          round          common     round                -
    -                rsqrt          floats     -                    rsqrt
    sign             sign           common     sign                 sign
    (signbit)        signbit        floats     signbit              -
    sin              sin            floats     sin                  sin
    sinh             sinh           floats     sinh                 sinh
    sqrt             sqrt           floats     sqrt                 sqrt
    square           square         common     square               square
    tan              tan            floats     tan                  tan
    tanh             tanh           floats     tanh                 tanh
    trunc            trunc          floats     trunc                -

    add              add            common     add                  add
    arctan2          atan2          floats     atan2                arctan2
    bitwise_and      bitwise_and    common     bitwise_and          bitwise_and
    bitwise_or       bitwise_or     common     bitwise_or           bitwise_or
    bitwise_xor      bitwise_xor    common     bitwise_xor          bitwise_xor
    copysign         copysign       floats     copysign             -
    divide           truediv        floats     divide               divide,true_divide
    equal            equal          common     equal                equal
    floor_divide     floordiv       common     floor_divide         floor_divide
    greater          greater        common     greater              greater
    greater_equal    greater_equal  common     greater_equal        greater_equal
    hypot            hypot          floats     hypot                hypot
    (left_shift)     left_shift     common     bitwise_left_shift   left_shift,bitwise_left_shift
    less             less           common     less                 less
    less_equal       less_equal     common     less_equal           less_equal
    logaddexp        logaddexp      floats     logaddexp            logaddexp
    logical_and      logical_and    truth      logical_and          logical_and
    logical_or       logical_or     truth      logical_or           logical_or
    logical_xor      logical_xor    truth      logical_xor          logical_xor
    maximum          maximum        common     maximum              maximum
    minimum          minimum        common     minimum              minimum
    multiply         multiply       common     multiply             multiply
    (nextafter)      nextafter      floats     nextafter            nextafter
    not_equal        not_equal      common     not_equal            not_equal
    (power)          pow            common     pow                  power
    remainder        floormod       common     remainder            mod
    (right_shift)    right_shift    common     bitwise_right_shift  right_shift,bitwise_right_shift
    subtract         subtract       common     subtract             subtract

    axes             op                promotion  standard          keras

    all              reduce_all        truth      all               all
    any              reduce_any        truth      any               any
    -                reduce_logsumexp  floats     -                 logsumexp
    max              reduce_max        order      max               max,amax
    mean             reduce_mean       floats     mean              mean
    min              reduce_min        order      min               min,amin
    prod             reduce_prod       sums       prod              prod
    (std)            reduce_std        floats     -                 std
    sum              reduce_sum        sums       sum               sum
    (var)            reduce_variance   floats     -                 var

    position         op                promotion  standard          keras

    (argmax)         argmax            order      argmax            argmax
    (argmin)         argmin            order      argmin            argmin

    scan             op                promotion  standard          keras

    (cumprod)        cumprod           sums       cumulative_prod   cumprod
    (cumsum)         cumsum            sums       cumulative_sum    cumsum

    filled           element           promotion  standard          keras

    (empty)          0                 -          empty             -
    (ones)           1                 -          ones              ones
    (zeros)          0                 -          zeros             zeros
"""


def _rows() -> tuple[NumpyName, ...]:
    lines = [line.split() for line in _TABLE.splitlines() if line]
    rows, section = [], ""
    for numpy, op, promotion, standard, keras in lines:
        if keras == "keras":
            section = numpy
            continue
        names = tuple([name for name in keras.split(",") if name != "-"])
        is_recorded = numpy[0] not in "(-"
        row = (numpy.strip("()-"), op, promotion, standard.strip("-"), names, is_recorded, section)
        rows.append(NumpyName(*row))
    return tuple(rows)


ROWS = _rows()


def rows_of(section: str) -> list[NumpyName]:
    """The rows of a section of the table."""
    return [row for row in ROWS if row.section == section]
