"""TensorFlow 1's names: ``import runtime.compat.v1 as tf``.

``runtime``'s names are here, too; where TensorFlow 1 has other arguments or another meaning, as in
``nn.dropout(x, keep_prob)`` and ``reduce_sum(x, reduction_indices=1)``, this module has its own.
"""

import importlib as _importlib
from typing import TYPE_CHECKING

# The function, not the module of its name.
from runtime.compat.v1.variable_scope import variable_scope as variable_scope

# Names that mean something else than in runtime, and their modules.
_MODULES = ("app", "contrib", "flags", "gfile", "layers", "logging", "losses", "metrics", "nn")
_NAMES = {"Network": "runtime.compat.v1.network", "while_loop": "runtime.compat.v1.loops"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return _importlib.import_module(f"runtime.compat.v1.{name}")
        if name in _NAMES:
            globals()[name] = getattr(_importlib.import_module(_NAMES[name]), name)
            return globals()[name]
        if name.startswith("__"):
            raise AttributeError(f"module 'runtime.compat.v1' has no attribute {name!r}")
        older = _importlib.import_module("runtime.compat.v1.older_arguments")
        if name in older.older_names():
            globals()[name] = older.older_name(name)
            return globals()[name]
        return getattr(_importlib.import_module("runtime"), name)


def __dir__() -> list[str]:
    return sorted({*dir(_importlib.import_module("runtime")), *_MODULES, *_NAMES})
