"""The door between the packages: what passes it, and how often."""

from __future__ import annotations

import ast
import collections
import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import runtime as tf
from autograph import staging
from tests.support import ROOT
from tests.support.sources import statements, tree_of

RUNTIME = sorted((ROOT / "runtime").rglob("*.py"))
DOOR = {"autograph.staging", "autograph:staging"}
"""The staging protocol."""
STAGING = ("runtime/staging/", "runtime/functions/")
"""Who may use it: the backend, and functions (`test_layers` lists which of their files)."""
FOR_FUNCTIONS = {
    "staged values that arguments and results may be, or hold": """
        ArrayStorage ChangeWatch Contents JoinedNumber MAP_KINDS MapContents StagedArray
        StagedChoice StagedList StagedMap StagedOptional StagedSequence StagedText StagedUnion
        StagedVariant StaleContent TracedList TracedSet as_staged_list changed_line check_usable
        contents_held contents_of given_containers hold hold_map is_traced_deque kind_of
        number_parts settled_map traced_deque without_references
        """,
    "objects of the program that a call reads and changes": """
        ArrayCreations ContentsLink Link MaybeValue ObjectAttributes OutlivingSlot TraceHeap
        UNDEFINED carrying creating has_maps is_users plain refuse_outside_world
        refuse_unknown_effects stages
        """,
    "which backend traces, and what a trace makes of recursion and of long loops": """
        LongLoops detect_recursion is_deliberate load_announced staging_long_loops
        tracing_backend
        """,
}
"""The names of the door that `runtime/functions` may use: none implements the protocol."""
OPEN = {
    "autograph.errors", "autograph.flags", "autograph.named_tuples", "autograph.collection_pause",
    "autograph.tracing",
}  # fmt: skip
"""What any room may use, besides the public names of the roof, such as `autograph.to_graph`."""
GROUND = {
    "autograph.syntax.fork_safe_lock", "autograph.syntax.recursion_limit",
    "autograph.syntax.heap_types", "autograph.syntax.instructions",
    "autograph.syntax.code_markers", "autograph.syntax.sent_source", "autograph.diagnostics",
    "autograph.diagnostics.user_frame", "autograph.diagnostics.traceback",
    "autograph.diagnostics.internal_faults", "autograph.diagnostics.runtime_exceptions",
}  # fmt: skip
"""What both packages stand on: locks, deep calls, whose code a frame runs, and the source of
pickled functions.  None stages.
"""
DRAWING = "autograph.drawing."
"""Boxes and lines, of which neither package knows what they stand for."""


def imported(path: Path) -> set[str]:
    """The modules of autograph that a file takes names from, and the names of its roof."""
    found = set()
    for node in statements(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names = [alias.name for alias in node.names]
            if node.module == "autograph":
                found |= {f"autograph:{name}" for name in names}
            else:
                found.add(node.module)
    return {name for name in found if name.partition(":")[0].partition(".")[0] == "autograph"}


def test_runtime_asks_at_the_door_alone():
    roof = {f"autograph:{name}" for name in (*autograph.__all__, "errors", "flags")}
    for path in RUNTIME:
        name = path.relative_to(ROOT).as_posix()
        door = DOOR if name.startswith(STAGING) else set()
        beyond = imported(path) - OPEN - GROUND - roof - door - {"autograph"}
        beyond = {module for module in beyond if not module.startswith(DRAWING)}
        assert not beyond, f"{name} imports {sorted(beyond)}"


def names_at_the_door(path: Path) -> set[str]:
    """The names of `autograph.staging` that a file uses."""
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "autograph.staging":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names |= {node.attr} if node.value.id == "staging" else set()
    return names


def test_functions_carry_staged_values_and_implement_no_protocol():
    folder = ROOT / "runtime" / "functions"
    used = set().union(*map(names_at_the_door, sorted(folder.rglob("*.py"))))
    assert used == {name for names in FOR_FUNCTIONS.values() for name in names.split()}


def test_an_import_needs_no_door():
    """Programs that convert nothing do not load the staging protocol."""
    code = "import sys, runtime; print([m for m in sys.modules if 'autograph.staging' in m])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout == "[]\n", run.stderr


def test_the_backend_knows_no_datasets():
    for folder in ("staging", "control_flow"):
        for path in sorted((ROOT / "runtime" / folder).glob("*.py")):
            imports = (n for n in ast.walk(tree_of(path)) if isinstance(n, ast.ImportFrom))
            modules = {node.module or "" for node in imports}
            assert not any(module.startswith("runtime.data") for module in modules), path


@pytest.mark.parametrize("name", staging.__all__)
def test_all_names_are_there(name):
    assert getattr(staging, name) is not None


# -- crossings --------------------------------------------------------------------------------
#
# A crossing is a call of a Python function of one package made by a frame of the other one, in
# either direction.  What the user's own code calls (operators, methods of tensors) is none.

_SIDES = {
    side: os.path.dirname(module.__file__ or "") + os.sep
    for side, module in (("autograph", autograph), ("runtime", tf))
}


def side_of(frame) -> str | None:
    file = frame.f_code.co_filename
    return next((side for side, folder in _SIDES.items() if file.startswith(folder)), None)


def crossings(run) -> collections.Counter[str]:
    """How often a run crosses the wall, by caller and callee."""
    found: collections.Counter[str] = collections.Counter()

    def watch(frame, event, arg):
        if event == "call" and frame.f_back is not None:
            sides = side_of(frame.f_back), side_of(frame)
            if None not in sides and sides[0] != sides[1]:
                found[f"{frame.f_back.f_code.co_qualname} > {frame.f_code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found


def doubled(n, s):
    while n < 10:
        n = n + s
        s = s * 2
    return n


def test_a_staged_while_crosses_the_wall_with_whole_states():
    converted = autograph.to_graph(doubled)
    for _ in range(2):  # the first trace loads and converts
        with tf.Graph().as_default():
            n, s = tf.placeholder(tf.int32, ()), tf.placeholder(tf.int32, ())
            found = crossings(lambda: converted(n, s))
    assert 0 < sum(found.values()) <= 15, found
