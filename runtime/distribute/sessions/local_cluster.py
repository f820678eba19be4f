"""Clusters of this machine, which a session starts: ``dask://local?workers=2``."""

from __future__ import annotations

import logging
from typing import Any

from runtime.distribute.sessions.dask_library import dask_distributed, event_loop


def local_cluster(workers: int = 1, processes: bool = True, dashboard: str | None = None) -> Any:
    """Start a cluster of Dask's on this machine; its ``close`` ends it.

    ``workers`` is the number of workers, in processes of their own or, without ``processes``,
    threads; ``dashboard`` is the address of the page that shows them.  The main program is not
    imported anew in them.
    """
    distributed = dask_distributed()
    from distributed.deploy.subprocess import SubprocessWorker

    options = {
        "host": "127.0.0.1", "nthreads": 1, "memory_limit": 0, "dashboard": False,
        "death_timeout": 10, "silence_logs": logging.CRITICAL, "dashboard_address": "127.0.0.1:0",
    }  # fmt: skip
    specs: dict[int, Any] = {}
    for number in range(workers):
        if processes:
            inner = {**options, "name": number}
            specs[number] = {
                "cls": SubprocessWorker,
                "options": {"worker_class": "distributed.Worker", "worker_kwargs": inner},
            }
        else:
            specs[number] = {"cls": distributed.Worker, "options": options}
    scheduler = {
        "cls": distributed.Scheduler,
        "options": {
            "host": "127.0.0.1", "port": 0, "dashboard": dashboard is not None,
            "dashboard_address": dashboard or "127.0.0.1:0",
        },
    }  # fmt: skip
    return distributed.SpecCluster(
        workers=specs, scheduler=scheduler, loop=event_loop().loop, asynchronous=False,
        silence_logs=False, name="autograph",
    )  # fmt: skip
