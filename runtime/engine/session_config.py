"""Configuration of sessions and runs: TensorFlow 1's messages as plain objects.

Fields about GPUs, clusters and TensorFlow's own optimiser are stored and have no effect, since
there is one CPU.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from runtime.types.device_spec import CPU_NAME
from runtime.types.message import Message

__all__ = ["ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunMetadata",
           "RunOptions"]  # fmt: skip


class GPUOptions(Message):
    """Options for GPUs, which have no effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "per_process_gpu_memory_fraction": 0.0, "allow_growth": False, "allocator_type": "",
        "deferred_deletion_bytes": 0, "visible_device_list": "", "force_gpu_compatible": False,
        "experimental": None,
    }  # fmt: skip


class OptimizerOptions(Message):
    """Options of the optimiser: ``global_jit_level`` says when graphs become machine code.

    ON_1 and ON_2: at once; OFF: never; DEFAULT: as the flag RUNTIME_JIT says.  The others have no
    effect; see ``config.optimizer``.
    """

    _defaults: ClassVar[dict[str, Any]] = {
        "do_common_subexpression_elimination": False, "do_constant_folding": False,
        "do_function_inlining": False, "opt_level": 0, "global_jit_level": 0,
        "cpu_global_jit": False, "max_folded_constant_in_bytes": 0,
    }  # fmt: skip
    L1, L0 = 0, -1
    DEFAULT, OFF, ON_1, ON_2 = 0, -1, 1, 2


class GraphOptions(Message):
    """Options for the rewriting of graphs: ``optimizer_options``; the others have no effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "optimizer_options": OptimizerOptions(), "rewrite_options": None, "build_cost_model": 0,
        "build_cost_model_after": 0, "infer_shapes": False, "place_pruned_graph": False,
        "enable_bfloat16_sendrecv": False, "enable_recv_scheduling": False, "timeline_step": 0,
    }  # fmt: skip


class ConfigProto(Message):
    """Options of a session: ``Session(config=ConfigProto(inter_op_parallelism_threads=1))``."""

    _defaults: ClassVar[dict[str, Any]] = {
        "device_count": {}, "intra_op_parallelism_threads": 0, "inter_op_parallelism_threads": 0,
        "use_per_session_threads": False, "session_inter_op_thread_pool": [],
        "placement_period": 0, "device_filters": [], "gpu_options": GPUOptions(),
        "allow_soft_placement": False, "log_device_placement": False,
        "graph_options": GraphOptions(), "operation_timeout_in_ms": 0,
        "isolate_session_state": False,
        "share_cluster_devices_in_session": False, "cluster_def": None, "rpc_options": None,
        "experimental": None,
    }  # fmt: skip


def jit_level(config: ConfigProto | None) -> str:
    """Return ``always``, ``never`` or an empty text, as a session's options say."""
    given: Any = config
    level = 0 if given is None else given.graph_options.optimizer_options.global_jit_level
    return "always" if level > 0 else "never" if level < 0 else ""


class RunOptions(Message):
    """Options of one run: ``session.run(y, options=RunOptions(trace_level=...))``."""

    _defaults: ClassVar[dict[str, Any]] = {
        "trace_level": 0, "timeout_in_ms": 0, "inter_op_thread_pool": 0,
        "output_partition_graphs": False, "debug_options": None,
        "report_tensor_allocations_upon_oom": False, "experimental": None,
    }  # fmt: skip
    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)


class NodeExecStats(Message):
    """Start of an operation, in microseconds since 1970, and its duration."""

    _defaults: ClassVar[dict[str, Any]] = {
        "node_name": "", "all_start_micros": 0, "op_start_rel_micros": 0, "op_end_rel_micros": 0,
        "all_end_rel_micros": 0, "timeline_label": "",
    }  # fmt: skip


class DeviceStepStats(Message):
    """Operations that ran on a device."""

    _defaults: ClassVar[dict[str, Any]] = {"device": "", "node_stats": []}


class StepStats(Message):
    """Operations that ran, by device."""

    _defaults: ClassVar[dict[str, Any]] = {"dev_stats": []}


class RunMetadata(Message):
    """Result of a run with ``trace_level`` above NO_TRACE: ``step_stats.dev_stats``."""

    _defaults: ClassVar[dict[str, Any]] = {
        "step_stats": StepStats(), "cost_graph": None, "partition_graphs": [],
        "function_graphs": [],
    }  # fmt: skip


def step_stats(spans: Iterable[tuple[str, float, float]]) -> StepStats:
    """Make the statistics of a run from the name, start and duration of each operation."""
    nodes = [
        NodeExecStats(
            node_name=name, all_start_micros=round(begin * 1e6),
            op_end_rel_micros=round(seconds * 1e6), all_end_rel_micros=round(seconds * 1e6),
        )
        for name, begin, seconds in spans
    ]  # fmt: skip
    return StepStats(dev_stats=[DeviceStepStats(device=CPU_NAME, node_stats=nodes)])
