"""Puts every exit at the end of its path, so that branches can become functions.

An exit (``return`` in a function, ``break`` and ``continue`` in a loop) leaves the *frame* that
its function or loop body will be.  What follows an ``if`` that exits on one side moves into the
other side:

    if c:                         if c:
        return 1                      return 1
    y = 2                   =>    else:
    return y                          y = 2
                                      return y

Where that does not do - both sides may fall through, or a ``with`` or ``try`` stands between -
a flag carries the exit past what it skips:

    with lock:                    with lock:
        if c:                         if c:
            return 1        =>            result = 1
        y = 2                         else:
    return y                              y = 2
                                  if ag__.defined(lambda: result):
                                      return ag__.value(lambda: result)
                                  else:
                                      return y
"""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.jump_queries import (
    JUMPS,
    LOOPS,
    TRIES,
    always_exits,
    blocks,
    escapes,
    escaping,
)
from autograph.converters.returns import leave
from autograph.syntax.templates import ag_call, assign, at, constant, load, thunk


def convert(context: Context) -> None:
    """Normalise the exits of a function and of all its loops."""
    function = context.function
    function.body = _Frame(context, (gast.Return,)).block(function.body, tail=True)


class _Frame:
    """Statements that will make up one function: the user's, or the body of a loop."""

    def __init__(self, context: Context, kinds: tuple[type, ...]) -> None:
        self.context = context
        self.kinds = frozenset(kinds)

    def exits(self, statement: gast.stmt) -> bool:
        """Whether a statement contains an exit of this frame."""
        return escapes(statement, self.kinds)

    def staged_exits(self, statement: gast.stmt) -> bool:
        """Whether an exit of this frame is inside an ``if`` that becomes a call."""
        if self.context.is_functional(statement):
            return self.exits(statement)
        return any(
            self.staged_exits(inner)
            for block in blocks(statement)
            if not (isinstance(statement, LOOPS) and block is statement.body)
            for inner in block
        )

    def block(self, statements: list[gast.stmt], tail: bool) -> list[gast.stmt]:
        """Normalise a block; ``tail``: the frame ends where the block ends."""
        done: list[gast.stmt] = []
        for position, statement in enumerate(statements):
            later = statements[position + 1 :]
            if isinstance(statement, LOOPS):
                self.loop(statement)
            elif isinstance(statement, gast.If) and self.context.is_functional(statement):
                if self.exits(statement):
                    return done + self.conditional(statement, later, tail)
                self.inside(statement, False)
            elif isinstance(statement, gast.Try) and self.context.is_functional(statement):
                if self.exits(statement):
                    return done + self.flagged(statement, later, tail)
                self.inside(statement, False)
            elif any(True for _ in blocks(statement)):
                inner_tail = tail and not later
                if self.staged_exits(statement) and not self.can_stay(statement, inner_tail):
                    return done + self.flagged(statement, later, tail)
                self.inside(statement, inner_tail)
            done.append(statement)
            if isinstance(statement, (*JUMPS, gast.Raise)):
                return done + self.dead(later)
        return done

    def dead(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """Keep statements that are never reached: they may still make a name local."""
        inside = (node for statement in statements for node in gast.walk(statement))
        self.context.plain |= {node for node in inside if isinstance(node, gast.stmt)}
        return statements

    def loop(self, statement: gast.stmt) -> None:
        """Normalise the body of a loop: a frame of its own, if it becomes a function."""
        if self.context.is_functional(statement):
            frame = _Frame(self.context, (gast.Break, gast.Continue))
            statement.body = frame.block(statement.body, tail=True)
        else:
            self.inside(statement, False)

    def inside(self, statement: gast.stmt, tail: bool) -> None:
        """Normalise the blocks of a statement that stays."""
        for block in blocks(statement):
            has_else = isinstance(statement, TRIES) and bool(statement.orelse)
            ends = tail and not (has_else and block is statement.body)
            block[:] = self.block(list(block), ends)

    def can_stay(self, statement: gast.stmt, tail: bool) -> bool:
        """Whether exits inside a ``with``, ``try`` ... can leave the frame from their position."""
        for block in blocks(statement):
            has_else = isinstance(statement, TRIES) and bool(statement.orelse)
            ends = tail and not (has_else and block is statement.body)
            if any(map(self.staged_exits, block)) and not (ends or always_exits(block)):
                return False
        return True

    def conditional(self, node: gast.If, later: list[gast.stmt], tail: bool) -> list[gast.stmt]:
        """Normalise an ``if`` with an exit inside, and what follows it."""
        body_exits, else_exits = always_exits(node.body), always_exits(node.orelse)
        dead: list[gast.stmt] = []
        if body_exits and else_exits:
            dead = self.dead(later)
        elif (body_exits or else_exits) and (tail or always_exits(later)):
            side = node.orelse if body_exits else node.body
            side.extend(later)
            self.context.changed()
        elif later or not tail:
            return self.flagged(node, later, tail)
        node.body = self.block(node.body, True)
        node.orelse = self.block(node.orelse, True)
        return [node, *dead]

    def flagged(
        self, statement: gast.stmt, later: list[gast.stmt], tail: bool
    ) -> list[gast.stmt]:
        """Carry the exits of ``statement`` past its end by flags, and exit there."""
        self.context.changed()
        jumps = escaping(statement)
        certainly = jumps <= self.kinds and always_exits([statement])
        flags = Flags(self.context, sorted(jumps & self.kinds, key=str), statement)
        block = flags.lower([statement]) + flags.exits(certainly)
        return flags.resets() + self.block(block + later, tail)


def _take_rest(statement: gast.stmt, later: list[gast.stmt]) -> bool:
    """Move the statements after an ``if`` that exits on one side into the other side."""
    if not isinstance(statement, gast.If):
        return False
    if always_exits(statement.body):
        statement.orelse += later
    elif always_exits(statement.orelse):
        statement.body += later
    else:
        return False
    return True


class Flags:
    """Flags that stand for the exits of one statement."""

    def __init__(self, context: Context, kinds: list[type], origin: gast.stmt) -> None:
        self.context = context
        self.origin = origin
        self.names = {
            kind: context.names.fresh("stop" if kind is gast.Break else "skip")
            for kind in kinds
            if kind is not gast.Return
        }
        self.returns = gast.Return in kinds

    def resets(self) -> list[gast.stmt]:
        """Return ``stop = False``, which comes before the statement."""
        false = constant(False)
        return [
            assign(name, at(false, self.origin), self.origin) for name in self.names.values()
        ]

    def exits(self, certainly: bool) -> list[gast.stmt]:
        """Return ``if stop: break``, which follows the statement; ``certainly``: an exit was taken.
        """
        origin = self.origin
        statements = [
            at(gast.If(at(load(name), origin), [at(kind(), origin)], []), origin)
            for kind, name in self.names.items()
        ]
        if self.returns:
            statements.append(leave(self.context, origin, in_loop=False, certainly=certainly))
        elif certainly:
            statements[-1:] = statements[-1].body
        return statements

    def going_on(self, origin: gast.stmt) -> gast.expr:
        """Return the test that no exit was taken."""
        tests = [at(load(name), origin) for name in self.names.values()]
        if self.returns:
            name = at(load(self.context.result_name()), origin)
            tests.append(ag_call("defined", origin, thunk(name)))
        negated = [at(gast.UnaryOp(gast.Not(), test), origin) for test in tests]
        return negated[0] if len(negated) == 1 else at(gast.BoolOp(gast.And(), negated), origin)

    def set(self, exit: gast.stmt) -> list[gast.stmt]:
        """Return the replacement of an exit."""
        if isinstance(exit, gast.Return):
            value = exit.value or at(constant(None), exit)
            return [assign(self.context.result_name(), value, exit)]
        return [assign(self.names[type(exit)], at(constant(True), exit), exit)]

    def concerns(self, statement: gast.stmt) -> bool:
        """Whether a statement contains an exit that this object carries."""
        if isinstance(statement, LOOPS) and not self.context.is_functional(statement):
            return False  # the exits of a loop that stays, stay
        returns = (gast.Return,) if self.returns else ()
        return escapes(statement, frozenset((*self.names, *returns)))

    def lower(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """Return a block with its exits replaced by flags, and the skipped statements under a test.
        """
        done: list[gast.stmt] = []
        for position, statement in enumerate(statements):
            if not self.concerns(statement):
                done.append(statement)
                continue
            later = statements[position + 1 :]
            if isinstance(statement, (gast.Return, gast.Break, gast.Continue)):
                return [*done, *self.set(statement)]
            moved = _take_rest(statement, later)
            self.lower_inside(statement)
            done.append(statement)
            if later and not moved:
                test = self.going_on(later[0])
                done.append(at(gast.If(test, self.lower(later), []), later[0]))
            return done
        return done

    def may_be_abandoned(self, statement: gast.AST) -> bool:
        """Whether an exit inside may end in an exception of a ``finally`` or ``__exit__``."""
        if isinstance(statement, (gast.With, *TRIES)):
            return self.concerns(statement)
        return any(self.may_be_abandoned(inner) for block in blocks(statement) for inner in block)

    def taken_back(self, origin: gast.stmt) -> list[gast.stmt]:
        """Return statements that reset the flags where an exit was not taken after all."""
        false = at(constant(False), origin)
        statements = [assign(name, false, origin) for name in self.names.values()]
        if self.returns:
            name = self.context.result_name()
            test = ag_call("defined", origin, thunk(at(load(name), origin)))
            target = gast.Name(name, gast.Del(), None, None)
            forget = at(gast.Delete([at(target, origin)]), origin)
            statements.append(at(gast.If(test, [forget], []), origin))
        return statements

    def lower_inside(self, statement: gast.stmt) -> None:
        guarded = isinstance(statement, TRIES) and any(map(self.concerns, statement.body))
        abandons = guarded and any(map(self.may_be_abandoned, statement.body))
        for block in blocks(statement):
            block[:] = self.lower(list(block))
        for handler in statement.handlers if abandons else ():
            handler.body[:0] = self.taken_back(handler.body[0])
        if guarded and statement.orelse:
            first = statement.orelse[0]
            statement.orelse = [
                at(gast.If(self.going_on(first), statement.orelse, []), first)
            ]
