"""Native code beside threads, signals, forks and deep recursion; nothing leaks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY, always
from tests.support.processes import child

pytestmark = needs("jit")

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")

HEAD = """
import gc, os, signal, sys, threading, time
import runtime as tf

@tf.function
def endless(n):
    while n > 0:
        n = n + 1 if n < 5 else n - 1
    return n

def make(k):
    @tf.function(input_signature=[tf.TensorSpec((), tf.int64)])
    def f(n):
        total = n - n
        for i in tf.range(n):
            total = total + i * k
        return total
    return f

def number(n):
    return tf.constant(n, tf.int64)

def native(f):
    from runtime.engine.llvm.native import NativeCode
    return any(type(x) is NativeCode for x in gc.get_objects())
"""


def started(body: str, **more: str) -> dict[str, object]:
    """Arguments of a process that runs a program with everything compiled."""
    switches = {"RUNTIME_JIT": "always", "RUNTIME_JIT_CACHE": "0", **more}
    env = {**os.environ, **switches, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-X", "faulthandler", "-c", HEAD + textwrap.dedent(body)]
    return {"args": command, "env": env, "text": True}


def output(body: str, timeout: int = 200, **more: str) -> str:
    """What a program writes; it ends well."""
    done = subprocess.run(  # type: ignore[call-overload]
        **started(body, **more), capture_output=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    return str(done.stdout).strip()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_an_endless_loop() -> None:
    options = started("""
        make(1)(number(3))
        threading.Timer(0.7, lambda: print("runs", flush=True)).start()
        try:
            endless(tf.constant(1))
        except KeyboardInterrupt:
            print(time.time(), native(endless))
    """)
    with child(options.pop("args"), stdout=subprocess.PIPE, **options) as process:  # type: ignore[arg-type]
        assert process.stdout is not None
        assert process.stdout.readline() == "runs\n"
        sent = time.time()
        process.send_signal(signal.SIGINT)
        end, is_native = process.stdout.readline().split()
    assert is_native == "True"
    assert float(end) - sent < 1  # some milliseconds where the machine is idle


@NIGHTLY
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_a_loop_over_large_arrays() -> None:
    found = output("""
        @tf.function
        def grow(x):
            while tf.reduce_max(x) >= 0.0:
                x = tf.tanh(x) + 1.0
            return x
        grow(-tf.ones([4_000_000]))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            grow(tf.ones([4_000_000]))
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert found == "interrupted"


def test_other_threads_go_on() -> None:
    assert output("""
        @tf.function(input_signature=[tf.TensorSpec((), tf.int64)])
        def f(n):
            total = n - n
            for i in tf.range(n):
                total = total * 3 + i
            return total
        f(number(1))
        steps = []
        done = threading.Event()
        def count():
            while not done.is_set():
                steps.append(1)
                time.sleep(0.001)
        thread = threading.Thread(target=count)
        thread.start()
        def steps_during_a_call():
            before = len(steps)
            f(number(200_000_000))
            return len(steps) - before
        print(any(steps_during_a_call() > 5 for _ in range(20)))  # on a busy machine few at times
        done.set()
        thread.join()
    """) == "True"


def test_threads_compile_and_run_at_once() -> None:
    assert output("""
        wrong = []
        shared = make(7)
        def work(seed):
            for k in range(seed, seed + 3):
                if int(make(k)(number(1000))) != k * 499500:
                    wrong.append(k)
                if int(shared(number(100))) != 7 * 4950:
                    wrong.append("shared")
        threads = [threading.Thread(target=work, args=(10 * n,)) for n in range(6)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(wrong, native(shared))
    """) == "[] True"


@NIGHTLY
@forks
def test_a_forked_process_runs_old_and_compiles_new_code() -> None:
    assert output("""
        f = make(2)
        f(number(10))
        child = os.fork()
        if not child:
            good = int(f(number(5))) == 20 and int(make(5)(number(4))) == 30
            os._exit(0 if good else 3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(make(9)(number(3))))
    """) == "0 27"


@forks
def test_forks_while_another_thread_compiles() -> None:
    assert output("""
        for k in range(2, 10):  # imports all that it needs: a child waits forever for a module
            make(k)(number(10))  # that another thread was importing when it was forked
        stop = threading.Event()
        def compile():
            k = 100
            while not stop.is_set():
                k += 1
                make(k)(number(3))
        thread = threading.Thread(target=compile)
        thread.start()
        codes = []
        for n in range(5):
            time.sleep(0.01 * (n % 5))
            child = os.fork()
            if not child:
                signal.alarm(60)
                os._exit(0 if int(make(10_000 + n)(number(3))) == 3 * (10_000 + n) else 3)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        thread.join()
        print(set(codes))
    """) == "{0}"


RECURSION = """
        @tf.function
        def depth(n):
            if n <= 0:
                return tf.constant(0)
            return depth(n - 1) + 1

        def attempt(n):
            try:
                return int(depth(tf.constant(n)))
            except RecursionError:
                return "RecursionError"
"""


def test_recursion_ends_at_the_limit_of_python() -> None:
    assert output(RECURSION + """
        print(attempt(500), attempt(100_000), attempt(500))
    """) == "500 RecursionError 500"


def test_recursion_ends_before_the_stack_does() -> None:
    assert output(RECURSION + """
        print(attempt(5))
        sys.setrecursionlimit(10**8)
        def in_thread(size):
            results = []
            threading.stack_size(size)
            thread = threading.Thread(
                target=lambda: results.append((attempt(10**8), attempt(100))))
            thread.start()
            threading.stack_size(0)  # does not change threads that have begun
            thread.join()
            return results
        print(attempt(10**8), attempt(5))
        print(in_thread(512 << 10), in_thread(64 << 20))
    """).splitlines() == [
        "5", "RecursionError 5", "[('RecursionError', 100)] [('RecursionError', 100)]",
    ]  # fmt: skip


MEMORY = """
        def memory():
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""
statm = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="/proc/self/statm")


@statm
@pytest.mark.parametrize("count", always([100], [100, 10_000]))
@pytest.mark.parametrize("cached", always([False], [False, True]))
@NIGHTLY
def test_code_is_unloaded_with_its_function(count: int, cached: bool, tmp_path: Path) -> None:
    # llvmlite 0.50 keeps 1.5 KB of each compilation; arenas weigh more in few runs
    different = 50 if cached else 1_000_000
    grown, alive = output(MEMORY + f"""
        from runtime.engine.llvm.machine_code import MachineCode
        first = [make(-1 - k % {different})(number(3)) for k in range(64)]
        del first
        before = memory()
        for k in range({count}):
            make(k % {different})(number(3))
        print((memory() - before) // {count})
        print(sum(type(x) is MachineCode for x in gc.get_objects()))
    """, timeout=200 + count // 10, RUNTIME_JIT_CACHE=str(tmp_path) if cached else "0").split()
    assert int(grown) < (40_000 if count == 100 else 3_000), grown  # a pass manager has 80 KB
    assert int(alive) < 10


@statm
def test_calls_do_not_leak() -> None:
    lines = output(MEMORY + """
        @tf.jit
        def lists(n, items):
            found = [1, 2]
            for i in range(n):
                found.append(i)
                if i == 900:
                    raise ValueError("in the middle")
            return found, items[0] + len(found)

        @tf.jit
        def third(items, n):
            total = 0
            for i in range(n):
                total = total + items[i]
            return total

        def one(n):
            try:
                lists(n, [n, 2])
            except ValueError:
                pass
            try:
                third([n, 2], 2 + n % 2)
            except IndexError:
                pass
        big, grown, changed = 10**12, [], []
        for _ in range(4):  # the first rounds still fill caches
            before, counts = memory(), (sys.getrefcount(big), sys.getrefcount(None))
            for n in range(200):
                one(100 + n % 30)
                one(1000 + n % 30)
            after = sys.getrefcount(big), sys.getrefcount(None)
            grown.append((memory() - before) // 400)
            changed.append(max(abs(x - y) for x, y in zip(counts, after)))
        print(min(grown), min(changed))
    """).split()
    assert int(lines[0]) < 100  # a list that leaks has 800 bytes and more
    assert int(lines[1]) < 100
