"""LLVM code shared by all graphs: products of matrices, by BLAS or in tiles.

A matrix is an address and two strides in bytes, between its rows and between its columns.  BLAS
takes those in which the elements of rows, or of columns, follow one another.
"""

from __future__ import annotations

from typing import NamedTuple

from runtime.engine.llvm.arrays.library_names import FITS, MULTIPLY, MULTIPLY_IN_TILES
from runtime.engine.llvm.arrays.tile_choice import BLAS_ALONE, times_wider
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
from runtime.engine.llvm.vector_math.processor import Processor

_TINY, _LOW = 512, 48
"""Products of so many numbers, and results of so many rows, are faster in tiles even if they do not
fill a vector; see benchmarks/matrix_products.py.
"""
_OPERANDS = "ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn"
_SIZES = "i64 %m, i64 %n, i64 %k"

_CODE = f"""
declare void @blas_LETTERgemm(
  i32, i32, i32, i64, i64, i64, FACTOR, ptr, i64, ptr, i64, FACTOR, ptr, i64
)
declare void @blas_LETTERgemv(i32, i32, i64, i64, FACTOR, ptr, i64, ptr, i64, FACTOR, ptr, i64)
DECLARED

define internal i1 @follow_NAME(i64 %outer, i64 %inner, i64 %step, i64 %unit) alwaysinline {{
  %next = icmp eq i64 %unit, ITEM
  %one = icmp eq i64 %inner, 1
  %close = or i1 %next, %one
  %width = mul i64 %inner, ITEM
  %far = icmp sge i64 %step, %width
  %single = icmp eq i64 %outer, 1
  %apart = or i1 %far, %single
  %follow = and i1 %close, %apart
  ret i1 %follow
}}

define internal i1 @is_matrix_NAME(i64 %rows, i64 %columns, i64 %down, i64 %right) alwaysinline {{
  %plain = call i1 @follow_NAME(i64 %rows, i64 %columns, i64 %down, i64 %right)
  %turned = call i1 @follow_NAME(i64 %columns, i64 %rows, i64 %right, i64 %down)
  %either = or i1 %plain, %turned
  ret i1 %either
}}

define internal {{i1, i64}} @lead_NAME(
  i64 %rows, i64 %columns, i64 %down, i64 %right
) alwaysinline {{
  %plain = call i1 @follow_NAME(i64 %rows, i64 %columns, i64 %down, i64 %right)
  %outer = select i1 %plain, i64 %rows, i64 %columns
  %inner = select i1 %plain, i64 %columns, i64 %rows
  %step = select i1 %plain, i64 %down, i64 %right
  %given = ashr i64 %step, SHIFT
  %single = icmp eq i64 %outer, 1
  %lead = select i1 %single, i64 %inner, i64 %given
  %first = insertvalue {{i1, i64}} undef, i1 %plain, 0
  %both = insertvalue {{i1, i64}} %first, i64 %lead, 1
  ret {{i1, i64}} %both
}}

define i1 @{FITS}_NAME({_OPERANDS}, {_SIZES}) {{
entry:
  %n_less = sub i64 %n, 1
  %m_less = sub i64 %m, 1
  %k_less = sub i64 %k, 1
  %empty_or = or i64 %m_less, %n_less
  %empty_all = or i64 %empty_or, %k_less
  %empty = icmp slt i64 %empty_all, 0
  br i1 %empty, label %fits, label %aligned
aligned:
  %a_int = ptrtoint ptr %a to i64
  %b_int = ptrtoint ptr %b to i64
  %o1 = or i64 %a_int, %b_int
  %o2 = or i64 %am, %ak
  %o3 = or i64 %bk, %bn
  %o4 = or i64 %o1, %o2
  %o5 = or i64 %o4, %o3
  %low = and i64 %o5, LOW
  %odd = icmp ne i64 %low, 0
  br i1 %odd, label %other, label %sizes
sizes:
  %a_fits = call i1 @is_matrix_NAME(i64 %m, i64 %k, i64 %am, i64 %ak)
  %b_fits = call i1 @is_matrix_NAME(i64 %k, i64 %n, i64 %bk, i64 %bn)
  %a_forwards = icmp sge i64 %ak, ITEM
  %b_forwards = icmp sge i64 %bk, ITEM
  %one_row = icmp eq i64 %m, 1
  %one_column = icmp eq i64 %n, 1
  %is_vector = or i1 %one_row, %one_column
  br i1 %is_vector, label %vectors, label %matrices
vectors:
  %a_good = select i1 %one_row, i1 %a_forwards, i1 %a_fits
  %b_good = select i1 %one_column, i1 %b_forwards, i1 %b_fits
  %good = and i1 %a_good, %b_good
  ret i1 %good
matrices:
  %both = and i1 %a_fits, %b_fits
  %same_data = icmp eq ptr %a, %b
  %same_size = icmp eq i64 %m, %n
  %same_step = icmp eq i64 %am, %bn
  %same_unit = icmp eq i64 %ak, %bk
  %s1 = and i1 %same_data, %same_size
  %s2 = and i1 %same_step, %same_unit
  %gram = and i1 %s1, %s2
  %distinct = xor i1 %gram, true
  %can = and i1 %both, %distinct
  ret i1 %can
fits:
  ret i1 true
other:
  ret i1 false
}}

define void @{MULTIPLY}_NAME({_OPERANDS}, ptr %c, {_SIZES}) {{
entry:
  %cells = mul i64 %m, %n
  %nothing = icmp eq i64 %cells, 0
  br i1 %nothing, label %end, label %some
some:
  %no_inner = icmp eq i64 %k, 0
  br i1 %no_inner, label %zeros, label %products
zeros:
  %bytes = mul i64 %cells, ITEM
  call void @llvm.memset.p0.i64(ptr %c, i8 0, i64 %bytes, i1 false)
  ret void
products:
  %one_row = icmp eq i64 %m, 1
  %one_column = icmp eq i64 %n, 1
  %a_lead_both = call {{i1, i64}} @lead_NAME(i64 %m, i64 %k, i64 %am, i64 %ak)
  %a_plain = extractvalue {{i1, i64}} %a_lead_both, 0
  %a_lead = extractvalue {{i1, i64}} %a_lead_both, 1
  %b_lead_both = call {{i1, i64}} @lead_NAME(i64 %k, i64 %n, i64 %bk, i64 %bn)
  %b_plain = extractvalue {{i1, i64}} %b_lead_both, 0
  %b_lead = extractvalue {{i1, i64}} %b_lead_both, 1
  %a_step = ashr i64 %ak, SHIFT
  %b_step = ashr i64 %bk, SHIFT
  br i1 %one_column, label %column, label %columns
column:
  br i1 %one_row, label %scalar, label %matrix_vector
scalar:
DOT
  ret void
matrix_vector:
  %a_order = select i1 %a_plain, i32 101, i32 102
  call void @blas_LETTERgemv(
    i32 %a_order, i32 111, i64 %m, i64 %k, FACTOR ONE,
    ptr %a, i64 %a_lead, ptr %b, i64 %b_step, FACTOR ZERO, ptr %c, i64 1
  )
  ret void
columns:
  br i1 %one_row, label %vector_matrix, label %matrices
vector_matrix:
  %b_order = select i1 %b_plain, i32 101, i32 102
  call void @blas_LETTERgemv(
    i32 %b_order, i32 112, i64 %k, i64 %n, FACTOR ONE,
    ptr %b, i64 %b_lead, ptr %a, i64 %a_step, FACTOR ZERO, ptr %c, i64 1
  )
  ret void
matrices:
TILES
  %a_turn = select i1 %a_plain, i32 111, i32 112
  %b_turn = select i1 %b_plain, i32 111, i32 112
  call void @blas_LETTERgemm(
    i32 101, i32 %a_turn, i32 %b_turn, i64 %m, i64 %n, i64 %k, FACTOR ONE,
    ptr %a, i64 %a_lead, ptr %b, i64 %b_lead, FACTOR ZERO, ptr %c, i64 %n
  )
  ret void
end:
  ret void
}}
"""

_TILES = f"""
  %threads = call i32 @blas_threads()
  %few = icmp sle i32 %threads, AT_MOST
  %work = mul i64 %cells, %k
  %small = icmp ule i64 %work, {BLAS_ALONE}
  %wide = icmp uge i64 %n, LANES
CHOICE
  br i1 %in_tiles, label %tiles, label %gemm
tiles:
  %done = call i1 @{TILED}_NAME({_OPERANDS}, ptr %c, {_SIZES})
  br i1 %done, label %end, label %gemm
gemm:
"""
_UNKNOWN = f"""
  %alone = or i1 %few, %small
  %narrow = icmp ult i64 %n, HALF
  %low = icmp ule i64 %m, {_LOW}
  %compact = or i1 %wide, %low
  %filled = select i1 %narrow, i1 false, i1 %compact
  %tiny = icmp ule i64 %work, {_TINY}
  %pays = or i1 %filled, %tiny
  %in_tiles = and i1 %alone, %pays
"""
_CHOSEN = "  %in_tiles = and i1 %few, %wide"
"""Whether to multiply in tiles, where the sizes are not known yet, and where tile_choice.py chose.
"""
_DOTS = {
    "f": (
        "declare TYPE @blas_LETTERdot(i64, ptr, i64, ptr, i64)",
        """  %dot = call TYPE @blas_LETTERdot(i64 %k, ptr %a, i64 %a_step, ptr %b, i64 %b_step)
  store TYPE %dot, ptr %c""",
    ),
    "c": (
        "declare void @blas_LETTERdotu_sub(i64, ptr, i64, ptr, i64, ptr)",
        "  call void @blas_LETTERdotu_sub("
        "i64 %k, ptr %a, i64 %a_step, ptr %b, i64 %b_step, ptr %c)",
    ),
}
"""By kind of numbers: the declaration of the product of vectors, and its call."""
_FACTORS = {"f": ("TYPE", "1.0", "0.0"), "c": ("ptr", "@one_NAME", "@zero_NAME")}
"""By kind of numbers: how a factor is given, and what 1 and 0 are."""


class _Type(NamedTuple):
    """Type of numbers: LLVM's name of it or its parts, BLAS's letter, bytes, their logarithm."""

    element: str
    letter: str
    item: int
    shift: int


TYPES = {
    "f64": _Type("double", "d", 8, 3), "f32": _Type("float", "s", 4, 2),
    "c128": _Type("double", "z", 16, 4), "c64": _Type("float", "c", 8, 3),
}  # fmt: skip
"""By name of a type (``blas.type_name``)."""


def blas_code(name: str, processor: Processor) -> str:
    """Return the LLVM code for a type."""
    with_tiles = name[0] == "f" and processor.vector_bits >= 512 and times_wider(processor) > 1
    return _code(name, processor, _UNKNOWN if with_tiles else "")


def code_in_tiles(name: str, processor: Processor) -> str:
    """Return the LLVM code for a type of products that are faster in tiles."""
    text = _code(name, processor, _CHOSEN).replace(f"@{MULTIPLY}_", f"@{MULTIPLY_IN_TILES}_")
    return text.replace(f"define i1 @{FITS}_", f"define internal i1 @{FITS}_")


def _code(name: str, processor: Processor, choice: str) -> str:
    """Return the code; ``choice`` says what is multiplied in tiles, if anything is."""
    element, letter, item, shift = TYPES[name]
    kind = name[0]
    lines = [
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare noalias ptr @malloc(i64)",
        "declare void @free(ptr)",
    ]
    if kind == "c":
        values = (("one", "1.0"), ("zero", "0.0"))
        lines += [
            f"@{constant_name}_{name} = internal constant [2 x {element}] "
            f"[{element} {value}, {element} 0.0]"
            for constant_name, value in values
        ]  # fmt: skip
    tiles = ""
    if choice:
        lines += ["declare i32 @blas_threads()", tiled_code(element, processor)]
        lanes = processor.vector_bits // (8 * item)
        tiles = _TILES.replace("CHOICE", choice).replace("AT_MOST", str(times_wider(processor)))
        tiles = tiles.replace("LANES", str(lanes)).replace("HALF", str(lanes // 2))
        tiles = tiles.replace(f"@{TILED}_NAME", f"@{TILED}_{element}")
    declared, dot = _DOTS[kind]
    factor, unit, zero = _FACTORS[kind]
    text = _CODE.replace("TILES", tiles).replace("DECLARED", declared).replace("DOT", dot)
    text = text.replace("FACTOR", factor).replace("ONE", unit).replace("ZERO", zero)
    for word, value in (
        ("LETTER", letter), ("TYPE", element), ("NAME", name), ("ITEM", str(item)),
        ("LOW", str(item - 1)), ("SHIFT", str(shift)),
    ):  # fmt: skip
        text = text.replace(word, value)
    return "\n".join([*lines, text])
