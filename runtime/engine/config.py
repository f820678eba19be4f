"""``runtime.config``: devices, threads, optimizer options and eager functions, as in TensorFlow."""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine import optimizer_options as switches
from runtime.engine import thread_pool
from runtime.engine.llvm import workspace
from runtime.types.flags import JIT


class PhysicalDevice(NamedTuple):
    """Device of the machine."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the devices: one CPU.

    Args:
        device_type: 'CPU', or another type, of which there are none.
    Returns:
        List of PhysicalDevice.
    """
    cpu = PhysicalDevice("/physical_device:CPU:0", "CPU")
    return [cpu] if device_type in (None, "CPU") else []


class threading:
    """Numbers of threads: ``config.threading.set_inter_op_parallelism_threads(2)``."""

    get_inter_op_parallelism_threads = staticmethod(thread_pool.get_inter_op_parallelism_threads)
    set_inter_op_parallelism_threads = staticmethod(thread_pool.set_inter_op_parallelism_threads)
    get_intra_op_parallelism_threads = staticmethod(thread_pool.get_intra_op_parallelism_threads)
    set_intra_op_parallelism_threads = staticmethod(thread_pool.set_intra_op_parallelism_threads)


def set_jit(enabled: bool | str) -> None:
    """Say when graphs become machine code, unless ``jit_compile`` says it for a function.

    Args:
        enabled: True: at once; "autoclustering": once that pays (the default); False: never.
    Returns:
        None.
    Raises:
        ValueError: for other values.
    """
    choices = {True: "always", False: "never", "autoclustering": "auto"}
    if enabled not in choices:
        raise ValueError(f"enabled must be True, False or 'autoclustering', got {enabled!r}")
    JIT.set(choices[enabled])


def get_jit() -> str:
    """Return "autoclustering" if graphs become machine code, else an empty string.

    Returns:
        A string.
    """
    return "" if JIT.value == "never" else "autoclustering"


class optimizer:
    """Optimiser passes and machine code: ``config.optimizer.set_jit(False)``."""

    get_jit = staticmethod(get_jit)
    set_jit = staticmethod(set_jit)

    get_experimental_options = staticmethod(switches.get_experimental_options)
    set_experimental_options = staticmethod(switches.set_experimental_options)


def release_workspace() -> int:
    """Give the memory back to the system that machine code keeps for its next arrays and lists.

    It is at most so many MiB as RUNTIME_WORKSPACE says; arrays in use are not in it.

    Returns:
        How many bytes it was.
    """
    return workspace.release()


EAGERLY: list[bool] = []
"""Not empty: traced functions run as plain Python."""


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Make calls of a ``function`` run the Python function itself, for debugging.

    Args:
        run_eagerly: whether they do.
    Returns:
        None.
    """
    EAGERLY[:] = [True] if run_eagerly else []


def functions_run_eagerly() -> bool:
    """Return the last argument of ``run_functions_eagerly``; False by default.

    Returns:
        True or False.
    """
    return bool(EAGERLY)


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly

__all__ = [
    "PhysicalDevice", "experimental_functions_run_eagerly", "experimental_run_functions_eagerly",
    "functions_run_eagerly", "list_physical_devices", "optimizer", "release_workspace",
    "run_functions_eagerly", "threading",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
