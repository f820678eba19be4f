"""What symbolic tensors do where they stand for a Python number, bool or text.

    x.real, x.upper()      attributes and methods (attributes.py, calls.py)
    text[i]                items of a text
    n < 0.5                Python's comparison of ints and floats, which rounds neither
    len(n), iter(n)        Python's errors
    [0] * n, text * n      repetition (repetition.py), also by integers that are tensors

Tensors that stand for none keep theirs.  operators.py adds what only converted code needs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.staging import check_supported
from runtime.graph.operation import SymbolicTensor
from runtime.staging.python_numbers.attributes import attribute_of, compare_exactly
from runtime.staging.python_numbers.calls import call_python, method
from runtime.staging.python_numbers.repetition import repeated
from runtime.types.dtypes import string

_SIGNS = {
    "__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">=",
}  # fmt: skip


def _attribute(plain: Callable[..., Any]) -> Callable[[SymbolicTensor, str], Any]:
    def __getattr__(self: SymbolicTensor, name: str) -> Any:  # as tracebacks tell it
        if not self.weak:
            return plain(self, name)
        function = method(self, name)
        return attribute_of(self, name) if function is None else function

    return __getattr__


def _item(plain: Callable[..., Any]) -> Callable[[SymbolicTensor, Any], Any]:
    def item(self: SymbolicTensor, key: Any) -> Any:
        if self.weak and self.spec.dtype is string:
            return call_python("text.item", self, key)
        if self.weak:
            check_supported(operator.getitem, self, key)
        return plain(self, key)

    return item


def _of_items(plain: Callable[..., Any]) -> Callable[[SymbolicTensor], Any]:
    function = len if plain.__name__ == "__len__" else iter

    def of_items(self: SymbolicTensor) -> Any:
        if self.spec.shape.dims == ():
            check_supported(function, self)
        return plain(self)

    return of_items


def _product(plain: Callable[..., Any]) -> Callable[[SymbolicTensor, Any], Any]:
    def product(self: SymbolicTensor, operand: Any) -> Any:
        repetition = repeated(self, operand)
        return plain(self, operand) if repetition is NotImplemented else repetition

    return product


def _comparison(plain: Callable[..., Any]) -> Callable[[SymbolicTensor, Any], Any]:
    sign = _SIGNS[plain.__name__]

    def comparison(self: SymbolicTensor, operand: Any) -> Any:
        exact = compare_exactly(sign, self, operand) if self.weak else None
        return plain(self, operand) if exact is None else exact

    return comparison


def _install() -> None:
    rules: dict[str, Callable[..., Any]] = {"__getattr__": _attribute, "__getitem__": _item}
    rules |= {"__len__": _of_items, "__iter__": _of_items}
    rules |= dict.fromkeys(("__mul__", "__rmul__"), _product) | dict.fromkeys(_SIGNS, _comparison)
    for name, rule in rules.items():
        rule_of_tensor = rule(getattr(SymbolicTensor, name))
        rule_of_tensor.__name__ = name
        setattr(SymbolicTensor, name, rule_of_tensor)


_install()
