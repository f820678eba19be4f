"""``runtime.image``: the public names of images, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.ops.nn.patches import extract_patches as extract_patches
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.composite.images.colors import *
    from runtime.composite.images.files import *
    from runtime.composite.images.places import *
    from runtime.composite.images.quality import *
    from runtime.composite.images.random_changes import *

__all__ = [
    name for name in list(globals()) if not name.startswith("_")
]


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
