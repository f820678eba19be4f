"""The times of the gallery: each example as plain Python on tensors, and as `runtime.function`.

    taskset -c 0 python -m benchmarks.gallery            # writes the table of docs/gallery.md

Calls are warm and take turns; the times are medians of processor time.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from pathlib import Path

from benchmarks.nothing_slower import warmed
from benchmarks.timing import medians, processor_time, spoken, use_one_thread

PAGE = Path(__file__).parents[1] / "docs" / "gallery.md"
MARK = "<!-- times -->\n"
ROUNDS = 9


def measured(name: str) -> dict[str, float]:
    """Return the median seconds of a call of an example, by way.  What it prints is lost."""
    import autograph
    import runtime

    module = importlib.import_module(f"examples.{name}")
    function, inputs = getattr(module, name), module.inputs()
    # FizzBuzz prints while it runs, also when it is staged
    options = autograph.Feature.PRINT if name == "fizzbuzz" else None
    auto = runtime.function(function, experimental_autograph_options=options)
    native = runtime.function(function, jit_compile=True, experimental_autograph_options=options)
    calls = {
        "plain": lambda: function(*inputs),
        "function": lambda: auto(*inputs),
        "compiled": lambda: native(*inputs),
    }
    with contextlib.redirect_stdout(io.StringIO()):
        for call in calls.values():
            warmed(call)
        return medians(calls, ROUNDS, clock=processor_time)


def table() -> str:
    """Return the table, and on what it was measured."""
    from benchmarks.against_peers import machine

    facts = machine.description()
    lines = [
        "Medians of warm calls with the inputs of each program, in processor time of one core:",
        "plain Python on tensors, `runtime.function`, and with `jit_compile=True`. Measured on",
        f"{facts['processor']}, {facts['system']}; Python {facts['Python']}, "
        f"numpy {facts['numpy']}, llvmlite {facts['llvmlite']}.",
        "",
        "| example | plain | function | compiled | plain / compiled |",
        "|---|---:|---:|---:|---:|",
    ]
    for path in sorted((PAGE.parents[1] / "examples").glob("*.py")):
        seconds = measured(path.stem)
        shown = " | ".join(spoken(second) for second in seconds.values())
        ratio = seconds["plain"] / seconds["compiled"]
        lines.append(f"| [{path.stem}](#{path.stem}) | {shown} | {ratio:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all examples and write the table into the page."""
    use_one_thread()
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    PAGE.write_text(MARK.join([before, table(), after]), encoding="utf-8")


if __name__ == "__main__":
    main()
