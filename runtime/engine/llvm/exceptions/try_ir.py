"""Instructions of kernel IR for ``try``: the statement, and what its body saves for its handlers.

    %9: i64 = try %3, %4 splits (2, 0, 0)
    body(%5: i64, %6: i64):
      save %6
      %7: i64 = floordiv 100, %5 else floordiv
      yield %7
    else(%8: i64):
      yield %8
    handler 0(%10: i64):
      yield %10

An error in ``body`` goes to the handler that ``choose`` names, with the values that were saved
last; to the handlers further out if there is none, or nothing is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir


class Try(ir.Instruction):
    """Run ``body``, then ``otherwise`` on what it gives; after an error, one of ``handlers``.

    A handler takes the values that were saved last, those that were kept for it, what it needs of
    the exception, and arguments.  ``splits`` counts the arguments of the body, of ``otherwise`` and
    of each handler; those that are kept come last.
    """

    __slots__ = (
        "body", "choose", "handlers", "kept", "leave", "otherwise", "parts", "saved", "splits",
        "without_exception",
    )  # fmt: skip

    def __init__(self, saved: Sequence[ir.Type]) -> None:
        super().__init__((), ())
        self.saved = tuple(saved)
        """Types of the values that are saved."""
        self.kept: tuple[ir.Type, ...] = ()
        """Types of the arguments that are kept for handlers until nothing may raise any more: those
        that the body takes, too, and may change then.
        """
        self.body = self.otherwise = ir.Block(())
        self.handlers: tuple[ir.Block, ...] = ()
        self.parts: tuple[tuple[ir.Type, ...], ...] = ()
        """Types of what each handler takes of the exception."""
        self.splits: tuple[int, ...] = ()
        self.choose = ir.Site(None)
        """Site that takes an exception and gives the number of its handler, -1 if there is none,
        and the parts for all handlers.
        """
        self.leave = ir.Site(None)
        """Site that is called where a handler that ``choose`` named ends."""
        self.without_exception: Callable[[BaseException], tuple[int, list[Any]] | None]
        """Function that gives the handler for an exception like this, and the parts that it takes;
        None if the handler needs the exception itself.
        """

    def blocks(self) -> Sequence[ir.Block]:
        """Return the body, the ``else`` clause and the handlers."""
        return self.body, self.otherwise, *self.handlers

    def consumes(self, position: int) -> bool:
        """Return True: the blocks that run take over what they are given."""
        return True

    @property
    def forgets(self) -> bool:
        """Whether it matters how long values are held for handlers: they are no numbers."""
        return bool(self.kept) or not all(isinstance(type, ir.Scalar) for type in self.saved)

    def part_params(self, handler: int) -> tuple[ir.Register, ...]:
        """Return the parameters of a handler for what it takes of the exception."""
        first = len(self.saved) + len(self.kept)
        return self.handlers[handler].params[first : first + len(self.parts[handler])]

    def inputs_of(self, block: int) -> tuple[ir.Register, ...]:
        """Return the arguments of a block; the body's include what is kept."""
        start = sum(self.splits[:block])
        if block == 0:
            return (*self.args[: self.splits[0]], *self.kept_args)
        return self.args[start : start + self.splits[block]]

    @property
    def later_args(self) -> tuple[ir.Register, ...]:
        """The arguments of the ``else`` clause and of the handlers."""
        return self.args[self.splits[0] : sum(self.splits)]

    @property
    def kept_args(self) -> tuple[ir.Register, ...]:
        """The arguments that are kept."""
        return self.args[sum(self.splits) :]


class Save(ir.Instruction):
    """Keep values for the handlers of a ``try`` around it, in place of what was saved before."""

    __slots__ = ("attempt",)

    def __init__(self, attempt: Try, args: ir.Registers) -> None:
        super().__init__(args, ())
        self.attempt = attempt


class Forget(ir.Instruction):
    """Release what was saved for a ``try``: nothing raises any more before the next ``save``.

    ``forever`` says that nothing raises any more at all, so that what is kept is released, too.
    """

    __slots__ = ("attempt", "forever")

    def __init__(self, attempt: Try, forever: bool = False) -> None:
        super().__init__((), ())
        self.attempt = attempt
        self.forever = forever


def is_used(block: ir.Block, value: ir.Register) -> bool:
    """Return whether a block uses a value."""
    return value in block.results or any(
        value in instruction.args for instruction in block.instructions
    )
