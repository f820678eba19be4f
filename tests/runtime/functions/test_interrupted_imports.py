"""First traces of a process that are interrupted, in the midst of imports: later calls work.

A child process forks at some lines of the first call; the fork is interrupted there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from tests.support.processes import child

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

CHILD = textwrap.dedent(
    '''
    import os, signal, sys, traceback
    import runtime as tf

    start, step = map(int, sys.argv[1:3])
    folders = tuple(os.path.dirname(sys.modules[n].__file__) for n in ("autograph", "runtime"))

    def branches(x):
        if x > 0:
            return x + 1
        return x

    def loop(n):
        total = 0
        while n > 0:
            total += n
            n -= 1
        return total

    def gradient():
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    f = tf.function(branches)
    way = {"function": lambda: int(f(tf.constant(1))) == 2, "gradient": lambda: gradient() == 6.0,
           "jit": lambda: tf.jit(loop)(4) == 10, "names": lambda: tf.nn.relu(2.0) == 2.0}
    first, lines, tested = way[sys.argv[3]], set(), 0

    def watch(frame, event, _):
        global tested
        place = frame.f_code.co_filename, frame.f_lineno
        if not place[0].startswith(folders):
            return None
        if event == "line" and place not in lines:
            lines.add(place)
            if len(lines) % step == start:
                tested += 1
                process = os.fork()
                if process == 0:
                    tested = -1
                    sys.settrace(None)
                    signal.alarm(60)
                    raise KeyboardInterrupt
                if os.waitpid(process, 0)[1]:
                    print("poisoned by an interrupt at", *place)
        return watch

    sys.settrace(watch)
    try:
        first()
    except KeyboardInterrupt:
        pass
    sys.settrace(None)
    if tested < 0:
        try:
            for _ in range(2):
                assert first() and way["function"]() and way["jit"]() and way["gradient"]()
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
            os._exit(1)
        os._exit(0)
    print("tested", tested)
    '''
)


def check(way, start, step):
    command = [sys.executable, "-W", "ignore", "-c", CHILD, str(start), str(step), way]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with child(command, 570, **pipes) as process:
        text = process.communicate()[0]
    assert text.startswith("tested ") and int(text.split()[1]) > 2, text


@pytest.mark.parametrize("way, step", [("function", 1801), ("names", 401), ("gradient", 1201)])
def test_interrupts_at_some_lines_of_the_first_trace(way, step):
    check(way, step - 1, step)


@pytest.mark.nightly
@pytest.mark.parametrize("start", range(12))
@pytest.mark.parametrize("way", ["function", "names", "gradient", "jit"])
def test_interrupts_at_each_line_of_the_first_trace(way, start):
    check(way, start, 12)
