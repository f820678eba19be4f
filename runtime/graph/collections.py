"""Collections: named lists that a graph carries along, as TensorFlow 1 does, and their names."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["GraphKeys"]


class GraphKeys:
    """The names of the collections that TensorFlow's own parts use."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    CONCATENATED_VARIABLES = "concatenated_variables"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    VARIABLES = GLOBAL_VARIABLES
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TABLE_INITIALIZERS = "table_initializer"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SAVERS = "savers"
    SAVEABLE_OBJECTS = "saveable_objects"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    QUEUE_RUNNERS = "queue_runners"
    ASSET_FILEPATHS = "asset_filepaths"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"


OF_VARIABLES = frozenset((
    GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES,
))  # fmt: skip
"""Collections that a FuncGraph shares with the graph around it."""


class Collections:
    """Part of a graph: its collections."""

    _collections: dict[Any, list[Any]]

    def check_open(self) -> None:
        """Raise an error when nothing may be added."""

    @property
    def collections(self) -> list[Any]:
        """Names of the collections."""
        return list(self._collections)

    def get_all_collection_keys(self) -> list[str]:
        """Return the names of collections that are strings."""
        return [key for key in self._collections if isinstance(key, str)]

    def _stored(self, name: Any) -> list[Any] | None:
        """Return a collection by name, or None."""
        return self._collections.get(name)

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Append a value to a collection; RuntimeError when the graph is finalized."""
        self.check_open()
        self.get_collection_ref(name).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append a value to several collections, given by one name or several."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """Return the list of a collection itself, which the caller may change."""
        stored = self._stored(name)
        return self._collections.setdefault(name, []) if stored is None else stored

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """Return a copy of a collection; with ``scope``, of items whose names match it."""
        items = self._stored(name) or []
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def clear_collection(self, name: Any) -> None:
        """Empty a collection; RuntimeError when the graph is finalized."""
        self.check_open()
        self._collections.pop(name, None)
