"""The unstaged version of a converted function: the user's own code with converted calls.

Staged values exist only while a backend is tracing.  A function that is called outside of any trace
runs as its author wrote it, except for its calls: a callee may begin a trace, so the callee's
conversion is called.

    def collatz(n):
        if ag__.TRACES and ag__.may_stage():            # the prologue
            with link.run():                            # see staging/run_id.py
                return ag__.result(link.bind(lambda: (...), (n,))(n))   # staged, with our cells
        steps = 0
        while n != 1:
            n = ag__.call(next_of)(n)                   # unstaged_calls.py
            steps += 1
        return steps

``ag__`` and ``link`` are constants of the code, so the function has no variables but the user's.
This module works on Python's own tree (``ast``), which keeps all positions of the source.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from autograph import pipeline
from autograph.conversion.unstaged_calls import CallRewriter, InlineCaches, call_of, operator
from autograph.conversion.unstaged_items import assigned, bound_in, guarded, read
from autograph.converters.comprehensions import CONSUMERS
from autograph.features import Feature
from autograph.named_tuples import NamedTuple
from autograph.staging.registry import openers
from autograph.syntax.code_markers import AG
from autograph.syntax.load import LINK, OPERATORS, Facts, UnstagedTree
from autograph.syntax.names import FreshNames
from autograph.syntax.node_fields import NodeFields, child_nodes
from autograph.syntax.tree_translation import to_ast, to_gast

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)
_MIDWAY = (ast.With, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor)
_FIELDS = NodeFields(without=("annotation", "returns", "decorator_list", "type_params"))
_SUSPENDING = (*_MIDWAY, ast.AsyncFunctionDef)
_REWRITTEN = (ast.Call, ast.Subscript, ast.GeneratorExp)
_LEAVES = frozenset((ast.Name, ast.Constant, type(None)))
_ENTERING = frozenset(("__enter__", "enter_context"))


class Globals(NamedTuple):
    """Global names in a function that are builtins, and those that are modules."""

    builtins: frozenset[str]
    modules: frozenset[str]


def make_unstaged(
    tree: ast.AST, facts: Facts, features: frozenset[Feature], meaning: Globals
) -> UnstagedTree | None:
    """Turn the tree of a function or lambda into its unstaged version, in place.

    Returns None when a trace may begin in the middle of its frame: it has a staged version only.
    """
    contents = _Contents(tree)
    if contents.may_suspend and _may_stage_midway(tree):
        return None
    if not contents.needs_rewriting():
        _add_prologue(tree, facts)
        return UnstagedTree(tree, frozenset(), frozenset(), {})
    contents.bound.update(facts.freevars)
    walk = _Walk(features, meaning, contents, _functions_in(tree))
    walk.function(tree)
    _add_prologue(tree, facts)
    return UnstagedTree(
        tree, frozenset(walk.staged), frozenset(walk.generated), walk.caches.made
    )


class _Contents:
    """What one walk over a whole function finds: the walks that look closer may not be needed."""

    def __init__(self, tree: ast.AST) -> None:
        self.bound: Counter[str] = Counter()
        """How often each name is bound, in whatever scope."""
        self.kinds: set[type] = set()
        self.may_suspend = False
        """Whether it, or a function inside, may turn out to meet staged values midway."""
        self.assigns_items = False
        bound, kinds, entering = self.bound, self.kinds, _ENTERING | openers()
        waiting: list[Any] = [tree]
        while waiting:
            node = waiting.pop()
            kind = node.__class__
            kinds.add(kind)
            if kind is ast.Name:
                if node.ctx.__class__ is not ast.Load:
                    bound[node.id] += 1
                self.may_suspend |= node.id in entering
                continue
            if kind in _BINDING:
                bound.update(_bound(node))
            elif kind is ast.Attribute:
                self.may_suspend |= node.attr in entering
            elif kind is ast.Subscript:
                self.assigns_items |= node.ctx.__class__ is ast.Store
            elif kind is ast.comprehension:
                self.may_suspend |= bool(node.is_async)
            waiting += child_nodes(node)
        self.may_suspend |= not kinds.isdisjoint(_SUSPENDING)

    def needs_rewriting(self) -> bool:
        """Whether there is anything that the unstaged version writes in another way."""
        return self.may_suspend or not self.kinds.isdisjoint(_REWRITTEN)


def _functions_in(function: ast.AST) -> Iterator[str]:
    """Return the names of the functions that a function's own statements define, without
    decorators.
    """
    for node in _own(function, in_classes=False):
        if isinstance(node, _DEFINITIONS) and not node.decorator_list:
            yield node.name


def _may_stage_midway(function: ast.AST) -> bool:
    """Whether a function may meet staged values though nothing was tracing when it was called.

    This happens after it has entered a graph, or when it is resumed later.
    """
    if isinstance(function, ast.AsyncFunctionDef):
        return True
    entering = _ENTERING | openers()
    for node in _own(function):
        if isinstance(node, _MIDWAY):
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        if isinstance(node, ast.Attribute) and node.attr in entering:
            return True
        if isinstance(node, ast.Name) and node.id in entering:
            return True
        if isinstance(node, ast.Lambda) and _may_stage_midway(node):
            return True
    return False


def _own(function: ast.AST, in_classes: bool = True) -> Iterator[ast.AST]:
    """Yield the nodes that run in a function's frame; of inner definitions, the headers."""
    body: Any = function.body  # type: ignore[attr-defined]
    waiting: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _SCOPES):
            waiting.append(node.args)
        elif in_classes or not isinstance(node, ast.ClassDef):
            waiting += child_nodes(node)


def _bound(node: ast.AST) -> Iterator[str]:
    """Return the names that a node binds, in whatever scope."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.MatchMapping):
        yield node.rest or ""
    elif isinstance(node, (*_DEFINITIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
                           ast.MatchStar)):
        yield node.name or ""


_BINDING = frozenset((
    ast.Name, ast.arg, ast.alias, ast.Global, ast.Nonlocal, ast.MatchMapping, *_DEFINITIONS,
    ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
))  # fmt: skip


class _Walk:
    """Rewriter that lets the calls of a function look up their callees."""

    def __init__(
        self, features: frozenset[Feature], meaning: Globals, contents: _Contents,
        functions: Iterable[str],
    ) -> None:
        self.features = features
        self.contents = contents
        self.taken = bound = contents.bound
        self.builtins = meaning.builtins - bound.keys()
        # a name bound by one definition only is a function of the unstaged version
        direct = self.builtins.union(name for name in functions if bound[name] == 1)
        modules = meaning.modules - bound.keys()
        self.caches = InlineCaches()
        self.calls = CallRewriter(self.caches, direct.__contains__, modules.__contains__)
        self.names = FreshNames(gast.Pass())
        for name in bound:
            self.names.reserve(name)
        self.scope: frozenset[str] | None = None
        """The variables of the function around; None directly in a class."""
        self.staged: set[tuple[str, int]] = set()
        self.generated: set[str] = set()
        self.consumed: set[int] = set()

    def children(self, node: ast.AST, field: str) -> None:
        """Rewrite the nodes in a field of a node."""
        value = getattr(node, field, None)
        if value.__class__ is list:
            if value and isinstance(value[0], ast.stmt):
                value[:] = [new for old in value for new in self.statement(old)]
                return
            for position, child in enumerate(value):
                if child.__class__ not in _LEAVES and isinstance(child, ast.AST):
                    value[position] = self.rewritten(child)
        elif value.__class__ not in _LEAVES and isinstance(value, ast.AST):
            setattr(node, field, self.rewritten(value))

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the replacement of a statement."""
        if self.scope is None or not self.contents.assigns_items:
            return [self.rewritten(node)]
        instead = assigned(node, self.scope, self.names)
        if instead is None:
            return [self.rewritten(node)]
        instead = [self.rewritten(_constants.visit(statement)) for statement in instead]
        return guarded(self.rewritten(node), instead)

    def function(self, node: ast.AST) -> None:
        """Rewrite the nodes in a function or class."""
        around = self.scope
        self.children(node, "args")
        own_nodes = _own(node) if self.contents.assigns_items else iter(())
        self.scope = bound_in(node, own_nodes) if isinstance(node, _SCOPES) else None
        for field in ("bases", "keywords", "body"):
            self.children(node, field)
        self.scope = around

    def rewritten(self, node: Any) -> Any:
        """Return a node with its calls and its uses of items rewritten."""
        kind = type(node)
        if kind in _DEFINITIONS and self.contents.may_suspend and _may_stage_midway(node):
            return self.definition(node)
        if kind is ast.GeneratorExp and id(node) not in self.consumed:
            return self.generator(node)
        if kind is ast.Call:
            self.note_consumed(node)
        if kind in _SCOPES or kind is ast.ClassDef:
            self.function(node)
            return node
        for field in _FIELDS[kind]:
            self.children(node, field)
        if kind is ast.Subscript:
            return read(node, self.caches)
        return self.calls.rewritten(node) if kind is ast.Call else node

    def definition(self, node: Any) -> Any:
        """Convert a local function that may meet staged values midway to its functional form."""
        decorators = node.decorator_list
        self.staged.add((node.name, decorators[0].lineno if decorators else node.lineno))
        return self.functional_form(node)

    def note_consumed(self, node: ast.Call) -> None:
        """Record a generator expression that a builtin consumes before it returns."""
        function = node.func
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            return
        if isinstance(function, ast.Name):
            is_consumer = function.id in CONSUMERS and function.id in self.builtins
        else:
            is_method = isinstance(function, ast.Attribute) and function.attr == "join"
            is_consumer = is_method and isinstance(getattr(function, "value", None), ast.Constant)
        if is_consumer and not any(isinstance(n, ast.Lambda) for n in ast.walk(node.args[0])):
            self.consumed.add(id(node.args[0]))

    def generator(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        """Rewrite a generator expression: its parts may run later, while a backend traces."""
        first = node.generators[0]
        first.iter = self.rewritten(first.iter)
        node.elt = self.functional_form(node.elt)
        for generator in node.generators:
            if generator is not first:
                generator.iter = self.functional_form(generator.iter)
            generator.ifs = list(map(self.functional_form, generator.ifs))
        return node

    def functional_form(self, node: Any) -> Any:
        """Return the node's form in the staged version, for use in this version."""
        converted = pipeline.convert(
            to_gast(node), self.features, self.builtins.__contains__, self.taken
        )
        self.generated |= converted.generated
        return _constants.visit(to_ast(converted.node))


class _Constants(ast.NodeTransformer):
    """Transformer that replaces the name of the operators by their placeholder constant."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace the name of the operators."""
        return ast.copy_location(ast.Constant(OPERATORS), node) if node.id == AG else node


_constants = _Constants()


def _add_prologue(tree: Any, facts: Facts) -> None:
    """Add the prologue, which calls the staged version where values may be staged."""
    if isinstance(tree, ast.Lambda):
        choice = ast.IfExp(may_stage_test(tree.body), _handed_over(tree, facts), tree.body)
        tree.body = ast.copy_location(choice, tree.body)
        return
    has_text = ast.get_docstring(tree, clean=False) is not None
    following = tree.body[has_text] if len(tree.body) > has_text else tree
    start = _head(tree)
    handing = ast.copy_location(ast.Return(_handed_over(tree, facts)), start)
    run = ast.Call(ast.Attribute(ast.Constant(LINK), "run", ast.Load()), [], [])
    block = ast.With([ast.withitem(run)], [handing])
    for node in (run.func.value, run.func, run, block):  # type: ignore[attr-defined]
        ast.copy_location(node, start)
    prologue = ast.copy_location(ast.If(may_stage_test(following), [block], []), following)
    tree.body.insert(has_text, prologue)
    if facts.first_line != tree.lineno:  # the code begins with the decorators, which are gone
        tree.decorator_list = [
            ast.Constant(None, lineno=facts.first_line, col_offset=0,
                         end_lineno=facts.first_line, end_col_offset=0)
        ]  # fmt: skip


def may_stage_test(start: Any) -> ast.expr:
    """Return ``ag__.TRACES and ag__.may_stage()``, on the line of what follows."""
    test = ast.BoolOp(ast.And(), [operator("TRACES", start), call_of("may_stage", start, [])])
    return ast.copy_location(test, start)


def _head(tree: Any) -> ast.AST:
    """Return a position on the line of the ``def``."""
    return ast.Pass(lineno=tree.lineno, col_offset=tree.col_offset,
                    end_lineno=tree.lineno, end_col_offset=tree.col_offset + 3)  # fmt: skip


def _handed_over(tree: Any, facts: Facts) -> ast.Call:
    """Return the call of the staged version with the arguments and cells of this call."""
    start = _head(tree)

    def load(name: str) -> ast.Name:
        return ast.copy_location(ast.Name(name, ast.Load()), start)

    arguments = tree.args
    positional: list[Any] = [load(p.arg) for p in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        starred = ast.Starred(load(arguments.vararg.arg), ast.Load())
        positional.append(ast.copy_location(starred, start))
    keywords = [ast.keyword(_mangled(p.arg, facts.class_name), load(p.arg))
                for p in arguments.kwonlyargs]  # fmt: skip
    if arguments.kwarg:
        keywords.append(ast.keyword(None, load(arguments.kwarg.arg)))
    cells = ast.Tuple([load(name) for name in facts.freevars], ast.Load())
    named = [p.arg for p in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    starred_names = [p.arg for p in (arguments.vararg, arguments.kwarg) if p is not None]
    met = ast.Tuple([load(name) for name in named + starred_names], ast.Load())
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    bind = ast.Attribute(ast.Constant(LINK), "bind", ast.Load())
    bound = ast.Call(bind, [ast.Lambda(none, cells), met], [])
    call = ast.Call(bound, positional, keywords)
    handed = call_of("result", start, [call])
    for node in (bind.value, bind, cells, *bound.args, bound, call, *keywords):
        ast.copy_location(node, start)
    return handed


def _mangled(name: str, class_name: str | None) -> str:
    """Return a keyword as Python names the parameter: in a class, private names are mangled."""
    owner = (class_name or "").lstrip("_")
    if not owner or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{owner}{name}"
