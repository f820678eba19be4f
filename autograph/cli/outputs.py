"""Input and output of all commands: reads files, writes them atomically, prints with colours.

The lowest module of the command line.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path
from typing import Any, TextIO

from autograph.conversion.module_source import FileError
from autograph.diagnostics.printable import printable

RED, GREEN, CYAN, BOLD = "31", "32", "36", "1"


def read(name: str) -> bytes:
    """Return the contents of a file; raises FileError, also for a pipe or a device."""
    try:
        kind = special_kind(name)
        if kind is not None:
            raise FileError(f"is {kind}, not a file; pass its text as standard input: -", name)
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise failed(error, name) from None


def special_kind(name: str) -> str | None:
    """Return what is no file that can be read to its end, such as "a pipe"; None for a file or a
    folder.  OSError or ValueError if there is nothing of that name.
    """
    mode = os.stat(name).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    kinds = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def failed(error: OSError | ValueError, name: str) -> FileError:
    """Return an error of the system as one line about a file."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return FileError(reason[0].lower() + reason[1:], name)


def real(name: str) -> str:
    """Return the path behind all links; a name that cannot be a path is returned as it is."""
    try:
        return os.path.realpath(name)
    except ValueError:
        return name


def open_closed_streams() -> None:
    """Discard messages for a standard error that is closed.

    The number of a closed stream is taken, too, so that no other file gets it.
    """
    with contextlib.suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) < 3:
            pass
        os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open as long as the process runs


def read_standard_input() -> bytes:
    """Read all of standard input; FileError when it is closed or cannot be read."""
    if sys.stdin is None:
        raise FileError("is closed", "<stdin>")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise failed(error, "<stdin>") from None


def flush() -> None:
    """Write what is buffered for standard output; FileError when that fails."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(error) from None


def _unwritten(error: OSError) -> FileError:
    """Return the error of standard output, and discard what is still buffered for it."""
    with contextlib.suppress(OSError):
        discard_output()
    return failed(error, "<stdout>")


def discard_output() -> None:
    """Discard what is buffered for standard output, or Python would try, and complain, at the end.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_bytes(data: bytes) -> None:
    """Write to standard output as it is; FileError when that is closed or full."""
    if sys.stdout is None:
        raise FileError("is closed", "<stdout>")
    if not data:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(error) from None


def show(text: str) -> None:
    """Write text to standard output; what its encoding lacks is escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print_bytes(text.encode(encoding, "backslashreplace"))


def tell(text: str) -> None:
    """Write lines to standard error; a file name may hold characters that no encoding has, or that
    a terminal obeys.
    """
    with contextlib.suppress(OSError):  # nobody reads it
        shown = printable(text, keep="\n\t").encode("utf-8", "backslashreplace").decode()
        print(shown, file=sys.stderr, flush=True)


def write(name: str, data: bytes, mode: int | None = None) -> None:
    """Write a file atomically; a link keeps pointing to its target.

    An existing file keeps its permissions, a new one gets ``mode`` within the umask.  A file that
    already holds ``data`` is not touched.
    """
    try:
        target = os.path.realpath(name)
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            Path(target).write_bytes(data)  # a device or a pipe; a directory refuses
        else:
            _replace(target, data, mode)
    except (OSError, ValueError) as error:
        raise failed(error, name) from None


def _replace(target: str, data: bytes, mode: int | None) -> None:
    old_mode = None
    if os.path.exists(target):
        with open(target, "r+b") as file:  # what may not be written is not to be replaced either
            old_mode = stat.S_IMODE(os.stat(target).st_mode)
            if os.fstat(file.fileno()).st_size == len(data) and file.read() == data:
                return
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o666 if mode is None else mode), "wb") as file:
            file.write(data)
            if old_mode is not None:  # what takes the place of a file outlives a power cut
                file.flush()
                os.fsync(file.fileno())
        if old_mode is not None:
            os.chmod(temporary, old_mode)
        os.replace(temporary, target)
        if old_mode is not None:
            _sync_folder(os.path.dirname(target))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _sync_folder(path: str) -> None:
    if os.name == "posix":  # Windows opens no folders
        with contextlib.suppress(PermissionError):  # one that cannot be listed
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def is_terminal(stream: TextIO) -> bool:
    """Whether a person reads a stream."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def is_coloured(stream: TextIO) -> bool:
    """Whether to colour a stream: NO_COLOR and FORCE_COLOR decide, or else the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def painted(text: str, *colours: str) -> str:
    """Return text in the colours of a terminal."""
    return f"\033[{';'.join(colours)}m{text}\033[0m"


class Progress:
    """Progress of a command, as one line on a terminal; prints nothing elsewhere."""

    def __init__(self, total: int, verb: str, quiet: bool = False) -> None:
        self.total = total
        self.verb = verb
        self.done = 0
        self.shown = total > 1 and not quiet and is_terminal(sys.stderr)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: Any) -> None:
        self.clear()

    def step(self, name: str) -> None:
        """Count a file as done; the line shows the next one."""
        self.done += 1
        if self.shown:
            line = printable(f"{self.verb} {self.done}/{self.total} {name}")
            width = _width() - 1
            print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line before permanent output."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
