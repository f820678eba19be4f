"""Pickles of traces and of loaded models: their graphs as text, as saved models hold them.

Variables are pickled beside the text, and keep their identity within a pickle.  No Python code of
theirs goes along.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from runtime.export.folder import GRAPHS
from runtime.export.restored_objects import ObjectRestoration, RestoredObject
from runtime.export.saved_model import collect
from runtime.functions.concrete_function import ConcreteFunction
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.errors import DataLossError, UnimplementedError

__all__ = ["pickled"]


def pickled(value: Any) -> tuple[Any, ...]:
    """Return how a trace, a function of a loaded model, or such a model is made anew.

    UnimplementedError and FailedPreconditionError for what a saved model cannot hold, or a pickle.
    """
    root: Any = value
    if not isinstance(value, RestoredObject):
        root = Module()
        traces = [value] if isinstance(value, ConcreteFunction) else value._all()
        root.value = value
        root.variables_of_traces = list({id(v): v for t in traces for v in t.variables}.values())
    saved, library, index = collect(root, None)
    if saved.assets:
        raise UnimplementedError(
            f"{value!r} reads the file {next(iter(saved.assets))!r}, which no pickle holds: load "
            "the saved model where it is used"
        )
    content = json.dumps(index), library.text(), library.constants
    return _restored, (root is value, content, saved.variables)


def _restored(
    is_root: bool, content: tuple[str, str, dict[str, Any]], variables: Mapping[str, Variable]
) -> Any:
    root = _Restoration(_PickledFolder(*content), variables).root()
    if is_root:
        return root
    value = vars(root)["value"]
    value._variables_of_pickle = list(variables.values())  # its graphs refer to them weakly
    return value


class _PickledFolder:
    """What a folder of a saved model holds, in memory."""

    path = "<pickle>"

    def __init__(self, index: str, graphs: str, constants: dict[str, Any]) -> None:
        self.content: dict[str, Any] = json.loads(index)
        self._graphs = graphs
        self._constants = constants

    def text(self, name: str) -> str:
        """Return the text of the graphs."""
        assert name == GRAPHS
        return self._graphs

    def tensors(self, name: str) -> dict[str, Any]:
        """Return the constants."""
        return self._constants

    def fault(self, name: str, reason: str) -> DataLossError:
        """Make the error for what is not what was written."""
        return DataLossError(f"{self.path}/{name}; {reason}")


class _Restoration(ObjectRestoration):
    """Restoration of objects whose variables are there already."""

    def __init__(self, folder: Any, variables: Mapping[str, Variable]) -> None:
        super().__init__(folder)
        self._by_key = variables

    def _variables(self) -> None:
        for number, node in enumerate(self.nodes):
            if node["kind"] == "variable":
                variable = self.objects[number] = self._by_key[node["key"]]
                self.references[node["key"]] = variable._storage
