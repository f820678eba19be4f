"""HTML of ``Function.explain()``, for notebooks: a line for each trace, which opens to its details.

Made from the records of retracing.py; the graphs are drawn as graphs draw themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from autograph.drawing.palette import ROOT, notebook_style

DRAWN = 3
"""So many traces are drawn, the latest ones: a drawing may be large."""


def explanation_html(summary: str, records: Sequence[Any]) -> str:
    """Return the records of traces as a fragment of HTML; ``summary`` stands above them."""
    lines = [f'<div class="{ROOT}-notes">', f"<style>\n{notebook_style()}</style>"]
    lines.append(f"<p><b>{escape(summary)}</b></p>")
    drawn = {id(record) for record in records[-DRAWN:]}
    for record in records:
        latest = " open" if record is records[-1] else ""
        lines.append(f"<details{latest}><summary>trace {record.number}: "
                     f"<code>{escape(record.signature)}</code></summary>")  # fmt: skip
        details = "\n".join(line.removeprefix("  ") for line in record.details())
        lines.append(f"<pre>{escape(details)}</pre>")
        if id(record) in drawn and record.trace is not None:
            lines.append(record.trace._repr_html_())
        lines.append("</details>")
    return "\n".join([*lines, "</div>"]) + "\n"
