"""What a line of the table is: one work, its systems, and the targets that ours has to meet."""

from __future__ import annotations

import functools
import importlib.util
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.timing import spoken

Call = Callable[[], Any]
System = Callable[..., Call]  # the inputs of a line -> a call that does its work

PACKAGES = {
    "JAX": "jax", "numba": "numba", "torch": "torch", "TensorFlow": "tensorflow",
    "SciPy": "scipy", "onnxruntime": "onnxruntime",
}  # fmt: skip
"""The packages of the extra ``bench`` that systems need, by the first word of a system's name."""
WITHOUT: set[str] = set()
"""Packages that are left out as if they were not installed: TensorFlow takes most of the time."""


BEST_PEER = "the best peer"
"""In a target: the least figure of the systems that are not ours."""


def family(system: str) -> str:
    """The first word of a system's name: ``numba, typed list`` is of numba."""
    return re.match(r"\w*", system)[0]


@functools.cache
def missing(system: str) -> str:
    """The package or program that a system needs and that is not installed, or an empty text."""
    if family(system) == "C":
        return "" if shutil.which("gcc") else "gcc"
    package = PACKAGES.get(family(system))
    if package in WITHOUT:
        return package
    return package if package and importlib.util.find_spec(package) is None else ""


def is_ours(system: str) -> bool:
    """Whether a system is of this repository."""
    return family(system) in ("runtime", "autograph")


@dataclass(frozen=True)
class Target:
    """A system's figure is at most ``ratio`` times the peer's, plus ``more``."""

    system: str
    ratio: float = 0.0
    peer: str = ""
    more: float = 0.0
    of: str = "call"  # or "first call"

    def bound(self, figures: Mapping[str, float]) -> float | None:
        """The greatest figure that meets the target; None if the peer is missing."""
        if not self.peer:
            return self.more
        if self.peer == BEST_PEER:
            peers = [figure for name, figure in figures.items() if not is_ours(name)]
            return min(peers) * self.ratio + self.more if peers else None
        return figures[self.peer] * self.ratio + self.more if self.peer in figures else None

    def text(self, unit: str) -> str:
        """As it is printed: ``0.8 x JAX``, ``NumPy + 40 ms``."""
        terms = []
        if self.peer:
            terms.append(self.peer if self.ratio == 1 else f"{self.ratio:g} x {self.peer}")
        if self.more:
            terms.append(shown(self.more, unit))
        return " + ".join(terms)


@dataclass(frozen=True)
class Line:
    """A work: what the systems are given, what they do, and what is wanted of ours.

    Answers of all systems agree with the first one's, within ``tolerance`` relative to the
    greatest number, but for a part ``differing`` of the numbers.  With a ``unit`` other than
    seconds, the answer itself is the figure.
    """

    title: str
    inputs: Callable[[], tuple[Any, ...]]
    small: Callable[[], tuple[Any, ...]]  # so small that the tests run them
    systems: Mapping[str, System]
    targets: tuple[Target, ...] = ()
    tolerance: float = 0.0
    differing: float = 0.0
    unit: str = "s"
    fresh: bool = True  # whether first calls are measured, in fresh processes

    def installed(self) -> dict[str, System]:
        """The systems that can run here."""
        return {name: make for name, make in self.systems.items() if not missing(name)}


def shown(figure: float, unit: str) -> str:
    """A figure with its unit."""
    return spoken(figure) if unit == "s" else f"{figure:g} {unit}"
