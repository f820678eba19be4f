"""Hash tables of a saved model: the entries of static tables that functions look up.

The annex ``containers`` may be absent: then no graph holds a table.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np

from runtime.eager.tensor import wrap
from runtime.types.dtypes import as_dtype
from runtime.types.shapes import TensorShape

_MODULE = "runtime.containers.hash_table_ops"


def entries_of(value: Any) -> tuple[Any, Any] | None:
    """Return the keys and the values of a static table with entries; None for anything else."""
    module = sys.modules.get(_MODULE)
    if module is None or not isinstance(value, module.TableStorage):
        return None
    if not value.static or value.per_session:
        return None
    keys, values = module.export_op(table=value)
    return np.asarray(keys._array), np.asarray(values._array)


def table_of(name: str, keys: Any, values: Any) -> Any:
    """Return a static table with entries; ValueError for arrays that are no entries."""
    if keys.ndim != 1 or values.ndim < 1 or len(keys) != len(values):
        raise ValueError(f"the keys and values of the table {name!r} do not fit together")
    module = importlib.import_module(_MODULE)
    shape = TensorShape(values.shape[1:])
    dtypes = as_dtype(keys.dtype), as_dtype(values.dtype)
    table = module.TableStorage(name, *dtypes, shape, True, False)
    module.import_op(wrap(keys), wrap(values), table=table)
    return table
