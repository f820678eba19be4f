"""Choice between tiles and BLAS for products of known sizes, where both use vectors as wide, and
the batches of products that threads share.

Where native code has wider vectors than BLAS, blas_code.py chooses at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.blas import vector_bits
from runtime.engine.llvm.size_code import is_constant
from runtime.engine.llvm.vector_math.processor import Processor, host, is_for_others

BLAS_ALONE = 1 << 18
"""For products of so many numbers, BLAS does not use several threads."""
_SMALL, _SHORT, _CACHED = 10**6, 24, 200_000
"""Tiles are faster for products of more than ``_SMALL`` numbers, which BLAS multiplies without
copies of its own, for sums of ``_SHORT`` products or more, if the second matrix has no more than
``_CACHED`` numbers; see benchmarks/matrix_products.py.
"""
_LEAST_BATCH, _LARGEST, _TASK = 1 << 27, 1 << 24, 1 << 21
"""Batches of so many products of numbers are worth several threads, if no product of matrices has
more than the second: larger ones are left to BLAS.  The third is the work of a task.
"""


def times_wider(processor: Processor) -> int:
    """Return how many of BLAS's vectors are one of the processor's; 0 without BLAS."""
    return processor.vector_bits // vector_bits() if vector_bits() else 0


def faster_in_tiles(element: ir.Scalar, sizes: Sequence[str]) -> bool:
    """Return whether to call the function in tiles for some rows, columns, and products of sums."""
    processor = host()
    if is_for_others():
        return False
    if element.kind != "f" or processor.vector_bits < 512 or times_wider(processor) != 1:
        return False
    if not all(map(is_constant, sizes)):
        return False
    rows, columns, inner = map(int, sizes)
    if rows * columns * inner <= _SMALL or columns * element.bits < processor.vector_bits:
        return False
    return inner >= _SHORT and inner * columns <= _CACHED


def products_of_task(element: ir.Scalar, sizes: Sequence[str], count: str) -> int:
    """Return how many products of a batch are a task for threads, of some rows, columns, and
    products of sums; 0 if threads do not share the batch.
    """
    if element.kind != "f" or not all(map(is_constant, (*sizes, count))) or is_for_others():
        return 0
    rows, columns, inner = map(int, sizes)
    work = rows * columns * inner
    if not 0 < work <= _LARGEST or work * int(count) < _LEAST_BATCH:
        return 0
    is_filled = rows > 1 and columns * element.bits >= host().vector_bits
    return max(_TASK // work, 1) if is_filled else 0
