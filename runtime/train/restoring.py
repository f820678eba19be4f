"""Values of a checkpoint on their way to variables, some of which may not exist yet."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from runtime.ops import dispatch
from runtime.state import deferred
from runtime.state.variable import Variable
from runtime.train.tracking import children, variables_of
from runtime.types.dtypes import as_dtype
from runtime.types.errors import UnfitArgumentError


class WeakRoot:
    """What a checkpoint restores: its objects by name, which it does not keep alive."""

    is_gone = False
    """Whether all objects are gone."""

    def __init__(self, checkpoint: Any) -> None:
        self._parts = [(name, _reference(part)) for name, part in children(checkpoint)]

    def _checkpoint_children(self) -> Any:
        found = [(name, reference()) for name, reference in self._parts]
        found = [(name, part) for name, part in found if part is not None]
        self.is_gone = not found
        return found


def _reference(part: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(part)
    except TypeError:  # lists and dicts
        return lambda: part


class Restoration:
    """What a checkpoint gives to the variables of an object.

    Variables that the object gets later, when a layer makes its weights or an attribute is set, get
    their values then.
    """

    def __init__(
        self, path: str, root: WeakRoot, values: dict[str, Any], names: dict[str, str]
    ) -> None:
        self.path = path
        self._root = root
        self._waiting = values
        self._by_name = set(names) == set(names.values())
        """Whether the keys are names of variables, as a ``Saver`` writes them."""
        self._loaded: set[int] = set()
        self.unmatched: list[str] = []
        """Paths of variables that the checkpoint has no value for."""

    @property
    def unused(self) -> list[str]:
        """Keys of the values that no variable got."""
        return list(self._waiting)

    def resolve(self) -> None:
        """Give values to the variables that are there; all are checked before any is changed."""
        if self._root.is_gone:
            deferred.finish(self)
            return
        found, others = variables_of(self._root)
        if self._by_name:
            others |= {v.name.removesuffix(":0"): path for path, v in found.items()}
        matched: list[tuple[str, Variable, Any]] = []
        for key in list(self._waiting):
            path = key if key in found else others.get(key)
            if path is not None:
                matched.append((key, found[path], self._fitting(path, found[path], key)))
        self.unmatched = [
            path for path, v in found.items()
            if id(v) not in self._loaded and not any(v is one for _, one, _ in matched)
        ]  # fmt: skip
        with dispatch.init_scope():  # a layer may make its weights while a graph is traced
            for key, variable, value in matched:
                self._loaded.add(id(variable))
                del self._waiting[key]
                variable.load(value)
        if self._waiting:
            deferred.wait(self)
        else:
            deferred.finish(self)

    def _fitting(self, path: str, variable: Variable, key: str) -> Any:
        """Return the value for a variable; UnfitArgumentError where shape or dtype differ."""
        value = self._waiting[key]
        if not variable.shape.is_compatible_with(value.shape):
            raise UnfitArgumentError(
                f"{self.path}: {path!r} has the shape {tuple(value.shape)} there, and the variable "
                f"{variable.name!r} has {variable.shape}; nothing was restored"
            )
        if as_dtype(value.dtype) != variable.dtype:
            raise UnfitArgumentError(
                f"{self.path}: {path!r} is {as_dtype(value.dtype).name} there, and the variable "
                f"{variable.name!r} is {variable.dtype.name}; nothing was restored"
            )
        return value


class RestoreStatus:
    """What ``Checkpoint.restore`` and ``read`` return: checks of what was restored."""

    def __init__(self, restoration: Restoration) -> None:
        self._restoration = restoration

    def assert_consumed(self) -> RestoreStatus:
        """Raise AssertionError unless all values were used, and all variables got one."""
        self._restoration.resolve()
        if self._restoration.unused:
            raise AssertionError(
                f"{self._restoration.path} holds values that nothing here takes: "
                f"{', '.join(self._restoration.unused)}"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> RestoreStatus:
        """Raise AssertionError unless all variables that exist got a value."""
        self._restoration.resolve()
        if self._restoration.unmatched:
            raise AssertionError(
                f"{self._restoration.path} holds no value for "
                f"{', '.join(self._restoration.unmatched)}"
            )
        return self

    def assert_nontrivial_match(self) -> RestoreStatus:
        """Raise AssertionError if no variable got a value."""
        self._restoration.resolve()
        if not self._restoration._loaded:
            raise AssertionError(f"nothing here takes a value of {self._restoration.path}")
        return self

    def expect_partial(self) -> RestoreStatus:
        """Say that some values may stay unused."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: the values are restored when ``restore`` is called, in sessions, too."""

    run_restore_ops = initialize_or_restore


class NothingRestored(RestoreStatus):
    """Status of ``restore(None)``: there was no checkpoint."""

    def __init__(self) -> None:
        super().__init__(Restoration("no checkpoint", WeakRoot({}), {}, {}))

    def assert_consumed(self) -> RestoreStatus:
        """Raise AssertionError."""
        raise AssertionError("there was no checkpoint to restore")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed
