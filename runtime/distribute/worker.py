"""Program of a process that ``launch`` has started: runs the script or calls the function.

``python -m runtime.distribute.worker FOLDER``; in the folder are the job, and what the process
tells of itself.
"""

from __future__ import annotations

import os
import pickle
import runpy
import sys
import traceback
from multiprocessing import spawn
from typing import Any

from runtime.distribute.launching import JOB_FILE
from runtime.distribute.process_world import joined_world
from runtime.types.atomic_files import replacing
from runtime.types.errors import UnknownError


def main(folder: str) -> int:
    """Do what the job says; tell how it ended."""
    rank = int(os.environ.get("PMI_RANK", "0"))

    def tell(kind: str, data: bytes) -> None:
        with replacing(os.path.join(folder, f"{rank}.{kind}")) as file:
            file.write(data)

    tell("process", str(os.getpid()).encode())
    with open(os.path.join(folder, JOB_FILE), "rb") as file:
        job = pickle.load(file)  # which the launcher wrote, into a folder of this user alone
    group = None
    try:
        if "script" not in job:
            spawn.prepare(job["preparation"])
        if "TF_CONFIG" not in os.environ:  # else the strategy says which task this is
            group = joined_world()
        result = _call(job) if "call" in job else _script(job)
    except BaseException as error:
        code = error.code if isinstance(error, SystemExit) else 1
        if code in (None, 0):
            tell("ending", pickle.dumps((None, None)))
            return 0
        if group is not None:
            group.crash()
        if not isinstance(error, SystemExit):
            traceback.print_exception(error)
        tell("ending", _pickled(None, error))
        return code if isinstance(code, int) else 1
    tell("ending", _pickled(result, None))
    return 0


def _script(job: dict[str, Any]) -> Any:
    path = job["script"]
    sys.argv = [path, *job["arguments"]]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    runpy.run_path(path, run_name="__main__")
    return None


def _call(job: dict[str, Any]) -> Any:
    function, args, kwargs = pickle.loads(job["call"])
    return function(*args, **kwargs)


def _pickled(result: Any, error: BaseException | None) -> bytes:
    """Return the ending; an error, or a result, that cannot be pickled is told by its text."""
    try:
        data = pickle.dumps((result, error))
        pickle.loads(data)
    except Exception as fault:
        text = f"{type(error).__name__}: {error}" if error else f"the result {result!r}: {fault}"
        return pickle.dumps((None, UnknownError(text)))
    return data


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
