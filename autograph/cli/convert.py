"""``autograph convert``: converts files and folders; writes, checks, diffs or verifies the results.

``main`` reads the arguments; ``conversions`` converts file by file.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import os
import stat
import sys
from dataclasses import dataclass

from autograph.cli.conversions import FileConversion, convert_data, convert_file, each, one_line
from autograph.cli.outputs import (
    BOLD,
    CYAN,
    GREEN,
    RED,
    Progress,
    failed,
    is_coloured,
    painted,
    print_bytes,
    read,
    read_standard_input,
    real,
    tell,
    write,
)
from autograph.cli.trees import Found, Tree
from autograph.conversion.module_source import FileError
from autograph.diagnostics.printable import printable

OK, DIFFERENT, WRONG = 0, 1, 2


@dataclass(frozen=True)
class Job:
    """Job of one file and its target; None is standard output, or no target."""

    source: Found
    target: str | None


def run(options: argparse.Namespace) -> int:
    """Convert the given files; return the exit code."""
    if "-" in options.paths:
        if len(options.paths) > 1:
            options.parser.error("- (standard input) stands alone")
        return _standard_input(options)
    if options.stdin_filename:
        options.parser.error("--stdin-filename is for standard input: -")
    options.paths = list({real(path): path for path in options.paths}.values())
    if options.in_place and options.output == "-":
        options.parser.error("--in-place writes to the files themselves, -o - to standard output")
    jobs, tree = _plan(options)
    _check_in_place(options, jobs)
    for note in tree.notes:
        _note(options, note)
    for error in tree.errors:
        tell(one_line(error))
    tally = _Tally(options, shown=_is_shown(options))
    work = functools.partial(convert_file, verify=options.verify)
    python = [job for job in jobs if job.source.is_python]
    sizes = sum(map(_size, python))
    names = [job.source.name for job in python]
    with Progress(len(jobs), "converting", options.quiet) as progress:
        for job, done in zip(python, each(work, names, sizes, options.jobs), strict=True):
            progress.clear()
            tally.take(job, done)
            progress.step(job.source.name)
        for job in jobs:
            if not job.source.is_python:
                progress.step(job.source.name)
                tally.copy(job)
    tally.summary(is_tree=any(map(os.path.isdir, options.paths)))
    return max(tally.code, WRONG if tree.errors else OK)


def _standard_input(options: argparse.Namespace) -> int:
    name = options.stdin_filename or "<stdin>"
    if options.output is not None and (options.output.endswith(os.sep) or
                                       os.path.isdir(options.output)):
        raise FileError("is a directory; name a file", options.output)
    if options.in_place:
        options.parser.error("--in-place is for files, and standard input is none")
    target = None if options.output in (None, "-") else options.output
    path = name if options.stdin_filename else None
    if options.verify and path is None:
        options.parser.error("--verify needs a file; name it by --stdin-filename")
    done = convert_data(read_standard_input(), name, path, options.verify)
    tally = _Tally(options, shown=_is_shown(options))
    tally.take(Job(Found(name, name), target), done)
    return tally.code


def _is_shown(options: argparse.Namespace) -> bool:
    """Whether converted text goes to standard output."""
    is_written = options.in_place or options.output not in (None, "-")
    return not (is_written or options.check or options.diff)


# Where results go


def _plan(options: argparse.Namespace) -> tuple[list[Job], Tree]:
    """Return the files to convert, each once, and their targets; FileError before any is read."""
    output = None if options.output in (None, "-") else options.output
    is_tree = len(options.paths) > 1 or os.path.isdir(options.paths[0])
    if is_tree and _is_shown(options) and not options.verify:
        options.parser.error(
            "several files cannot go to standard output: give a folder by -o, or --check, --diff "
            "or --verify"
        )
    if options.copy and not (is_tree and output is not None):
        options.parser.error("--copy is for a folder that is converted to another: -o DIR")
    if is_tree and output is not None and os.path.exists(output) and not os.path.isdir(output):
        raise FileError("is a file; several files go to a folder", output)
    within = output is not None and real(output) not in map(
        real, options.paths
    )
    tree = Tree(
        options.exclude, real(output) if within and output else None, options.copy
    )
    jobs: dict[str, Job] = {}
    for path in options.paths:
        for file in tree.files(path):
            target = None if output is None else _target(options, path, file, output)
            if options.in_place and output is None:
                target = file.name
            key = real(target or file.name)
            first = jobs.setdefault(key, Job(file, target)).source.name
            if real(first) != real(file.name):
                names = f"{printable(first)} and {printable(file.name)}"
                raise FileError(f"both {names} would be written there", key)
    return list(jobs.values()), tree


def _target(options: argparse.Namespace, path: str, file: Found, output: str) -> str:
    """Return the target of a file; a single folder's files go directly into the output."""
    is_folder = os.path.isdir(path)
    if not is_folder and len(options.paths) == 1:
        if not (os.path.isdir(output) or output.endswith(("/", os.sep))):
            return output
    folders = [output, file.below]
    if len(options.paths) > 1 and is_folder:
        folders[1:1] = [os.path.basename(os.path.abspath(path))]
    return os.path.join(*folders)


def _check_in_place(options: argparse.Namespace, jobs: list[Job]) -> None:
    """Raise FileError where a source would be overwritten without --in-place, or --in-place would
    write elsewhere.
    """
    sources = {_identity(job.source.name) for job in jobs} - {None}
    for job in jobs:
        if job.target is None:
            continue
        if options.in_place and real(job.target) != real(job.source.name):
            raise FileError(
                f"is not {printable(job.source.name)}, which --in-place converts; leave out -o or "
                "--in-place", job.target
            )  # fmt: skip
        writes = not (options.in_place or options.check or options.diff)
        if writes and _identity(job.target) in sources:
            raise FileError(
                "is an input, which would be overwritten; to convert in place, pass --in-place",
                job.target,
            )


def _identity(name: str) -> tuple[int, int] | None:
    """Return what is the same for all names of a file; None if there is none."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _size(job: Job) -> int:
    try:
        return os.path.getsize(job.source.name)
    except (OSError, ValueError):
        return 0  # reading it reports the error


# Writing results


class _Tally:
    """Writer of results, with counts."""

    def __init__(self, options: argparse.Namespace, shown: bool) -> None:
        self.options = options
        self.shown = shown and not (options.verify and _many(options))
        self.code = OK
        self.converted = self.unchanged = self.wrong = self.copied = self.different = 0
        self.examples = 0

    def take(self, job: Job, done: FileConversion) -> None:
        """Write, print or compare one result."""
        if done.error is not None or done.after is None:
            self._fail(done.error or done.name)
            return
        if done.was_converted:
            _note(self.options, f"{printable(done.name)}: converted already, left as it is")
        if not self._verified(done):
            return
        try:
            self._put(job, done, done.after)
        except FileError as error:
            self._fail(one_line(error))
            return
        self.converted += done.changes
        self.unchanged += not done.changes

    def _put(self, job: Job, done: FileConversion, after: bytes) -> None:
        if self.options.check or self.options.diff:
            self._compare(job, done, after)
        elif job.target is not None:
            self._make_folder(job.target)
            write(job.target, after, _mode(job.source.name))
        elif self.shown:
            print_bytes(after)

    def _make_folder(self, target: str) -> None:
        """Make the folder of a result inside the output; a folder that the user named must exist.
        """
        folder = os.path.dirname(target)
        try:
            if folder and target != self.options.output:
                os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise failed(error, folder) from None

    def _compare(self, job: Job, done: FileConversion, after: bytes) -> None:
        present = done.before
        if job.target is not None:
            present = read(job.target) if os.path.exists(job.target) else b""
            if not os.path.exists(job.target) or present != after:
                self._differs(f"would write {printable(job.target)}")
        elif done.changes:
            self._differs(f"would convert {printable(done.name)}")
        if self.options.diff and present != after:
            print_bytes(_difference(present, after, job.target or done.name))

    def _differs(self, text: str) -> None:
        self.code = max(self.code, DIFFERENT)
        self.different += 1
        if self.options.check and not self.options.quiet:
            tell(text)

    def _verified(self, done: FileConversion) -> bool:
        """Return whether the doctests of a file are as before; one that loses any is not written.
        """
        verdict, name = done.verdict, printable(done.name)
        if verdict is None:
            if self.options.verify and not _many(self.options):
                _note(self.options, f"{name}: nothing to convert, nothing to verify")
            return True
        self.examples += verdict.examples
        if verdict.trouble is not None:
            self._fail(f"{name}: cannot be verified: {verdict.trouble}")
            return False
        if verdict.differences:
            self.wrong += 1
            self.code = max(self.code, DIFFERENT)
            for text in verdict.differences:
                tell(text)
            tell(f"{name}: {len(verdict.differences)} of {verdict.examples} doctest examples "
                 "differ after conversion; not written")
            return False
        if _many(self.options):
            return True
        if not verdict.examples:
            _note(self.options, f"{name}: no doctests, nothing to verify")
        else:
            failing = f", {verdict.failing} of them fail both ways" if verdict.failing else ""
            _note(self.options, f"{name}: {verdict.examples} doctest examples, equal before "
                                f"and after{failing}")
        return True

    def copy(self, job: Job) -> None:
        """Copy a file that is not Python."""
        if job.target is None or self.options.check or self.options.diff:
            return
        try:
            data = read(job.source.name)
            self._make_folder(job.target)
            write(job.target, data, _mode(job.source.name))
            self.copied += 1
        except FileError as error:
            self._fail(one_line(error))

    def _fail(self, text: str) -> None:
        self.wrong += 1
        self.code = WRONG
        tell(text)

    def summary(self, is_tree: bool) -> None:
        """Print how much was done, when there was more than one file."""
        if self.options.quiet or not is_tree and self.converted + self.unchanged + self.wrong < 2:
            return
        dry = self.options.check or self.options.diff
        done = f"{_count(self.converted, 'file')} converted"
        same = f"{self.unchanged} without anything to convert" if self.unchanged else ""
        if dry:
            same_count = self.converted + self.unchanged - self.different
            done, same = f"{_count(self.different, 'file')} would change", f"{same_count} would not"
        sentences = [
            done,
            same,
            f"{self.copied} copied" if self.copied else "",
            f"{self.wrong} failed" if self.wrong else "",
            f"{_count(self.examples, 'doctest example')} run before and after"
            if self.options.verify else "",
        ]  # fmt: skip
        tell(", ".join(filter(None, sentences)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _many(options: argparse.Namespace) -> bool:
    return len(options.paths) > 1 or os.path.isdir(options.paths[0])


def _note(options: argparse.Namespace, text: str) -> None:
    if not options.quiet:
        tell(text)


def _mode(name: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(name).st_mode) & 0o777
    except (OSError, ValueError):
        return None


def _difference(before: bytes, after: bytes, name: str) -> bytes:
    """Return a unified difference, byte by byte as the files are; coloured on a terminal."""
    shown = os.fsencode(printable(name))
    lines = difflib.diff_bytes(
        difflib.unified_diff, before.splitlines(True), after.splitlines(True), shown,
        shown + b" (converted)", lineterm=b"\n",
    )  # fmt: skip
    is_painted = is_coloured(sys.stdout)
    done = []
    for line in lines:
        body = line.rstrip(b"\r\n")
        ending = line[len(body):]
        colours = _colours(body) if is_painted else ()
        if colours:
            mark = painted("|", *colours).encode().split(b"|")
            body = mark[0] + body + mark[1]
        done.append(body + (ending or b"\n\\ No newline at end of file\n"))
    return b"".join(done)


def _colours(line: bytes) -> tuple[str, ...]:
    if line.startswith((b"+++", b"---")):
        return (BOLD,)
    return {b"+": (GREEN,), b"-": (RED,), b"@": (CYAN,)}.get(line[:1], ())
