"""The command line: the options of each command, and the exit codes.

An error in a file is reported in one line, ``file:line:col: message``; nothing is written before
the whole result is complete and compiles.
"""

from __future__ import annotations

import argparse
import difflib
import io
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import autograph
from autograph.cli import help_text
from autograph.cli.outputs import discard_output, flush, open_closed_streams, tell
from autograph.conversion.module_source import FileError
from autograph.errors import ConversionError

WRONG, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 (something was found, or the user's program failed),
    2 (no such file, not Python ...), 130 after Ctrl-C.  Usage errors and ``--help`` raise
    SystemExit.
    """
    open_closed_streams()
    try:
        options = _parsed(sys.argv[1:] if arguments is None else arguments)
        code: int = options.command(options)
        flush()
        return code
    except BrokenPipeError:  # whoever read our output has enough
        discard_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConversionError as error:
        tell(_one_line(error))
        return WRONG


def _one_line(error: ConversionError) -> str:
    if isinstance(error, FileError):
        return " ".join(str(error).split())
    location = f"{error.where[0]}:{error.where[1]}: " if error.where else ""
    remedy = f"; {error.help}" if error.help else ""
    return " ".join(f"{location}{error.message}{remedy}".split())


# Commands, each of which loads what it needs


def _convert(options: argparse.Namespace) -> int:
    from autograph.cli import convert

    return convert.run(options)


def _check(options: argparse.Namespace) -> int:
    from autograph.cli import check

    return check.run(options)


def _code(options: argparse.Namespace) -> int:
    from autograph.cli import functions

    return functions.code(options)


def _explain(options: argparse.Namespace) -> int:
    from autograph.cli import explain

    return explain.run(options)


def _graph(options: argparse.Namespace) -> int:
    from autograph.cli import draw

    return draw.run(options)


def _build(options: argparse.Namespace) -> int:
    from autograph.cli import build

    return build.run(options)


def _launch(options: argparse.Namespace) -> int:
    from autograph.cli import launch

    return launch.run(options)


def _run(options: argparse.Namespace) -> int:
    from autograph.cli import functions

    return functions.run(options)


# Options


class _Parser(argparse.ArgumentParser):
    """A parser whose texts keep their lines, and that knows what was meant."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs |= {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(**kwargs)

    def error(self, message: str) -> NoReturn:
        """Print an error in two lines, and exit with code 2."""
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if wrong:
            choices = [choice.strip(" '") for choice in wrong[2].split(",")]
            message = f"there is no {wrong[1]!r}{_meant(wrong[1], choices)}; " \
                      f"choose from {', '.join(choices)}"
        usage = io.StringIO()
        self.print_usage(usage)
        tell(f"{usage.getvalue().rstrip()}\n{self.prog}: error: {message}")
        raise SystemExit(WRONG)

    def unknown(self, extras: Sequence[str]) -> NoReturn:
        """Print which arguments are not known."""
        wrong = extras[0]
        kind = "option" if wrong.startswith("-") else "argument"
        meant = _meant(wrong.partition("=")[0], self._option_string_actions)
        self.error(f"unexpected {kind} {wrong}{meant}")


def _meant(word: str, words: Iterable[str]) -> str:
    """Return a question that proposes a known word."""
    close = difflib.get_close_matches(word, list(words), n=1)
    return f", did you mean {close[0]}?" if close else ""


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    options, extras = _parser().parse_known_args(arguments)
    if hasattr(options, "specs"):  # those that stand behind an option
        options.specs += [text for text in extras if not text.startswith("-")]
        extras = [text for text in extras if text.startswith("-")]
    if extras:
        options.parser.unknown(extras)
    return options


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="autograph", description=help_text.ABOUT, epilog=help_text.EPILOG)
    parser.add_argument("--version", action="version", version=f"autograph {autograph.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Any, summary: str, about: str, epilog: str) -> _Parser:
        subparser: _Parser = commands.add_parser(
            name, help=summary, description=about, epilog=epilog
        )
        subparser.set_defaults(command=run, parser=subparser)
        return subparser

    _convert_options(command(
        "convert", _convert, "convert files and folders", help_text.CONVERT,
        help_text.CONVERT_EPILOG,
    ))  # fmt: skip
    _check_options(command(
        "check", _check, "list what will not stage", help_text.CHECK, help_text.CHECK_EPILOG
    ))  # fmt: skip
    subparser = command("explain", _explain, "explain an error or a finding", help_text.EXPLAIN,
                   help_text.EXPLAIN_EPILOG)
    subparser.add_argument("code", metavar="CODE", nargs="?", help="such as dtype_join, or AG301")
    subparser = command(
        "code", _code, "show a converted function", help_text.CODE, help_text.CODE_EPILOG
    )
    subparser.add_argument("target", metavar="FILE.py:FUNCTION",
                      help="or NOTEBOOK.ipynb:FUNCTION, or package.module:FUNCTION")
    subparser.add_argument("--html", action="store_true",
                      help="write a page with the source and the generated code side by side")
    subparser.add_argument("-o", "--output", metavar="OUT",
                      help="the file to write; - is standard output")
    _graph_options(command(
        "graph", _graph, "draw the graph of a function", help_text.GRAPH, help_text.GRAPH_EPILOG
    ))  # fmt: skip
    _build_options(command(
        "build", _build, "build native code of a function", help_text.BUILD, help_text.BUILD_EPILOG
    ))  # fmt: skip
    _launch_options(command(
        "launch", _launch, "run a script in several processes", help_text.LAUNCH,
        help_text.LAUNCH_EPILOG,
    ))  # fmt: skip
    subparser = command("run", _run, "run a function eagerly and as a graph", help_text.RUN,
                   help_text.RUN_EPILOG)
    subparser.add_argument("target", metavar="FILE.py:FUNCTION",
                      help="or NOTEBOOK.ipynb:FUNCTION, or package.module:FUNCTION")
    subparser.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER,
                      help="a Python literal, or text")
    subparser.add_argument("--backend", default="runtime", metavar="LIBRARY",
                      choices=("runtime", "jax", "tensorflow", "torch"),
                      help="the library that runs it: runtime (the default), jax, tensorflow or "
                           "torch; may stand behind the arguments, too")
    return parser


def _file_options(parser: _Parser, nargs: str = "+") -> None:
    parser.add_argument("paths", metavar="PATH", nargs=nargs,
                        help="a file or a folder; - reads standard input")
    parser.add_argument("--exclude", metavar="PATTERN", action="append", default=[],
                        help="leave out files and folders of folders whose name or place fits, "
                             "as in '*_pb2.py' or 'tests/*'; may be repeated")
    parser.add_argument("--stdin-filename", metavar="NAME", default=None,
                        help="what to call standard input in messages")
    parser.add_argument("-j", "--jobs", metavar="N", type=_positive,
                        help="processes to use; by default as many as pay")
    parser.add_argument("-q", "--quiet", action="store_true",
                        help="only errors and what was asked for: no notes, summary or progress")


def _convert_options(parser: _Parser) -> None:
    _file_options(parser)
    parser.add_argument("-o", "--output", metavar="OUT",
                        help="the file or folder to write; - is standard output")
    parser.add_argument("--in-place", action="store_true",
                        help="write each result to the file that was converted")
    parser.add_argument("--check", action="store_true",
                        help="write nothing, list what would change, exit with 1 if anything would")
    parser.add_argument("--diff", action="store_true",
                        help="write nothing, show what would change as a unified difference, exit "
                             "with 1 if anything would")
    parser.add_argument("--verify", action="store_true",
                        help="run each module's doctests before and after, in processes of their "
                             "own; write only files whose doctests give the same")
    parser.add_argument("--copy", action="store_true",
                        help="copy a folder's other files, too, so that DIR is complete")


def _check_options(parser: _Parser) -> None:
    _file_options(parser, "*")
    parser.add_argument("--select", metavar="CODES", action="append", default=[],
                        help="look for these codes only; the beginning of codes will do")
    parser.add_argument("--ignore", metavar="CODES", action="append", default=[],
                        help="do not look for these codes")
    parser.add_argument("--for", dest="library", choices=("jax", "tensorflow", "torch"),
                        metavar="LIBRARY",
                        help="list what the backend of jax, tensorflow or torch refuses, too")
    parser.add_argument("--strict", action="store_true",
                        help="take every condition that depends on a parameter for staged, also "
                             "when nothing says that it is about numbers")
    parser.add_argument("--output-format", metavar="FORMAT", default="concise",
                        choices=("concise", "full", "json", "github"),
                        help="concise (a line each), full (with source), json, or github")
    parser.add_argument("--statistics", action="store_true",
                        help="count the codes instead of listing the places")
    parser.add_argument("--explain", metavar="CODE",
                        help="say what a code means, with an example and the remedy")


def _graph_options(parser: _Parser) -> None:
    parser.add_argument("target", metavar="FILE.py:FUNCTION",
                      help="or NOTEBOOK.ipynb:FUNCTION, or package.module:FUNCTION")
    parser.add_argument("specs", metavar="SPEC", nargs="*",
                        help="what an argument is: f32[3,?], int32[], or a Python literal")
    parser.add_argument("-o", "--output", metavar="OUT",
                        help="the file to write: .svg, .html or .dot; without it, or for -, SVG "
                             "goes to standard output")
    parser.add_argument("--optimized", action="store_true",
                        help="draw what runs: the graph after all passes")


def _build_options(parser: _Parser) -> None:
    parser.add_argument("target", metavar="FILE.py:FUNCTION",
                      help="or NOTEBOOK.ipynb:FUNCTION, or package.module:FUNCTION")
    parser.add_argument("specs", metavar="SPEC", nargs="*",
                        help="what an argument is: f32[3,?], int32[], or a Python literal")
    parser.add_argument("-o", "--output", metavar="OUT", required=True,
                        help="the file or folder to write; its suffix names the format")
    parser.add_argument("--target", dest="platform", metavar="TRIPLE",
                        help="the platform: x86-64, x86-64-v3, aarch64, riscv64, wasm32, native "
                             "..., or LLVM's name of one; by default this machine's")
    parser.add_argument("--cpu", metavar="NAME", help="LLVM's name of a processor")


def _launch_options(parser: _Parser) -> None:
    parser.add_argument("-n", "--processes", metavar="N", type=_positive, default=2,
                        help="number of processes, 2 by default")
    parser.add_argument("--restarts", metavar="N", type=_positive, default=0,
                        help="how often all are started again when one has died")
    parser.add_argument("--timeout", metavar="SECONDS", type=_positive,
                        help="seconds after which all are killed")
    parser.add_argument("script", metavar="FILE.py", help="the script that each process runs")
    parser.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER,
                        help="arguments of the script")


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return number
