"""Comprehensions and generator expressions: element and tests become functions of an item.

    [f(x) for x in t]               =>  ag__.list_comp(t, lambda x: f(x))
    [f(x) for x in t if p(x)]       =>  ag__.list_comp(t, lambda x: f(x), lambda x: p(x))
    {k: v for k, v in t}            =>  ag__.dict_comp(t, lambda k, v: (k, v), None, 'k, v')
    (x for row in m for x in row)   =>  ag__.generator(m, lambda row: ag__.nested(row, lambda x: x))

What a function of each item would change stays as it is: ``:=``, ``await`` and functions, made
there, that see the loop variables change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import gast

from autograph.converters.expression_rewriter import ExpressionContext, Rule, moves
from autograph.syntax.templates import ag_call, at, constant, is_operator, parameter, thunk

CONSUMERS = frozenset((
    "all", "any", "dict", "frozenset", "list", "max", "min", "reduce", "set", "sorted", "sum",
    "tuple", "join",
))
"""What goes through its argument before it returns."""


def _comprehension(name: str) -> Rule:
    def rule(node: gast.AST, context: ExpressionContext) -> gast.AST:
        elements = _elements(node)
        if context.in_class or not _is_movable(node, elements):
            return node
        element = elements[0]
        if len(elements) > 1:
            element = at(gast.Tuple(list(elements), gast.Load()), elements[0])
        return _converted(name, node, node.generators, element)

    return rule


def _elements(node: gast.AST) -> Sequence[gast.expr]:
    return (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)


def _converted(
    name: str, node: gast.AST, generators: Sequence[gast.comprehension], element: gast.expr
) -> gast.expr:
    outer, *inner = generators
    if inner:
        element = _converted("nested", element, inner, element)
    names = list(dict.fromkeys(_names(outer.target)))
    args: list[gast.expr] = [outer.iter, _function(names, element)]
    single = isinstance(outer.target, gast.Name)
    if outer.ifs:
        args.append(_function(names, _all(outer.ifs)))
    elif not single:
        args.append(at(constant(None), node))
    if not single:
        args.append(at(constant(_text(outer.target)), outer.target))
    return ag_call(name, node, *args)


def _all(tests: Sequence[gast.expr]) -> gast.expr:
    first, *later_tests = tests
    return ag_call("all_true", first, first, *map(thunk, later_tests)) if later_tests else first


def _function(names: Iterable[str], value: gast.expr) -> gast.Lambda:
    arguments = gast.arguments([parameter(n) for n in names], [], None, [], [], None, [])
    function = at(gast.Lambda(arguments, value), value)
    assert isinstance(function, gast.Lambda)
    function.added = True
    return function


def _names(target: gast.AST) -> Iterator[str]:
    """Return the variables of a target, in the order of the source."""
    if isinstance(target, gast.Name):
        yield target.id
    for child in gast.iter_child_nodes(target):
        yield from _names(child)


def _text(target: gast.AST) -> str:
    from autograph.syntax.emit import emit  # most programs never write code

    text = emit(target).strip()
    return text[1:-1] if isinstance(target, gast.Tuple) and text.startswith("(") else text


def _is_movable(node: gast.AST, elements: Sequence[gast.expr]) -> bool:
    """Whether all but the first iterable may move into functions."""
    first, *later_generators = node.generators
    expressions = [*elements, *first.ifs]
    for generator in later_generators:
        expressions += [generator.iter, *generator.ifs]
    if any(generator.is_async for generator in node.generators) or not moves(*expressions):
        return False
    if not all(_is_plain(generator.target) for generator in node.generators):
        return False
    if _reads_early(node.generators):
        return False
    return not any(_keeps(expression) for expression in expressions)


def _reads_early(generators: Sequence[gast.comprehension]) -> bool:
    """Whether an iterable or test reads a variable that a later ``for`` binds."""
    bound: set[str] = set()
    for number, generator in enumerate(generators):
        iterated = [generator.iter] if number else []
        names = set(_names(generator.target))
        later = {
            name
            for later_generator in generators[number:]
            for name in _names(later_generator.target)
        } - bound
        if any(name in later for expression in iterated for name in _read(expression)):
            return True
        bound |= names
        if any(name in later - names for expression in generator.ifs for name in _read(expression)):
            return True
    return False


def _read(node: gast.AST) -> Iterator[str]:
    return (inner.id for inner in gast.walk(node) if isinstance(inner, gast.Name))


def _is_plain(target: gast.AST) -> bool:
    if isinstance(target, gast.Starred):
        return _is_plain(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        return all(map(_is_plain, target.elts))
    return isinstance(target, gast.Name)


def _keeps(node: gast.AST) -> bool:
    """Whether an expression makes a function or generator that may outlive its item."""
    if isinstance(node, gast.Lambda) and not getattr(node, "added", False):
        return True
    if isinstance(node, gast.GeneratorExp) or _is_generator(node):
        return True
    if isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords:
        (argument,) = node.args
        if _consumes(node.func) and _is_generator(argument):
            return any(map(_keeps, gast.iter_child_nodes(argument)))
    return any(map(_keeps, gast.iter_child_nodes(node)))


def _is_generator(node: gast.AST) -> bool:
    return (
        isinstance(node, gast.Call) and is_operator(node.func) and node.func.attr == "generator"
    )


def _consumes(function: gast.AST) -> bool:
    """Whether it is ``ag__.call(sum)`` or the like."""
    if not isinstance(function, gast.Call) or not function.args:
        return False
    (called, *_) = function.args
    name = getattr(called, "id", None) or getattr(called, "attr", None)
    return name in CONSUMERS


RULES = {
    gast.ListComp: _comprehension("list_comp"),
    gast.SetComp: _comprehension("set_comp"),
    gast.DictComp: _comprehension("dict_comp"),
    gast.GeneratorExp: _comprehension("generator"),
}
