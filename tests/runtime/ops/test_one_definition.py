"""All that is known about an op stands in its definition: no other file knows an op by its name.

Passes, engines, derivatives and printers ask definitions for their fields and traits.  A few ops of
control are compared with: what they mean is the layout of graphs itself.
"""

import ast
import importlib

import pytest

from runtime.autodiff.backprop import RULES
from runtime.ops.control_flow.cond_while import from_graphs
from runtime.ops.op import TABLE, Missing, OpDef
from tests.support import ROOT
from tests.support.extras import installed
from tests.support.sources import nodes_of

DEFINING = ("runtime/ops/", "runtime/ops/rules/", "runtime/ops/gradients/")
FILES = [
    path
    for path in sorted((ROOT / "runtime").rglob("*.py"))
    if not path.relative_to(ROOT).as_posix().startswith(DEFINING) and path.name[0] != "_"
]
AS_IN_FILES = {path.relative_to(ROOT).as_posix(): path for path in FILES}

LITERALS = (ast.Dict, ast.Tuple, ast.List, ast.Set)

# Who compares an operation's op with one of these asks how a graph is laid out.
CONTROL = {
    "constant": "a value that is known before the graph runs",
    "placeholder": "an input of the graph",
    "cond": "has two graphs, which its attributes name; case has a list of them",
    "while": "has a graph for its test; other loops know how often they go",
    "call": "a function call, which a tape replaces by one that saves what it needs",
    "read_variable": "the one effect of which a cached gradient may be made again",
}
# Opcodes of the native engine, and functions of the C library, are called as ops are.
OPCODES = "runtime/engine/llvm/"
# Rules of XLA and of ONNX stand beside the kernels that they replace, under the names of their ops:
# they are functions of JAX and operators of ONNX, which definitions cannot name.
OF_OTHERS = ("runtime/engine/xla/", "runtime/export/onnx_models/")
# Lists become tensors below the files of ops, which they cannot import.
LOOKED_UP = {"cast", "stack"}
# Texts that are no ops, though ops are called so.
WORDS = {"reverse", "sort"}


def nodes_by_name(*words):
    """Names of the files and their nodes, or of those in which one of the words stands."""
    for name, path in AS_IN_FILES.items():
        if not words or any(word in path.read_text(encoding="utf-8") for word in words):
            yield name, nodes_of(path)


def texts(node):
    """The strings of a literal: of its elements, or of its keys."""
    if isinstance(node, ast.Dict):
        return [key.value for key in node.keys if isinstance(key, ast.Constant)]
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [item.value for item in node.elts if isinstance(item, ast.Constant)]
    return [node.value] if isinstance(node, ast.Constant) else []


def test_no_file_compares_the_names_of_ops():
    found = []
    for name, nodes in nodes_by_name(".name"):
        for node in nodes:
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            named = any(isinstance(side, ast.Attribute) and side.attr == "name" for side in sides)
            if named and any(text in TABLE for side in sides for text in texts(side)):
                found.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert not found, f"ask a field or a trait of the definition: {found}"


def test_no_file_has_a_table_of_the_names_of_ops():
    found = []
    for name, nodes in nodes_by_name():
        if name.startswith((OPCODES, *OF_OTHERS)):
            continue
        exported = [n for n in nodes if isinstance(n, ast.Assign)
                    and any(isinstance(t, ast.Name) and t.id == "__all__" for t in n.targets)]
        skipped = {id(inner) for node in exported for inner in ast.walk(node)}
        literals = (n for n in nodes if isinstance(n, LITERALS) and id(n) not in skipped)
        for node in literals:
            names = set(texts(node)) - WORDS
            if len(names) > 1 and all(isinstance(n, str) and n in TABLE for n in names):
                found.append(f"{name}:{node.lineno}: {sorted(names)}")
    assert not found, f"make it a field of the definition: {found}"


def test_no_file_looks_ops_up_by_name():
    found = []
    for name, nodes in nodes_by_name("lookup(", "TABLE["):
        for node in nodes:
            match node:
                case ast.Call(func=ast.Name("lookup"), args=[ast.Constant(str(op))]):
                    pass
                case ast.Subscript(value=ast.Name("TABLE"), slice=ast.Constant(str(op))):
                    pass
                case _:
                    continue
            if op not in LOOKED_UP:
                found.append(f"{name}:{node.lineno}: {op}")
    assert not found, f"import the op: {found}"


def test_only_ops_of_control_are_compared_with():
    found = []
    for name, nodes in nodes_by_name():
        if name == "runtime/test.py" or (name.startswith(OF_OTHERS[0]) and not installed("xla")):
            continue
        module = importlib.import_module(name.removesuffix(".py").replace("/", "."))

        def value_of(node, module=module):
            """What a name in the module stands for, if anything."""
            match node:
                case ast.Name():
                    return getattr(module, node.id, None)
                case ast.Attribute():
                    return getattr(value_of(node.value), node.attr, None)

        for node in nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
            elif isinstance(node, ast.Dict):
                sides = [key for key in node.keys if key is not None]
            elif isinstance(node, ast.Set):
                sides = node.elts
            else:
                continue
            inside = [e for side in sides for e in getattr(side, "elts", [side])]
            for op in map(value_of, inside):
                if isinstance(op, OpDef) and op.name not in CONTROL:
                    found.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert not found, f"ask a field or a trait of the definition: {found}"


def test_rules_of_derivatives_are_for_ops_that_say_so():
    """What holds graphs or calls Python has its derivative in autodiff/; the definition says so."""
    for op in RULES:
        assert op.grad is from_graphs or isinstance(op.grad, Missing), op


@pytest.mark.parametrize("field", ["raises", "python_kernel", "python_operator", "segment_op"])
def test_fields_that_other_files_ask_for_are_there(field):
    assert any(getattr(op, field) for op in TABLE.values()), field
