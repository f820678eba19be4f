"""``launch``: starts processes that MPI connects, watches them, and starts them again.

``autograph launch`` starts scripts so.  worker.py runs in the processes.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing import spawn
from typing import Any

from runtime.distribute.process_group import LAUNCHER
from runtime.distribute.process_watch import LOOK_EVERY, ProcessWatch
from runtime.types.errors import AbortedError, DeadlineExceededError, UnavailableError
from runtime.types.extras import require

__all__ = ["launch"]

GRACE = 10.0
"""Seconds that the other processes have to end after one has died, before they are killed."""

JOB_FILE = "job"

_GUARDED = """trap '' USR1
"$1" -m runtime.distribute.worker "$2"
echo $? >"$2/$PMI_RANK.code"
"""
"""Program of a shell around each process: mpiexec, which would kill all others at once, does not
see one die, and they have the time to say who it was.
"""


def launch(
    fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, *,
    processes: int | Callable[[], int] = 2, restarts: int = 0, timeout: float | None = None,
) -> list[Any]:  # fmt: skip
    """Call a function in several processes that MPI connects; return what the calls return.

    The processes import the main program anew, as those of ``multiprocessing`` do: protect what it
    runs by ``if __name__ == "__main__":``.  When a process dies, the others are ended, and all are
    started again, ``restarts`` times at most; ``keras.callbacks.BackupAndRestore`` goes on from the
    last backup then.

    Args:
        fn: function of a module; it makes a ``MultiWorkerMirroredStrategy``.
        args: its arguments, the same in each process.
        kwargs: its arguments by name.
        processes: how many there are; or a function that says it before each start, so that a
            restart takes in processes that came or does without those that left.
        restarts: how often all are started again.
        timeout: seconds after which all are killed.
    Returns:
        The results in the order of the processes.
    Raises:
        UnavailableError: a process has died, and there is no restart left.
        DeadlineExceededError: the time is over.
        TypeError: the function or an argument cannot be pickled.
        ValueError: other numbers of processes or restarts.
        Exception: what the function raised in the first process that failed.
    """
    try:
        call = pickle.dumps((fn, tuple(args), dict(kwargs or {})))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(
            f"launch sends {fn!r} and its arguments to new processes by pickle: define the "
            f"function at the top of a module ({error})"
        ) from None
    preparation = spawn.get_preparation_data("worker")
    del preparation["authkey"]  # which multiprocessing lets nobody pickle
    job = {"preparation": preparation, "call": call}
    return [ending.result for ending in run_job(job, processes, restarts, timeout)]


def launch_script(
    path: str, arguments: Sequence[str], processes: int, restarts: int = 0,
    timeout: float | None = None,
) -> None:  # fmt: skip
    """Run a script in several processes that MPI connects; arguments and errors as for ``launch``.

    SystemExit with the code of the first process that ended with another one than 0.
    """
    run_job({"script": path, "arguments": list(arguments)}, processes, restarts, timeout)


class Ending:
    """How a process ended: with a result, with an error, or, without either, by dying."""

    def __init__(self, result: Any = None, error: BaseException | None = None) -> None:
        self.result = result
        self.error = error


def run_job(
    job: dict[str, Any], processes: int | Callable[[], int], restarts: int, timeout: float | None
) -> list[Ending]:
    """Run what a job file says until all processes have ended well; return how they ended."""
    _check_at_least("restarts", restarts, 0)
    if not callable(processes):
        _check_at_least("processes", processes, 1)
    require("mpi4py", extra="mpi", for_="launch")
    deadline = None if timeout is None else time.monotonic() + timeout
    for number in range(restarts + 1):
        count = processes() if callable(processes) else processes
        _check_at_least("processes", count, 1)
        with tempfile.TemporaryDirectory(prefix="autograph-launch-") as folder:
            with open(os.path.join(folder, JOB_FILE), "wb") as file:
                pickle.dump(job, file)
            endings = _Attempt(folder, count, deadline).run()
        errors = [ending.error for ending in endings if ending.error is not None]
        if not errors:
            return endings
        own = [error for error in errors if not isinstance(error, UnavailableError | AbortedError)]
        if own:
            raise own[0]
        if number < restarts:
            sys.stderr.write(f"{errors[0]}; restart {number + 1} of {restarts}\n")
    raise errors[0]


def _check_at_least(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be an int of at least {least}, got {value!r}")


class _Attempt:
    """One start of all processes, by ``mpiexec``."""

    def __init__(self, folder: str, processes: int, deadline: float | None) -> None:
        self._folder = folder
        self._count = processes
        self._deadline = deadline
        self._watch = ProcessWatch()
        self._waiting = set(range(processes))

    def run(self) -> list[Ending]:
        """Wait for all processes; leave none behind."""
        threads = str(max(1, (os.cpu_count() or 1) // self._count))
        environment = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, **os.environ}
        environment[LAUNCHER] = str(os.getpid())
        mpiexec = subprocess.Popen(
            [*_mpiexec(), "-n", str(self._count), "sh", "-c", _GUARDED, "sh", sys.executable,
             self._folder],
            stdin=subprocess.DEVNULL, env=environment, start_new_session=True,
        )  # fmt: skip
        try:
            self._wait(mpiexec)
        finally:
            self._end_all(mpiexec)
        return [self._ending(rank) for rank in range(self._count)]

    def _wait(self, mpiexec: subprocess.Popen[bytes]) -> None:
        """Wait until the job has ended by itself, or had the time to after a process has died.

        DeadlineExceededError at the end of the time.
        """
        died_at: float | None = None
        while mpiexec.poll() is None:
            self._note_started()
            now = time.monotonic()
            if self._deadline is not None and now > self._deadline:
                raise DeadlineExceededError("the time that launch was given is over")
            if died_at is None and any(not self._has_ended(n) for n in self._watch.ended()):
                died_at = now
            if died_at is not None and now > died_at + GRACE:
                break
            time.sleep(LOOK_EVERY)
        self._note_started()

    def _note_started(self) -> None:
        """Watch the processes that have told their ids."""
        for rank in list(self._waiting):
            with contextlib.suppress(FileNotFoundError), open(self._path(rank, "process")) as file:
                self._watch.add(rank, int(file.read()))
                self._waiting.discard(rank)

    def _path(self, rank: int, kind: str) -> str:
        return os.path.join(self._folder, f"{rank}.{kind}")

    def _has_ended(self, rank: int) -> bool:
        return os.path.exists(self._path(rank, "ending"))

    def _end_all(self, mpiexec: subprocess.Popen[bytes]) -> None:
        """End what still runs: by a request, and then without one."""
        if mpiexec.poll() is None:
            mpiexec.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                mpiexec.wait(2.0)
        for rank in self._watch.running():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._watch.process(rank), signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(mpiexec.pid, signal.SIGKILL)
        mpiexec.wait()
        self._watch.wait(2.0)
        self._watch.close()

    def _ending(self, rank: int) -> Ending:
        """Return how a process ended, which it has told, unless it died."""
        try:
            with open(self._path(rank, "ending"), "rb") as file:
                result, error = pickle.load(file)  # of our own process, in a folder of our own
        except FileNotFoundError:
            return Ending(error=UnavailableError(
                f"/job:worker/task:{rank} has ended unexpectedly{self._how(rank)}"
            ))  # fmt: skip
        return Ending(result, error)

    def _how(self, rank: int) -> str:
        """Return in brackets how a process died, if that is known."""
        try:
            with open(self._path(rank, "code"), encoding="ascii") as file:
                code = int(file.read())
            return f" ({signal.Signals(code - 128).name})" if code > 128 else f" (exit code {code})"
        except (FileNotFoundError, ValueError):
            return ""


def _mpiexec() -> list[str]:
    """Return the command that starts processes, beside this Python or on the path.

    ModuleNotFoundError where there is none of MPICH's.
    """
    beside = os.path.dirname(sys.executable)
    program = shutil.which("mpiexec", path=beside) or shutil.which("mpiexec.hydra") or shutil.which(
        "mpiexec"
    )
    if program is None or "hydra" not in _version(program).lower():
        raise ModuleNotFoundError(
            "launch needs MPICH's mpiexec, which is not installed: pip install 'pyautograph[mpi]'"
        )
    return [program, "-disable-auto-cleanup"]


def _version(program: str) -> str:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


