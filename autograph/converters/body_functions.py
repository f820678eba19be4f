"""Turns the bodies of ``if``, ``while`` and ``for`` into local functions.

The walk over a function's statements lives here; what becomes of each construct stands in
``conditionals`` and ``loops``, handed in by ``statements``.  A body declares what it assigns
``nonlocal``, so every variable stays where the user put it: in the function.  Bodies inside a
loop are made once, in front of the outermost loop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import gast

from autograph.analysis.scopes import FunctionScope, bound_names
from autograph.converters.context import Context
from autograph.converters.jump_queries import LOOPS, blocks
from autograph.converters.variables import checked_first
from autograph.syntax.templates import (
    ag_call,
    at,
    constant,
    define,
    load,
    new,
    operator,
    store,
    strings,
)

Rule = Callable[["Bodies", Any, bool], list[gast.stmt]]
"""What converts a statement: the walk, the statement, whether it is part of a loop's body."""


class Bodies:
    """Walk over one function; ``rules`` convert each kind of statement."""

    def __init__(self, context: Context, rules: Mapping[type, Rule]) -> None:
        self.context = context
        self.rules = rules
        self.scopes = context.analyses.scopes
        self.liveness = context.analyses.liveness
        self.hoisted: list[gast.stmt] | None = None
        self.made = False
        self.depth = 0

    def block(self, statements: list[gast.stmt], in_loop: bool) -> list[gast.stmt]:
        """Convert the statements of a block; ``in_loop``: it is part of a loop's body."""
        done: list[gast.stmt] = []
        for statement in statements:
            if statement.__class__ in _SIMPLE:
                done.append(statement)
            elif self.context.is_functional(statement):
                self.made = True
                done += self.rules[type(statement)](self, statement, in_loop)
            elif in_loop and isinstance(statement, (gast.Break, gast.Continue)):
                done.append(_jump(statement))
            elif isinstance(statement, LOOPS):
                done += self.plain_loop(statement, in_loop)
            elif self.depth and isinstance(statement, gast.AnnAssign):
                done += _without_annotation(statement)
            elif isinstance(statement, gast.AugAssign):
                done += checked_first(self.context, statement, self.depth > 0)
            elif not (self.depth and isinstance(statement, (gast.Global, gast.Nonlocal))):
                for block in blocks(statement):
                    block[:] = self.block(block, in_loop)
                done.append(statement)
        return done

    def plain_loop(self, loop: gast.stmt, in_loop: bool) -> list[gast.stmt]:
        """Keep a loop as Python: its own jumps stay, and bodies inside are made in front of it."""

        def convert_blocks() -> list[gast.stmt]:
            loop.body = self.block(loop.body, in_loop=False)
            loop.orelse = self.block(loop.orelse, in_loop)
            return [loop]

        return self.hoisting(loop, convert_blocks)

    def hoisting(
        self, loop: gast.stmt, convert_loop: Callable[[], list[gast.stmt]]
    ) -> list[gast.stmt]:
        """Run ``convert_loop`` with the bodies it makes put in front of the outermost loop."""
        if self.hoisted is not None:
            return convert_loop()
        self.hoisted = []
        converted = convert_loop()
        hoisted, self.hoisted = self.hoisted, None
        for definition in hoisted:
            at(definition, loop)  # a body made early must not count as a line that was run
        return hoisted + converted

    def handler_body(
        self, name: str, handler: gast.ExceptHandler
    ) -> tuple[list[gast.stmt], gast.expr]:
        """Return the local function of a handler, whose parameter is the exception's name.

        Bodies in it see that parameter: they are made in it, also in a loop.
        """
        if handler.name is None:
            return self.body(name, [], handler.body, False, handler)
        return self.body(name, [handler.name.id], handler.body, False, handler, encloses=True)

    def body(
        self, name: str, parameters: list[str], block: list[gast.stmt], in_loop: bool,
        origin: gast.AST, encloses: bool = False,
    ) -> tuple[list[gast.stmt], gast.expr]:
        """Return a local function for a block: the statements that define it, and its name.

        ``encloses``: bodies in the block are made in the function, not in front of a loop.
        """
        hoisted = self.hoisted
        if encloses:
            self.hoisted = None
        changes, mask = self.scopes.changes_mask, 0
        for statement in block:
            if not self.declares(statement):
                mask |= changes(statement)
            elif not isinstance(statement, gast.While):
                mask |= changes(header(statement))  # evaluated here, not in its bodies
        assigned = self.scopes.symbols.names(mask) | self.shadowed(block)
        self.depth += 1
        converted = self.block(block, in_loop)
        self.depth -= 1
        self.hoisted = hoisted
        return self.define(name, parameters, converted, assigned - set(parameters), origin)

    def define(
        self, name: str, parameters: list[str], block: list[gast.stmt],
        assigned: Collection[str], origin: gast.AST,
    ) -> tuple[list[gast.stmt], gast.expr]:
        """Define a local function that assigns ``assigned`` in the user's function."""
        self.context.generated.add(name)
        declarations: list[gast.stmt] = []
        declared = self.scopes.globals
        nonlocals = sorted([name for name in assigned if name not in declared])
        if nonlocals:
            declarations.append(at(new(gast.Nonlocal, names=nonlocals), header(origin)))
        if len(nonlocals) < len(assigned):
            globals_ = sorted([name for name in assigned if name in declared])
            declarations.append(at(new(gast.Global, names=globals_), header(origin)))
        definition = define(name, parameters, declarations + block, origin)
        reference = at(load(name), origin)
        if self.hoisted is not None:
            self.hoisted.append(definition)
            return [], reference
        return [definition], reference

    def shadowed(self, block: list[gast.stmt]) -> frozenset[str]:
        """Return the function's variables whose names are also those of comprehensions' own.

        Python 3.12 and 3.13 confuse the two in a body that has such a comprehension and another
        body inside that uses the variable, unless the former declares it.
        """
        scopes = self.scopes
        names = scopes.comprehended & (scopes.bound | scopes.nonlocals)
        if not names:
            return names
        return names & frozenset().union(*map(self.touched, block))

    def touched(self, node: gast.AST) -> frozenset[str]:
        """Return the symbols that a node reads, assigns or deletes."""
        activity = self.scopes.activity(node)
        return activity.reads | activity.writes | activity.deletes

    def declares(self, statement: gast.stmt) -> bool:
        """Whether the bodies of a statement become inner functions with declarations of their own.
        """
        return self.hoisted is None and self.context.is_functional(statement)

    def writes(self, node: gast.AST) -> frozenset[str]:
        """Return the variables that a statement or expression may assign or delete."""
        return self.scopes.symbols.names(self.scopes.changes_mask(node))

    def state(self, node: gast.stmt) -> gast.expr:
        """Return the variables that a statement changes and that are read later, as a tuple of
        names.
        """
        scopes, liveness = self.scopes, self.liveness
        live = liveness.mask_out(node)
        if isinstance(node, LOOPS):
            live |= liveness.mask_at_head(node)
        if isinstance(node, gast.While):
            live |= scopes.changes_mask(node.test)  # the body may read what the test assigns
        names = scopes.symbols.names(scopes.changes_mask(node) & live)
        return at(strings(sorted(names)), node)

    def statement(
        self, operator_name: str, node: gast.stmt, *args: gast.expr
    ) -> gast.Call:
        """Return the call of the operator, at the position of the test or iterable of ``node``."""
        return ag_call(operator_name, header(node), *args)

    def declare(self, names: frozenset[str]) -> None:
        """Bind in the function the names that now only its bodies assign."""
        function = self.context.function
        missing = sorted(names - bound_names(function))
        moved = _declarations(self.scopes)
        if missing:
            targets = [store(name) for name in missing]
            binding = gast.Assign(targets, constant(None), None)
            moved.append(gast.If(constant(False), [binding], []))
        position = 1 if _has_docstring(function) else 0
        present = [s for s in function.body if isinstance(s, (gast.Global, gast.Nonlocal))]
        if present:
            function.body = [s for s in function.body if s not in present]
        function.body[position:position] = [at(s, function.body[position]) for s in moved]


_SIMPLE = frozenset((gast.Assign, gast.Expr, gast.Return, gast.Raise, gast.Pass))
"""Statements without blocks that stay as they are."""


def header(statement: gast.AST) -> gast.AST:
    """Return the part of a compound statement that gives its line: the test or the iterable."""
    return getattr(statement, "test", None) or getattr(statement, "iter", statement)


def _declarations(scopes: FunctionScope) -> list[gast.stmt]:
    declarations: list[gast.stmt] = []
    if scopes.globals:
        declarations.append(gast.Global(sorted(scopes.globals)))
    if scopes.nonlocals:
        declarations.append(gast.Nonlocal(sorted(scopes.nonlocals)))
    return declarations


def _has_docstring(function: gast.AST) -> bool:
    first = function.body[0]
    return (
        len(function.body) > 1
        and isinstance(first, gast.Expr)
        and isinstance(first.value, gast.Constant)
        and isinstance(first.value.value, str)
    )


def _jump(statement: gast.stmt) -> gast.stmt:
    value = at(operator("BREAK"), statement) if isinstance(statement, gast.Break) else None
    return at(gast.Return(value), statement)


def _without_annotation(statement: gast.AnnAssign) -> list[gast.stmt]:
    """Return ``y: int = 0`` as ``y = 0``: a nonlocal name cannot be annotated."""
    if not isinstance(statement.target, gast.Name):
        return [statement]
    if statement.value is None:
        return []
    return [at(gast.Assign([statement.target], statement.value, None), statement)]
