"""``runtime.distribute``: strategies, which say on which devices a program trains.

A program of TensorFlow's that is written for a strategy runs unchanged, on one device or several.
"""

from typing import TYPE_CHECKING

from runtime.distribute import cluster_resolver as cluster_resolver
from runtime.distribute import experimental as experimental
from runtime.distribute.contexts import InputContext as InputContext
from runtime.distribute.contexts import ReduceOp as ReduceOp
from runtime.distribute.contexts import ReplicaContext as ReplicaContext
from runtime.distribute.cross_device import CrossDeviceOps as CrossDeviceOps
from runtime.distribute.cross_device import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from runtime.distribute.cross_device import NcclAllReduce as NcclAllReduce
from runtime.distribute.cross_device import ReductionToOneDevice as ReductionToOneDevice
from runtime.distribute.datasets import DistributedDataset as DistributedDataset
from runtime.distribute.datasets import DistributedIterator as DistributedIterator
from runtime.distribute.launching import launch as launch
from runtime.distribute.mirrored import MirroredStrategy as MirroredStrategy
from runtime.distribute.multi_worker import (
    MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy,
)
from runtime.distribute.sessions.server import Server as Server
from runtime.distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
from runtime.distribute.strategy import Strategy as Strategy
from runtime.distribute.strategy import StrategyExtended as StrategyExtended
from runtime.distribute.strategy import get_replica_context as get_replica_context
from runtime.distribute.strategy import get_strategy as get_strategy
from runtime.distribute.strategy import has_strategy as has_strategy
from runtime.distribute.strategy import in_cross_replica_context as in_cross_replica_context
from runtime.distribute.values import DistributedValues as DistributedValues
from runtime.distribute.values import PerReplica as PerReplica
from runtime.types.annexes import explained as _explained

__all__ = [
    "CrossDeviceOps", "DistributedDataset", "DistributedIterator", "DistributedValues",
    "HierarchicalCopyAllReduce", "InputContext", "MirroredStrategy", "MultiWorkerMirroredStrategy",
    "NcclAllReduce", "OneDeviceStrategy", "PerReplica", "ReduceOp", "ReductionToOneDevice",
    "ReplicaContext", "Server", "Strategy", "StrategyExtended", "cluster_resolver", "experimental",
    "get_replica_context", "get_strategy", "has_strategy", "in_cross_replica_context", "launch",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
