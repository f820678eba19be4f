"""Libraries whose backends wait: each is loaded when its library has been imported, by others.

A backend costs nothing before: no call asks whether it traces.  An import hook that finds no module
notes that a library comes; the next converted function that runs loads its backend.  ``registry``
asks ``load_due`` where it looks for the backends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

_expected: dict[str, Callable[[], object]] = {}
"""What loads the backend of a library that nobody has imported yet, by the library's name."""

DUE: dict[str, Callable[[], object]] = {}
"""What loads the backend of a library that is being, or has been, imported."""


class _ImportWatch:
    """Import hook that finds nothing, and notes the libraries that are expected."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Note the import of an expected library; other finders find the module."""
        if name in _expected:
            _note(name)


_WATCH = _ImportWatch()
_called_when_due: list[Callable[[], object]] = []


def when_due(do: Callable[[], object]) -> None:
    """Call ``do()`` whenever a backend becomes due; for ``registry``."""
    _called_when_due.append(do)


def expect(library: str, load: Callable[[], object]) -> None:
    """Register a function that loads (and so registers) a backend, once its library is there.

    ``library`` is the name of a module, which this package never imports.
    """
    _expected[library] = load
    if library in sys.modules:
        _note(library)
    elif _WATCH not in sys.meta_path:
        sys.meta_path.insert(0, _WATCH)


def _note(library: str) -> None:
    DUE[library] = _expected.pop(library)
    if not _expected and _WATCH in sys.meta_path:
        sys.meta_path.remove(_WATCH)
    for do in _called_when_due:
        do()


def load_due(loaded: Callable[[], object]) -> None:
    """Load the backends of the libraries that have been imported, and call ``loaded()`` for each.

    A library that is still being imported waits, and so does one whose import failed.
    """
    for library, load in list(DUE.items()):
        spec = getattr(sys.modules.get(library), "__spec__", None)
        if library in sys.modules and not getattr(spec, "_initializing", False):
            if DUE.pop(library, None) is not None:  # another thread may have taken it
                try:
                    load()
                finally:
                    loaded()
