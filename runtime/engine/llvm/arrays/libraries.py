"""Libraries of native functions on arrays, which all graphs share: products, convolutions, pooling.

Each is compiled for a type of numbers when the first graph calls one of its functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.arrays import library_names as names_of
from runtime.engine.llvm.arrays.blas import blas_functions, lapack_functions
from runtime.engine.llvm.arrays.shared_tasks import task_functions
from runtime.engine.llvm.arrays.vectors import TYPES
from runtime.engine.llvm.vector_math.processor import Processor


class ArrayLibrary(NamedTuple):
    """Functions of one subject.

    exported  their names, without that of the type
    code      function of the name of a type, and of the processor: their LLVM code
    symbols   function that gives the addresses of what they call
    types     the names of types
    """

    exported: Sequence[str]
    code: Callable[[str, Processor], str]
    symbols: Callable[[], Mapping[str, int]] = dict
    types: Sequence[str] = tuple(TYPES)

    def names(self, type: str) -> list[str]:
        """Return the names of the functions for a type."""
        return [f"{name}_{type}" for name in self.exported]


def _products(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.blas_code import blas_code

    return blas_code(type, processor)


def _products_in_tiles(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.blas_code import code_in_tiles

    return code_in_tiles(type, processor)


def _batches(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.batch_code import batch_code

    return batch_code(type, processor)


def _symbols_of_batches() -> Mapping[str, int]:
    return {**blas_functions(), **task_functions()}


def _decompositions(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.lapack_code import lapack_code

    return lapack_code(type)


def _convolutions(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.convolution_code import convolution_code

    return convolution_code(type, processor)


def _pooling(type: str, processor: Processor) -> str:
    from runtime.engine.llvm.arrays.pooling_code import pooling_code

    return pooling_code(type, processor)


LIBRARIES = (
    ArrayLibrary(names_of.OF_PRODUCTS, _products, blas_functions, names_of.TYPES_OF_PRODUCTS),
    ArrayLibrary((names_of.MULTIPLY_IN_TILES,), _products_in_tiles, blas_functions, ("f64", "f32")),
    ArrayLibrary((names_of.MULTIPLY_BATCH,), _batches, _symbols_of_batches, ("f64", "f32")),
    ArrayLibrary(names_of.OF_DECOMPOSITIONS, _decompositions, lapack_functions, ("f64", "f32")),
    ArrayLibrary(names_of.OF_CONVOLUTIONS, _convolutions, task_functions),
    ArrayLibrary(names_of.OF_POOLING, _pooling, task_functions),
)


def called_by(code: bytes) -> Iterator[tuple[ArrayLibrary, str]]:
    """Yield the libraries that an object file calls, with the types."""
    for library in LIBRARIES:
        for type in library.types:
            if any(name.encode() in code for name in library.names(type)):
                yield library, type
