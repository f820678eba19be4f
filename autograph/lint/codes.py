"""Table of the codes of ``autograph check``, each with an example and the remedy.

``docs/check.md`` is generated from this table; ``--explain`` shows one entry.  The tests stage
every example: what is flagged must fail with the error named here, the remedy must work.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """Code of a check.  ``example`` and ``remedy`` define a function ``f`` of a number."""

    code: str
    name: str
    about: str
    example: str
    remedy: str
    error: str | None
    """The error of the staged example; None when it does something else than Python, silently."""
    default: bool = True
    """Whether it is looked for unless it is selected."""
    libraries: tuple[str, ...] = ()
    """Libraries whose backends refuse it, where ``runtime`` does not: ``check --for LIBRARY``."""


CHECKS = (
    Check(
        "AG101", "condition around yield",
        "A `yield` that takes what is sent, or stands inside a `try` or `with`, cannot move into "
        "another function: the statements around it stay plain Python, and a `return` beside it. "
        "A staged value cannot decide there.",
        """\
def f(n):
    def numbers():
        if n > 0:
            sent = yield n
        else:
            sent = yield -n
        print(sent)
    return list(numbers())[0]
""",
        """\
def f(n):
    def numbers():
        yield n if n > 0 else -n
    return list(numbers())[0]
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG102", "condition around await",
        "A statement that holds `await`, `async for` or `async with` stays plain Python, for the "
        "same reason.",
        """\
import asyncio

async def size(n):
    if n > 0:
        await asyncio.sleep(0)
        return n
    return -n

def f(n):
    return asyncio.run(size(n))
""",
        """\
import asyncio

async def size(n):
    await asyncio.sleep(0)
    return n if n > 0 else -n

def f(n):
    return asyncio.run(size(n))
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG103", "condition around locals or eval",
        "`locals`, `vars`, `dir`, `eval`, `exec` and `breakpoint` look at the variables of the "
        "function that calls them, so a statement that calls one stays plain Python.",
        """\
def f(n):
    if n > 0:
        n = eval('n + 1')
    return n
""",
        """\
def f(n):
    m = eval('n + 1')
    if n > 0:
        n = m
    return n
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG105", "condition in a class body",
        "The body of a class inside of a function is not converted: it is not a function.",
        """\
def f(n):
    class Settings:
        if n > 0:
            size = 1
        else:
            size = 2
    return Settings.size
""",
        """\
def f(n):
    chosen = 1 if n > 0 else 2
    class Settings:
        size = chosen
    return Settings.size
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG106", "assignment expression behind and, or",
        "What stands behind `and` and `or` becomes a function, in which `:=` would assign another "
        "variable. So the expression stays plain Python, and what decides it cannot be staged.",
        """\
def f(n):
    if n > 0 and (m := n + 1) > 2:
        return m
    return 0
""",
        """\
def f(n):
    m = n + 1
    if n > 0 and m > 2:
        return m
    return 0
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG202", "outer set or bytearray changed",
        "A graph holds tensors, and the tuples, lists, dicts and sets that the function makes; a "
        "bytearray, or a set from outside, that changes on a path that depends on a staged value "
        "would change while tracing, whichever path is taken.",
        """\
def f(n):
    seen = bytearray(1)
    if n > 0:
        seen[0] = 1
    return seen[0]
""",
        """\
def f(n):
    seen = {'positive': 0}
    if n > 0:
        seen['positive'] = 1
    return seen['positive']
""",
        "EffectError",
    ),
    Check(
        "AG203", "done once while tracing",
        "Random numbers, clocks, files, input and logging belong to Python. A staged branch or "
        "loop is traced once: the call is made then, also on the path that the graph does not "
        "take, and each iteration of a loop sees the same result. An iterator from outside of the "
        "path is refused there.",
        """\
def f(n):
    import random
    random.seed(1)
    total = 0
    while n > 0:
        total = total + random.randint(1, 100)
        n = n - 1
    return total
""",
        """\
def f(n):
    import random
    random.seed(1)
    total = 0
    for k in [random.randint(1, 100) for _ in range(3)]:
        if n > 0:
            total = total + k
            n = n - 1
    return total
""",
        None,
    ),
    Check(
        "AG301", "values of different kinds",
        "A value that a staged condition chooses must be of one kind: a number, a bool or text. "
        "`None` on one path is fine.",
        """\
def f(n):
    if n > 0:
        size = 1
    else:
        size = 'none'
    return size
""",
        """\
def f(n):
    if n > 0:
        size = 1
    else:
        size = None
    return size
""",
        "DtypeJoinError",
    ),
    Check(
        "AG302", "collections of different lengths",
        "Tuples and lists that a staged condition chooses between may differ in length only if all "
        "items are of one type; else the condition chooses item by item.",
        """\
def f(n):
    if n > 0:
        return n, 2
    return n, 2, "three"
""",
        """\
def f(n):
    if n > 0:
        return n, 2, 0
    return n, 2, 3
""",
        "StructureJoinError",
    ),
    Check(
        "AG401", "value of a tensor",
        "`.numpy()`, `.item()` and `.tolist()` give the value that a tensor has now. A staged one "
        "has none before the graph runs.",
        """\
def f(n):
    n = n + 1
    return n.numpy()
""",
        """\
def f(n):
    n = n + 1
    return n
""",
        "AttributeError",
    ),
    Check(
        "AG404", "staged value as a key",
        "A staged value has no hash, so it can neither be the key of a dict nor in a set.",
        """\
def f(n):
    return len({n + 1: 'a', n + 2: 'b'})
""",
        """\
def f(n):
    return len([(n + 1, 'a'), (n + 2, 'b')])
""",
        "TypeError",
    ),
    Check(
        "AG405", "random numbers of NumPy",
        "NumPy draws random numbers at once: while a function is traced, and never again. As "
        "ordinary programs are full of such calls, this code must be selected: `--select AG4`.",
        """\
import numpy as np

def f(n):
    return np.random.randint(n, n + 1)
""",
        """\
import runtime as tf

def f(n):
    return tf.random.uniform([], n, n + 1, tf.int32)
""",
        "OperatorNotAllowedInGraphError",
        default=False,
    ),
    Check(
        "AG502", "condition in a function that is not converted",
        "A function that is marked `do_not_convert` runs as it is, so a staged value cannot "
        "decide in it.",
        """\
import autograph

@autograph.do_not_convert
def size(n):
    if n > 0:
        return n
    return -n

def f(n):
    return size(n)
""",
        """\
def size(n):
    if n > 0:
        return n
    return -n

def f(n):
    return size(n)
""",
        "OperatorNotAllowedInGraphError",
    ),
    Check(
        "AG601", "recursion that a staged value ends",
        "Neither JAX nor TensorFlow nor PyTorch calls a function as often as a value says. "
        "`runtime` does.",
        """\
def f(n):
    if n > 0:
        return n * f(n - 1)
    return 1
""",
        """\
def f(n):
    product = 1
    while n > 0:
        product = product * n
        n = n - 1
    return product
""",
        "EffectError",
        default=False,
        libraries=("jax", "tensorflow", "torch"),
    ),
    Check(
        "AG602", "exception that a handler would catch",
        "JAX and PyTorch stage no `try`: the handlers around an exception that depends on a staged "
        "value would run while the function is traced. `runtime` and TensorFlow stage it.",
        """\
def f(n):
    try:
        if n > 0:
            raise ValueError("positive")
        return 0
    except ValueError:
        return 1
""",
        """\
def f(n):
    if n > 0:
        return 1
    return 0
""",
        "EffectError",
        default=False,
        libraries=("jax", "torch"),
    ),
    Check(
        "AG603", "list that grows without a bound",
        "The arrays of JAX and PyTorch have fixed sizes, so a list that grows in a loop of an "
        "unknown number of turns needs a bound. On `runtime` and TensorFlow it grows as in Python.",
        """\
def f(n):
    halves = []
    while n > 0:
        halves.append(n)
        n = n // 2
    return len(halves)
""",
        """\
import autograph

def f(n):
    halves = []
    while n > 0:
        autograph.set_loop_options(maximum_size=64)
        halves.append(n)
        n = n // 2
    return len(halves)
""",
        "ConcreteValueError",
        default=False,
        libraries=("jax", "torch"),
    ),
)

TABLE = {check.code: check for check in CHECKS}
"""The rows by code."""
