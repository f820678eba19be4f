"""The command: measures all works or some, prints the table, writes JSON and the page."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from benchmarks.timing import use_one_thread

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def write(path: Path, text: str) -> None:
    """Write a file at once: whoever reads it sees the old text or the new one."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def measured(given: argparse.Namespace, works: list[str], found: dict[str, Any]) -> None:
    """Measure the works, each line of which is printed, and written to the file, when it is there.

    Older figures of the same works are replaced.
    """
    from benchmarks.against_peers import machine, measure, page

    measure.store_byte_code()
    found["machine"] = machine.description()
    for work in works:
        older = [record for record in found["lines"] if record["work"] != work]
        newer: list[dict[str, Any]] = []
        for index in range(len(measure.lines(work))):
            newer.append(measure.record(work, index, given.rounds, given.first))
            found["lines"] = sorted([*older, *newer], key=lambda record: str(record["work"]))
            print(page.text(newer[-1]), flush=True)
            if given.output:
                write(given.output, json.dumps(found, indent=1) + "\n")


def main() -> int:
    """Run the command; 1 if a system failed."""
    use_one_thread()
    from benchmarks.against_peers import measure, page
    from benchmarks.against_peers.line import WITHOUT

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.against_peers", description=__doc__.splitlines()[0]
    )
    known = measure.names()
    parser.add_argument("works", nargs="*", metavar="WORK", help=f"of {', '.join(known)}")
    parser.add_argument("-o", "--output", type=Path, help="a file for the figures, as JSON")
    parser.add_argument("--read", type=Path, help="a file of -o: measure named works only, if any")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE.name}")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of warm calls: 15")
    parser.add_argument("--first", type=int, default=3, help="new processes for first calls: 3")
    parser.add_argument("--without", action="append", default=[], help="a package to leave out")
    given = parser.parse_args()
    WITHOUT.update(given.without)
    if unknown := set(given.works) - set(known):
        parser.error(f"no work is named {', '.join(unknown)}; there are {', '.join(known)}")
    if given.write_docs and given.works and not given.read:
        parser.error("the page shows all works: add --read with a file that has the others")
    found: dict[str, Any] = {"machine": {}, "lines": []}
    if given.read:
        found = json.loads(given.read.read_text(encoding="utf-8"))
    if given.works or not given.read:
        measured(given, given.works or known, found)
    print(page.summary(found["lines"]))
    if given.write_docs:
        write(PAGE, page.document(found))
    return int(any(record["failures"] for record in found["lines"]))


if __name__ == "__main__":
    sys.exit(main())
