"""What summing gradients between processes costs, beside the same sums by mpi4py alone.

``python benchmarks/clusters.py [PROCESSES]`` starts a job of two processes, or more, and prints a
Markdown table: for a size of gradients the time of MPI's Allreduce and of ``all_reduce`` in
replicas, eagerly and in a function, each measured in turn.  ``runtime.distribute`` needs the extra
``mpi``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import runtime as tf

SIZES = {"4 B": (1, 1, 200), "1 MB": (16, 16_384, 60), "100 MB": (4, 6_553_600, 5)}
"""By title: number of gradients, numbers in each, and repetitions."""


def milliseconds(calls: dict[str, Callable[[], object]], barrier: Callable[[], object],
                 repetitions: int) -> dict[str, float]:  # fmt: skip
    """Return the least time of each call, which all processes begin together, in turn."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repetitions + 1):
        for name, call in calls.items():
            barrier()
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: 1e3 * min(row[1:]) for name, row in times.items()}


def measure() -> dict[str, dict[str, float]]:
    """Return the times of one process, by size."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    from mpi4py import MPI

    world = MPI.COMM_WORLD.Dup()
    results = {}
    for title, (count, size, repetitions) in SIZES.items():
        gradients = [tf.ones([size]) for _ in range(count)]
        arrays = [gradient.numpy() for gradient in gradients]
        whole = np.ones(count * size, np.float32)
        total = np.empty_like(whole)

        def replica(gradients=gradients):
            return tf.distribute.get_replica_context().all_reduce("SUM", gradients)

        def by_mpi(whole=whole, total=total):
            world.Allreduce(whole, total)

        def packed_by_mpi(whole=whole, total=total, arrays=arrays):
            np.concatenate(arrays, out=whole)
            world.Allreduce(whole, total)
            return np.split(total, len(arrays))

        step = tf.function(lambda replica=replica: strategy.run(replica))
        results[title] = milliseconds(
            {
                "mpi4py": by_mpi, "mpi4py with packing": packed_by_mpi,
                "eager": lambda replica=replica: strategy.run(replica), "function": step,
            },
            world.Barrier, repetitions,
        )  # fmt: skip
    return results


def main() -> None:
    """Print the table."""
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rows = tf.distribute.launch(measure, processes=processes)
    names = list(rows[0]["4 B"])
    print(f"Least time of a sum over {processes} processes, in milliseconds\n")
    print(f"| gradients | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for title in SIZES:
        times = [max(row[title][name] for row in rows) for name in names]
        print(f"| {title} | {' | '.join(f'{t:.3f}' for t in times)} |")


if __name__ == "__main__":
    main()
