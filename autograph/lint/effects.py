"""Rules AG2: side effects that a staged path cannot have."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.lint.finding import Finding
from autograph.lint.functions import LintedFunction, Path, own_expressions, spoken
from autograph.lint.staged_value_inference import within

_ONLY_SETS = frozenset((
    "discard", "difference_update", "intersection_update", "symmetric_difference_update",
))  # fmt: skip
_BYTES_METHODS = frozenset(("append", "extend", "insert", "pop", "remove", "clear", "reverse"))

ONCE = frozenset((
    "input", "open", "next", "time.time", "time.time_ns", "time.perf_counter", "time.monotonic",
    "time.process_time", "time.sleep", "os.urandom", "uuid.uuid1", "uuid.uuid4",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today",
    "datetime.date.today", "warnings.warn", "sys.exit", "os._exit", "subprocess.run",
    "subprocess.call", "subprocess.check_call", "subprocess.check_output", "os.system",
))  # fmt: skip
_FILES = frozenset(("open", "io.open", "io.StringIO", "io.BytesIO"))
_ONCE_MODULES = ("random", "secrets", "numpy.random", "logging", "shutil")


def check(function: LintedFunction) -> Iterator[Finding]:
    """The findings of one function."""
    created = _created_names(function)
    for guarded in function.statements:
        if not guarded.path:
            continue
        for node in own_expressions(guarded.statement):
            if isinstance(node, gast.Call):
                yield from _once(function, node, guarded.path)
                yield from _method(node, guarded.path, created)
        yield from _item(guarded.statement, guarded.path, created)


def _created_names(function: LintedFunction) -> dict[str, list[tuple[str, gast.stmt]]]:
    """Return the variables that hold sets, byte arrays or files, and the statements that make them.
    """
    creations: dict[str, list[tuple[str, gast.stmt]]] = {}
    for node in within(function.node):
        if isinstance(node, (gast.Assign, gast.AnnAssign)) and node.value is not None:
            kind = _kind(function, node.value)
            for target in getattr(node, "targets", None) or [node.target]:
                if isinstance(target, gast.Name):
                    creations.setdefault(target.id, []).append((kind, node))
        elif isinstance(node, gast.With):
            for item in node.items:
                if isinstance(item.optional_vars, gast.Name):
                    kind = _kind(function, item.context_expr)
                    creations.setdefault(item.optional_vars.id, []).append((kind, node))
    return creations


def _kind(function: LintedFunction, value: gast.expr) -> str:
    if isinstance(value, gast.Call):
        name = function.name_of(value.func)
        if name in _FILES:
            return "file"
        return "bytearray" if name == "bytearray" else ""
    return ""


def _method(
    node: gast.Call, path: Path, created: dict[str, list[tuple[str, gast.stmt]]]
) -> Iterator[Finding]:
    method = node.func
    if not isinstance(method, gast.Attribute):
        return
    owner, text = method.value, spoken(method.value)
    kind = ""
    if isinstance(owner, gast.Name):
        kind = _known(owner.id, path, created)
    if kind == "file":
        yield _traced(node, path)
    elif kind == "bytearray" and method.attr in _BYTES_METHODS:
        yield _changes(node, text, "a bytearray", path)
    elif method.attr in _ONLY_SETS and not isinstance(owner, gast.Name):
        yield _changes(node, text, "a set", path)


def _item(
    statement: gast.stmt, path: Path, created: dict[str, list[tuple[str, gast.stmt]]]
) -> Iterator[Finding]:
    """``b[i] = v`` of a bytearray."""
    for target in getattr(statement, "targets", None) or [getattr(statement, "target", None)]:
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
            if _known(target.value.id, path, created) == "bytearray":
                yield _changes(target, target.value.id, "a bytearray", path)


def _known(name: str, path: Path, created: dict[str, list[tuple[str, gast.stmt]]]) -> str:
    """What a variable holds: a bytearray or file, unless it was made on this very path."""
    makers = created.get(name, [])
    kinds = {kind for kind, _ in makers}
    if len(kinds) != 1:
        return ""
    inside = {id(node) for node in gast.walk(path[-1].statement)}
    if any(id(maker) in inside for _, maker in makers):
        return ""
    return kinds.pop()


def _changes(node: gast.AST, text: str, change: str, path: Path) -> Finding:
    return Finding(
        "AG202", node, f"if {path[-1].where} is staged, '{text}', {change}, cannot change here"
    )


def _once(function: LintedFunction, node: gast.Call, path: Path) -> Iterator[Finding]:
    name = function.name_of(node.func)
    if name is None:
        return
    module = name.rpartition(".")[0]
    if name in ONCE or module in _ONCE_MODULES:
        yield _traced(node, path)


def _traced(node: gast.Call, path: Path) -> Finding:
    return Finding(
        "AG203", node,
        f"if {path[-1].where} is staged, {spoken(node.func)}() is called once, while tracing, "
        "and not when the graph gets here",
    )
