"""Stub files (.pyi) of the public modules of `runtime`: what editors and type checkers read.

A public module only gathers names.  Its stub says of each where it is defined; of operations,
which are objects without a `def`, and of functions that are annotated with `Any`, it holds the
signature, with the type of the result that the docstring's `Returns:` states.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import runtime as tf
from runtime.ops.op import OpDef
from runtime.types.dtypes import DType
from tests.support import ROOT

HEAD = '''"""Types of the names of ``{module}``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

'''
TENSOR = "from runtime.eager.tensor import Tensor"
TENSOR_LIKE = "from runtime.types.aliases import TensorLike"
RESULT = re.compile(
    r"(the |a )?(symbolic |scalar )?(tensor|array|scalar|vector|matrix|mask)\b(?! or |, or )", re.I
)
TUPLE = re.compile(r"\((\w+(?:, \w+)+)\):|(Pair) of (?:tensors|the (?:numbers|characters))")


def modules() -> list[str]:
    """The modules with a stub: those that only gather names, and have functions of tensors."""
    flat = {f"runtime.{name}" for name in tf._SUBMODULES}
    packages = {"runtime.keras", "runtime.distribute", "runtime.export", "runtime.autodiff"}
    packages |= {"runtime.data", "runtime.train"}  # their functions say their types themselves
    return ["runtime", *sorted({*flat, "runtime.keras.ops"} - packages)]


def path_of(module: str) -> Path:
    """The stub file of a module, beside its source."""
    return Path(sys.modules[module].__file__ or "").with_suffix(".pyi")


def names_of(module: Any) -> list[str]:
    """The public names of a module, in order; with the modules in it."""
    return sorted(name for name in dir(module) if not name.startswith("_"))


@functools.cache
def imports_of(module: str) -> dict[str, str]:
    """How a module comes by each name that it imports, also for type checkers alone."""
    tree = ast.parse(Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8"))
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                line = f"from {node.module} import {alias.name}"
                known[alias.asname or alias.name] = line + (
                    f" as {alias.asname}" if alias.asname else ""
                )
        elif isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name] = ast.unparse(ast.Import([alias]))
    return known


def returned(value: Any, annotation: str) -> str:
    """The type of the result: as annotated, otherwise as the docstring's first words state it."""
    if annotation not in ("", "Any"):
        return annotation
    match = re.search(r"Returns:\n\s+(.*)", inspect.getdoc(value) or "")
    if match is None:
        return "Any"
    if several := TUPLE.match(match[1]):
        if ", or " in match[1]:
            return "Any"
        number = 2 if several[2] else len(several[1].split(","))
        return f"tuple[{', '.join(['Tensor'] * number)}]"
    return "Tensor" if RESULT.match(match[1]) else "Any"


def home_of(value: Any) -> tuple[str, str] | None:
    """The module and name where a `def` or `class` stands, if one stands at the top of a file."""
    module, name = getattr(value, "__module__", ""), getattr(value, "__name__", "")
    source = sys.modules.get(module)
    if source is None or getattr(source, name, None) is not value or not source.__file__:
        return None
    return (module, name) if name in definitions(source.__file__) else None


@functools.cache
def definitions(file: str) -> set[str]:
    """The functions and classes that stand at the top of a file."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}


class Stub:
    """Text of the stub of one module: its imports, and a line or a `def` for each name."""

    def __init__(self, name: str) -> None:
        self.module = importlib.import_module(name)
        self.names = names_of(self.module)
        self.imports = {"from typing import Any"}
        self.shadowed = {name for name in self.names if hasattr(builtins, name)}

    def text(self) -> str:
        """The whole file."""
        lines = [self.entry(name, getattr(self.module, name)) for name in self.names]
        if self.module is tf:  # in no list of names: it needs an extra
            lines.append(self.entry("bfloat16", tf.float32))
        body = "\n".join(line for line in lines if line)
        head = HEAD.format(module=self.module.__name__)
        imports = sorted(line for line in self.imports if not self.repeated(line))
        return head + "\n".join([*imports, "", body]) + "\n"

    def repeated(self, line: str) -> bool:
        """Whether a name that annotations need is imported as a public name, too."""
        name = line.rpartition(" ")[2]
        return " as " not in line and f"{line} as {name}" in self.imports

    def entry(self, name: str, value: Any) -> str:
        """What the stub says of a name."""
        if self.module is not tf and getattr(tf, name, None) is value:
            self.imports.add(f"from runtime import {name} as {name}")
        elif isinstance(value, types.ModuleType):
            parent, _, leaf = value.__name__.rpartition(".")
            line = f"import {leaf} as {name}"
            inside = parent == self.module.__name__  # by the name, it would import itself
            self.imports.add(f"from {'.' if inside else parent} {line}" if parent else line)
        elif isinstance(value, OpDef):
            return self.op(name, value)
        elif inspect.isclass(value) and (home := home_of(value)):
            self.imports.add(f"from {home[0]} import {home[1]} as {name}")
        elif inspect.isroutine(value):
            return self.function(name, value)
        elif isinstance(value, DType):
            self.imports.add("from runtime.types.dtypes import DType")
            return f"{name}: DType"
        else:
            return f"{name}: {self.constant(value)}"
        return ""

    def constant(self, value: Any) -> str:
        """The type of a constant."""
        if type(value) in (bool, int, float, str):
            return self.builtin(type(value).__name__)
        return "Any"

    def builtin(self, name: str) -> str:
        """A builtin in an annotation, whose name the module may give to something else."""
        if name not in self.shadowed:
            return name
        self.imports.add("import builtins as _builtins")
        return f"_builtins.{name}"

    def op(self, name: str, op: OpDef) -> str:
        """The `def` of an operation: its inputs, and the options that its types depend on."""
        self.imports |= {TENSOR, TENSOR_LIKE}
        parameters = [f"{entry}: TensorLike" for entry in op.inputs]
        try:
            signature = inspect.signature(op.infer)
        except (TypeError, ValueError):
            signature = inspect.Signature()
        options = [
            f"{p.name}: {self.annotation(str(p.annotation), op.infer)} = {self.default(p.default)}"
            for p in signature.parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.default is not p.empty
        ]
        star = [] if parameters and parameters[-1].startswith("*") or not options else ["*"]
        named = f"name: {self.builtin('str')} | None = None"
        parts = [*parameters, *star, *options, named]
        return self.defined(name, parts, self.result(op, "", op), op)

    def function(self, name: str, function: Any) -> str:
        """An import where the source says the types, otherwise a `def`."""
        try:
            signature = inspect.signature(function)
        except ValueError:
            signature = inspect.Signature()
        annotation = signature.return_annotation
        annotation = annotation if isinstance(annotation, str) else ""
        result = returned(function, annotation)
        home = home_of(function)
        if home and (result == annotation or result == "Any"):
            self.imports.add(f"from {home[0]} import {home[1]} as {name}")
            return ""
        original = inspect.unwrap(function)
        parts, star = [], False
        for p in signature.parameters.values():
            kind = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
            if p.kind is p.KEYWORD_ONLY and not star:
                parts.append("*")
            star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
            text = str(p.annotation) if p.annotation is not p.empty else "Any"
            line = f"{kind}{p.name}: {self.annotation(text, original)}"
            parts.append(line if p.default is p.empty else f"{line} = {self.default(p.default)}")
        positional = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY]
        if positional:
            parts.insert(len(positional), "/")
        return self.defined(name, parts, self.result(function, annotation, original), function)

    def result(self, value: Any, annotation: str, source: Any) -> str:
        """The type of the result, with what it needs imported."""
        text = returned(value, annotation)
        if text != annotation and text != "Any":
            self.imports.add(TENSOR)
            return text.replace("tuple", self.builtin("tuple"))
        return self.annotation(text or "Any", source)

    def annotation(self, text: str, source: Any) -> str:
        """An annotation of a source file, with its names imported or qualified."""
        tree = ast.parse(text.strip("'\""), mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id != "Any":
                node.id = self.name_in_annotation(node.id, source)
        return ast.unparse(tree)

    def name_in_annotation(self, name: str, source: Any) -> str:
        known = imports_of(source.__module__)
        if name in known:
            self.imports.add(known[name])
        elif hasattr(builtins, name):
            return self.builtin(name)
        elif name not in ("None", "Tensor"):
            self.imports.add(f"from {source.__module__} import {name}")
        return name

    def default(self, value: Any) -> str:
        """A default that is a plain constant; dots for all others."""
        plain = value is None or type(value) in (bool, int, float, str)
        text = repr(value)
        return text if plain and text not in ("inf", "-inf", "nan") else "..."

    def defined(self, name: str, parts: list[str], result: str, value: Any) -> str:
        """A `def`; with the docstring if no file has one for it."""
        head = f"def {name}({', '.join(parts)}) -> {result}:"
        if home_of(value):
            return f"{head} ..."
        text = (inspect.getdoc(value) or "").replace("\\", "\\\\")
        return f'{head}\n    """{textwrap.indent(text, "    ").strip()}\n    """'


def text_of(module: str) -> str:
    """The stub of a module."""
    return Stub(module).text()


def write() -> None:
    """Write all stubs; take away what is no stub any more."""
    paths = {path_of(module): text_of(module) for module in modules()}
    for old in set((ROOT / "runtime").rglob("*.pyi")) - set(paths):
        old.unlink()
    for path, text in paths.items():
        path.write_text(text, encoding="utf-8")
