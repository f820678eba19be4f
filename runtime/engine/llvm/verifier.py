"""Verifier of kernel IR: checks definitions, types and the counts of values."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.try_ir import Save, Try
from runtime.engine.llvm.printer import print_module
from runtime.types.errors import InternalError


def verify(module: ir.KernelModule) -> ir.KernelModule:
    """Return the module; InternalError, with its text, if it breaks a rule of the IR."""
    for function in module.functions:
        try:
            _check_block(function.block, function.gives, set())
        except _BrokenError as error:
            raise InternalError(f"kernel IR: {error}\n{print_module(module)}") from None
    return module


class _BrokenError(Exception):
    """Rule that is broken."""


def _same(subject: str, actual: Sequence[ir.Type], expected: Sequence[ir.Type]) -> None:
    if tuple(actual) != tuple(expected):
        texts = [", ".join(map(str, types)) for types in (actual, expected)]
        raise _BrokenError(f"{subject} have types ({texts[0]}), not ({texts[1]})")


def _types(values: ir.Registers) -> tuple[ir.Type, ...]:
    return tuple([value.type for value in values])


def _check_block(block: ir.Block, gives: Sequence[ir.Type], everywhere: set[int]) -> None:
    defined: set[int] = set()

    def define(values: ir.Registers) -> None:
        for value in values:
            if value.number in everywhere:
                raise _BrokenError(f"{value} is defined twice")
            everywhere.add(value.number)
            defined.add(value.number)

    def use(values: ir.Registers, where: str) -> None:
        for value in values:
            if value.number not in defined:
                raise _BrokenError(f"{where} uses {value}, which its block does not define")

    define(block.params)
    for instruction in block.instructions:
        use(instruction.args, type(instruction).__name__)
        _check(instruction)
        for inner, inner_gives in _inner(instruction):
            _check_block(inner, inner_gives, everywhere)
        define(instruction.results)
    use(block.results, "the end of a block")
    _same("the results of a block", _types(block.results), gives)


def _inner(instruction: ir.Instruction) -> list[tuple[ir.Block, tuple[ir.Type, ...]]]:
    """Return the blocks of an instruction, with the types that each gives."""
    gives = _types(instruction.results)
    if isinstance(instruction, Try):
        body, otherwise, *handlers = instruction.blocks()
        body_gives = _types(otherwise.params[: len(otherwise.params) - instruction.splits[1]])
        return [(body, body_gives), (otherwise, gives), *((handler, gives) for handler in handlers)]
    if isinstance(instruction, ir.WhileLoop):
        return [(instruction.test, (ir.BOOL,)), (instruction.body, gives)]
    return [(inner, gives) for inner in instruction.blocks()]


def _check(instruction: ir.Instruction) -> None:
    args = _types(instruction.args)
    match instruction:
        case ir.Switch():
            if sum(instruction.splits) + 1 != len(args):
                raise _BrokenError("a switch has not as many arguments as its splits say")
            for number, branch in enumerate(instruction.branches):
                inputs = _types(instruction.inputs_of(number))
                _same(f"the arguments of branch {number}", inputs, _types(branch.params))
        case ir.WhileLoop():
            count, split = len(instruction.results), instruction.for_test
            state = args[:count]
            _same("the state of a loop", state, _types(instruction.results))
            test, body = _types(instruction.test.params), _types(instruction.body.params)
            _same("the parameters of a test", test, (*state, *args[count : count + split]))
            _same("the parameters of a body", body, (*state, *args[count + split :]))
        case Try():
            _check_try(instruction)
        case Save():
            _same("what is saved", args, instruction.attempt.saved)
        case ir.Call():
            _same("the arguments of a call", args, _types(instruction.function.block.params))
            _same("the results of a call", _types(instruction.results), instruction.function.gives)
        case ir.Callback():
            _same("the arguments of a site", args, instruction.site.takes)
            _same("the results of a site", _types(instruction.results), instruction.site.gives)
        case ir.Compute() if instruction.opcode.startswith("array."):
            _check_element(instruction)
        case ir.Number():
            if not isinstance(instruction.results[0].type, ir.Scalar):
                raise _BrokenError("a constant is no number")


def _check_try(attempt: Try) -> None:
    kept_types = _types(attempt.kept_args)
    _same("what is kept", kept_types, attempt.kept)
    for number, block in enumerate(attempt.blocks()):
        before = len(block.params) - attempt.splits[number]
        inputs, params = _types(attempt.inputs_of(number)), _types(block.params[before:])
        _same(
            f"the arguments of block {number} of a try",
            inputs,
            (*params, *(() if number else kept_types)),
        )
        if number != 1:
            expected = (*attempt.saved, *kept_types, *attempt.parts[number - 2]) if number else ()
            actual = _types(block.params[:before])
            _same(f"the parameters of block {number} of a try", actual, expected)


def _check_element(instruction: ir.Compute) -> None:
    """Check a read or write of an element: an array, numbers, and the array again or a number."""
    array, *numbers = _types(instruction.args)
    if array is not ir.OBJECT or not all(isinstance(type, ir.Scalar) for type in numbers):
        raise _BrokenError(f"{instruction.opcode} is not given an array and numbers")
    gives = _types(instruction.results)
    if not instruction.reads_array():
        _same(f"the results of {instruction.opcode}", gives, (ir.OBJECT,))
    elif not all(isinstance(type, ir.Scalar) for type in gives):
        raise _BrokenError(f"{instruction.opcode} does not give a number")
