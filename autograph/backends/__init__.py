"""Backends of other libraries: converted Python on JAX, TensorFlow and PyTorch.

Each is one module, which registers the backend when it is imported: when its library, which nobody
here imports, has been imported and converted code runs.  Packages of others add theirs by an entry
point of the group ``autograph.backends``::

    [project.entry-points."autograph.backends"]
    mylibrary = "mylibrary.staging"

The name is that of the library's module, the value that of the module that registers the backend.
"""

from __future__ import annotations

import functools
import os
import sys
from importlib import import_module

from autograph.staging.libraries import expect

GROUP = "autograph.backends"
"""The group of entry points that name backends."""

LIBRARIES: tuple[str, ...] = ("jax", "tensorflow", "torch")
"""The libraries whose backends are here, in modules of the same names."""


@functools.cache
def expect_libraries() -> None:
    """Expect the libraries of all backends, once: ours and those of other installed packages."""
    for library in LIBRARIES:
        _expect(library, f"autograph.backends.{library}")
    if _mentioned():
        from importlib.metadata import entry_points  # takes longer than a conversion

        for point in entry_points(group=GROUP):
            _expect(point.name, point.module)


def _expect(library: str, backend: str) -> None:
    expect(library, lambda: import_module(backend))


def _mentioned() -> bool:
    """Whether an installed package has an entry point of the group.

    It reads the texts that ``importlib.metadata`` would parse, in a hundredth of the time.
    """
    for folder in {path or "." for path in sys.path}:
        if not os.path.isdir(folder):
            continue
        for name in os.listdir(folder):
            if name.endswith((".dist-info", ".egg-info")):
                path = os.path.join(folder, name, "entry_points.txt")
                if os.path.isfile(path):
                    with open(path, encoding="utf-8") as file:
                        if f"[{GROUP}]" in file.read():
                            return True
    return False
