"""Converts fresh functions, 100,000 by default, and shows that memory does not grow.

    python -m tests.slow.convert_fresh [COUNT]

Each function has source and code of its own, is converted, called on Python values, and dropped.
Exit status 1 when the process grew by more than 20 MiB after the first tenth.
"""

from __future__ import annotations

import gc
import resource
import sys
import time

from tests.test_memory import converted_and_dropped

MOST = 20 << 20


def resident() -> int:
    """Bytes of memory that the process holds now; the most it ever held, where that is unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(count: int) -> int:
    start = time.perf_counter()
    early = 0
    for number in range(count):
        converted_and_dropped(number)
        if number + 1 == count // 10:
            gc.collect()
            early = resident()
        if (number + 1) % max(1, count // 10) == 0:
            seconds = time.perf_counter() - start
            print(f"{number + 1:>8} converted, {resident() >> 20} MiB, {seconds:.0f} s", flush=True)
    gc.collect()
    grown = resident() - early
    print(f"{count} fresh functions: grown by {grown >> 10} KiB after the first tenth")
    return int(grown > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
