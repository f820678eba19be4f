"""The order of conversion, on one page.

Statements first, function by function from the outermost in: each step leaves ordinary Python
behind, until ``statements`` turns what is left into local functions.  Expressions last, all in one
walk: by then no analysis reads the tree any more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType

import gast

from autograph.converters import (
    asserts,
    calls,
    comparisons,
    exits,
    handlers,
    logical,
    loop_else,
    plain,
    raises,
    results,
    returns,
    statements,
    strings,
    variables,
)
from autograph.converters.context import Context
from autograph.converters.rewriting import Place, Rewriter, Rule
from autograph.features import Feature
from autograph.syntax.names import AG, Names

STATEMENTS: tuple[ModuleType, ...] = (
    plain,      # first: its verdict is about the user's own statements
    returns,    # a return in a loop becomes a break, so
    loop_else,  # an else sees every break, and
    exits,      # only then does each path end in one exit
    statements, # conditionals and loops become functions and calls
)

EXPRESSIONS: tuple[tuple[Mapping[type, Rule], Feature | None], ...] = (
    (variables.RULES, None),
    (comparisons.EQUALITY_RULES, Feature.EQUALITY_OPERATORS),  # before chains become calls
    (comparisons.RULES, None),
    (logical.RULES, None),
    (asserts.RULES, Feature.ASSERT_STATEMENTS),
    (raises.RULES, None),
    (handlers.RULES, None),
    (results.RULES, None),
    (strings.RULES, None),
    (calls.RULES, None),
)

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass(frozen=True)
class Converted:
    """A converted tree, and the names of the local functions that were added to it."""

    node: gast.AST
    generated: frozenset[str]


def convert(
    node: gast.AST, features: frozenset[Feature], is_builtin: Callable[[str], bool]
) -> Converted:
    """Convert a function, a lambda or a whole module, in place.

    ``is_builtin`` says whether a name that the function does not bind means Python's builtin.
    """
    names = Names(node)
    names.reserve(AG)
    contexts: list[Context] = []
    effectful: set[int] = set()
    waiting = [node] if isinstance(node, _FUNCTIONS) else list(_inner_functions(node))
    while waiting:
        function = waiting.pop()
        context = Context(function, names, is_builtin)
        if results.has_effects(function):
            effectful.add(id(function))
        for converter in STATEMENTS:
            converter.convert(context)
            context.analyses.changed()
        contexts.append(context)
        waiting += _inner_functions(function, context.generated)
    generated = frozenset().union(*(context.generated for context in contexts))
    undefined = frozenset().union(*(context.undefined for context in contexts))
    place = Place(is_builtin, undefined)
    return Converted(_expressions(node, features, generated, effectful, place), generated)


def _inner_functions(node: gast.AST, generated: Collection[str] = ()) -> Iterator[gast.AST]:
    """The user's functions defined inside a node, not those inside them."""
    stack: list[gast.AST] = list(gast.iter_child_nodes(node))
    while stack:
        child = stack.pop()
        if isinstance(child, _FUNCTIONS) and child.name not in generated:
            yield child
        else:
            stack.extend(gast.iter_child_nodes(child))


def _expressions(
    node: gast.AST,
    features: frozenset[Feature],
    generated: frozenset[str],
    effectful: Collection[int],
    place: Place,
) -> gast.AST:
    tables = tuple(table for table, needed in EXPRESSIONS if needed is None or needed in features)

    def enter(function: gast.AST, around: Place) -> Place:
        if getattr(function, "name", None) in generated:
            return replace(around, in_class=False, effects=False)
        return _inside(function, around, effectful)

    return Rewriter(tables, enter).rewrite(node, place)


def _inside(function: gast.AST, around: Place, effectful: Collection[int]) -> Place:
    """The place inside a user's function."""
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args]
    return replace(
        around,
        in_class=False,
        effects=id(function) in effectful,
        first_parameter=parameters[0].id if parameters else None,
        local=around.local | _bound_in(function),
    )


def _bound_in(function: gast.AST) -> frozenset[str]:
    """Names that a function binds, roughly: every name stored anywhere inside, and parameters."""
    found: set[str] = set()
    stack = [function]
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
        elif isinstance(node, (*_FUNCTIONS, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, gast.alias):
            found.add((node.asname or node.name).split(".")[0])
        stack.extend(gast.iter_child_nodes(node))
    return frozenset(found)
