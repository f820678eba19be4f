"""Opcodes as functions of values (values.py): those of numbers, and formulas.

    @formula("softsign")
    def _softsign(x: Value) -> Value:
        return x / (abs(x) + 1)

A formula is an opcode on numbers and on elements of arrays.  It computes what the kernel does, in
the order of the kernel, and never gives up.  On elements, its functions are those of vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import (
    OPCODES,
    Apply,
    Code,
    Emit,
    LaneValue,
    PartialValue,
    Writer,
    number_type,
)

FORMULAS: dict[str, Callable[..., LaneValue]] = {}
"""The functions by opcode."""


def emitter(function: Callable[..., LaneValue | PartialValue]) -> Emit:
    """Return the emitter of a function of values."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        writer = Writer(text, gives=number_type(gives))
        outcome = function(
            *[
                LaneValue(writer, number_type(type), arg)
                for type, arg in zip(takes, args, strict=True)
            ]
        )
        if isinstance(outcome, LaneValue):
            return outcome.name, None
        return outcome.value.name, None if outcome.unknown is None else outcome.unknown.name

    return emit


_OfValues = TypeVar("_OfValues", bound=Callable[..., LaneValue | PartialValue])


def opcode(name: str) -> Callable[[_OfValues], _OfValues]:
    """Enter a function as an opcode of numbers."""

    def enter(function: _OfValues) -> _OfValues:
        OPCODES[name] = emitter(function)
        return function

    return enter


def formula(name: str) -> Callable[[Callable[..., LaneValue]], Callable[..., LaneValue]]:
    """Enter a function as an opcode of numbers and elements."""

    def enter(function: Callable[..., LaneValue]) -> Callable[..., LaneValue]:
        FORMULAS[name] = function
        OPCODES[name] = emitter(function)
        return function

    return enter


def evaluate(
    text: FunctionText, name: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str], apply: Apply,
) -> str:  # fmt: skip
    """Add the code of a formula; return the name of its result."""
    writer = Writer(text, apply, gives)
    result = FORMULAS[name](
        *[LaneValue(writer, type, arg) for type, arg in zip(takes, args, strict=True)]
    )
    assert result.type == gives, (name, result.type, gives)
    return result.name
