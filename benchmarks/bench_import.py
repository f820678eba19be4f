"""Import times in fresh processes.  Target: NumPy's own plus 0.04 s."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from timing import medians, pin, report


def importing(statement: str) -> Callable[[], object]:
    """A call that starts Python and runs one statement."""
    return lambda: subprocess.run([sys.executable, "-c", statement], check=True)


def main() -> None:
    """Prints the time of a whole process, an empty one among them."""
    pin()
    results = medians(
        {
            "empty process": importing("pass"),
            "numpy": importing("import numpy"),
            "autograph": importing("import autograph"),
            "runtime": importing("import runtime"),
        },
        rounds=11,
    )
    report("start and import", results, "numpy")
    empty = results.pop("empty process")
    report("import alone", {name: value - empty for name, value in results.items()}, "numpy")


if __name__ == "__main__":
    main()
