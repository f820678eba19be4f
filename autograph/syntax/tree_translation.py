"""Translation of Python's own trees to gast's and back, as gast does it, in a third of the time.

Every conversion translates its tree.  gast looks up a method by name for each node, and calls four
functions per level; here a rule per class of node calls the next rule.  The rules for the nodes
that differ between the two kinds of trees are gast's own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3

Rule = Callable[[Any], Any]


class _Translation(dict[type, Rule]):
    """By class of a value in a tree: the rule that translates it, made on first use."""

    def __init__(self, translator: Any, counterparts: ModuleType) -> None:
        super().__init__()
        translator._visit = self.translated
        self._translator = translator
        self._counterparts = counterparts
        self[list] = self._items

    def translated(self, value: Any) -> Any:
        """Return a node, a list of nodes, or another value for the other kind of tree."""
        return self[value.__class__](value)

    def __missing__(self, kind: type) -> Rule:
        rule: Rule = _same
        if issubclass(kind, ast.AST):
            special: Any = getattr(self._translator, f"visit_{kind.__name__}", None)
            # ast's own visit_Constant is for visitors of trees of Python 3.7
            is_general = special is None or kind.__name__ == "Constant"
            rule = self._general(kind) if is_general else special
        self[kind] = rule
        return rule

    def _items(self, values: list[Any]) -> list[Any]:
        return [self[value.__class__](value) for value in values]

    def _general(self, kind: Any) -> Rule:
        """Return the rule for a node that has the same fields in both kinds of trees."""
        counterpart: Any = getattr(self._counterparts, kind.__name__, None)
        if counterpart is None:
            return _nothing
        fields, attributes = kind._fields, kind._attributes
        if not fields and not attributes:
            shared = counterpart()  # an operator or a context, as Python's parser shares them
            return lambda node: shared
        new = counterpart.__new__

        def rule(node: Any) -> Any:
            translated = new(counterpart)
            old_fields, new_fields = node.__dict__, translated.__dict__
            for field in fields:
                if field in old_fields:
                    value = old_fields[field]
                    kind = value.__class__
                    new_fields[field] = value if kind in _PLAIN else self[kind](value)
                elif hasattr(node, field):
                    new_fields[field] = getattr(node, field)
            for name in attributes:
                if name in old_fields:
                    new_fields[name] = old_fields[name]
                elif hasattr(node, name):
                    new_fields[name] = getattr(node, name)
            return translated

        return rule


_PLAIN = frozenset((str, int, type(None)))


def _same(value: Any) -> Any:
    return value


def _nothing(node: Any) -> None:
    """A node that the other kind of tree does not have is dropped."""


def _name_to_gast(node: ast.Name) -> gast.Name:
    """Translate a name, the most frequent node, without a detour."""
    translated = _NEW_GAST_NAME(gast.Name)
    fields, new_fields = node.__dict__, translated.__dict__
    new_fields["id"], new_fields["ctx"] = node.id, _TO_GAST[node.ctx.__class__](node.ctx)
    new_fields["annotation"] = new_fields["type_comment"] = None
    for field in _PLACE:
        if field in fields:
            new_fields[field] = fields[field]
    return translated


def _name_to_ast(node: gast.Name) -> ast.Name:
    translated = _NEW_NAME(ast.Name)
    fields, new_fields = node.__dict__, translated.__dict__
    new_fields["id"], new_fields["ctx"] = node.id, _TO_AST[node.ctx.__class__](node.ctx)
    for field in _PLACE:
        if field in fields:
            new_fields[field] = fields[field]
    return translated


_NEW_NAME, _NEW_GAST_NAME = ast.Name.__new__, gast.Name.__new__
_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_TO_GAST = _Translation(Ast3ToGAst(), gast)
_TO_AST = _Translation(GAstToAst3(), ast)
_TO_GAST[ast.Name] = _name_to_gast
_TO_AST[gast.Name] = _name_to_ast


def to_gast(tree: Any) -> Any:
    """Return Python's own tree as a tree of gast."""
    return _TO_GAST.translated(tree)


def to_ast(tree: Any) -> Any:
    """Return a tree of gast as Python's own tree."""
    return _TO_AST.translated(tree)
