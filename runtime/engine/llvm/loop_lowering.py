"""Lowering of loops, and of scans, which become loops that write rows.

Base of the lowering (lowering.py), which owns registers and blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.graph.scan_loop import scan_as_loop


class LoopLowering:
    """Base of the lowering: loops."""

    new: Callable[[Any], ir.Register]
    _specs: Callable[[Sequence[Any]], list[Any]]
    _block: Callable[..., ir.Block]
    _truth: Callable[[ir.Block, ir.Register], ir.Register]
    _all_as: Callable[..., Sequence[ir.Register]]
    _inline: Callable[..., list[ir.Register]]

    def loop(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register]
    ) -> list[ir.Register] | None:
        """Lower a loop; None if its test gives no number."""
        attrs = step.operation.attrs
        test_graph, body_graph = attrs["test_graph"], attrs["body_graph"]
        count, split = len(step.operation.outputs), attrs["splits"][0]
        state = self._specs(body_graph.inputs[:count])
        test_takes = [*state, *self._specs(test_graph.inputs[count:])]
        body_takes = [*state, *self._specs(body_graph.inputs[count:])]
        test = self._block(test_graph, test_takes, None, borrowed=len(test_takes))
        if not isinstance(test.results[0].type, ir.Scalar):
            return None
        test.results = (self._truth(test, test.results[0]),)
        body = self._block(body_graph, body_takes, state, borrowed=len(body_takes) - count)
        wanted = [*state, *test_takes[count:], *body_takes[count:]]
        given = self._all_as(block, args, wanted)
        results = [self.new(type) for type in state]
        block.instructions.append(ir.WhileLoop(given, results, test, body, split))
        return results

    def scan(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register]
    ) -> list[ir.Register] | None:
        """Lower a loop that stacks results; None if their shapes are not known before."""
        graph = scan_as_loop(step.operation)
        return None if graph is None else self._inline(block, step, args, graph)
