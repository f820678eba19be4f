"""CPython's own tests of library modules, with all functions of a module converted in place.

    python -m tests.slow.replaced_stdlib [--functional] [MODULE ...]

Each module is tested twice in a fresh process: as it is, and with every function and method
replaced by its conversion; with ``--functional`` conversions run their staged versions all the
time.  Prints the tests that only the second run loses, and both times.  The exit code is 1 when
any test is lost.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

MODULES = {
    "statistics": "statistics", "heapq": "heapq", "textwrap": "textwrap",
    "fractions": "fractions", "colorsys": "colorsys", "re": "re._compiler re._parser re",
    "json": "json json.decoder json.encoder json.scanner", "datetime": "datetime",
    "decimal": "_pydecimal decimal", "pickle": "pickle", "typing": "typing", "enum": "enum",
    "functools": "functools", "contextlib": "contextlib", "dataclasses": "dataclasses",
    "argparse": "argparse", "email": "email.message email.header email.feedparser email.generator",
    "collections": "collections", "pathlib": "pathlib", "tomllib": "tomllib._parser",
    "tokenize": "tokenize", "logging": "logging", "random": "random", "ast": "ast",
    "string": "string", "copy": "copy", "bisect": "bisect", "calendar": "calendar",
    "configparser": "configparser", "csv": "csv", "difflib": "difflib", "graphlib": "graphlib",
    "html": "html html.parser", "ipaddress": "ipaddress", "shlex": "shlex", "shelve": "shelve",
    "sched": "sched", "queue": "queue", "reprlib": "reprlib", "quopri": "quopri",
    "base64": "base64", "cmd": "cmd", "fnmatch": "fnmatch", "glob": "glob", "types": "types",
    "weakref": "weakref", "uuid": "uuid", "pprint": "pprint", "traceback": "traceback",
    "inspect": "inspect", "optparse": "optparse", "abc": "abc", "numbers": "numbers",
    "operator": "operator", "plistlib": "plistlib", "timeit": "timeit",
    "urllib.parse": "urllib.parse", "mimetypes": "mimetypes", "opcode": "opcode",
    "keyword": "keyword", "linecache": "linecache", "gettext": "gettext",
}
TESTS = {"email": "test.test_email", "re": "test.test_re", "json": "test.test_json",
         "html": "test.test_htmlparser", "urllib.parse": "test.test_urlparse",
         "abc": "test.test_abc", "numbers": "test.test_abstract_numbers",
         "opcode": "test.test__opcode"}

RUNNER = '''
import io, json, sys, time, unittest, warnings
modules, test_name, mode = sys.argv[1].split(), sys.argv[2], sys.argv[3]
warnings.simplefilter("ignore")
if mode != "original":
    from autograph import staging
    from tests.slow.replacing import replace
    replace(modules)
    if mode == "functional":
        staging.force_version(staged=True).__enter__()
suite = unittest.defaultTestLoader.loadTestsFromName(test_name)
class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.passed = []
    def addSuccess(self, test):
        self.passed.append(test.id())
result = Result()
stdout, sys.stdout = sys.stdout, io.StringIO()
start = time.perf_counter()
suite.run(result)
elapsed = time.perf_counter() - start
sys.stdout = stdout
problems = {t.id(): e for t, e in result.failures + result.errors}
open(sys.argv[4], "w").write(json.dumps([result.passed, problems, elapsed]))
'''


def run(modules: str, test: str, mode: str, out: Path) -> tuple[set[str], dict[str, str], float]:
    """The passed tests, the problems and the time of one run in a process of its own."""
    root = str(Path(__file__).parents[2])
    out.unlink(missing_ok=True)
    subprocess.run(
        [sys.executable, "-c", RUNNER, modules, test, mode, str(out)],
        env={"PYTHONPATH": root, "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
        capture_output=True, timeout=300, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    passed, problems, elapsed = json.loads(out.read_text())
    return set(passed), problems, elapsed


def main(arguments: list[str]) -> int:
    """Test the named modules, or all; the number of lost tests decides the exit code."""
    mode = "functional" if "--functional" in arguments else "converted"
    names = [name for name in arguments if not name.startswith("-")]
    out = Path(tempfile.mkdtemp()) / "result.json"
    lost_all = total = 0
    times = [0.0, 0.0]
    for name in names or MODULES:
        test = TESTS.get(name, f"test.test_{name}")
        try:
            before, _, plain = run(MODULES[name], test, "original", out)
            after, problems, converted = run(MODULES[name], test, mode, out)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"{name}: did not finish: {str(error)[-300:]}", flush=True)
            lost_all += 1
            continue
        lost = sorted(before - after)
        lost_all, total = lost_all + len(lost), total + len(before)
        times = [times[0] + plain, times[1] + converted]
        print(f"{name}: {len(before)} pass, {len(lost)} lost, {plain:.2f} s -> {converted:.2f} s "
              f"({converted / max(plain, 1e-3):.1f} x)", flush=True)
        for test_id in lost:
            reason = problems.get(test_id, "").strip().splitlines()[-1:]
            print(f"    {test_id}: {' '.join(reason)[:200]}", flush=True)
    print(f"{total} pass, {lost_all} lost, {times[0]:.1f} s -> {times[1]:.1f} s")
    return 1 if lost_all else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
