"""LLVM code shared by all graphs: decompositions of matrices, by LAPACK.

The matrices lie row by row.  LAPACK takes columns, so they are transposed on the way; numbers of
float32 are computed as float64, as NumPy does both: the results are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays import library_names as names_of
from runtime.engine.llvm.builder import SIZE, Address, ArrayElements, Builder
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.workspace_code import GIVE, TAKE

_DOUBLE = ir.Scalar("f", 64)


def lapack_code(name: str) -> str:
    """Return the LLVM code for a type: functions that give False where the kernel has to decide."""
    functions = [
        _equations(name, inverse=False), _equations(name, inverse=True), _cholesky(name),
        _eigen(name, vectors=True), _eigen(name, vectors=False),
    ]  # fmt: skip
    declared: dict[str, str] = {}
    for function in functions:
        declared |= function.text.declared
    return "\n".join([*declared.values(), *(function.text.text() for function in functions)])


class _Function(Builder):
    """Function of square matrices of a type, of as many rows as ``n``."""

    def __init__(self, function: str, params: str, name: str) -> None:
        head = f"define i1 @{function}_{name}({params}, i64 %n)"
        super().__init__(FunctionText(head))
        self.n = self.value("%n")
        self._type = ir.Scalar("f", int(name[1:]))

    def argument(self, address: str) -> ArrayElements:
        """Return the elements of an argument."""
        return ArrayElements(self, self._type, address)

    def columns(self, address: object) -> ArrayElements:
        """Return numbers that LAPACK reads or has written."""
        return ArrayElements(self, _DOUBLE, str(address))

    @contextmanager
    def workspace(self, *counts: LaneValue) -> Iterator[list[Address]]:
        """Give memory for so many numbers of 8 bytes; the function gives False if there is none."""
        total, offsets = self.value("0"), []
        for count in counts:
            offsets.append(total)
            total = total + count * 8
        memory = self.address(self.text.call("ptr", TAKE, f"i64 {total}"))
        self.give_if(memory.is_null(), "i1 false", None)
        yield [memory + offset for offset in offsets]
        self.text.call("void", GIVE, f"ptr {memory}")

    def transpose(
        self, source: ArrayElements, to: ArrayElements, height: LaneValue, width: LaneValue
    ) -> None:
        """Write the rows of a matrix as columns."""
        with self.each(width) as column, self.each(height) as row:
            to[column * height + row] = source[row * width + column]

    def number(self, value: object) -> str:
        """Return the address of an int, as Fortran takes it."""
        slot = self.text.slot("i64")
        self.text.line(f"store i64 {value}, ptr {slot}")
        return slot

    def letter(self, value: str) -> str:
        """Return the address of a character."""
        slot = self.text.slot("i8")
        self.text.line(f"store i8 {ord(value)}, ptr {slot}")
        return slot

    def lapack(self, function: str, *addresses: object) -> LaneValue:
        """Call a function of LAPACK, with what it says at last; return whether that is 0."""
        info = self.number(0)
        args = [f"ptr {address}" for address in (*addresses, info)]
        self.text.call("void", f"lapack_d{function}", *args)
        return self.address(info).load() == 0

    def finish_with(self, holds: LaneValue) -> _Function:
        """End the function."""
        self.text.line(f"ret i1 {holds}")
        return self


def _equations(name: str, inverse: bool) -> _Function:
    """Return the function that solves equations; those for an inverse have the right-hand side 1.
    """
    params = "ptr %a, ptr %x" if inverse else "ptr %a, ptr %b, ptr %x, i64 %k"
    code = _Function(names_of.INVERT if inverse else names_of.SOLVE, params, name)
    n, k = code.n, code.n if inverse else code.value("%k")
    with code.workspace(n, n * n, n * k) as (pivots, left, right):
        code.transpose(code.argument("%a"), code.columns(left), n, n)
        columns = code.columns(right)
        if inverse:
            zero, one = columns.constant(0.0), columns.constant(1.0)
            with code.each(n) as column, code.each(n) as row:
                columns[column * n + row] = (column == row).choose(one, zero)
        else:
            code.transpose(code.argument("%b"), columns, n, k)
        rows = code.number(n)
        holds = code.lapack("gesv", rows, code.number(k), left, rows, pivots, right, rows)
        code.transpose(columns, code.argument("%x"), k, n)
    return code.finish_with(holds)


def _cholesky(name: str) -> _Function:
    code = _Function(names_of.CHOLESKY, "ptr %a, ptr %x", name)
    n = code.n
    with code.workspace(n * n) as (memory,):
        columns, result = code.columns(memory), code.argument("%x")
        code.transpose(code.argument("%a"), columns, n, n)
        rows = code.number(n)
        holds = code.lapack("potrf", code.letter("L"), rows, memory, rows)
        zero = columns.constant(0.0)
        with code.each(n) as row, code.each(n) as column:
            result[row * n + column] = (row >= column).choose(columns[column * n + row], zero)
    return code.finish_with(holds)


def _eigen(name: str, vectors: bool) -> _Function:
    """Return the function of eigenvalues, and of eigenvectors."""
    function, params = names_of.EIGENVALUES, "ptr %a, ptr %e"
    if vectors:
        function, params = names_of.EIGENVECTORS, "ptr %a, ptr %e, ptr %v"
    code = _Function(function, params, name)
    n, rows = code.n, code.number(code.n)

    def decompose(*addresses: object) -> LaneValue:
        matrix, *others = addresses
        letters = code.letter("V" if vectors else "N"), code.letter("L")
        return code.lapack("syevd", *letters, rows, matrix, rows, *others)

    # LAPACK says how much it wants: with less it takes other ways, and gives other bits.
    floats, ints, unknown = code.text.slot("double"), code.text.slot("i64"), code.number(-1)
    decompose(floats, floats, floats, unknown, ints, unknown)
    float_count = code.columns(floats).first().to(ir.INT64).as_type(SIZE)
    int_count = code.address(ints).load()
    with code.workspace(n, n * n, float_count, int_count) as (values, matrix, *memory):
        code.transpose(code.argument("%a"), code.columns(matrix), n, n)
        lengths = code.number(float_count), code.number(int_count)
        holds = decompose(matrix, values, memory[0], lengths[0], memory[1], lengths[1])
        results, of_lapack = code.argument("%e"), code.columns(values)
        with code.each(n) as number:
            results[number] = of_lapack[number]
        if vectors:
            code.transpose(code.columns(matrix), code.argument("%v"), n, n)
    return code.finish_with(holds)
