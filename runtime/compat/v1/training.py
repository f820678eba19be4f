"""What TensorFlow 1 has in ``train`` besides checkpoints: optimizers, learning rates, the step."""

from runtime.compat.v1.global_step import *
from runtime.compat.v1.learning_rates import *
from runtime.compat.v1.monitored.basic_hooks import *
from runtime.compat.v1.monitored.coordinator import *
from runtime.compat.v1.monitored.monitored_session import *
from runtime.compat.v1.monitored.scaffold import *
from runtime.compat.v1.monitored.session_hooks import *
from runtime.compat.v1.monitored.sync_replicas import *
from runtime.compat.v1.moving_average import *
from runtime.compat.v1.optimizers import *
from runtime.distribute.cluster_spec import ClusterSpec
from runtime.distribute.device_setter import *
from runtime.distribute.sessions.server import *

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

__all__ = [
    "AdadeltaOptimizer", "AdagradOptimizer", "AdamOptimizer", "ClusterSpec",
    "ExponentialMovingAverage", "FtrlOptimizer", "GradientDescentOptimizer", "MomentumOptimizer",
    "Optimizer", "RMSPropOptimizer", "Server",
    "CheckpointSaverHook", "CheckpointSaverListener", "ChiefSessionCreator", "Coordinator",
    "FeedFnHook", "FinalOpsHook", "GlobalStepWaiterHook", "LoggingTensorHook", "MonitoredSession",
    "MonitoredTrainingSession", "NanLossDuringTrainingError", "NanTensorHook", "QueueRunner",
    "Scaffold", "SecondOrStepTimer", "SessionCreator", "SessionRunArgs", "SessionRunContext",
    "SessionRunHook", "SessionRunValues", "SingularMonitoredSession", "StepCounterHook",
    "StopAtStepHook", "SummarySaverHook", "SyncReplicasOptimizer", "WorkerSessionCreator",
    "add_queue_runner", "assert_global_step", "cosine_decay", "create_global_step",
    "exponential_decay", "get_global_step", "get_or_create_global_step", "global_step",
    "inverse_time_decay", "natural_exp_decay", "piecewise_constant", "piecewise_constant_decay",
    "polynomial_decay", "replica_device_setter", "start_queue_runners",
]  # fmt: skip
