"""``runtime.keras.preprocessing``: what makes arrays for models out of sequences."""

from typing import TYPE_CHECKING

from runtime.keras.preprocessing import sequence as sequence
from runtime.types.annexes import explained as _explained

__all__ = ["sequence"]


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
