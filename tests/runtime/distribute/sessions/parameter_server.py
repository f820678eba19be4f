"""The process of a task that tests start and kill: ``JOB NUMBER PS WORKER``, with addresses."""

from __future__ import annotations

import os
import sys
import threading
import time

import runtime.compat.v1 as tf


def end_with(parent: int) -> None:
    """End when the test has ended."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
    job, number, ps, worker = sys.argv[1:]
    tf.train.Server({"ps": [ps], "worker": [worker]}, job, int(number)).join()
