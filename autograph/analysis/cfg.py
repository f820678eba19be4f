"""Control-flow graph of one function.

Built from the tree alone; ``liveness`` and ``reaching_definitions`` propagate sets of variables
along its edges.  The graph is built backwards: each statement is built for a given successor, so
every edge is known when its node is made.  Code that runs on several exit paths, such as a
``finally`` block, is copied for each path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import gast

from autograph.named_tuples import NamedTuple

EXIT = 0
"""The node at which the function is left."""

_HARMLESS = (gast.Pass, gast.Break, gast.Continue, gast.Global, gast.Nonlocal)


class ExitTargets(NamedTuple):
    """Targets of the exits of a piece of code: exceptions and jumps."""

    raised: int
    """The node that an exception goes to; ``EXIT`` if nothing here catches it."""
    jumps: Mapping[type, Callable[[], int]]
    """For ``Return``, ``Break`` and ``Continue``: builds the exit path, returns its first node."""


class ControlFlowGraph:
    """Nodes are numbers; node 0 is the exit.  Lists indexed by node hold what is known of it.

    ``function_node``: a gast FunctionDef, AsyncFunctionDef or Lambda.
    """

    needs: tuple[type, ...] = ()

    def __init__(self, function_node: gast.AST) -> None:
        self.parts: list[gast.AST | None] = []
        """What a node executes, a key of the parts recorded by ``scopes``; or nothing."""
        self.owners: list[gast.AST] = []
        """The statement, or the except handler, that a node belongs to."""
        self.successors: list[tuple[int, ...]] = []
        self.handlers: list[int] = []
        """Where an exception in a node goes, whether it comes before or after the node's
        effects; ``EXIT`` if it leaves the function."""
        self.entries: dict[gast.AST, list[int]] = {}
        """Of a statement: the node it begins with, once for each copy."""
        self.followers: dict[gast.AST, list[int]] = {}
        """Of a statement: the nodes that control may reach next, by its end or by a jump."""
        self.heads: dict[gast.AST, list[int]] = {}
        """Of a loop: the node at which each iteration starts."""
        self.early_ends: list[tuple[int, int]] = []
        """Of a ``while True`` that a ``break`` ends: the node at which each iteration starts, and
        the node after the loop."""
        self._copies: dict[gast.AST, list[tuple[int, list[int]]]] = {}
        self._jumps: list[tuple[type, int]] = []
        """Jumps out of the statement that is being built: kind and destination."""
        exits = ExitTargets(EXIT, {gast.Return: lambda: EXIT})
        self._node(None, function_node, (), exits)
        if isinstance(function_node, gast.Lambda):
            self.entry = self._node(function_node.body, function_node, (EXIT,), exits)
        else:
            self.entry = self._block(function_node.body, EXIT, exits)
        self._settle()

    def _settle(self) -> None:
        """Combine the copies of each statement; copies on paths that are never taken do not count.
        """
        reached: set[int] | None = None
        for statement, copies in self._copies.items():
            if len(copies) > 1:
                reached = self._reached() if reached is None else reached
                copies = [copy for copy in copies if copy[0] in reached] or copies
            self.entries[statement] = [entry for entry, _ in copies]
            self.followers[statement] = [node for _, leaving in copies for node in leaving]

    def entries_of(self, statement: gast.AST) -> list[int]:
        """Return the nodes at which a statement begins; raises LookupError for one not in the
        graph.
        """
        try:
            return self.entries[statement]
        except KeyError:
            raise LookupError(
                f"the control-flow graph has no {type(statement).__name__} statement "
                f"{statement!r} (line {getattr(statement, 'lineno', '?')}); it shows the "
                "function as it was when the analysis was made, without the bodies of inner "
                "functions: call Analyses.changed() after changing the tree"
            ) from None

    def _node(
        self,
        section: gast.AST | None,
        owner: gast.AST,
        successors: tuple[int, ...],
        exits: ExitTargets,
    ) -> int:
        self.parts.append(section)
        self.owners.append(owner)
        self.successors.append(successors)
        self.handlers.append(exits.raised)
        return len(self.parts) - 1

    def _block(self, statements: Sequence[gast.stmt], after: int, exits: ExitTargets) -> int:
        """Build statements that continue at ``after``; return the node they begin with."""
        for statement in reversed(statements):
            end, leaving = after, []
            if exits.raised != EXIT and not isinstance(statement, _HARMLESS):
                leaving.append(exits.raised)
            build = BUILDERS.get(statement.__class__)
            if build is not None:
                first_node, first_jump = len(self.parts), len(self._jumps)
                after = build(self, statement, end, exits)
                leaving += [target for _, target in self._jumps[first_jump:]]
                if self._leads_to(end, after, first_node):
                    leaving.append(end)
            else:
                leaving.append(end)
                if not isinstance(statement, _HARMLESS):
                    after = self._node(statement, statement, (end,), exits)
            self._copies.setdefault(statement, []).append((after, leaving))
        return after

    def _leads_to(self, end: int, start: int, first_node: int) -> bool:
        """Whether control may get from ``start`` to ``end`` by nodes numbered ``first_node`` and
        higher."""
        if start == end:
            return True
        successors, handlers = self.successors, self.handlers
        waiting, seen = [start], {start}
        while waiting:
            node = waiting.pop()
            if node < first_node:
                continue
            ahead = successors[node]
            if end in ahead or handlers[node] == end:
                return True
            for target in (*ahead, handlers[node]):
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return False

    def _reached(self) -> set[int]:
        """Return the nodes that control may visit."""
        waiting, seen = [self.entry], {self.entry}
        while waiting:
            node = waiting.pop()
            ahead = {*self.successors[node], self.handlers[node]} - seen
            seen |= ahead
            waiting += ahead
        return seen

    def _through(self, outer: ExitTargets, build: Callable[[int], int]) -> ExitTargets:
        """Return exit targets that lead through what ``build`` makes, with a copy for each."""

        def by(kind: type) -> Callable[[], int]:
            return cache(lambda: build(outer.jumps[kind]()))

        return ExitTargets(build(outer.raised), {kind: by(kind) for kind in outer.jumps})

    def _jumped_through(self, first_jump: int, outer: ExitTargets) -> None:
        """Return exits that skip a part: jumps from ``first_jump`` on end at the targets of
        ``outer``.
        """
        self._jumps[first_jump:] = [
            (kind, outer.jumps[kind]()) for kind, _ in self._jumps[first_jump:]
        ]

    def _condition(
        self, test: gast.expr, owner: gast.AST, yes: int, no: int, exits: ExitTargets
    ) -> int:
        """Build a test operand by operand; a literal needs no node."""
        if isinstance(test, gast.Constant):
            return yes if test.value else no
        if isinstance(test, gast.BoolOp):
            is_and = isinstance(test.op, gast.And)
            target = yes if is_and else no
            for operand in reversed(test.values):
                ends = (target, no) if is_and else (yes, target)
                target = self._condition(operand, owner, *ends, exits)
            return target
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self._condition(test.operand, owner, no, yes, exits)
        return self._node(test, owner, (yes, no), exits)

    def _if(self, node: gast.If, after: int, exits: ExitTargets) -> int:
        yes = self._block(node.body, after, exits)
        no = self._block(node.orelse, after, exits)
        return self._condition(node.test, node, yes, no, exits)

    def _loop(self, node: gast.AST, after: int, exits: ExitTargets) -> tuple[int, ExitTargets, int]:
        """Return the head of a loop, the exits of its body, and where control continues after it.
        """
        head = self._node(None, node, (), exits)
        self.heads.setdefault(node, []).append(head)
        jumps = {**exits.jumps, gast.Break: lambda: after, gast.Continue: lambda: head}
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant):
            jumps[gast.Break] = self._end_early(head, after)
        return head, ExitTargets(exits.raised, jumps), self._block(node.orelse, after, exits)

    def _end_early(self, head: int, after: int) -> Callable[[], int]:
        def end() -> int:
            self.early_ends.append((head, after))
            return after

        return end

    def _body(self, node: gast.AST, head: int, exits: ExitTargets) -> int:
        first_jump = len(self._jumps)
        body = self._block(node.body, head, exits)
        self._jumps[first_jump:] = [
            jump for jump in self._jumps[first_jump:] if jump[0] is gast.Return
        ]
        return body

    def _while(self, node: gast.While, after: int, exits: ExitTargets) -> int:
        head, inner, done = self._loop(node, after, exits)
        body = self._body(node, head, inner)
        self.successors[head] = (self._condition(node.test, node, body, done, exits),)
        return head

    def _for(self, node: gast.AST, after: int, exits: ExitTargets) -> int:
        head, inner, done = self._loop(node, after, exits)
        body = self._body(node, head, inner)
        target = self._node(node.target, node, (body,), exits)
        self.successors[head] = (target, done)
        return self._node(node.iter, node, (head,), exits)

    def _with(self, node: gast.AST, after: int, exits: ExitTargets) -> int:
        """Each item's ``__exit__`` may swallow what comes out of the items and body after it."""
        around = []
        for _ in node.items:
            around.append(exits)
            exits = ExitTargets(self._node(None, node, (after, exits.raised), exits), exits.jumps)
        target = self._block(node.body, after, exits)
        for item, outer in zip(reversed(node.items), reversed(around), strict=True):
            if item.optional_vars is not None:
                plain = isinstance(item.optional_vars, gast.Name)  # binding it cannot fail
                bound_in = outer if plain else exits
                target = self._node(item.optional_vars, node, (target,), bound_in)
            target = self._node(item.context_expr, node, (target,), outer)
            exits = outer
        return target

    def _try(self, node: gast.AST, after: int, exits: ExitTargets) -> int:
        outer, first_jump = exits, len(self._jumps)
        if node.finalbody:

            def final(target: int) -> int:
                return self._block(node.finalbody, target, exits)

            outer, after = self._through(exits, final), final(after)
        catch = outer.raised
        if isinstance(node, gast.TryStar):
            catch = self._node(None, node, (after, outer.raised), outer)
        for handler in reversed(node.handlers):
            if isinstance(node, gast.TryStar):  # the later handlers handle the rest
                catch = self._handler(handler, catch, catch, ExitTargets(catch, outer.jumps))
            else:
                catch = self._handler(handler, after, catch, outer)
        done = self._block(node.orelse, after, outer)
        entry = self._block(node.body, done, ExitTargets(catch, outer.jumps))
        self._jumped_through(first_jump, exits)
        return entry

    def _handler(
        self, handler: gast.ExceptHandler, after: int, otherwise: int, exits: ExitTargets
    ) -> int:
        """Build a handler: exceptions that it does not catch go to ``otherwise``."""
        inner = exits
        if handler.name is not None:  # deleted again on every exit

            def drop(target: int) -> int:
                return self._node(handler, handler, (target,), exits)

            inner, after = self._through(exits, drop), drop(after)
        first_jump = len(self._jumps)
        target = self._block(handler.body, after, inner)
        self._jumped_through(first_jump, exits)
        if handler.name is not None:
            target = self._node(handler.name, handler, (target,), inner)
        if handler.type is not None:
            target = self._node(handler.type, handler, (target, otherwise), exits)
        return target

    def _match(self, node: gast.AST, after: int, exits: ExitTargets) -> int:
        target = after
        for case in reversed(node.cases):
            chosen = self._block(case.body, after, exits)
            if case.guard is not None:
                chosen = self._condition(case.guard, node, chosen, target, exits)
            chosen = self._node(case, node, (chosen,), exits)
            ends = (chosen,) if fits_all(case.pattern) else (chosen, target)
            target = self._node(case.pattern, node, ends, exits)
        return self._node(node.subject, node, (target,), exits)

    def _jump(self, node: gast.stmt, after: int, exits: ExitTargets) -> int:
        kind = node.__class__
        target = exits.jumps[kind]()
        self._jumps.append((kind, target))
        return target

    def _return(self, node: gast.Return, after: int, exits: ExitTargets) -> int:
        return self._node(node, node, (self._jump(node, after, exits),), exits)

    def _raise(self, node: gast.Raise, after: int, exits: ExitTargets) -> int:
        return self._node(node, node, (exits.raised,), exits)


def fits_all(pattern: gast.AST) -> bool:
    """Whether a pattern of a ``case`` matches any value."""
    if isinstance(pattern, gast.MatchAs):
        return pattern.pattern is None or fits_all(pattern.pattern)
    return isinstance(pattern, gast.MatchOr) and any(map(fits_all, pattern.patterns))


BUILDERS: dict[type, Callable[[ControlFlowGraph, gast.AST, int, ExitTargets], int]] = {
    gast.If: ControlFlowGraph._if,
    gast.While: ControlFlowGraph._while,
    gast.For: ControlFlowGraph._for,
    gast.AsyncFor: ControlFlowGraph._for,
    gast.With: ControlFlowGraph._with,
    gast.AsyncWith: ControlFlowGraph._with,
    gast.Try: ControlFlowGraph._try,
    gast.TryStar: ControlFlowGraph._try,
    gast.Match: ControlFlowGraph._match,
    gast.Break: ControlFlowGraph._jump,
    gast.Continue: ControlFlowGraph._jump,
    gast.Return: ControlFlowGraph._return,
    gast.Raise: ControlFlowGraph._raise,
}
