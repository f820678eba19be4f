"""Values of a checkpoint on their way to variables, some of which may not exist yet."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from runtime.eager.tensor import wrap
from runtime.engine.session import get_default_session
from runtime.ops import dispatch
from runtime.state import deferred
from runtime.state.variable import Variable
from runtime.train.tracking import children, variables_of
from runtime.types.dtypes import as_dtype
from runtime.types.errors import UnfitArgumentError


class WeakRoot:
    """What a checkpoint restores: its objects by name, which it does not keep alive.

    The objects are those that the checkpoint holds now and, while it lives, those it gets later.
    """

    is_gone = False
    """Whether all objects are gone."""

    def __init__(self, checkpoint: Any) -> None:
        self._whole = _reference(checkpoint)
        self._root = _reference(getattr(checkpoint, "_root", None))
        self._parts = [(name, _reference(child)) for name, child in children(checkpoint)]

    def _checkpoint_children(self) -> Any:
        checkpoint, root = self._whole(), self._root()
        if checkpoint is not None:
            self.is_gone = False
            return list(children(checkpoint))
        pairs = [(name, reference()) for name, reference in self._parts]
        pairs = [(name, child) for name, child in pairs if child is not None]
        if root is not None:
            pairs = list(dict([*children(root), *pairs]).items())
        self.is_gone = root is None and not pairs
        return pairs

    def is_of(self, checkpoint: Any) -> bool:
        """Whether it holds the objects of a checkpoint, by the same names."""
        identities = {name: id(child) for name, child in self._checkpoint_children()}
        return identities == {name: id(child) for name, child in children(checkpoint)}


def _reference(child: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(child)
    except TypeError:  # lists and dicts
        return lambda: child


class Restoration:
    """What a checkpoint gives to the variables of an object.

    Variables that the object gets later, when a layer makes its weights or an attribute is set, get
    their values then.  A value of several paths goes to the variables of all.

    Args:
        path: file that was read, for messages.
        root: objects to restore.
        values: arrays by key, the path of a variable.
        names: names of variables by key.
        aliases: other paths, each with the key of its value.
    """

    def __init__(
        self, path: str, root: WeakRoot, values: dict[str, Any], names: dict[str, str],
        aliases: dict[str, str],
    ) -> None:  # fmt: skip
        self.path = path
        self._root = root
        self._keys = list(values)
        self._values = values
        self._waiting = {key: key for key in values}
        self._waiting |= {alias: key for alias, key in aliases.items() if key in values}
        self._by_name = set(names) == set(names.values())
        """Whether the keys are names of variables, as a ``Saver`` writes them."""
        self._used: set[str] = set()
        self._loaded: dict[int, weakref.ref[Variable]] = {}
        self._of_graphs: list[tuple[weakref.ref[Variable], Any]] = []
        """Variables of graphs, which have their values in sessions, with these values."""
        self.unmatched: list[str] = []
        """Paths of variables that the checkpoint has no value for."""

    @property
    def unused(self) -> list[str]:
        """Keys of the values that no variable got."""
        return [key for key in self._keys if key not in self._used]

    @property
    def is_trivial(self) -> bool:
        """Whether no variable got a value."""
        return not self._loaded

    def resolve(self) -> None:
        """Give values to the variables that are there; all are checked before any is changed.

        UnfitArgumentError for a value that does not fit; variables that are made later wait for
        nothing then.
        """
        variables, aliases = variables_of(self._root)
        if self._root.is_gone:
            deferred.finish(self)
            return
        if self._by_name:
            aliases |= {v.name.removesuffix(":0"): path for path, v in variables.items()}
        try:
            names, matched = self._matched(variables, aliases)
        except UnfitArgumentError:
            deferred.finish(self)
            raise
        self._used |= {self._waiting.pop(path) for path in names}
        self._values = {key: self._values[key] for key in self._waiting.values()}
        for variable, value in matched:
            self._loaded[id(variable)] = weakref.ref(variable)
            self._load(variable, value)
        self.unmatched = [path for path, v in variables.items() if not self._is_loaded(v)]
        if self._waiting:
            deferred.wait(self)
        else:
            deferred.finish(self)

    def _matched(
        self, variables: dict[str, Variable], aliases: dict[str, str]
    ) -> tuple[list[str], list[tuple[Variable, Any]]]:
        """Return the paths that lead to variables, and the variables that get values now.

        A variable gets the value of its first path.
        """
        names: list[str] = []
        matched: dict[int, tuple[Variable, Any]] = {}
        for path, key in self._waiting.items():
            name = path if path in variables else aliases.get(path)
            if name is None:
                continue
            variable = variables[name]
            names.append(path)
            if id(variable) not in matched and not self._is_loaded(variable):
                matched[id(variable)] = variable, self._fitting(name, variable, key)
        return names, list(matched.values())

    def _is_loaded(self, variable: Variable) -> bool:
        reference = self._loaded.get(id(variable))
        return reference is not None and reference() is variable

    def _load(self, variable: Variable, value: Any) -> None:
        if variable.graph is None:
            with dispatch.init_scope():  # a layer may make its weights while a graph is traced
                variable.assign(wrap(value))
            return
        self._of_graphs.append((weakref.ref(variable), value))
        if get_default_session() is not None:
            variable.load(value)

    def run(self, session: Any) -> None:
        """Give the variables of graphs their values in a session; others have them."""
        for reference, value in self._of_graphs:
            variable = reference()
            if variable is not None:
                variable.load(value, session)

    def initialize_others(self, session: Any) -> None:
        """Initialize the variables of graphs that the checkpoint has no value for."""
        variables, _ = variables_of(self._root)
        initializers = [
            v.initializer for v in variables.values() if v.graph and not self._is_loaded(v)
        ]
        if initializers:
            (session or get_default_session()).run(initializers)

    def supersede(self, checkpoint: Any) -> None:
        """Let go of what older restorations of the same objects still hold for these paths."""
        for restoration in deferred.WAITING:
            if isinstance(restoration, Restoration) and restoration._root.is_of(checkpoint):
                restoration._waiting = {
                    p: k for p, k in restoration._waiting.items() if p not in self._waiting
                }
                if not restoration._waiting:
                    deferred.finish(restoration)

    def _fitting(self, path: str, variable: Variable, key: str) -> Any:
        """Return the value for a variable; UnfitArgumentError where shape or dtype differ."""
        value = self._values[key]
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
        if self._restoration.is_trivial:
            raise AssertionError(f"nothing here takes a value of {self._restoration.path}")
        return self

    def expect_partial(self) -> RestoreStatus:
        """Say that some values may stay unused."""
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Restore the variables of graphs in a session; eager ones are restored already."""
        self._restoration.resolve()
        self._restoration.run(session)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restore variables of graphs in a session, and initialize those that have no value."""
        self.run_restore_ops(session)
        self._restoration.initialize_others(session)


class NothingRestored(RestoreStatus):
    """Status of ``restore(None)``: there was no checkpoint."""

    def __init__(self, checkpoint: Any) -> None:
        super().__init__(Restoration("no checkpoint", WeakRoot(checkpoint), {}, {}, {}))

    def assert_consumed(self) -> RestoreStatus:
        """Raise AssertionError."""
        raise AssertionError("there was no checkpoint to restore")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed
