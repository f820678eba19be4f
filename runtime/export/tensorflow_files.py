"""Variables in TensorFlow's own files, for programs that have TensorFlow."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.train.tensor_bundle import OBJECT_GRAPH, VALUE, object_graph_of, write_bundle
from runtime.train.tracking import variables_of

__all__ = ["tensorflow_checkpoint"]


def tensorflow_checkpoint(obj: Any, file_prefix: str | os.PathLike[str]) -> str:
    """Write the variables of an object as a checkpoint of TensorFlow's, which needs no TensorFlow.

    There ``tf.train.Checkpoint(...).restore(prefix)`` gives the values to objects of the same
    attributes, and ``tf.train.load_checkpoint`` reads them; here both do, too.

    Args:
        obj: Module, model, ``train.Checkpoint``, or other object that holds variables.
        file_prefix: path without a suffix; the folder must be there.
    Returns:
        The prefix.
    Raises:
        ValueError: the object holds no variable.
        NotFoundError: the folder is not there.
    """
    prefix = os.fsdecode(file_prefix)
    getattr(obj, "save_counter", None)  # a Checkpoint makes it now; TensorFlow's restore wants it
    variables, aliases = variables_of(obj)
    if not variables:
        raise ValueError(f"tensorflow_checkpoint: {obj!r} holds no variables")
    names = {path: variable.name.partition(":")[0] for path, variable in variables.items()}
    graph = np.array(object_graph_of(names, aliases), object)
    values = {path + VALUE: variable.numpy() for path, variable in variables.items()}
    write_bundle(prefix, {OBJECT_GRAPH: graph, **values})
    return prefix
