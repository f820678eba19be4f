"""How the benchmarks measure: rounds in which all candidates take turns, and their medians.

Taking turns keeps a slow phase of the machine from hitting one candidate only.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Mapping

if importlib.util.find_spec("resource"):
    import resource
else:  # Windows
    resource = None


ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3",
    "RUNTIME_JIT_CACHE": "0",
}  # fmt: skip
"""Settings for all systems: one thread, no accelerator, and no machine code from the disk."""


def pin() -> None:
    """Keeps this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def use_one_thread() -> None:
    """Prepares this process, and those it starts, before it imports any library to be measured."""
    pin()
    os.environ.update(ONE_THREAD)


def processor_time() -> float:
    """Seconds that the processor has worked for this process and the ended ones it had started.

    Other programs on the same core add nothing to it, unlike to the time of the day.
    """
    if resource is None:
        return time.perf_counter()
    own = resource.getrusage(resource.RUSAGE_SELF)
    started = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + started.ru_utime + started.ru_stime


def medians(
    candidates: Mapping[str, Callable[[], object]],
    rounds: int = 15,
    least: float = 0.01,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds per call of each candidate.

    Each is called once to warm up, then often enough per round to fill `least` seconds.
    """
    repeats = {}
    for name, call in candidates.items():
        call()
        start = clock()
        call()
        once = max(clock() - start, 1e-8)
        repeats[name] = max(1, round(least / once))
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            start = clock()
            for _ in range(repeats[name]):
                call()
            seconds[name].append((clock() - start) / repeats[name])
    return {name: statistics.median(values) for name, values in seconds.items()}


def spoken(seconds: float) -> str:
    """1.3e-5 -> "13 us"."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def report(title: str, results: Mapping[str, float], against: str) -> None:
    """Prints the medians and their ratios to one of them."""
    print(title)
    for name, seconds in results.items():
        ratio = seconds / results[against]
        print(f"  {name:<28} {spoken(seconds):>9}   {ratio:8.2f} x {against}")
