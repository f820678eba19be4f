"""``Saver``: variables of a graph, saved and restored by name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph
from runtime.state.variable import Variable
from runtime.train.checkpoint import _write, make_folder, read_values, remove_checkpoints
from runtime.train.checkpoint_state import update_checkpoint_state
from runtime.types.errors import NotFoundError, UnfitArgumentError

__all__ = ["Saver"]


class Saver:
    """Variables of a graph, which are saved and restored by name.

    Args:
        var_list: variables, or a dict of them by the names to use; by default those of the graph
            when the saver is used.
        max_to_keep: how many files are kept; 0 or None keeps all.
        kwargs: other arguments of TensorFlow's, which do not matter here.

    Raises:
        ValueError: for two variables of one name.
    """

    def __init__(self, var_list: Any = None, max_to_keep: int | None = 5, **kwargs: Any) -> None:
        self._given = var_list
        self._most = max_to_keep
        self.last_checkpoints: list[str] = []
        """Paths of the files that were written, oldest first."""
        if var_list is not None:
            self._variables()

    def _variables(self) -> dict[str, Variable]:
        variables = self._given
        if variables is None:
            variables = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)
        if isinstance(variables, dict):
            return dict(variables)
        by_name: dict[str, Variable] = {}
        for variable in _flat(variables):
            name = variable.name.removesuffix(":0")
            if by_name.get(name, variable) is not variable:
                raise ValueError(f"At least two variables have the same name: {name}")
            by_name[name] = variable
        if not by_name:
            raise ValueError("No variables to save")
        return by_name

    def save(
        self, sess: Any, save_path: str, global_step: Any = None,
        latest_filename: str | None = None, write_state: bool = True, **kwargs: Any,
    ) -> str:  # fmt: skip
        """Write the variables to ``save_path``, or ``save_path-STEP``; return that.

        The file ``checkpoint`` beside it then names it as the latest one.
        """
        path = os.fsdecode(save_path)
        if global_step is not None:
            step = sess.run(global_step) if isinstance(global_step, Variable) else global_step
            path = f"{path}-{int(step)}"
        make_folder(path)
        _write(path, self._variables(), {}, sess)
        self.last_checkpoints = [*[p for p in self.last_checkpoints if p != path], path]
        gone = self.last_checkpoints[: -self._most] if self._most else []
        self.last_checkpoints = self.last_checkpoints[len(gone) :]
        if write_state:
            folder = os.path.dirname(path)
            names = [os.path.relpath(p, folder or ".") for p in self.last_checkpoints]
            update_checkpoint_state(folder, names[-1], names, latest_filename)
        remove_checkpoints(gone)
        return path

    def restore(self, sess: Any, save_path: str) -> None:
        """Set the variables to what was saved, also by a ``Checkpoint``.

        Raises NotFoundError for names that are not there, UnfitArgumentError for other shapes and
        dtypes, DataLossError for damaged files; no variable is changed then.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        values, names, _ = read_values(os.fsdecode(save_path))
        by_name = {names.get(key, key): value for key, value in values.items()}
        variables = self._variables()
        for name, variable in variables.items():
            if name not in by_name:
                raise NotFoundError(f"{save_path}; there is no value for the variable {name!r}")
            value = by_name[name]
            if not variable.shape.is_compatible_with(value.shape) or (
                value.dtype != variable.dtype.as_numpy_dtype
            ):
                raise UnfitArgumentError(
                    f"{save_path}: {name!r} is {value.dtype} of shape {value.shape} there, and the "
                    f"variable is {variable.dtype.name} of shape {variable.shape}; nothing was "
                    "restored"
                )
        for name, variable in variables.items():
            variable.load(by_name[name], sess)


def _flat(values: Iterable[Any]) -> Iterable[Variable]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        else:
            yield value
