"""Types of staged lists: what the operations on a list say about its entries.

A graph says only that a value is a list (dtype variant).  Lowering gives each such value a
``ListVariable``; operations that move lists or entries unify variables, and an operation that
native code does not know spoils one: its lists stay Python objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir

DEEPEST = 4
"""Lists in lists that are native; deeper ones are Python objects."""


class ListVariable:
    """Type of a list while a module is lowered: a variable of unification."""

    __slots__ = ("_fields", "_parent", "_spoiled")

    def __init__(self) -> None:
        self._parent: ListVariable | None = None
        self._fields: list[ir.Type | ListVariable] | None = None
        self._spoiled = False

    def _root(self) -> ListVariable:
        found = self
        while found._parent is not None:
            found = found._parent
        return found

    def spoil(self) -> None:
        """Let the lists be Python objects."""
        root = self._root()
        if root._spoiled:
            return
        root._spoiled = True
        for field in root._fields or ():
            if isinstance(field, ListVariable):
                field.spoil()

    def unify(self, other: ListVariable) -> None:
        """Let two variables stand for one type."""
        one, two = self._root(), other._root()
        if one is two:
            return
        two._parent = one
        if two._spoiled:
            one.spoil()
        if two._fields is not None:
            one.has_fields(two._fields)
        if one._spoiled:  # also for the fields that were learnt just now
            one._spoiled = False
            one.spoil()

    def has_fields(self, fields: Sequence[ir.Type | ListVariable]) -> None:
        """Let the entries have these fields; other fields than before spoil the list."""
        root = self._root()
        if root._spoiled:
            for field in fields:
                if isinstance(field, ListVariable):
                    field.spoil()
        if root._fields is None:
            root._fields = list(fields)
            return
        if len(root._fields) != len(fields):
            root.spoil()
            return
        for mine, its in zip(list(root._fields), fields, strict=True):
            if isinstance(mine, ListVariable) and isinstance(its, ListVariable):
                mine.unify(its)
            elif mine != its:
                root.spoil()
                for field in (mine, its):
                    if isinstance(field, ListVariable):
                        field.spoil()

    def resolve(self, within: frozenset[int] = frozenset()) -> ir.Type:
        """Return the type: a native list, or an object if spoiled, unknown or recursive."""
        root = self._root()
        deep = len(within) >= DEEPEST
        if root._spoiled or not root._fields or deep or id(root) in within:
            root.spoil()
            return ir.OBJECT
        inner = within | {id(root)}
        fields = [f.resolve(inner) if isinstance(f, ListVariable) else f for f in root._fields]
        return ir.OBJECT if root._spoiled else ir.NativeList(tuple(fields))
