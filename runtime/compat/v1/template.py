"""``make_template``: a function whose variables are made at its first call and shared by all.

TensorFlow 1's way to share what ``get_variable`` makes, built on variable scopes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from runtime.compat.v1.variable_scope import AUTO_REUSE, VariableScope
from runtime.compat.v1.variable_scope import variable_scope as scope_of
from runtime.compat.v1.variable_store import current_store
from runtime.compat.v1.variables_initializer import trainable_variables
from runtime.graph.collections import GraphKeys
from runtime.ops.dispatch import init_scope
from runtime.state.variable import Variable

__all__ = ["make_template"]


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:
    """Make a function whose variables are created at its first call and shared by later ones.

    Args:
        name_: name of the variable scope; ``name_1`` and so on if it is taken.
        func_: function that gets variables by ``get_variable``.
        create_scope_now_: whether the scope is made now, not at the first call.
        unique_name_: exact name of the scope, in graphs only.
        custom_getter_: getter for the variables, as of ``variable_scope``.
        kwargs: arguments for ``func_``.
    Returns:
        Template; a call of it raises ValueError if a later call creates a trainable variable.
    Raises:
        ValueError: there is no name, or ``unique_name_`` is given under eager execution.
    """
    if name_ is None:
        raise ValueError("name cannot be None.")
    if unique_name_ is not None and current_store().eager:
        raise ValueError("unique_name cannot be used in eager mode.")
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """Function with shared variables: the result of ``make_template``."""

    def __init__(
        self, name: str, func: Callable[..., Any], create_scope_now: bool,
        unique_name: str | None, custom_getter: Any,
    ) -> None:  # fmt: skip
        self._name = name
        self._func = func
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._scope: VariableScope | None = None
        self._created: dict[int, Variable] = {}
        self._called = False
        if create_scope_now:
            with self._opened(auxiliary_name_scope=False) as self._scope:
                pass

    def _opened(self, **options: Any) -> scope_of:
        return scope_of(
            self._unique_name, self._name, custom_getter=self._noting, **options
        )

    def _noting(self, getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Get a variable and keep it: under eager execution nobody else may hold it."""

        def noted(*args: Any, **kwargs: Any) -> Any:
            variable = getter(*args, **kwargs)
            if isinstance(variable, Variable):
                self._created[id(variable)] = variable
            return variable

        if self._custom_getter is None:
            return noted(*args, **kwargs)
        return self._custom_getter(noted, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result, in the template's variable scope."""
        if self._scope is None:
            scope = self._opened()
        else:
            again = AUTO_REUSE if current_store().eager else True
            scope = scope_of(self._scope, reuse=again if self._called else None)
        with scope as entered:
            self._scope = self._scope or entered
            before = self._trained()
            result = self._func(*args, **kwargs)
            if self._called:
                self._check_nothing_new(before)
            self._called = True
        return result

    def _trained(self) -> list[Any]:
        """The trainable variables that there are now."""
        if current_store().eager:
            return self.trainable_variables
        with init_scope():
            return list(trainable_variables())

    def _check_nothing_new(self, before: list[Any]) -> None:
        new = [v.name for v in self._trained()[len(before) :]]
        if new:
            raise ValueError(
                f"Trainable variables {new} were made by calling the template {self._name!r} after "
                "the first time: make all of them at the first call, by get_variable."
            )

    @property
    def name(self) -> str:
        """The name given to the template."""
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables; None before it is made."""
        return self._scope

    @property
    def variables(self) -> list[Variable]:
        """The variables that the calls got by ``get_variable``."""
        return list(self._created.values())

    @property
    def trainable_variables(self) -> list[Variable]:
        """Those that are trainable."""
        return [v for v in self.variables if v.trainable]

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """Those that are not trainable."""
        return [v for v in self.variables if not v.trainable]

    @property
    def global_variables(self) -> list[Variable]:
        """Those that are not local."""
        return [v for v in self.variables if GraphKeys.LOCAL_VARIABLES not in v._collections]

    @property
    def local_variables(self) -> list[Variable]:
        """Those made by ``get_local_variable``."""
        return [v for v in self.variables if GraphKeys.LOCAL_VARIABLES in v._collections]
