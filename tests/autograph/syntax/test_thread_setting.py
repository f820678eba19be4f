"""Settings of a thread end with their blocks, wherever these are interrupted."""

from __future__ import annotations

import sys
import threading
import weakref

import pytest

from autograph.syntax import thread_setting
from autograph.syntax.thread_setting import ThreadSetting


def test_the_innermost_block_counts():
    setting = ThreadSetting("first")
    with setting("outer"):
        with setting("inner"):
            assert setting.value == "inner"
        assert setting.value == "outer"
        with pytest.raises(ValueError), setting("raising"):
            raise ValueError
        assert setting.value == "outer"
    assert setting.value == "first"


def test_other_threads_have_their_own():
    setting, values = ThreadSetting(0), []
    with setting(1):
        thread = threading.Thread(target=lambda: values.append(setting.value))
        thread.start()
        thread.join()
        assert (values, setting.value) == ([0], 1)


def test_an_interrupt_anywhere_leaves_no_value_behind():
    setting, position, interrupts = ThreadSetting("first"), 1, []

    def block():
        with setting("outer"):
            with setting("inner"):
                assert setting.value == "inner"
            assert setting.value == "outer"

    while len(interrupts) == position - 1:
        events = 0

        def watch(frame, event, _):
            nonlocal events
            if frame.f_code.co_filename != thread_setting.__file__:
                return None
            if event == "line":
                events += 1
                if events == position:
                    sys.settrace(None)
                    raise KeyboardInterrupt
            return watch

        sys.settrace(watch)
        try:
            block()
        except KeyboardInterrupt as error:
            interrupts.append(error)  # with its frames, as an interactive session keeps them
        finally:
            sys.settrace(None)
        assert setting.value == "first", position
        position += 1
    assert position > 5


def test_a_value_is_let_go_with_its_block():
    class Value:
        pass

    setting, value = ThreadSetting(None), Value()
    reference = weakref.ref(value)
    with setting(value):
        assert setting.value is value
    del value
    assert reference() is None
