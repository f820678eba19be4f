"""The pipeline of conversion: the list of all converters in the order in which they run.

Statement converters run first, function by function, outermost first.  Each of them leaves ordinary
Python, until ``statements`` turns the remaining statements into local functions.  Expression
converters run last, in a single walk, because no analysis reads the tree after them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from types import ModuleType

import gast

from autograph.analysis.number_names import number_names
from autograph.converters import (
    asserts,
    calls,
    comparisons,
    comprehensions,
    finally_jumps,
    guard_handlers,
    keep_as_python,
    lists,
    logical,
    loop_else,
    matches,
    raises,
    return_values,
    returns,
    single_exit,
    slices,
    statements,
    strings,
    unpacking,
    variables,
    with_statements,
)
from autograph.converters.context import Context
from autograph.converters.expression_rewriter import ExpressionContext, Rewriter, Rule
from autograph.converters.jump_queries import blocks
from autograph.features import Feature
from autograph.syntax.code_markers import AG
from autograph.syntax.data_classes import dataclass
from autograph.syntax.names import FreshNames

STATEMENTS: tuple[ModuleType, ...] = (
    matches,         # first of all: leaves conditionals
    finally_jumps,   # leaves nothing that a jump out of a finally overrides
    keep_as_python,  # before others: its verdict is about the user's own statements
    slices,          # assigning an item assigns the variable: flow and scopes must know
    returns,         # a return in a loop becomes a break, so
    loop_else,       # an else sees every break, and
    single_exit,     # only then does each path end in one exit
    statements,      # conditionals and loops become functions and calls
)

EXPRESSIONS: tuple[tuple[Mapping[type, Rule], Feature | None], ...] = (
    (variables.RULES, None),
    (comparisons.EQUALITY_RULES, Feature.EQUALITY_OPERATORS),  # before chains become calls
    (comparisons.RULES, None),
    (logical.RULES, None),
    (asserts.RULES, Feature.ASSERT_STATEMENTS),
    (raises.RULES, None),
    (guard_handlers.RULES, None),
    (with_statements.RULES, None),
    (return_values.RULES, None),
    (strings.RULES, None),
    (slices.RULES, None),
    (unpacking.RULES, None),
    (lists.RULES, None),
    (calls.RULES, None),
    (comprehensions.RULES, None),
)

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass(frozen=True)
class Converted:
    """A converted tree, and the names of the local functions that were added to it."""

    node: gast.AST
    generated: frozenset[str]


def convert(
    node: gast.AST, features: frozenset[Feature], is_builtin: Callable[[str], bool],
    taken_names: Collection[str] = (),
) -> Converted:  # fmt: skip
    """Convert a function, a lambda or a generator expression, in place.

    ``is_builtin`` says whether a name that the function does not bind means Python's builtin;
    no local function gets one of the names ``taken_names``.
    """
    numbers = number_names(node)
    names = FreshNames(node)
    for name in (AG, *taken_names):
        names.reserve(name)
    contexts: dict[int, Context] = {}
    waiting = [(node, frozenset[str]())] if isinstance(node, _FUNCTIONS) else []
    while waiting:
        function, around = waiting.pop()
        context = Context(function, names, is_builtin)
        context.open_around = around - context.bound if around else around
        contexts[id(function)] = context
        for converter in STATEMENTS:
            converter.convert(context)
        around = context.open_around | context.left_open_inside
        if not context.kinds.isdisjoint(_FUNCTIONS):
            inside = _inner_functions(function, context.generated)
            waiting += [(inner, around) for inner in inside]
    generated = frozenset().union(*(context.generated for context in contexts.values()))
    undefined = frozenset().union(*(context.undefined for context in contexts.values()))
    outermost = ExpressionContext(is_builtin, undefined, numbers=numbers)
    return Converted(_expressions(node, features, contexts, generated, outermost), generated)


def _inner_functions(function: gast.AST, generated: Collection[str]) -> Iterator[gast.AST]:
    """The user's functions defined in the statements of a function, not those inside them."""
    waiting: list[gast.AST] = list(function.body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, _FUNCTIONS) and statement.name not in generated:
            yield statement
        elif isinstance(statement, (*_FUNCTIONS, gast.ClassDef)):
            waiting.extend(statement.body)
        else:
            for block in blocks(statement):
                waiting.extend(block)


def _expressions(
    node: gast.AST,
    features: frozenset[Feature],
    contexts: Mapping[int, Context],
    generated: frozenset[str],
    outermost: ExpressionContext,
) -> gast.AST:
    tables = [table for table, needed in EXPRESSIONS if needed is None or needed in features]
    if not outermost.undefined and not any(c.left_open_inside for c in contexts.values()):
        tables.remove(variables.RULES)  # every variable that is read is defined

    def enter(function: gast.AST, around: ExpressionContext) -> ExpressionContext:
        if getattr(function, "name", None) in generated:
            if not around.in_class and not around.effects:
                return around
            return replace(around, in_class=False, effects=False)
        return _inside(function, around, contexts.get(id(function)))

    return Rewriter(tuple(tables), enter).rewrite(node, outermost)


def _inside(
    function: gast.AST, around: ExpressionContext, context: Context | None
) -> ExpressionContext:
    """The context of expressions in a user's function, or in a lambda (``context`` is None)."""
    arguments = function.args
    positional = [p.id for p in (*arguments.posonlyargs, *arguments.args)]
    parameters = [*arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    bound = context.bound if context else {*positional, *(p.id for p in parameters if p)}
    return replace(
        around,
        in_class=False,
        effects=context is not None and context.has_effects,
        first_parameter=positional[0] if positional else None,
        local=around.local | bound,
        left_open=(around.left_open | around.left_open_here) - bound,
        left_open_here=context.left_open_inside if context else frozenset(),
    )
