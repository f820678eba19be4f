"""``runtime.distribute.experimental``: how processes communicate; older names of strategies."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.distribute.communication import CollectiveCommunication as CollectiveCommunication
from runtime.distribute.communication import (
    CommunicationImplementation as CommunicationImplementation,
)
from runtime.distribute.communication import CommunicationOptions as CommunicationOptions
from runtime.distribute.mirrored import ValueContext as ValueContext
from runtime.distribute.multi_worker import (
    MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy,
)
from runtime.types.annexes import explained as _explained

__all__ = [
    "CollectiveCommunication", "CommunicationImplementation", "CommunicationOptions",
    "MultiWorkerMirroredStrategy", "ValueContext",
]  # fmt: skip


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
