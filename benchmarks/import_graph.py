"""The imports of the two packages, read from their syntax trees, and the graphs they make.

``structure.py`` prints what it finds.  Nothing of the packages is imported.  An import has one of
four kinds:

- ``import``: runs when the file is imported (also in a class body);
- ``lazy``: stands inside a function;
- ``string``: a module addressed by text: ``import_module("runtime.staging")``,
  ``import_module(f"runtime.{name}")`` (the hole is filled with the texts of that file), or a text
  handed to a function or class whose file imports what callers name, as ``written("nn.gelu")``;
- ``typing``: stands under ``if TYPE_CHECKING`` and never runs.

That importing ``a.b.c`` also runs ``a/__init__.py`` and ``a/b/__init__.py`` is not counted.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("autograph", "runtime")
RUNNING = ("import", "lazy", "string")
IMPORTERS = {"import_module", "__import__"}

Graph = Mapping[str, Collection[str]]
Pattern = tuple[str | None, ...]  # texts, and None for what only the run knows


class Import(NamedTuple):
    """One import: the file that asks, its line, the file asked for, and the kind."""

    source: str
    line: int
    target: str
    kind: str


@dataclass
class File:
    """One source file: where it is, what it says, and what its names stand for."""

    name: str
    path: Path
    lines: int
    tree: ast.Module
    texts: set[str] = field(default_factory=set)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> (module, name there)
    bases: set[str] = field(default_factory=set)  # beginnings of addresses that callers complete

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]


class ImportGraph:
    """The files of the packages under a folder, and all imports between them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = {f.name: f for top in PACKAGES for f in _files(root, top)}
        for file in self.files.values():
            self._note_names(file)
        plain = [found for file in self.files.values() for found in self._read(file)]
        by_callers = [found for file in self.files.values() for found in self._addressed(file)]
        self.imports = sorted({i for i in [*plain, *by_callers] if i.source != i.target})

    def between_files(self, kinds: Collection[str]) -> dict[str, set[str]]:
        """The files that each file imports."""
        graph: dict[str, set[str]] = {name: set() for name in self.files}
        for found in self.imports:
            if found.kind in kinds:
                graph[found.source].add(found.target)
        return graph

    def between_rooms(self, kinds: Collection[str], depth: int = 1) -> dict[str, set[str]]:
        """The rooms whose files a room's files import."""
        graph: dict[str, set[str]] = {self.room(name, depth): set() for name in self.files}
        for found in self.imports:
            ends = self.room(found.source, depth), self.room(found.target, depth)
            if found.kind in kinds and ends[0] != ends[1]:
                graph[ends[0]].add(ends[1])
        return graph

    def room(self, name: str, depth: int = 1) -> str:
        """``runtime/ops/`` for what lies in that folder, ``runtime/math.py`` for a file on top."""
        parts = self.files[name].path.relative_to(self.root).parts
        if len(parts) <= 2:
            return "/".join(parts)
        return "/".join(parts[: min(depth + 1, len(parts) - 1)]) + "/"

    def owner(self, target: str) -> str | None:
        """The file that holds ``target``, which may be a name inside a module."""
        while target not in self.files:
            if "." not in target:
                return None
            target = target.rpartition(".")[0]
        return target

    def _note_names(self, file: File) -> None:
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                file.texts.add(node.value)
            elif isinstance(node, ast.ImportFrom):
                base = _base(file, node)
                for alias in node.names:
                    file.names[alias.asname or alias.name] = (base, alias.name)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                file.names.setdefault(node.name, (file.name, node.name))

    def _read(self, file: File) -> Iterator[Import]:
        for node, where in _walk(file.tree, "import"):
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                targets = [f"{_base(file, node)}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Call) and _called(node) in IMPORTERS and node.args:
                targets = list(self._by_text(file, node))
                where = "string" if where == "lazy" else where
            else:
                continue
            for target in targets:
                found = self.owner(target)
                if found is not None:
                    yield Import(file.name, node.lineno, found, where)

    def _by_text(self, file: File, call: ast.Call) -> Iterator[str]:
        """The modules that a call of ``import_module`` may mean."""
        pattern = _pattern(call.args[0])
        if pattern is None:
            return
        start = pattern[0] or ""
        if start.startswith("."):
            start = ".".join([*file.package.split("."), start[1:]])
        found = list(self._filled(file, "", (start, *pattern[1:])))
        if not found and None in pattern:
            file.bases.add(start)
            found = [start.rstrip(".")]
        yield from found

    def _filled(self, file: File, base: str, pattern: Pattern) -> Iterator[str]:
        """The addresses of existing modules that a pattern gives; ``base`` is put before it."""
        start = pattern[0] or ""
        if None not in pattern:
            yield base + start
        elif base and "." in start:
            yield base + start.rpartition(".")[0]
        else:
            for text in file.texts:
                if re.fullmatch(r"\w+(\.\w+)*", text) and base + start + text in self.files:
                    yield base + start + text

    def _addressed(self, file: File) -> Iterator[Import]:
        """Imports by texts handed to functions and classes that import what callers name."""
        for node in ast.walk(file.tree):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name)):
                continue
            pattern = _pattern(node.args[0])
            if pattern is None or _called(node) in IMPORTERS:
                continue
            for base in self._origin(file, node.func.id).bases:
                for address in self._filled(file, base, pattern):
                    found = self.owner(address)
                    if found is not None and found != base.rstrip("."):
                        yield Import(file.name, node.lineno, found, "string")

    def _origin(self, file: File, name: str) -> File:
        """The file that defines what ``name`` means in ``file``."""
        seen = {file.name}
        while name in file.names:
            module, name = file.names[name]
            if module in seen or module not in self.files:
                break
            seen.add(module)
            file = self.files[module]
        return file


def _files(root: Path, top: str) -> Iterator[File]:
    for path in sorted((root / top).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        yield File(name, path, len(text.splitlines()), ast.parse(text))


def _walk(node: ast.AST, where: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node below with the kind that an import there has."""
    inside = where
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        inside = "lazy" if where == "import" else where
    for name, value in ast.iter_fields(node):
        kind = inside
        if isinstance(node, ast.If) and name == "body":
            if ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                kind = "typing"
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, kind
                yield from _walk(child, kind)


def _base(file: File, node: ast.ImportFrom) -> str:
    parts = file.package.split(".") if node.level else []
    parts = parts[: len(parts) - node.level + 1] if node.level else parts
    return ".".join([*parts, *([node.module] if node.module else [])])


def _called(node: ast.Call) -> str:
    """The last part of the name that is called, without leading underscores of aliases."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return "import_module" if name == "_import_module" else name


def _pattern(node: ast.expr) -> Pattern | None:
    """The texts and holes of an expression that makes a text; None for another expression."""
    if isinstance(node, ast.Constant):
        return (node.value,) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return tuple(v.value if isinstance(v, ast.Constant) else None for v in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _pattern(node.left), _pattern(node.right)
        return (*left, *right) if left and right else None
    return (None,) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else None


def circles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that reach each other, largest first (Tarjan's algorithm)."""
    return sorted((g for g in components(graph) if len(g) > 1), key=lambda g: (-len(g), g))


def components(graph: Graph) -> list[list[str]]:
    """The strongly connected components, each after those that it points to."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph[node]):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def floors(graph: Graph) -> dict[str, int]:
    """The floor of each node: 0 where it points to none, else one above the highest it points to.

    The members of a circle share a floor.
    """
    floor: dict[str, int] = {}
    for group in components(graph):
        below = [floor[t] for node in group for t in graph[node] if t not in group]
        floor.update(dict.fromkeys(group, max(below, default=-1) + 1))
    return floor


def longest_chain(graph: Graph) -> list[str]:
    """The longest way through the graph; a circle on the way counts with all its members."""
    best: dict[str, list[str]] = defaultdict(list)
    for group in components(graph):
        after = [best[t] for node in group for t in sorted(graph[node]) if t not in group]
        chain = group + max(after, key=len, default=[])
        best.update(dict.fromkeys(group, chain))
    return max(best.values(), key=len)
