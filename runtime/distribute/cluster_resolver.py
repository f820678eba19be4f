"""``runtime.distribute.cluster_resolver``: who is in a cluster, and which task this process is."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.distribute.cluster_spec import SimpleClusterResolver as SimpleClusterResolver
from runtime.distribute.cluster_spec import TFConfigClusterResolver as TFConfigClusterResolver
from runtime.types.annexes import explained as _explained

__all__ = ["SimpleClusterResolver", "TFConfigClusterResolver"]


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
