"""What is measured as text: for the terminal, and ``docs/performance.md``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.against_peers.line import is_ours, shown

Record = dict[str, Any]

TEMPLATE = Path(__file__).with_name("page.md")


def best_peer(record: Record) -> tuple[str, float]:
    """The fastest system that is not ours, and its figure."""
    peers = {name: f for name, f in record["figures"].items() if not is_ours(name)}
    return min(peers.items(), key=lambda item: item[1], default=("", float("nan")))


def text(record: Record) -> str:
    """A line of the table for the terminal."""
    lines, unit = [record["title"]], record["unit"]
    best, least = best_peer(record)
    for name, figure in sorted(record["figures"].items(), key=lambda item: item[1]):
        row = f"  {name:<32} {shown(figure, unit):>10}  {figure / least:8.2f} x {best}"
        if name in record["first calls"]:
            called, imported = record["first calls"][name], record["imports"][name]
            row = f"{row:<66}   first call {shown(called, unit)}, import {shown(imported, unit)}"
        lines.append(row)
    for target in record["targets"]:
        lines.append(f"  {said(target)}: {target['system']} {ratio(target)} of {target['text']}"
                     f"{first(target)}")  # fmt: skip
    lines += [f"  {name} failed: {reason}" for name, reason in record["failures"].items()]
    lines += [f"  {name}: {package} is not installed"
              for name, package in record["missing"].items()]  # fmt: skip
    return "\n".join(lines) + "\n"


def said(target: Record) -> str:
    """Whether a target is met."""
    return "met" if target["met"] else "MISSED"


def ratio(target: Record) -> str:
    """The figure as a part of the limit."""
    return f"{target['figure'] / target['limit']:.2f}"


def first(target: Record) -> str:
    """What is added to a target of first calls."""
    return " (first call)" if target["of"] == "first call" else ""


def summary(records: list[Record]) -> str:
    """How many targets are met."""
    met = [target["met"] for record in records for target in record["targets"]]
    return f"{sum(met)} of {len(met)} targets are met, {len(met) - sum(met)} are missed."


def document(found: Record) -> str:
    """The whole page."""
    records = found["lines"]
    machine = dict(found["machine"])
    place = f"{machine.pop('processor')}, {machine.pop('cores')} cores, {machine.pop('system')}; "
    versions = ", ".join(f"{name} {version}" for name, version in machine.items())
    packages = sorted({p for record in records for p in record["missing"].values()})
    missing = f"Not installed: {', '.join(packages)}.\n" if packages else ""
    return TEMPLATE.read_text(encoding="utf-8").format(
        machine=place + versions,
        missing=missing,
        summary=summary(records),
        targets="".join(row for record in records for row in target_rows(record)),
        figures="".join(row for record in records for row in figure_rows(record)),
    )


def target_rows(record: Record) -> Iterator[str]:
    """Rows of the table of targets."""
    for target in record["targets"]:
        figure, limit = (shown(target[key], record["unit"]) for key in ("figure", "limit"))
        verdict = "met" if target["met"] else "**missed**"
        yield (f"| {record['title']}{first(target)} | {target['system']} | {figure} | "
               f"{target['text']} | {limit} | {verdict} |\n")  # fmt: skip


def figure_rows(record: Record) -> Iterator[str]:
    """Rows of the table of figures."""
    title, least = record["title"], best_peer(record)[1]
    for name, figure in record["figures"].items():
        early = [shown(record[key][name], "s") if name in record[key] else ""
                 for key in ("first calls", "imports")]  # fmt: skip
        bold, spoken = f"**{name}**" if is_ours(name) else name, shown(figure, record["unit"])
        yield f"| {title} | {bold} | {spoken} | {figure / least:.2f} | {' | '.join(early)} |\n"
        title = ""
    for name, reason in record["failures"].items():
        yield f"| {title} | {name} | failed: {reason.splitlines()[0]} | | | |\n"
