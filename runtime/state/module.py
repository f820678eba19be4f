"""``Module``: a named owner of variables and of other modules, as layers and models are.

A roof over variable.py and the name scopes of default_graph.py: nothing here depends on how it is
used.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from autograph import staging
from runtime.graph.default_graph import name_scope
from runtime.graph.trace import current_graph
from runtime.state.variable import Variable
from runtime.types import nest

__all__ = ["Module"]

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])")


class Module:
    """A named container of variables, other modules and functions; to be subclassed.

    Variables and modules that are assigned to attributes, also in lists, tuples and dicts there,
    are found by ``variables``, ``trainable_variables`` and ``submodules``.  The name is by default
    the class's, in snake case; ``with self.name_scope:`` names what is made within after it.
    ValueError for a name that is no Python identifier.
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()
    """Attributes that are not searched."""

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _WORD_STARTS.sub("_", type(self).__name__).lower()
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
        """The module's own name; ``name_scope.name`` has those of the modules around, too."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The name scope of this module, to be entered by ``with``."""
        return self._name_scope

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of this module, by attribute name, then those of its submodules."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of the variables that are trainable."""
        return tuple(self._flatten(predicate=lambda v: _is_variable(v) and v.trainable))

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of the variables that are not trainable."""
        return tuple(self._flatten(predicate=lambda v: _is_variable(v) and not v.trainable))

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules among the attributes, and theirs, nearest first."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], Any] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """The leaves of the attributes that ``predicate`` holds of, in order of attribute names.

        With ``recursive`` those of the submodules follow, each module after the one that it belongs
        to.  ``with_path`` gives pairs of attribute names and keys, and the leaf; otherwise a leaf
        comes once, however often it is reached.
        """
        wanted = predicate or (lambda leaf: True)
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
                if wanted(leaf):
                    yield ((*around, *path), leaf) if with_path else leaf
                if recursive and _is_module(leaf):
                    inside.append(((*around, *path), leaf))
            todo = inside + todo

    def _leaves(self, key: Callable[[str], Any] | None) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """What the attributes hold, each with the attribute's name and the keys that lead to it."""
        attributes = vars(self)
        for name in sorted(attributes, key=key):
            if name in self._TF_MODULE_IGNORED_PROPERTIES:
                continue
            try:
                found = nest.flatten_with_paths(attributes[name])
            except Exception as error:
                raise ValueError(
                    f"Error processing property {name!r} of {self!r}: {error}"
                ) from error
            yield from (((name, *path), leaf) for path, leaf in found)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method that enters the module's name scope each time it is called."""

        @functools.wraps(method)
        def method_with_name_scope(self: Any, *args: Any, **kwargs: Any) -> Any:
            call = method if current_graph() is None else staging.converted(method)
            with self.name_scope:
                return call(self, *args, **kwargs)

        return method_with_name_scope


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _is_module(value: Any) -> bool:
    return isinstance(value, Module)
