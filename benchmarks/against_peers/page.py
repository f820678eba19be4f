"""What is measured as text: for the terminal, and ``docs/performance.md``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.against_peers.line import is_ours, shown

Record = dict[str, Any]

COMPILERS = ("numba", "JAX", "TensorFlow")
"""Peers whose first call compiles, as ours does."""
_OF_PEER = " x the best peer"
"""What a goal without a unit is a ratio to, as the page says."""
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
    lines += [f"  {name}: {package} is not installed, or left out"
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
    missing = f"Not installed, or left out: {', '.join(packages)}.\n" if packages else ""
    return TEMPLATE.read_text(encoding="utf-8").format(
        machine=textwrap.fill(f"Measured on {place}{versions}.", 118),
        missing=missing,
        summary=summary(records),
        rows="".join(row for record in records for row in rows(record)),
    )


def rows(record: Record) -> Iterator[str]:
    """Rows of the table: one for each system of ours."""
    title, unit = record["title"], record["unit"]
    peer, least = best_peer(record)
    for name in filter(is_ours, record["figures"]):
        figure = record["figures"][name]
        beside = f"{peer} {shown(least, unit)} | {figure / least:.2f}" if peer else " | "
        goals = "; ".join(
            f"{target['text'].removesuffix(_OF_PEER)}{first(target)}: "
            f"{'met' if target['met'] else '**missed**'}"
            for target in record["targets"] if target["system"] == name
        )  # fmt: skip
        ours = name.removeprefix("runtime").lstrip(". ") or name
        yield (f"| {title} | {ours} | {shown(figure, unit)} | {beside} | {goals} | "
               f"{first_calls(record, name)} |\n")  # fmt: skip
        title = ""
    for name, reason in record["failures"].items():
        yield f"| {title} | {name} | failed: {reason.splitlines()[0]} | | | | |\n"


def first_calls(record: Record, name: str) -> str:
    """The first call of a system of ours, and the shortest of a peer that compiles."""
    calls = record["first calls"]
    if name not in calls:
        return ""
    compiled = {n: calls[n] for n in calls if n.split(",")[0] in COMPILERS}
    peer = min(compiled, key=lambda n: compiled[n], default="")
    return shown(calls[name], "s") + (f"; {peer} {shown(compiled[peer], 's')}" if peer else "")
