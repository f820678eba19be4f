"""Conversion of a 62-line function: how long it takes, and how many lines come out."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import autograph
from benchmarks.against_peers.line import Line, Target


def settle(orders, stock, price, limit):
    """A market day in 62 lines: nested loops, ifs, breaks and early returns.

    The lines of the table say how long its conversion takes and how long the result is.
    """
    sold = waiting = 0
    income = 0
    day = 0
    if limit <= 0:
        return sold, waiting, income
    while stock > 0:
        day += 1
        if day > limit:
            break
        demand = 0
        for order in orders:
            if order <= 0:
                continue
            if order > stock:
                waiting += 1
                if waiting > limit:
                    return sold, waiting, income
                continue
            demand += order
            remaining = order
            while remaining > 0:
                if stock == 0:
                    break
                bundle = 1
                if remaining >= 10 and stock >= 10:
                    bundle = 10
                elif remaining >= 5 and stock >= 5:
                    bundle = 5
                remaining -= bundle
                stock -= bundle
                sold += bundle
                if bundle == 10:
                    income += bundle * price - 2
                else:
                    income += bundle * price
            if remaining > 0:
                waiting += 1
        if demand == 0:
            if price <= 1:
                return sold, waiting, income
            price -= 1
        else:
            if demand > 2 * sold:
                price += 2
            elif demand > sold:
                price += 1
            step = 0
            while step < day:
                step += 1
                if step % 3 == 0:
                    continue
                if step * price > 100:
                    price = price // 2
                    break
    if stock < 0 or price < 0:
        return -1, waiting, income
    return sold, waiting, income


def parse_and_compile() -> None:
    """Do the least that any source-to-source conversion does."""
    compile(ast.parse(inspect.getsource(settle)), "conversion.py", "exec")


def convert() -> None:
    """Convert a copy with a code object of its own, which no cache knows."""
    kind: Any = type(settle)
    autograph.to_graph(kind(settle.__code__.replace(), settle.__globals__, settle.__name__))


def lines_out() -> int:
    """Count the lines of the result."""
    return len(autograph.to_code(settle).splitlines())


LINES = [
    Line(
        "to_graph of 62 lines",
        inputs=tuple,
        small=tuple,
        systems={
            "Python, parse and compile": lambda: parse_and_compile,
            "autograph": lambda: convert,
        },
        targets=(Target("autograph", more=0.008),),
        fresh=False,
    ),
    Line(
        "lines that it becomes",
        inputs=tuple,
        small=tuple,
        systems={
            "Python, as written": lambda: lambda: len(inspect.getsource(settle).splitlines()),
            "autograph": lambda: lines_out,
        },
        targets=(Target("autograph", more=155),),
        unit="lines",
    ),
]
