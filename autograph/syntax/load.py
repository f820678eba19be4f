"""Compiles a converted tree into the function that replaces the original: the last step.

The code has the user's file name and line numbers.  Nothing is executed: the code object is taken
out of the compiled module, given the user's names, and bound to the original function's globals,
defaults and closure cells.
"""

from __future__ import annotations

import ast
import dis
import types
import warnings
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import gast

from autograph.named_tuples import NamedTuple
from autograph.syntax.code_markers import AG, BODY_MARK, MARK, Cells, Origin, VersionLink, cells_of
from autograph.syntax.node_fields import fill_locations
from autograph.syntax.recursion_limit import deep
from autograph.syntax.tree_translation import to_ast

if TYPE_CHECKING:
    from autograph.syntax.source import SourceFunction


class Facts(NamedTuple):
    """Facts about the user's code object that compiling needs; they must not keep it alive."""

    name: str
    qualname: str
    filename: str
    first_line: int
    freevars: tuple[str, ...]
    flags: int
    class_name: str | None

    @classmethod
    def of(cls, code: types.CodeType, source: SourceFunction) -> Facts:
        """Return the facts of a function's code, whose source says which file it comes from."""
        return cls(
            code.co_name, code.co_qualname, source.filename, code.co_firstlineno,
            code.co_freevars, code.co_flags, source.class_name,
        )  # fmt: skip


def bind(
    code: types.CodeType, original: types.FunctionType, operators: object
) -> types.FunctionType:
    """Return the converted counterpart of ``original``: same globals, defaults, cells, metadata."""
    function = function_of(code, original.__globals__, cells_of(original), operators)
    function.__name__ = original.__name__
    function.__defaults__ = original.__defaults__
    function.__kwdefaults__ = original.__kwdefaults__
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__doc__ = original.__doc__
    function.__annotations__ = original.__annotations__
    if original.__dict__:
        function.__dict__.update(original.__dict__)
    if hasattr(original, "__type_params__"):
        function.__type_params__ = original.__type_params__
    return function


def function_of(
    code: types.CodeType, namespace: dict[str, Any], cells: Cells, operators: object
) -> types.FunctionType:
    """Return a function of converted code, without defaults."""
    names = code.co_freevars
    if AG in names:
        cells = {**cells, AG: types.CellType(operators)}
    return types.FunctionType(code, namespace, None, None, tuple([cells[name] for name in names]))


def load(node: gast.AST, facts: Facts, generated: Collection[str]) -> types.CodeType:
    """Compile the tree of the staged version of a function or lambda."""
    tree = deep(lambda: to_ast(node))
    code = _compiled(tree, facts, (AG, *facts.freevars))
    return deep(lambda: _renamed(code, facts.qualname, frozenset(generated)))


def load_unstaged(unstaged: UnstagedTree, original: types.CodeType, facts: Facts, operators: object,
               link: VersionLink) -> types.CodeType | None:  # fmt: skip
    """Compile an unstaged version.

    Returns None when its inner functions do not correspond to those of the original.
    """
    code = _compiled(unstaged.tree, facts, facts.freevars)
    constants = {OPERATORS: operators, LINK: link, TYPE: type, **unstaged.caches}
    finished = deep(lambda: _finished(code, original, constants, unstaged, link))
    if finished is not None:
        link.end = _end_of_prologue(finished, link)
    return finished


def _compiled(tree: Any, facts: Facts, parameters: tuple[str, ...]) -> types.CodeType:
    """Return the code of a function or lambda whose free variables are ``parameters``."""
    body: list[ast.stmt] = [tree if isinstance(tree, ast.stmt) else ast.Expr(tree)]
    if facts.class_name is not None:
        body = [ast.ClassDef(name=facts.class_name, bases=[], keywords=[], body=body,
                             decorator_list=[], type_params=[])]
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in parameters],
                              kwonlyargs=[], kw_defaults=[], defaults=[])
    # the names being defined must stay what they are for the body: globals, or cells
    defined = {facts.class_name, facts.name} - {None, "<lambda>", *facts.freevars}
    if defined:
        body.insert(0, ast.Global(names=sorted(filter(None, defined))))
    factory = ast.FunctionDef(name="factory", args=arguments, body=body, decorator_list=[],
                              type_params=[])
    module = ast.Module(body=[factory], type_ignores=[])
    ast.copy_location(factory, tree)
    fill_locations(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the user saw these warnings when the module was imported
        compiled = compile(
            module, facts.filename, "exec", facts.flags & _FUTURES, dont_inherit=True
        )
    return _find(compiled, facts.name)


_FUTURES = 0
for _name in ("annotations",):
    import __future__

    _FUTURES |= getattr(__future__, _name).compiler_flag


def _find(compiled: types.CodeType, name: str) -> types.CodeType:
    """Return the code object of the converted function, which is the outermost of its name."""
    waiting = [c for c in compiled.co_consts if isinstance(c, types.CodeType)]
    waiting = [c for f in waiting for c in f.co_consts if isinstance(c, types.CodeType)]
    while waiting:
        code = waiting.pop(0)
        if code.co_name == name and code.co_flags & _OPTIMIZED:
            return code
        waiting += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    raise AssertionError(f"the compiled tree holds no function {name}")


_OPTIMIZED = 0x1  # CO_OPTIMIZED: function code, not a class body


_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def _names_locals(code: types.CodeType) -> bool:
    """Whether the qualified names of a code object's inner functions contain ``<locals>``."""
    return bool(code.co_flags & _OPTIMIZED) and code.co_name not in _COMPREHENSIONS


def _renamed(
    code: types.CodeType, qualname: str, generated: Collection[str], mark: object = MARK
) -> types.CodeType:
    """Give code objects the qualified names that the user's source gives them.

    Local functions that conversion added bear the name of the function they belong to, so
    tracebacks and profilers show that.
    """
    constants: list[object] = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name in generated:
                named = constant.replace(co_name=code.co_name)
                inner = _renamed(named, qualname, generated, BODY_MARK)
            else:
                around = f"{qualname}.<locals>" if _names_locals(code) else qualname
                inner = _renamed(constant, f"{around}.{constant.co_name}", generated)
            constants.append(inner)
        elif constant == code.co_qualname and not code.co_flags & _OPTIMIZED:
            constants.append(qualname)  # what a class body stores as its __qualname__
        else:
            constants.append(constant)
    return code.replace(co_consts=(*constants, mark), co_qualname=qualname)


# -- unstaged versions ------------------------------------------------------------------------

OPERATORS = "\0operators"
"""Placeholder for the operators in the tree of an unstaged version, replaced when compiled."""

LINK = "\0link"
"""Placeholder for the ``VersionLink`` to the staged version."""


TYPE = "\0type"
"""Placeholder for the builtin ``type``."""


class UnstagedTree(NamedTuple):
    """Tree of an unstaged version, and the parts of it that are staged nevertheless."""

    tree: ast.AST
    staged: frozenset[tuple[str, int]]
    """Names and first lines of the user's inner functions that have only a staged version."""
    generated: frozenset[str]
    """Names of the local functions that conversion added to those."""
    caches: Mapping[str, object]
    """The inline caches by their placeholders."""


def _end_of_prologue(code: types.CodeType, link: VersionLink) -> int:
    """Return the offset behind the call of the staged version."""
    instructions, constants = code.co_code, code.co_consts
    met, extended = False, 0
    for offset in range(0, len(instructions), 2):
        operation = instructions[offset]
        argument = extended | instructions[offset + 1]
        extended = argument << 8 if operation == dis.EXTENDED_ARG else 0
        met = met or (operation == _LOAD_CONST and constants[argument] is link)
        if met and operation in _ENDS:
            return offset
    raise AssertionError(f"{code.co_name} has no prologue")


_LOAD_CONST = dis.opmap["LOAD_CONST"]
_ENDS = (dis.opmap["RETURN_VALUE"], dis.opmap["JUMP_FORWARD"])


def _finished(
    code: types.CodeType, original: types.CodeType, constants: Mapping[str, object],
    unstaged: UnstagedTree, marker: object,
) -> types.CodeType | None:  # fmt: skip
    """Return an unstaged version with placeholders replaced, names set, and inner functions marked.

    Returns None when an inner function has no counterpart in the original.
    """
    theirs = [const for const in original.co_consts if isinstance(const, types.CodeType)]
    ours = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    hidden = ours[:1] if type(marker) is VersionLink else []  # the lambda of the prologue
    pairs = list(zip(ours[len(hidden) :], theirs, strict=False))
    same = all(our.co_name == their.co_name for our, their in pairs)
    if not same or len(ours) != len(theirs) + len(hidden):
        return None
    inner = [*hidden, *(_inside(our, their, constants, unstaged) for our, their in pairs)]
    if None in inner:
        return None
    inner.reverse()
    finished: list[object] = []
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            finished.append(inner.pop())
        elif const == code.co_qualname and not code.co_flags & _OPTIMIZED:
            finished.append(original.co_qualname)  # what a class body stores as its __qualname__
        else:
            finished.append(constants.get(const, const) if type(const) is str else const)
    return code.replace(co_consts=(*finished, marker), co_qualname=original.co_qualname)


def _inside(
    code: types.CodeType, original: types.CodeType, constants: Mapping[str, object],
    unstaged: UnstagedTree,
) -> types.CodeType | None:  # fmt: skip
    """Return an inner code object of an unstaged version: a function, class body or comprehension.
    """
    is_function = _names_locals(code)
    mark = Origin(original) if is_function else MARK
    if (code.co_name, original.co_firstlineno) in unstaged.staged or code.co_name == "<genexpr>":
        substituted = _substituted(code, constants)
        return _renamed(substituted, original.co_qualname, unstaged.generated, mark)
    return _finished(code, original, constants, unstaged, mark)


def _substituted(code: types.CodeType, constants: Mapping[str, object]) -> types.CodeType:
    """Return staged code inside an unstaged version, with its placeholders replaced."""
    new_constants = [
        _substituted(const, constants) if isinstance(const, types.CodeType)
        else constants.get(const, const) if type(const) is str else const
        for const in code.co_consts
    ]  # fmt: skip
    return code.replace(co_consts=tuple(new_constants))
