"""One first call, in a process of its own: prints the seconds of the import and of the call.

    python -m benchmarks.against_peers.first_call WORK LINE SYSTEM
"""

from __future__ import annotations

import importlib
import sys

from benchmarks.against_peers.line import PACKAGES, family, is_ours
from benchmarks.against_peers.measure import lines
from benchmarks.timing import processor_time


def main() -> None:
    """Imports the system's library, then measures how long building and calling it takes."""
    work, index, name = sys.argv[1:]
    line = lines(work)[int(index)]
    inputs = line.inputs()
    start = processor_time()
    if package := PACKAGES.get(family(name), "runtime" if is_ours(name) else ""):
        importlib.import_module(package)
    imported = processor_time()
    line.systems[name](*inputs)()
    print(imported - start, processor_time() - imported)


if __name__ == "__main__":
    main()
