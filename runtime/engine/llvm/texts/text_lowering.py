"""Lowering of operations on Python's texts: the rule of the op names the opcode."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_inference import ListVariable
from runtime.engine.llvm.texts.text_code import EMITTERS
from runtime.engine.plan import PlanStep
from runtime.graph.text_templates import JoinedText
from runtime.ops.array.indexing import KeyInput

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering

__all__ = ["lower_format", "lower_text", "with_operands"]

_OF_NUMBER = frozenset({"list.text_chr"})
"""Opcodes whose first operand is an int."""


def with_operands(
    lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers
) -> tuple[Any, list[ir.Register], list[int] | None]:
    """Return a step whose constant operands are inputs, these inputs, and where the operation's own
    are among them, if that is not where they were.
    """
    node = step.operation
    rule = node.op_def.lower
    if rule.operands is None or not rule.opcode_for((), False, node.attrs):
        return step, list(args), None
    values, attrs = rule.operands(node.attrs)
    numbers = [value.index if isinstance(value, KeyInput) else -1 for value in values]
    operands = [
        lowering.constant(block, _scalar(value)) if number < 0 else args[number]
        for number, value in zip(numbers, values, strict=True)
    ]
    order = [numbers.index(number) for number in range(len(node.inputs))]
    return step._replace(attrs=attrs), operands, order


def _scalar(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else np.asarray(value)[()]


def lower_text(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Registers:
    """Lower an operation on texts; where native code has none, its kernel gives texts and lists of
    texts that native code goes on with.
    """
    node = step.operation
    rule = node.op_def.lower
    results = lowering.results_of(node)
    for value in results:
        if isinstance(value.type, ListVariable):
            value.type.has_fields([ir.TEXT])
            if node.attrs.get("function") == "text.list":
                value.type.be_characters()
    opcode = rule.text or (rule.choose(node.attrs) if rule.choose is not None else "")
    if opcode and (opcode in EMITTERS or opcode == "list.len"):
        changed, operands, order = with_operands(lowering, block, step, args)
        if _fits(opcode, operands):
            site = ir.Site(changed, order)
            block.add(ir.Compute(opcode, operands, results, site))
            return results
    lowering.tries.check_kernel(node)
    block.add(ir.Callback(ir.Site(step), args, results))
    return results


def lower_format(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower an f-string of texts and ints without formats; None for others."""
    pieces = _pieces(step.attrs["render"], args)
    if pieces is None:
        return None
    writer = _TextWriter(lowering, block, step.operation)
    texts = [
        writer.constant(piece) if isinstance(piece, str)
        else piece if piece.type == ir.TEXT else writer.of_int(piece)
        for piece in pieces
    ]  # fmt: skip
    whole = texts[0] if texts else writer.constant("")
    for text in texts[1:]:
        whole = writer.concat(whole, text)
    return [whole]


def _pieces(render: Any, args: ir.Registers) -> Sequence[str | ir.Register] | None:
    """Return the texts and the values of an f-string; None if it formats some in other ways."""
    if not isinstance(render, JoinedText) or len(render.templates) != 1 or render.end:
        return None
    kind, *contents = render.templates[0]
    if kind != "text":
        return None
    pieces: list[str | ir.Register] = []
    for piece in contents[0]:
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        value, conversion, form = piece
        if value[0] != "tensor" or not value[2] or conversion not in ("", "s"):
            return None
        if form != ("value", "") or args[value[1]].type not in (ir.TEXT, ir.INT64):
            return None
        pieces.append(args[value[1]])
    return pieces


class _TextWriter:
    """Adds instructions that make texts for one operation."""

    def __init__(self, lowering: Lowering, block: ir.Block, operation: Any) -> None:
        self._new = lowering.new
        self._block = block
        self._operation = operation

    def constant(self, value: str) -> ir.Register:
        """Add a text that is known."""
        result = self._new(ir.TEXT)
        self._block.add(ir.TextConstant(value, result))
        return result

    def of_int(self, number: ir.Register) -> ir.Register:
        """Add the text of an int."""
        return self._compute("list.text_of_int", str, number)

    def concat(self, first: ir.Register, second: ir.Register) -> ir.Register:
        """Add one text after another."""
        return self._compute("list.text_concat", operator.add, first, second)

    def _compute(self, opcode: str, kernel: Callable[..., Any], *args: ir.Register) -> ir.Register:
        result = self._new(ir.TEXT)
        site = ir.Site(PlanStep(kernel, {}, (), (), (), self._operation))
        self._block.add(ir.Compute(opcode, args, (result,), site))
        return result


def _fits(opcode: str, operands: ir.Registers) -> bool:
    """Return whether an opcode takes operands of these types."""
    first, *others = [value.type for value in operands]
    if opcode in _OF_NUMBER:
        return isinstance(first, ir.Scalar) and first.kind == "i" and first.bits == 64
    if first != ir.TEXT:
        return False
    if opcode in ("list.text_item", "list.text_slice"):
        return all(isinstance(type, ir.Scalar) and type.kind == "i" for type in others)
    if opcode == "list.text_join":  # resolution.py looks at its entries, once they are known
        return isinstance(others[0], ListVariable)
    return all(type == ir.TEXT for type in others)
