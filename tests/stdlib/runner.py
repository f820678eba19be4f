"""Run CPython's own tests of a standard library module, and tell how each of them ended.

    python runner.py MODULE [FOLDER]

With FOLDER the module is imported from there: a converted one.  Prints one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
import unittest

import autograph.operators  # first, and with the originals: it needs some of the modules replaced


def main(name: str, folder: str | None) -> None:
    """Run the tests of a module."""
    converted = 0
    if folder is not None:
        sys.path.insert(0, folder)
        sys.modules.pop(name, None)
        module = importlib.import_module(name)
        assert module.__file__.startswith(folder), module.__file__
        assert vars(module)["ag__"] is autograph.operators
        converted = sum(map(uses_operators, functions(module)))
    suite = unittest.TestLoader().loadTestsFromName(f"test.test_{name}")
    result = unittest.TestResult()
    outcomes = {"all": list(map(str, cases(suite)))}
    suite.run(result)
    for kind in "failures", "errors", "skipped", "expectedFailures":
        outcomes[kind] = sorted(str(case) for case, _ in getattr(result, kind))
    why = {str(case): text for case, text in [*result.failures, *result.errors]}
    tests = sys.modules[f"test.test_{name}"]
    tested = getattr(tests, f"py_{name}", None) or importlib.import_module(name)
    print(json.dumps([outcomes, result.testsRun, why, tested.__file__, converted]))


def cases(suite: object) -> list[unittest.TestCase]:
    """The test cases of a suite."""
    if isinstance(suite, unittest.TestSuite):
        return [case for inner in suite for case in cases(inner)]
    return [suite]


def functions(owner: object) -> list[types.FunctionType]:
    """The functions and methods of a module."""
    found = []
    for value in vars(owner).values():
        if isinstance(value, types.FunctionType) and value.__module__ == owner.__name__:
            found.append(value)
        elif isinstance(value, type) and value.__module__ == owner.__name__:
            found += [v for v in vars(value).values() if isinstance(v, types.FunctionType)]
    return found


def uses_operators(function: types.FunctionType) -> bool:
    """Whether a function was converted."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        if "ag__" in code.co_names:
            return True
        codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return False


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
