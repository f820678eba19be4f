"""Newer syntax (``async def``, ``except*``, type parameters) keeps its meaning in both versions."""

from __future__ import annotations

import asyncio
import inspect
import sys

import pytest

import autograph
from autograph import staging
from autograph.syntax.exec_source import exec_source


class Gate:
    def __init__(self):
        self.log = []

    async def __aenter__(self):
        self.log.append("in")
        return self

    async def __aexit__(self, *error):
        self.log.append("out")
        return False


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def total(n):
    gate, found = Gate(), 0
    async with gate:
        async for i in numbers(n):
            if i % 2 == 0:
                continue
            found += i
        squares = [i * i async for i in numbers(n) if i > 1]
    while found > 5:
        found -= await later(2)
    return found, squares, gate.log


async def later(value):
    await asyncio.sleep(0)
    return value if value else 1


@pytest.mark.parametrize("functional", [False, True])
@pytest.mark.parametrize("n", [0, 3, 7])
def test_coroutines(n, functional):
    converted = autograph.to_graph(total)
    assert inspect.iscoroutinefunction(converted)
    with staging.force_version(functional):
        assert asyncio.run(converted(n)) == asyncio.run(total(n))


def groups(kind):
    log = []
    try:
        try:
            raise ExceptionGroup("several", [ValueError(1), kind(2), ValueError(3)])
        except* ValueError as group:
            for error in group.exceptions:
                if error.args[0] > 1:
                    log.append(error.args)
        except* TypeError:
            log.append("type")
        else:
            log.append("never")
        finally:
            log.append("finally")
    except ExceptionGroup as rest:
        log.append([type(error) for error in rest.exceptions])
    return log


@pytest.mark.parametrize("functional", [False, True])
@pytest.mark.parametrize("kind", [TypeError, KeyError, ValueError])
def test_exception_groups(kind, functional):
    with staging.force_version(functional):
        assert autograph.to_graph(groups)(kind) == groups(kind)


PARAMETERS = '''
def first[T: (int, str), *Ts, **P](items: list[T], default: T) -> T:
    type Pair[U] = tuple[U, T]
    class Box[V]:
        def get(self, value: V) -> V:
            if value:
                return value
            return default
    for item in items:
        if item:
            return Box().get(item), Pair.__name__, first.__type_params__
    return default
'''


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
@pytest.mark.parametrize("functional", [False, True])
def test_type_parameters(functional):
    namespace = exec_source(PARAMETERS, {})
    first = namespace["first"]
    converted = autograph.to_graph(first)
    assert converted.__type_params__ == first.__type_params__
    with staging.force_version(functional):
        for items in ([0, 2], [], [0]):
            assert converted(items, 5) == first(items, 5)
