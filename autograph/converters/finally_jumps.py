"""``finally`` with a jump: moves its block behind the statement and into a handler.

    try:                          left = False
        return f(x)               try:
    finally:                          kept = f(x)
        if x > 0:                     left = True
            return 0      =>      except:
                                      if x > 0:
                                          return 0
                                      raise
                                  if x > 0:
                                      return 0
                                  if left:
                                      return ag__.value(lambda: kept)

A jump out of the block drops what else was about to happen.  Where it stands at the end of a path
of its own, as here, it can be staged like any other.
"""

from __future__ import annotations

import copy

import gast

from autograph.converters.context import Context
from autograph.converters.jump_queries import (
    LOOPS,
    TRIES,
    always_exits,
    blocks,
    escaping,
    escaping_block,
)
from autograph.converters.keep_as_python import is_tied
from autograph.converters.single_exit import Flags
from autograph.syntax.templates import ag_call, assign, at, constant, load, thunk


def convert(context: Context) -> None:
    """Rewrite every such statement of a function, innermost first."""
    if context.kinds.isdisjoint(TRIES):
        return
    overriding = _overriding(context.function.body)
    if not overriding:
        return
    scopes = context.analyses.scopes
    tied = {id(statement) for statement in overriding if is_tied(scopes, statement)}
    _block(context, context.function.body, tied)
    context.changed()


def _overriding(block: list[gast.stmt]) -> list[gast.stmt]:
    """Return the statements with a jump out of their ``finally``."""
    jumps = []
    for statement in block:
        if isinstance(statement, TRIES) and escaping_block(statement.finalbody):
            jumps.append(statement)
        for inner in blocks(statement):
            jumps += _overriding(inner)
    return jumps


def _block(context: Context, block: list[gast.stmt], tied: set[int]) -> None:
    done: list[gast.stmt] = []
    for statement in block:
        for inner in blocks(statement):
            _block(context, inner, tied)
        final = isinstance(statement, TRIES) and escaping_block(statement.finalbody)
        if final and id(statement) not in tied:
            done += _behind(context, statement)
        else:
            done.append(statement)
    block[:] = done


def _behind(context: Context, statement: gast.Try) -> list[gast.stmt]:
    """Return equivalent statements with the ``finally`` block after the ``try``."""
    final = statement.finalbody
    inner = statement.body
    if statement.handlers or statement.orelse:
        kind, handlers = type(statement), statement.handlers
        inner = [at(kind(statement.body, handlers, statement.orelse, []), statement)]
    jumps_out = _Left(context, inner, statement)
    certainly = always_exits(inner)
    raised = copy.deepcopy(final)
    if not always_exits(final):
        raised.append(at(gast.Raise(None, None), final[-1]))
    handler = at(gast.ExceptHandler(None, None, raised), final[0])
    done = jumps_out.resets()
    done += [at(gast.Try(jumps_out.lower(inner), [handler], [], []), statement), *final]
    return done if always_exits(final) else done + jumps_out.exits(certainly)


class _Left(Flags):
    """Flags for the jumps out of a body; for ``return``, the value as well."""

    def __init__(self, context: Context, body: list[gast.stmt], origin: gast.stmt) -> None:
        kinds = sorted(escaping_block(body), key=str)
        super().__init__(context, [kind for kind in kinds if kind is not gast.Return], origin)
        self.in_loop = False
        if gast.Return in kinds:
            self.names[gast.Return] = context.names.fresh("left")
            self.kept = context.names.fresh("kept")

    def exits(self, certainly: bool) -> list[gast.stmt]:
        statements = super().exits(certainly)
        for statement in statements:
            for leaving in (statement, *getattr(statement, "body", ())):
                if isinstance(leaving, gast.Return):
                    name = at(load(self.kept), self.origin)
                    leaving.value = ag_call("value", self.origin, thunk(name))
        return statements

    def set(self, exit: gast.stmt) -> list[gast.stmt]:
        flag = assign(self.names[type(exit)], at(constant(True), exit), exit)
        if not isinstance(exit, gast.Return):
            return [flag]
        value = exit.value or at(constant(None), exit)
        out = [at(gast.Break(), exit)] if self.in_loop else []
        return [assign(self.kept, value, exit), flag, *out]

    def concerns(self, statement: gast.stmt) -> bool:
        jumps = escaping(statement)
        return any(kind in jumps for kind in self.names if self._leads_out(kind))

    def _leads_out(self, kind: type) -> bool:
        return not self.in_loop or kind is gast.Return

    def lower(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        if not self.in_loop:
            return super().lower(statements)
        done: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, gast.Return):
                return [*done, *self.set(statement)]
            leaves = self.concerns(statement)
            if leaves:
                self.lower_inside(statement)
            done.append(statement)
            if leaves and isinstance(statement, LOOPS):
                test = at(load(self.names[gast.Return]), statement)
                done.append(at(gast.If(test, [at(gast.Break(), statement)], []), statement))
        return done

    def lower_inside(self, statement: gast.stmt) -> None:
        if not isinstance(statement, LOOPS):
            super().lower_inside(statement)
            return
        around, self.in_loop = self.in_loop, True
        statement.body = self.lower(statement.body)
        self.in_loop = around
        statement.orelse = self.lower(statement.orelse)
