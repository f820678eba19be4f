"""Counts that threads share."""

import threading

from runtime.types.call_count import CallCount


def test_asking_does_not_count():
    calls = CallCount()
    assert [calls.total(), calls.total()] == [0, 0]
    calls.add()
    calls.add()
    assert [calls.total(), calls.total()] == [2, 2]


def test_no_call_of_another_thread_is_lost():
    calls = CallCount()

    def work():
        for _ in range(5000):
            calls.add()
            if not calls.total() % 100:
                calls.total()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls.total() == 20000
