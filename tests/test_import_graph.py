"""The reader of imports that ``benchmarks/structure.py`` prints: every kind, on small packages."""

from __future__ import annotations

from pathlib import Path

from benchmarks.import_graph import ImportGraph, circles, floors, longest_chain

FILES = {
    "autograph/__init__.py": "",
    "runtime/__init__.py": """
        from importlib import import_module
        _LATER = {"tanh": "ops.nn", "other": "nowhere"}
        def __getattr__(name):
            return getattr(import_module(f"runtime.{_LATER[name]}"), name)
        """,
    "runtime/ops/__init__.py": "",
    "runtime/ops/nn.py": """
        from typing import TYPE_CHECKING
        from .. import graph
        from runtime.lazy import Address as At
        if TYPE_CHECKING:
            from runtime import top
        else:
            import runtime.types.shapes
        class Row:
            from runtime.types import nest
            grad = At("nn.gelu", 1)
            more = [At(f"{kind}.{name}") for kind in ("nn", "math") for name in "ab"]
        """,
    "runtime/gradients/__init__.py": "",
    "runtime/gradients/nn.py": "def f():\n    import runtime.ops.nn as nn",
    "runtime/gradients/math.py": "",
    "runtime/lazy.py": """
        import importlib
        class Address:
            def __init__(self, place, number=0):
                self.place = place
            def __call__(self):
                return importlib.import_module("runtime.gradients." + self.place.split(".")[0])
        """,
    "runtime/graph.py": "",
    "runtime/top.py": "load = lambda: __import__('runtime.graph')",
    "runtime/types/__init__.py": "",
    "runtime/types/shapes.py": "from runtime.types.nest import a",
    "runtime/types/nest.py": "",
}


def graph(folder: Path) -> ImportGraph:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        lines = text.strip("\n").splitlines()
        margin = min((len(s) - len(s.lstrip()) for s in lines if s.strip()), default=0)
        (folder / path).write_text("\n".join(line[margin:] for line in lines) + "\n")
    return ImportGraph(folder)


def test_every_import_is_read_with_its_kind(tmp_path) -> None:
    found = graph(tmp_path)
    assert {(i.source, i.target, i.kind) for i in found.imports} == {
        ("runtime", "runtime.ops.nn", "string"),
        ("runtime.ops.nn", "runtime.graph", "import"),
        ("runtime.ops.nn", "runtime.lazy", "import"),
        ("runtime.ops.nn", "runtime.top", "typing"),
        ("runtime.ops.nn", "runtime.types.shapes", "import"),
        ("runtime.ops.nn", "runtime.types.nest", "import"),
        ("runtime.ops.nn", "runtime.gradients.nn", "string"),
        ("runtime.ops.nn", "runtime.gradients.math", "string"),
        ("runtime.gradients.nn", "runtime.ops.nn", "lazy"),
        ("runtime.lazy", "runtime.gradients", "string"),
        ("runtime.top", "runtime.graph", "string"),
        ("runtime.types.shapes", "runtime.types.nest", "import"),
    }


def test_rooms_floors_and_circles(tmp_path) -> None:
    found = graph(tmp_path)
    assert found.room("runtime.ops") == found.room("runtime.ops.nn") == "runtime/ops/"
    assert found.room("runtime.graph") == "runtime/graph.py"
    rooms = found.between_rooms(["import", "lazy", "string"])
    assert circles(rooms) == [["runtime/gradients/", "runtime/lazy.py", "runtime/ops/"]]
    assert circles(found.between_rooms(["import", "lazy"])) == []
    level = floors(rooms)
    assert level["runtime/graph.py"] == level["runtime/types/"] == 0
    assert level["runtime/ops/"] == level["runtime/lazy.py"] == 1
    assert level["runtime/__init__.py"] == 2
    chain = longest_chain(found.between_files(["import"]))
    assert chain == ["runtime.ops.nn", "runtime.types.shapes", "runtime.types.nest"]
