"""What stays of functions that were converted, staged, called or refused, and then dropped.

`python -m tests.support.kept_objects CASE COUNT` counts it in a process of its own: in that of
other tests, what their threads and servers make meanwhile counts, too.
"""

from __future__ import annotations

import gc
import linecache
import sys
import weakref
from collections.abc import Callable

import pytest

import autograph
import runtime as tf
from autograph import api
from autograph.conversion import conversion
from autograph.operators import namespaces
from autograph.operators.calls import calls

TEXT = """
def fresh_{n}(x, k={n}):
    def helper(y):
        return y + k if y > 0 else -y
    total = 0
    while x > 0:
        if x % 2 == 1:
            total += helper(x)
        x -= 1
    return total
"""


def fresh(number):
    """A function with source and code of its own."""
    name, text = f"<fresh {number}>", TEXT.format(n=number)
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    namespace = {"__name__": "fresh"}
    exec(compile(text, name, "exec"), namespace)
    return namespace[f"fresh_{number}"]


def converted_and_dropped(number):
    function = fresh(number)
    converted = autograph.to_graph(function)
    assert converted(4) == function(4)
    del linecache.cache[function.__code__.co_filename]
    return weakref.ref(function), weakref.ref(function.__code__), weakref.ref(converted)


def staged_and_dropped(number):
    function = fresh(number)
    graph_function = tf.function(function)
    assert int(graph_function(tf.constant(4))) == function(4)
    del linecache.cache[function.__code__.co_filename]
    return weakref.ref(function), weakref.ref(function.__code__), weakref.ref(graph_function)


def called_and_dropped(number):
    called, caller = fresh(number), fresh(number)
    text = "def caller(x):\n    return called(x)\n"
    linecache.cache[f"<caller {number}>"] = len(text), None, text.splitlines(True), "<caller>"
    namespace = caller.__globals__
    namespace["called"] = called
    exec(compile(text, f"<caller {number}>", "exec"), namespace)
    assert autograph.to_graph(namespace["caller"])(4) == called(4)
    del linecache.cache[called.__code__.co_filename], linecache.cache[f"<caller {number}>"]
    return weakref.ref(called), weakref.ref(namespace["caller"])


def refused_and_dropped(number):
    function = fresh(number)
    del linecache.cache[function.__code__.co_filename]
    with pytest.raises(autograph.NoSourceError):
        autograph.to_graph(function)
    return weakref.ref(function), weakref.ref(function.__code__)


def failed_and_dropped(number):
    """A trace that ends in an error holds nothing when the error is gone."""
    function = fresh(number)
    with pytest.raises(TypeError):
        tf.function(function)(tf.constant(4), "text")
    del linecache.cache[function.__code__.co_filename]
    return weakref.ref(function), weakref.ref(function.__code__)


def marked_and_dropped(number):
    function = fresh(number)
    autograph.do_not_convert(function)
    del linecache.cache[function.__code__.co_filename]
    return weakref.ref(function), weakref.ref(function.__code__)


def tables():
    """How much the tables of conversion hold."""
    converters = [space.converter for space in namespaces._namespaces.values()]
    lookups = [space.call.__self__ for space in namespaces._namespaces.values()]
    return (
        sum(len(converter._codes) for converter in converters),
        sum(len(lookup._functions) for lookup in lookups),
        len(calls._excluded),
        len(api._originals),
        len(conversion._converters),
    )


def check_dropped(case: Callable[[int], tuple], count: int) -> None:
    """Raise AssertionError where something of ``count`` dropped functions stays."""
    for number in range(20):  # fills what is bounded
        case(number)
    for _ in range(2):
        gc.collect()
    before, objects = tables(), len(gc.get_objects())
    references = [ref for number in range(100, 100 + count) for ref in case(number)]
    case(1_000_000)  # what belongs to the latest run is the latest's alone
    gc.collect()
    assert sum(ref() is not None for ref in references) == 0
    references.clear()
    assert tables() == before
    assert len(gc.get_objects()) - objects < count, "less than one object for each function"


CASES = {
    case.__name__: case
    for case in (
        converted_and_dropped,
        staged_and_dropped,
        called_and_dropped,
        refused_and_dropped,
        failed_and_dropped,
        marked_and_dropped,
    )
}

if __name__ == "__main__":
    check_dropped(CASES[sys.argv[1]], int(sys.argv[2]))
