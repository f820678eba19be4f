"""The command line: convert a file, show a converted function, run a function both ways.

The roof of the house.  Whatever is wrong with a file is told in one line,
``file:line:col: message``; nothing is written before the whole result is known to be good.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import stat
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import autograph
from autograph import scripts
from autograph.errors import ConversionError
from autograph.files import FileError, compiled, convert_bytes

OK, DIFFERENT, WRONG, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

_ABOUT = "Rewrite plain Python so that its control flow can run as a dataflow graph."
_CONVERT = """\
Convert every function and method of a file.  The converted module behaves as the original; in
addition its functions accept staged values.  Module-level statements, decorators, comments and
functions without control flow or calls stay as they are.  It needs `autograph` to be installed.

examples:
  autograph convert model.py                  write the converted module to standard output
  autograph convert model.py -o converted.py  write it to a file
  autograph convert model.py -o model.py      convert in place
  cat model.py | autograph convert -          read standard input
"""
_CODE = """\
Show what becomes of one function.  The file is imported to find it.

examples:
  autograph code examples/collatz.py:collatz
  autograph code model.py:Model.step          a method
"""
_RUN = """\
Run a function twice, eagerly and as a graph, and compare values, dtypes and printed text.  The
file is imported; arguments are Python literals, anything else is text.  Numbers and lists become
tensors, also inside tuples and dicts.

examples:
  autograph run examples/collatz.py:collatz 27
  autograph run model.py:total '[[1, 2], [3, 4]]' 0.5
  autograph run model.py:greet World

exit code: 0 when both are equal, 1 when they differ or the function fails, 2 when the file or
the function is not to be had.
"""
_EPILOG = """\
examples:
  autograph convert model.py -o converted.py
  autograph code model.py:step
  autograph run model.py:step 27

`autograph COMMAND --help` says more about a command.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 (different, or the user's program failed), 2 (no such
    file, not Python ...), 130 after Ctrl-C.  Usage errors and ``--help`` raise SystemExit.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has enough; what is still buffered must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConversionError as error:
        print(_one_line(error), file=sys.stderr)
        return WRONG


def _parser() -> argparse.ArgumentParser:
    parser = _described(argparse.ArgumentParser, prog="autograph", description=_ABOUT,
                        epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"autograph {autograph.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    command = _described(commands.add_parser, "convert", help="convert a file",
                         description=_CONVERT)
    command.add_argument("file", metavar="FILE.py", help="the module; - reads standard input")
    command.add_argument("-o", "--output", metavar="OUT.py",
                         help="the file to write, whole or not at all; - is standard output")
    command.set_defaults(command=_convert)

    command = _described(commands.add_parser, "code", help="show a converted function",
                         description=_CODE)
    command.add_argument("target", metavar="FILE.py:FUNCTION")
    command.set_defaults(command=_code)

    command = _described(commands.add_parser, "run",
                         help="run a function eagerly and as a graph", description=_RUN)
    command.add_argument("target", metavar="FILE.py:FUNCTION")
    command.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER,
                         help="a Python literal, or text")
    command.set_defaults(command=_run)
    return parser


def _described(make: Any, *args: Any, **kwargs: Any) -> argparse.ArgumentParser:
    """A parser whose texts keep their lines."""
    parser: argparse.ArgumentParser = make(
        *args, formatter_class=argparse.RawDescriptionHelpFormatter, **kwargs
    )
    return parser


def _one_line(error: ConversionError) -> str:
    if isinstance(error, FileError):
        return " ".join(str(error).split())
    place = f"{error.where[0]}:{error.where[1]}: " if error.where else ""
    remedy = f"; {error.help}" if error.help else ""
    return " ".join(f"{place}{error.message}{remedy}".split())


# convert


def _convert(options: argparse.Namespace) -> int:
    if options.file == "-":
        name, data = "<stdin>", sys.stdin.buffer.read()
    else:
        name, data = options.file, _read(options.file)
    converted = convert_bytes(data, name)
    if options.output in (None, "-"):
        _print_bytes(converted)
    else:
        _write(options.output, converted)
    return OK


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise _failed(error, name) from None


def _failed(error: OSError | ValueError, name: str) -> FileError:
    reason = getattr(error, "strerror", None) or str(error)
    return FileError(reason[0].lower() + reason[1:], name)


def _print_bytes(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _failed(error, "<stdout>") from None


def _write(name: str, data: bytes) -> None:
    """Write a file whole or not at all; a link keeps pointing where it points."""
    try:
        target = os.path.realpath(name)
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            Path(target).write_bytes(data)  # a device or a pipe; a directory refuses
        else:
            _replace(target, data)
    except (OSError, ValueError) as error:
        raise _failed(error, name) from None


def _replace(target: str, data: bytes) -> None:
    mode = None
    if os.path.exists(target):
        with open(target, "r+b"):  # a file that may not be written is not to be replaced either
            mode = stat.S_IMODE(os.stat(target).st_mode)
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


# code and run


def _code(options: argparse.Namespace) -> int:
    with contextlib.redirect_stdout(sys.stderr):  # what the module prints is not the code
        file, function = _target(options.target)
    if function is None:
        return DIFFERENT
    text = _of_file(file, autograph.to_code, function)
    _print_bytes(text.encode())
    return OK


def _run(options: argparse.Namespace) -> int:
    from autograph import trials

    file, function = _target(options.target)
    if function is None:
        return DIFFERENT
    converted = _of_file(file, autograph.to_graph, function)
    arguments = list(map(trials.argument, options.arguments))
    name = options.target[len(file) + 1 :]
    return OK if trials.compare(name, converted, arguments, file) else DIFFERENT


def _of_file(file: str, convert: Any, function: Any) -> Any:
    """What ``convert`` makes of a function; its errors name the file."""
    try:
        return convert(function)
    except ConversionError as error:
        if error.where is not None:
            raise
        raise FileError(error.message + (f"; {error.help}" if error.help else ""), file) from None


def _target(text: str) -> tuple[str, Any]:
    """The file of FILE.py:FUNCTION and the function, None when the file's own code failed."""
    file, colon, name = text.rpartition(":")
    if not (colon and file and name):
        raise FileError("name a function of the file, as in FILE.py:FUNCTION", text)
    path = os.path.abspath(file)  # the program may change its directory
    module = scripts.load(compiled(_read(file), file, path))
    return file, None if module is None else _find(module, name, file)


def _find(module: types.ModuleType, name: str, file: str) -> Any:
    value: Any = module
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            known = ", ".join(_functions(module)) or "none"
            raise FileError(f"no function {name}; those of the file are: {known}", file) from None
    return value


def _functions(module: types.ModuleType) -> list[str]:
    """The functions and methods that a module defines, as they are written on the command line."""
    found: list[str] = []
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, types.FunctionType):
            found.append(name)
        elif isinstance(value, type):
            found += (f"{name}.{method}" for method, function in vars(value).items()
                      if isinstance(function, types.FunctionType))
    return found
