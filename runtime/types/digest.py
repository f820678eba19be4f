"""The hash SHA-256, of which names of files and tables are made.

Below everything that hashes.  ``hashlib`` takes 5 ms to load OpenSSL; Python's own module, which
``random`` imports for the same reason, takes none.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256 as sha256
else:
    try:
        _own = importlib.import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:  # a Python built without it
        _own = importlib.import_module("hashlib")
    sha256 = _own.sha256
