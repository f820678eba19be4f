"""Usage heuristics: guesses from its uses whether a variable is a number or a Python object.

Used by ``staged_value_inference``.
One use as text or as an object with methods of its own outweighs all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import gast

_NUMBERS = frozenset((
    "int", "float", "complex", "Any", "object", "number", "Number", "Real", "Integral",
    "SupportsFloat", "SupportsInt",
))  # fmt: skip
_TENSORS = ("Tensor", "Array", "ndarray", "Variable")

TENSOR_ATTRIBUTES = frozenset((
    "shape", "dtype", "ndim", "size", "T", "numpy", "item", "tolist", "astype", "reshape", "sum",
    "mean", "max", "min", "any", "all", "dot", "transpose", "real", "imag", "conj", "clip",
    "argmax", "argmin", "cumsum", "prod", "std", "var", "squeeze", "flatten", "ravel", "rank",
    "is_integer", "bit_length", "at", "device", "requires_grad", "detach", "copy", "name",
    "assign", "assign_add", "assign_sub", "read_value", "value", "get_shape", "set_shape",
))  # fmt: skip
"""Attributes that tensors and numbers have; whatever has others is something else."""


def annotated_as_python(annotation: gast.AST | None) -> bool:
    """Whether an annotation says that a parameter is neither a number nor a tensor."""
    if annotation is None:
        return False
    if isinstance(annotation, gast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = gast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    names = set(_spoken(annotation))
    return not any(
        name in _NUMBERS or any(tensor in name for tensor in _TENSORS) for name in names
    )


def _spoken(node: gast.AST) -> Iterator[str]:
    """Return the names of an annotation, not those in the brackets of a collection."""
    if isinstance(node, gast.Name):
        yield node.id
    elif isinstance(node, gast.Attribute):
        yield node.attr
    elif isinstance(node, gast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, gast.BinOp):
        yield from (*_spoken(node.left), *_spoken(node.right))
    elif isinstance(node, gast.Subscript):
        outer = list(_spoken(node.value))
        if {"Optional", "Union", "Annotated"} & set(outer):
            indexes = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
            for index in indexes:
                yield from _spoken(index)
        else:
            yield from outer


def default_is_python(default: gast.AST | None) -> bool:
    """Whether a parameter's default is text, a switch or a collection."""
    if isinstance(default, gast.Constant):
        return isinstance(default.value, (str, bytes, bool))
    return isinstance(default, (gast.Tuple, gast.List, gast.Dict, gast.Set, gast.Lambda))


def is_text(node: gast.AST) -> bool:
    """Whether an expression is certainly text or bytes."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, (str, bytes))
    return isinstance(node, gast.JoinedStr)


def python_uses(function: gast.AST) -> frozenset[str]:
    """Return the variables with a use that no staged value supports."""
    names: set[str] = set()
    for node in gast.walk(function):
        if isinstance(node, gast.Attribute):
            if node.attr not in TENSOR_ATTRIBUTES:
                names.update(_name(node.value))
        elif isinstance(node, gast.Call):
            names.update(_name(node.func))
            if isinstance(node.func, gast.Name) and node.func.id in _ABOUT_OBJECTS and node.args:
                names.update(_name(node.args[0]))
        elif isinstance(node, gast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_text, sides)):
                for side in sides:
                    names.update(_name(side))
            for operation, side in zip(node.ops, node.comparators, strict=True):
                if isinstance(operation, (gast.In, gast.NotIn)):
                    names.update(_name(side))
        elif isinstance(node, gast.Subscript):
            if is_text(node.slice):
                names.update(_name(node.value))
        elif isinstance(node, gast.BinOp):
            if is_text(node.left) or is_text(node.right):
                if not isinstance(node.op, gast.Mod) or is_text(node.right):
                    names.update((*_name(node.left), *_name(node.right)))
        elif isinstance(node, (gast.With, gast.AsyncWith)):
            for item in node.items:
                names.update(_name(item.context_expr))
    return frozenset(names)


_ABOUT_OBJECTS = frozenset((
    "isinstance", "issubclass", "callable", "hasattr", "getattr", "setattr", "iter", "next",
    "ord", "open", "id", "type", "vars", "dir", "bytes", "memoryview", "bytearray",
))  # fmt: skip

_ORDER = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)


def number_uses(function: gast.AST, names: Collection[str]) -> frozenset[str]:
    """Return those among ``names`` that are somewhere compared or calculated with like a number."""
    found: set[str] = set()
    for node in gast.walk(function):
        if isinstance(node, gast.Compare):
            sides = [node.left, *node.comparators]
            ordered = any(isinstance(operation, _ORDER) for operation in node.ops)
            if ordered or any(map(_is_number, sides)):
                for side in sides:
                    found.update(_name(side))
        elif isinstance(node, gast.BinOp):
            sure = isinstance(node.op, (gast.Sub, gast.Div, gast.FloorDiv, gast.Pow))
            if sure or _is_number(node.left) or _is_number(node.right):
                found.update((*_name(node.left), *_name(node.right)))
        elif isinstance(node, gast.AugAssign):
            if isinstance(node.op, (gast.Sub, gast.Div, gast.FloorDiv)) or _is_number(node.value):
                found.update((*_name(node.target), *_name(node.value)))
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            found.update(_name(node.operand))
        elif isinstance(node, gast.Call) and getattr(node.func, "id", None) == "range":
            for argument in node.args:
                found.update(_name(argument))
    return frozenset(found) & frozenset(names)


def _is_number(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float)


def _name(node: gast.AST) -> tuple[str, ...]:
    return (node.id,) if isinstance(node, gast.Name) else ()
