"""``Module``: named container of variables and other modules, the base of layers and models.

Above variable.py and the name scopes of default_graph.py.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from runtime.graph.default_graph import name_scope
from runtime.staging.conversion import converted_method
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.function_pickles import with_source

__all__ = ["Module"]

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])")


class Module:
    """Named container of variables, other modules and functions; to be subclassed.

    Variables and modules that are assigned to attributes, also in lists, tuples and dicts there,
    are found by ``variables``, ``trainable_variables`` and ``submodules``.  ``name`` is by default
    that of the class in snake case; ``with self.name_scope:`` prefixes the names of variables that
    are created within.  ValueError for a name that is not a Python identifier.  A subclass whose
    ``__init__`` does not call this one has the default name.
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()
    """Attributes that are not searched."""

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _default_name(self)
        elif not (name.isascii() and name.isidentifier()):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as full:
            self._name_scope = name_scope(full)

    @property
    def name(self) -> str:
        """Name of the module alone; ``name_scope.name`` includes those of enclosing modules."""
        return self._initialized()._name

    @property
    def name_scope(self) -> Any:
        """Name scope of this module, a context manager."""
        return self._initialized()._name_scope

    def _initialized(self) -> Module:
        """Return this module, with the default name if its class did not call ours to make it."""
        if "_name_scope" not in vars(self):
            self._name = _default_name(self)
            self._name_scope = name_scope(f"{self._name}/")  # wherever it is first asked for
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle with the source of the class, if it is none of a module that others import."""
        return with_source(type(self), super().__reduce_ex__(protocol))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Variables of this module, by attribute name, then those of its submodules."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Trainable ones among ``variables``."""
        return tuple(self._flatten(predicate=lambda v: _is_variable(v) and v.trainable))

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Ones among ``variables`` that are not trainable."""
        return tuple(self._flatten(predicate=lambda v: _is_variable(v) and not v.trainable))

    @property
    def submodules(self) -> tuple[Module, ...]:
        """Modules among the attributes and their submodules, nearest first."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], Any] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """Yield the leaves of attributes for which ``predicate`` is true, by attribute name.

        With ``recursive`` those of the submodules follow, each module after the one that holds it.
        ``with_path`` yields pairs of a path (attribute name and keys) and a leaf; without it each
        leaf is yielded once.
        """
        holds = predicate or (lambda leaf: True)
        seen = {id(self)}
        todo: list[tuple[tuple[Any, ...], Module]] = [((), self)]
        while todo:
            around, module = todo.pop(0)
            inside: list[tuple[tuple[Any, ...], Module]] = []
            for path, leaf in module._leaves(attribute_traversal_key):
                if not with_path:
                    if id(leaf) in seen:
                        continue
                    seen.add(id(leaf))
                if holds(leaf):
                    yield ((*around, *path), leaf) if with_path else leaf
                if recursive and _is_module(leaf):
                    inside.append(((*around, *path), leaf))
            todo = inside + todo

    def _leaves(self, key: Callable[[str], Any] | None) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Yield the leaves of the attributes, each with its path of attribute name and keys."""
        attributes = vars(self)
        for name in sorted(attributes, key=key):
            if name in self._TF_MODULE_IGNORED_PROPERTIES:
                continue
            try:
                leaves = nest.flatten_with_paths(attributes[name])
            except Exception as error:
                raise ValueError(
                    f"Error processing property {name!r} of {self!r}: {error}"
                ) from error
            yield from (((name, *path), leaf) for path, leaf in leaves)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a method to enter the module's name scope in each call."""

        @functools.wraps(method)
        def method_with_name_scope(self: Any, *args: Any, **kwargs: Any) -> Any:
            call = converted_method(method)
            with self.name_scope:
                return call(self, *args, **kwargs)

        return method_with_name_scope


def _default_name(module: Module) -> str:
    return _WORD_STARTS.sub("_", type(module).__name__).lower()


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _is_module(value: Any) -> bool:
    return isinstance(value, Module)
