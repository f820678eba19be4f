"""Words: a term has one meaning, a class name one class."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.support import ROOT

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SOURCES = [p for top in ("autograph", "runtime") for p in sorted((ROOT / top).rglob("*.py"))]

# Words that were given up for the field's own.
RETIRED = {
    "Wanted": "RunRequest", "SubGraph": "FuncGraph", "Undecided": "StagedUnion",
    "CARRIERS": "WEAK_DTYPE", "Exclusive": "TraceLock", "user_place": "user_line",
    "IteratorPlace": "IteratorStorage", "marked_weak": "as_python_value", "Twin": "MayAlias",
}  # fmt: skip


def test_the_glossary_is_short_and_sorted() -> None:
    terms = re.findall(r"^- \*\*(.+?)\*\*: .+(?:\n  .+)*\.$(?!\n  )", GLOSSARY, re.MULTILINE)
    assert len(terms) == GLOSSARY.count("\n- ") <= 60, "each term is said in sentences"
    assert terms == sorted(set(terms), key=str.lower)


def test_a_class_name_means_one_class() -> None:
    files = defaultdict(list)
    keras, older = ROOT / "runtime" / "keras", ROOT / "runtime" / "compat"
    for path in SOURCES:
        # Keras' public names are given, and TensorFlow 1's; losses and metrics have namesakes, too
        within = f"{path.relative_to(keras).parts[0]}: " if keras in path.parents else ""
        within = "compat: " if older in path.parents else within
        within = "train: " if path.name == "example.py" else within  # TensorFlow's records
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"^ *class (\w+)[(:]", text, re.MULTILINE):
            files[name if name[0] == "_" else within + name].append(path)
    shared = {
        name: defining for name, paths in files.items() if len(paths) > 1
        if len(defining := [p for p in paths if defines(p, name.split()[-1])]) > 1
    }  # fmt: skip
    assert not shared


def defines(path: Path, name: str) -> bool:
    """Whether the class is one of the module: a text may hold another's."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(n, ast.ClassDef) and n.name == name for n in ast.walk(tree))


def test_retired_words_do_not_come_back() -> None:
    retired = re.compile(rf"\b({'|'.join(RETIRED)})\b")
    for path in SOURCES:
        word = retired.search(path.read_text(encoding="utf-8"))
        assert not word, f"{path}: {word[0]} is {RETIRED[word[0]]}"


def test_files_that_are_named_are_there() -> None:
    """Comments and docstrings name files; a file that moved leaves a stale name behind."""
    known = {path.name for path in (*SOURCES, *(ROOT / "benchmarks").glob("*.py"))}
    for path in SOURCES:
        if path.name not in ("help_text.py", "verbosity.py"):  # these name the user's files
            named = set(re.findall(r"\b[a-z_]+\.py\b", path.read_text(encoding="utf-8")))
            assert named <= known, f"{path} names {sorted(named - known)}"
