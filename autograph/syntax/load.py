"""From a converted tree to a function that takes the place of the original: the last step.

The tree is compiled on the user's file name and line numbers.  Nothing is executed: the code
object is taken out of the compiled module, given the user's names, and joined with the original
function's globals, defaults and closure cells.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection
from dataclasses import dataclass

import gast

from autograph.syntax.depth import deep
from autograph.syntax.marks import BODY_MARK, MARK
from autograph.syntax.names import AG


@dataclass(frozen=True)
class ConvertedCode:
    """A compiled conversion, ready to be joined with any function of the original's code."""

    code: types.CodeType

    def bind(self, original: types.FunctionType, operators: object) -> types.FunctionType:
        """The converted counterpart of ``original``: same globals, defaults, cells, metadata."""
        cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
        cells[AG] = types.CellType(operators)
        closure = tuple(cells[name] for name in self.code.co_freevars)
        function = types.FunctionType(
            self.code, original.__globals__, original.__name__, original.__defaults__, closure
        )
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


def load(
    node: gast.AST,
    original: types.CodeType,
    class_name: str | None,
    generated: Collection[str],
) -> ConvertedCode:
    """Compile the converted tree of a function or lambda."""
    tree = deep(lambda: gast.gast_to_ast(node))
    body: list[ast.stmt] = [tree if isinstance(tree, ast.stmt) else ast.Expr(tree)]
    if class_name is not None:
        body = [ast.ClassDef(name=class_name, bases=[], keywords=[], body=body,
                             decorator_list=[], type_params=[])]
    parameters = [ast.arg(name) for name in (AG, *original.co_freevars)]
    arguments = ast.arguments(posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[],
                              defaults=[])
    # the names being defined must stay what they are for the body: globals, or cells
    defined = {class_name, original.co_name} - {None, "<lambda>", *original.co_freevars}
    if defined:
        body.insert(0, ast.Global(names=sorted(filter(None, defined))))
    factory = ast.FunctionDef(name="factory", args=arguments, body=body, decorator_list=[],
                              type_params=[])
    module = ast.Module(body=[factory], type_ignores=[])
    ast.copy_location(factory, tree)
    deep(lambda: ast.fix_missing_locations(module))
    flags = original.co_flags & _FUTURES
    compiled = compile(module, original.co_filename, "exec", flags, dont_inherit=True)
    code = _find(compiled, original.co_name, tree.lineno)
    return ConvertedCode(deep(lambda: _renamed(code, original.co_qualname, frozenset(generated))))


_FUTURES = 0
for _name in ("annotations",):
    import __future__

    _FUTURES |= getattr(__future__, _name).compiler_flag


def _find(compiled: types.CodeType, name: str, line: int) -> types.CodeType:
    """The code object of the converted function, which is the outermost of its name."""
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
    """Whether the qualified names of what a code object defines say ``<locals>``."""
    return bool(code.co_flags & _OPTIMIZED) and code.co_name not in _COMPREHENSIONS


def _renamed(
    code: types.CodeType, qualname: str, generated: Collection[str], mark: str = MARK
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
