"""Subscripts: reading an item by a staged index, and assigning items of immutable values.

    a[i]                 =>  ag__.getitem(a, i)
    t[i] = v             =>  t = ag__.setitem(v, t, i)
    t[i] += v            =>  t = ag__.update_item(t, i, '+=', lambda: v)
    o.t[i] = v           =>  ag__.set_item_in(v, o, '.t', i)
    a[i], a[j] = x, y    =>  item, item_1 = x, y; a = ag__.setitem(item, a, i); ...

What cannot be staged, because the index is a text or a number that the user wrote and the value is
only read, is left alone.  A list or dict is changed in place, as Python does, and assigned back to
its own name; of a tensor the name gets a changed copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from autograph.converters.context import Context
from autograph.converters.expression_rewriter import ExpressionContext, moves
from autograph.converters.jump_queries import blocks
from autograph.converters.unpacking import has_star
from autograph.syntax.names import FreshNames
from autograph.syntax.templates import ag_call, assign, at, constant, load, store, thunk

_SIGNS = {
    gast.Add: "+=", gast.Sub: "-=", gast.Mult: "*=", gast.Div: "/=", gast.FloorDiv: "//=",
    gast.Mod: "%=", gast.Pow: "**=", gast.MatMult: "@=", gast.BitAnd: "&=", gast.BitOr: "|=",
    gast.BitXor: "^=", gast.LShift: "<<=", gast.RShift: ">>=",
}  # fmt: skip


def convert(context: Context) -> None:
    """Convert the assignments to items in a function."""
    if context.kinds.isdisjoint((gast.Subscript, gast.Starred)):
        return
    scopes = context.analyses.scopes
    names = scopes.bound | scopes.globals | scopes.nonlocals
    assignments = Assignments(context.names, names)
    assignments.block(context.function.body)
    if assignments.found_any:
        context.changed()


class Assignments:
    """Walk over the statements of one function that binds ``names``."""

    def __init__(self, free: FreshNames, names: frozenset[str]) -> None:
        self.free = free
        self.names = names
        self.found_any = False

    def block(self, statements: list[gast.stmt]) -> None:
        """Convert the statements of a block, in place."""
        statements[:] = [new for old in statements for new in self.statement(old)]

    def statement(self, node: gast.stmt) -> Iterator[gast.stmt]:
        """Return the replacement of a statement."""
        if isinstance(node, gast.Assign) and _is_split(node):
            self.found_any = True
            yield from self.assignment(node)
        elif isinstance(node, gast.AugAssign) and _is_item(node.target):
            self.found_any = True
            yield self.augmented(node)
        else:
            for inner in [] if isinstance(node, gast.ClassDef) else blocks(node):
                self.block(inner)
            yield node

    def assignment(self, node: gast.Assign) -> Iterator[gast.stmt]:
        """Convert ``t[i] = v``, also in chains and among unpacked targets: from left to right."""
        if len(node.targets) == 1 and _is_item(node.targets[0]):
            yield self.store(node.targets[0], node.value, node)
            return
        value = node.value
        if len(node.targets) > 1 and not isinstance(value, gast.Constant):
            name = self.free.fresh("item")
            yield assign(name, value, node)
            value = at(load(name), node)
        for target in node.targets:
            later: list[tuple[gast.expr, str]] = []
            if _is_item(target):
                yield self.store(target, value, node)
                continue
            plain_target = self.kept(target, later) if has_item(target) else target
            yield at(gast.Assign([plain_target], value, None), node)
            for item, name in later:
                item_value = at(load(name), item)
                plain = at(gast.Assign([item], item_value, None), node)
                yield self.store(item, item_value, node) if _is_item(item) else plain

    def kept(self, target: gast.expr, later: list[tuple[gast.expr, str]]) -> gast.expr:
        """Return a target that stores, from its first item on, values to be assigned ``later``."""
        if isinstance(target, gast.Starred):
            target.value = self.kept(target.value, later)
        elif isinstance(target, (gast.Tuple, gast.List)):
            target.elts = [self.kept(element, later) for element in target.elts]
        elif later or _is_item(target):
            name = self.free.fresh("item")
            later.append((target, name))
            return at(store(name), target)
        return target

    def augmented(self, node: gast.AugAssign) -> gast.stmt:
        """Convert ``t[i] += v``."""
        if not moves(node.value):
            return node
        sign = at(constant(_SIGNS[type(node.op)]), node)
        value = node.value if isinstance(node.value, gast.Constant) else thunk(node.value)
        return self.change(node.target, node, lambda where: ("update_item", [*where, sign, value]))

    def store(self, target: gast.expr, value: gast.expr, node: gast.stmt) -> gast.stmt:
        """Return ``target = value`` for an item."""
        return self.change(target, node, lambda where: ("setitem", [value, *where]))

    def change(
        self,
        target: gast.expr,
        node: gast.stmt,
        call: Callable[[list[gast.expr]], tuple[str, list[gast.expr]]],
    ) -> gast.stmt:
        """Return the statement that changes an item; ``call`` returns operator and arguments."""
        holder, key = target.value, _loaded(_key(target.slice))
        _loaded(holder)
        if isinstance(holder, gast.Name) and holder.id in self.names:
            operator, args = call([holder, key])
            return assign(holder.id, ag_call(operator, node, *args), node)
        if isinstance(holder, gast.Name):
            context = at(constant(holder.id), node)
            operator, args = call([holder, context, key])
        elif isinstance(holder, gast.Attribute) and not holder.attr.startswith("__"):
            context = at(constant(f".{holder.attr}"), node)
            operator, args = call([_loaded(holder.value), context, key])
        elif isinstance(holder, gast.Subscript):
            text = not _is_item(holder)
            context = _loaded(_key(holder.slice))
            context = at(gast.Tuple([context], gast.Load()), node)
            operator, args = call([_loaded(holder.value), context, key])
            if isinstance(holder.value, gast.Name) and holder.value.id in self.names and not text:
                result = ag_call(f"{operator}_in", node, *args)
                return assign(holder.value.id, result, node)
        else:
            operator, args = call([holder, at(constant(None), node), key])
        return at(gast.Expr(ag_call(f"{operator}_in", node, *args)), node)


def _is_split(node: gast.Assign) -> bool:
    """Whether an assignment becomes several, of one target or item each."""
    several = len(node.targets) > 1
    return any(has_item(target) or (several and has_star(target)) for target in node.targets)


def _is_item(node: gast.AST) -> bool:
    """Whether a target is an item that may belong to a tensor."""
    if not isinstance(node, gast.Subscript):
        return False
    key = node.slice
    return not isinstance(key, gast.JoinedStr) and not (
        isinstance(key, gast.Constant) and isinstance(key.value, str)
    )


def has_item(node: gast.AST) -> bool:
    """Whether a target is such an item, or unpacks into one."""
    if isinstance(node, gast.Starred):
        return has_item(node.value)
    if isinstance(node, (gast.Tuple, gast.List)):
        return any(map(has_item, node.elts))
    return _is_item(node)


def _loaded(node: gast.expr) -> gast.expr:
    """Return an expression that was part of a target, to be read."""
    if hasattr(node, "ctx"):
        node.ctx = gast.Load()
    return node


def _key(node: gast.expr) -> gast.expr:
    """Return the subscript as an expression: slices become calls."""
    if isinstance(node, gast.Slice):
        bounds = [
            bound or at(constant(None), node) for bound in (node.lower, node.upper, node.step)
        ]
        return ag_call("slice", _placed(node, bounds), *bounds)
    if isinstance(node, gast.Tuple):
        node.elts = [_key(element) for element in node.elts]
    return node


def _placed(node: gast.AST, bounds: list[gast.expr]) -> gast.AST:
    return node if hasattr(node, "lineno") else bounds[0]


def _read(node: gast.Subscript, context: ExpressionContext) -> gast.AST:
    """Rewrite ``a[i]``, which may have a staged index."""
    if not isinstance(node.ctx, gast.Load) or not _may_be_staged(node.slice):
        return node
    return ag_call("getitem", node, node.value, _key(node.slice))


def _may_be_staged(key: gast.expr) -> bool:
    """Whether Python's sequences and arrays may not support the key."""
    if isinstance(key, gast.UnaryOp):
        return _may_be_staged(key.operand)
    if isinstance(key, gast.Slice):
        return any(bound and _may_be_staged(bound) for bound in (key.lower, key.upper, key.step))
    if isinstance(key, gast.Tuple):
        if any(isinstance(element, gast.Starred) for element in key.elts):
            return False
        return any(map(_may_be_staged, key.elts))
    return not isinstance(key, (gast.Constant, gast.JoinedStr, gast.Lambda))


RULES = {gast.Subscript: _read}
