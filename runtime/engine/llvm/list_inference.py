"""Types of staged lists: what the operations on a list say about its entries.

A graph says only that a value is a list (dtype variant).  Lowering gives each such value a
``ListVariable``; operations that move lists or entries unify variables, and an operation that
native code does not know spoils one: its lists stay Python objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.containers.array_settings import ArraySettings, joint_settings, settings_of

DEEPEST = 4
"""Lists in lists that are native; deeper ones are Python objects."""


INDEXED = frozenset({"list.item", "list.set", "list.without", "list.put", "list.add"})
"""Operations whose second argument is an index."""


class ListVariable:
    """Type of a list while a module is lowered: a variable of unification."""

    __slots__ = ("_array", "_characters", "_fields", "_keyed", "_parent", "_spoiled")

    def __init__(self) -> None:
        self._array: ArraySettings | None = None
        self._characters: bool | None = None
        self._keyed = False
        self._parent: ListVariable | None = None
        self._fields: list[ir.Type | ListVariable] | None = None
        self._spoiled = False

    def _root(self) -> ListVariable:
        root = self
        while root._parent is not None:
            root = root._parent
        return root

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
        root, merged = self._root(), other._root()
        if root is merged:
            return
        merged._parent = root
        root._keyed |= merged._keyed
        if merged._characters is not None and root._characters is not False:
            root._characters = merged._characters
        root._array = joint_settings(root._array, merged._array)
        if merged._spoiled:
            root.spoil()
        if merged._fields is not None:
            root.has_fields(merged._fields)
        if root._spoiled:  # also for the fields that were learnt just now
            root._spoiled = False
            root.spoil()

    def has_fields(self, fields: Sequence[ir.Type | ListVariable]) -> None:
        """Let the entries have these fields; other fields than before spoil the list."""
        root = self._root()
        for field in fields:
            if isinstance(field, ListVariable):
                field.be_list()
                if root._spoiled:
                    field.spoil()
        if root._fields is None:
            root._fields = list(fields)
            return
        if len(root._fields) != len(fields):
            root.spoil()
            return
        for known_field, new_field in zip(list(root._fields), fields, strict=True):
            if isinstance(known_field, ListVariable) and isinstance(new_field, ListVariable):
                known_field.unify(new_field)
            elif known_field != new_field:
                root.spoil()
                for field in (known_field, new_field):
                    if isinstance(field, ListVariable):
                        field.spoil()

    def be_characters(self) -> None:
        """Let it be a text in place of the list of its characters, unless more is done with that
        list than to read items.
        """
        root = self._root()
        root.has_fields([ir.TEXT])
        if root._characters is None:
            root._characters = True

    def be_list(self) -> None:
        """Let it be a list, also of characters."""
        self._root()._characters = False

    def be_keyed(self) -> None:
        """Let the entries be keys that are searched for: numbers and texts."""
        self._root()._keyed = True

    def be_array(self, settings: ArraySettings) -> None:
        """Let it be a tensor array, of which some settings may not be known yet."""
        root = self._root()
        root._array = joint_settings(root._array, settings)
        root.has_fields(settings.fields())

    def resolve(self, within: frozenset[int] = frozenset()) -> ir.Type:
        """Return the type: a native list, or an object if spoiled, unknown or recursive."""
        root = self._root()
        deep = len(within) >= DEEPEST
        if root._spoiled or not root._fields or deep or id(root) in within:
            root.spoil()
            return ir.OBJECT
        inner = within | {id(root)}
        fields = [f.resolve(inner) if isinstance(f, ListVariable) else f for f in root._fields]
        if root._keyed and not all(isinstance(f, ir.Scalar) or f == ir.TEXT for f in fields):
            root.spoil()
        if root._array is not None and not root._array.are_complete():
            root.spoil()
        if root._spoiled:
            return ir.OBJECT
        if root._characters:
            return ir.TEXT
        return ir.NativeList(tuple(fields), root._keyed, root._array)


def unify_types(opcode: str, step: Any, args: ir.Registers, results: ir.Registers) -> bool:
    """Unify the types of a list operation; False if it has no native code."""
    attrs = step.attrs
    if opcode == "list.new":
        width = attrs["width"]
        new_list: Any = results[0].type
        for start in range(0, len(args), width or 1):
            new_list.has_fields([v.type for v in args[start : start + width]])
        return True
    if opcode.startswith("list.array"):
        return _unify_array(opcode, step, args, results)
    handle: Any = args[0].type
    if not isinstance(handle, ListVariable):
        return False
    longer: Any = results[0].type if results else None  # entries may have no values
    if opcode in {"list.slice", "list.splice"}:
        return _unify_slice(attrs["key"], args, results)
    if opcode in INDEXED and not _is_index(args[1].type):
        return False
    if opcode == "list.item":
        handle.has_fields([value.type for value in results])
    elif opcode == "list.pop":
        handle.has_fields([value.type for value in results[1:]])
        longer.unify(handle)
    elif opcode == "list.find":
        handle.be_keyed()
        handle.has_fields([value.type for value in args[1:]])
    elif opcode in {"list.order", "list.combine", "list.compare"}:
        lists: list[Any] = [v.type for v in (*args, *results) if not isinstance(v.type, ir.Scalar)]
        for list_type in lists:
            list_type.unify(handle)
        handle.be_keyed()
    elif opcode in {"list.push", *INDEXED}:
        longer.unify(handle)
        entry = args[1:] if opcode == "list.push" else args[2:]
        if opcode != "list.without":
            handle.has_fields([value.type for value in entry])
    return True


def _unify_array(opcode: str, step: Any, args: ir.Registers, results: ir.Registers) -> bool:
    """Unify the types of an operation on tensor arrays; False if it has no native code."""
    if opcode == "list.array_new":
        settings = settings_of(step.attrs["config"], step.attrs["element"])
        new_list: Any = results[0].type
        if settings is not None and _is_index(args[0].type):
            new_list.be_array(settings)
            return True
        return False
    handle: Any = args[0].type
    if not isinstance(handle, ListVariable):
        return False
    if opcode == "list.array_fill" and step.operation.inputs[-1].shape.rank != 1:
        return False
    entries = {"list.array_read": results[:1], "list.array_write": args[2:]}.get(opcode, [])
    if entries and not (_is_index(args[1].type) and isinstance(entries[0].type, ir.Scalar)):
        return False
    result_type: Any
    for value in entries:
        handle.be_array(ArraySettings(value.type))
    for result_type in [value.type for value in results if isinstance(value.type, ListVariable)]:
        result_type.unify(handle)
    return True


def _unify_slice(key: slice, args: ir.Registers, results: ir.Registers) -> bool:
    """Unify the types of a slice's lists; False if it has no native code.

    The step must be a constant; 1 if the slice is replaced.
    """
    lists = [v for v in args if isinstance(v.type, ListVariable)]
    step = 1 if key.step is None else key.step
    if type(step) is not int or not step or (len(lists) > 1 and step != 1):
        return False
    if not all(_is_index(value.type) for value in args[len(lists) :]):
        return False
    for value in (*lists, *results):
        list_type: Any = value.type
        list_type.unify(args[0].type)
    return True


def _is_index(type: Any) -> bool:
    return isinstance(type, ir.Scalar) and type.kind == "i"
