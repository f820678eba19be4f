"""Random numbers, clocks and files: ``runtime.jit`` refuses what it would ask once only."""

import collections
import datetime
import decimal
import hashlib
import io
import itertools
import logging
import os
import pathlib
import queue
import random
import secrets
import sqlite3
import sys
import threading
import time
import uuid
from random import randint

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError

LOGGER = logging.getLogger(__name__)
GENERATOR = np.random.default_rng(0)
OWN = random.Random(3)


def draws(n):
    return n + random.random()


def draws_by_another_name(n):
    return n + randint(1, 6)


def draws_from_its_own(n):
    return n + OWN.gauss(0, 1)


def helper():
    return random.uniform(0, 1)


def draws_in_a_helper(n):
    return n + helper()


def draws_in_a_comprehension(n):
    return n + sum([random.random() for _ in range(3)])


def draws_on_a_path(n):
    if n > 0:
        n += random.random()
    return n


def draws_with_numpy(n):
    return n + np.random.rand()


def draws_from_a_generator(n):
    return n + GENERATOR.normal()


def reads_the_clock(n):
    return n + time.time()


def reads_the_date(n):
    return n + datetime.datetime.now().year


def reads_a_file(n):
    return n + len(open(__file__).read())  # noqa: SIM115


def reads_a_path(n):
    return n + len(pathlib.Path(__file__).read_text())


def asks_the_user(n):
    return n + int(input())


def makes_a_uuid(n):
    return n + uuid.uuid4().int % 7


def makes_a_secret(n):
    return n + len(secrets.token_hex(2))


def sets_a_precision(n):
    decimal.getcontext().prec = n
    return str(decimal.Decimal(1) / 7)


REFUSED = [
    (draws, "random.random"), (draws_by_another_name, "random.randint"),
    (draws_from_its_own, "random.gauss"), (draws_in_a_helper, "random.uniform"),
    (draws_in_a_comprehension, "random.random"), (draws_on_a_path, "random.random"),
    (draws_with_numpy, "numpy.random.rand"), (draws_from_a_generator, "numpy.random.normal"),
    (reads_the_clock, "time.time"), (reads_the_date, "datetime.now"), (reads_a_file, "open"),
    (reads_a_path, "read_text"), (asks_the_user, "input"), (makes_a_uuid, "uuid.uuid4"),
    (makes_a_secret, "secrets.token_hex"), (sets_a_precision, "decimal.getcontext"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "name"), REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_what_would_be_asked_once_is_refused(function, name):
    with pytest.raises(EffectError, match="tracing would call it only once") as caught:
        tf.jit(function)(1)
    assert f"{name}()" in str(caught.value)
    assert "argument" in str(caught.value) or "outside of the function" in str(caught.value)
    first = function.__code__.co_firstlineno
    line = {draws_in_a_helper: helper.__code__.co_firstlineno + 1, draws_on_a_path: first + 2}
    assert caught.value.where == (__file__, line.get(function, first + 1))


def logs(n):
    LOGGER.info("a line of the log")
    return n


def logs_a_number(n):
    logging.warning("the number %d", n)
    return n


def writes(n):
    sys.stdout.write("a line")
    return n


@pytest.mark.parametrize("function", [logs, logs_a_number, writes])
def test_what_would_be_written_once_is_refused(function):
    with pytest.raises(EffectError, match="tracing would call it only once") as caught:
        tf.jit(function)(1)
    assert "print" in str(caught.value)
    assert caught.value.where == (__file__, function.__code__.co_firstlineno + 1)


JOBS = queue.Queue()
DATABASE = sqlite3.connect(":memory:", check_same_thread=False)
LOCK = threading.Lock()
PAGES = io.StringIO()
PIXELS = bytearray()
ITEMS = []
PUT = ITEMS.append
MAPPED = collections.UserDict()
NUMBERS = itertools.count()


def puts(n):
    JOBS.put(n)
    return n


def puts_in_a_key(n):
    return sorted([n, 2], key=lambda v: (JOBS.put(v), v)[1])[0]


def inserts(n):
    DATABASE.execute("create table if not exists pages (n)")
    return n


def locks(n):
    LOCK.acquire(blocking=False)
    return n


def sets_the_environment(n):
    os.environ["RUNTIME_TEST_PAGES"] = "1"
    return n


def writes_in_memory(n):
    PAGES.write("page")
    return n


def grows_bytes(n):
    PIXELS.append(1)
    return n


def appends_by_a_method_from_before(n):
    PUT(1)
    return n


def takes_a_number(n):
    return n + next(NUMBERS)


UNKNOWN = [
    (puts, "Queue.put"), (puts_in_a_key, "Queue.put"), (inserts, "Connection.execute"),
    (locks, "lock.acquire"), (sets_the_environment, "os.environ"), (writes_in_memory, "PAGES"),
    (grows_bytes, "PIXELS"), (appends_by_a_method_from_before, "PUT"), (takes_a_number, "NUMBERS"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "name"), UNKNOWN, ids=[f.__name__ for f, _ in UNKNOWN])
def test_effects_that_no_run_would_have_are_refused(function, name, monkeypatch):
    monkeypatch.delenv("RUNTIME_TEST_PAGES", raising=False)
    with pytest.raises(EffectError) as caught:
        tf.jit(function, strict=True)(1)
    assert name in str(caught.value)
    file, line = caught.value.where
    assert (file, line - function.__code__.co_firstlineno in (0, 1)) == (__file__, True)
    assert JOBS.empty()
    assert not LOCK.locked()
    assert "RUNTIME_TEST_PAGES" not in os.environ
    assert (PAGES.getvalue(), PIXELS, ITEMS) == ("", bytearray(), [])


def test_mappings_of_the_library_are_state_as_dicts_are():
    def put(n):
        MAPPED["last"] = n
        return MAPPED["last"]

    staged = tf.jit(put, strict=True)
    assert [staged(n) for n in (5, 3)] == [5, 3]
    assert MAPPED == {"last": 3}


def test_attributes_of_threads_are_state():
    local = threading.local()
    local.calls = 0

    def count(n):
        local.calls += 1
        return n

    staged = tf.jit(count, strict=True)
    assert [staged(n) for n in (5, 3, 5)] == [5, 3, 5]
    assert local.calls == 3


def test_functions_that_compute_and_effects_on_new_objects_are_staged():
    def names(n):
        page = io.BytesIO(b"ab")
        page.read(1)
        path = os.path.join("a", os.path.basename("b/c"))
        return n, path, page.read(1), hashlib.md5(b"a").hexdigest()[:4], str(uuid.UUID(int=5))[-1]

    staged = tf.jit(names, strict=True)
    assert staged(1) == names(1)
    assert staged(2) == names(2)


def test_a_function_has_effects_of_python_while_tracing_as_in_tensorflow():
    jobs = queue.Queue()

    @tf.function
    def put(x):
        jobs.put(1)
        return x

    assert [int(put(tf.constant(n))) for n in (1, 2)] == [1, 2]
    assert jobs.qsize() == 1


def test_text_files_in_memory_are_written_to():
    def text(n):
        found = io.StringIO()
        found.write("a line")
        return n, found.getvalue()

    staged = tf.jit(text)
    assert staged(1) == staged(1) == (1, "a line")


def test_a_function_asks_while_tracing_as_in_tensorflow():
    step = tf.function(draws)
    assert float(step(tf.constant(0.0))) == float(step(tf.constant(0.0)))


def test_outside_of_jit_nothing_is_refused():
    with pytest.raises(EffectError):
        tf.jit(draws)(1)
    assert 1 <= draws(1) < 2
    assert 1 <= tf.function(draws)(tf.constant(1.0)) < 2


def test_the_environment_is_looked_up(monkeypatch):
    monkeypatch.setenv("STEPS", "3")

    @tf.jit
    def step(n):
        return n + int(os.environ["STEPS"]) + int(os.environ.get("STEPS")) + int(os.getenv("STEPS"))

    assert step(1) == 10
    monkeypatch.setenv("STEPS", "4")
    assert step(1) == 13


def test_seeded_numbers_of_the_runtime_are_drawn_each_time():
    @tf.jit
    def step(n):
        return n + tf.random.uniform([])

    assert len({float(step(1.0)) for _ in range(5)}) == 5
