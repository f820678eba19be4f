"""What ``tests/affected.py`` chooses, on a small project and on this one."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from runtime.ops.op import TABLE
from tests.affected import ROOT, Selection, changed_files, distances, ops_of

FILES = {
    "autograph/__init__.py": "",
    "runtime/__init__.py": "",
    "runtime/graph/__init__.py": "",
    "runtime/graph/nodes.py": "",
    "runtime/graph/walk.py": "from runtime.graph import nodes",
    "runtime/top.py": "def f():\n    from runtime.graph import nodes",
    "tests/runtime/graph/test_nodes.py": "",
    "tests/runtime/test_walk.py": "from runtime.graph.walk import nodes",
    "tests/runtime/test_top.py": "import runtime.top",
    "tests/runtime/helper.py": "import runtime.graph.walk",
    "tests/runtime/test_helper.py": "from tests.runtime import helper",
    "tests/test_errors.py": "",
    "tests/errors/loops/case.err": "",
    "tests/docs/test_pages.py": "",
    "docs/page.md": "",
}


@pytest.fixture
def project(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text + "\n")
    return tmp_path


@pytest.mark.parametrize("changed, files", [
    ("runtime/graph/nodes.py", {
        "tests/runtime/graph/test_nodes.py": 0, "tests/runtime/test_walk.py": 2,
        "tests/runtime/test_helper.py": 3,
    }),
    ("runtime/top.py", {
        "tests/runtime/test_top.py": 0, "tests/runtime/test_walk.py": 0,
        "tests/runtime/test_helper.py": 0,
    }),
    ("tests/runtime/helper.py", {"tests/runtime/test_helper.py": 1}),
    ("tests/errors/loops/case.err", {"tests/test_errors.py": 0}),
    ("docs/page.md", {"tests/docs/test_pages.py": 0}),
    ("setup", {}),
])  # fmt: skip
def test_files_by_imports(project, changed, files):
    assert Selection(project, [changed]).files == files


def test_the_nearest_run_first(project):
    paths = Selection(project, ["runtime/graph/nodes.py"]).paths()
    assert paths == [
        "tests/runtime/graph/test_nodes.py", "tests/runtime/test_walk.py",
        "tests/runtime/test_helper.py",
    ]  # fmt: skip
    near = Selection(project, ["runtime/graph/nodes.py"], near=2)
    assert near.paths() == paths[:2]


def test_distances():
    graph = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a", "b"], "e": []}
    assert distances(graph, ["c"]) == {"c": 0, "b": 1, "a": 2, "d": 2}


def test_rows_of_the_ops_in_a_changed_file():
    module = TABLE["cumsum"].kernel.__module__
    assert "cumsum" in ops_of({module}) and "matmul" not in ops_of({module})
    assert not ops_of({"runtime.graph.graph"})


class Item:
    """A test as pytest collects it."""

    def __init__(self, path, **parameters):
        self.path = ROOT / path
        self.callspec = SimpleNamespace(params=parameters)


def test_of_a_sweep_only_rows_are_kept(project):
    selection = Selection(project, [])
    selection.ops, selection.sweeps = {"cumsum"}, {"tests/test_op_table.py"}
    items = [
        Item("tests/test_op_table.py", name="cumsum", i=0), Item("tests/test_tiny.py", x=[1]),
        Item("tests/test_op_table.py", name="matmul", i=[2]),
    ]  # fmt: skip
    left_out = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    kept = list(items)
    selection.pytest_collection_modifyitems(SimpleNamespace(hook=hook), kept)
    assert kept == items[:2] and left_out == items[2:]


def test_changes_and_new_files(project):
    def git(*arguments):
        subprocess.run(["git", "-C", str(project), *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "First")
    (project / "runtime/top.py").write_text("x = 1\n")
    (project / "runtime/new.py").write_text("x = 1\n")
    assert changed_files(project, "HEAD") == ["runtime/new.py", "runtime/top.py"]
    with pytest.raises(SystemExit, match="affected: .*no_such"):
        changed_files(project, "no_such")
