"""Queries about ``break``, ``continue`` and ``return``, used by several converters.

They are no analysis: they depend on the syntax alone, so they hold whatever a converter has
changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
LOOPS = (gast.While, gast.For, gast.AsyncFor)
JUMPS = (gast.Return, gast.Break, gast.Continue)
TRIES = (gast.Try, gast.TryStar)
_ALL_JUMPS = frozenset(JUMPS)
_RETURN = frozenset((gast.Return,))


def blocks(statement: gast.AST) -> Sequence[list[gast.stmt]]:
    """Return the statement lists directly inside a compound statement (none for definitions)."""
    kind = statement.__class__
    fields = _BLOCKS.get(kind)
    if fields is None:
        return _NO_BLOCKS
    inner_blocks = [getattr(statement, field) for field in fields]
    part_field = _PARTS.get(kind)
    if part_field is not None:
        inner_blocks += [section.body for section in getattr(statement, part_field)]
    return inner_blocks


_NO_BLOCKS: Sequence[list[gast.stmt]] = ()
_BLOCKS: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((gast.If, *LOOPS), ("body", "orelse")),
    **dict.fromkeys(
        (gast.With, gast.AsyncWith, gast.ExceptHandler, gast.match_case, gast.Module), ("body",)
    ),
    **dict.fromkeys(TRIES, ("body", "orelse", "finalbody")),
    gast.Match: (),
}
_PARTS = {gast.Try: "handlers", gast.TryStar: "handlers", gast.Match: "cases"}


def escaping(statement: gast.AST) -> frozenset[type]:
    """Return the kinds of jump inside ``statement`` that lead out of it."""
    return escaping_block([statement])


def escapes(statement: gast.AST, kinds: frozenset[type] = frozenset(JUMPS)) -> bool:
    """Return whether a jump of one of these kinds leads out of ``statement``.

    It ends at the first one, and is not recursive: converters ask it at each level of long chains.
    """
    return any(True for _ in _escaping([statement], kinds))


def escaping_block(block: list[gast.stmt]) -> frozenset[type]:
    """Return the kinds of jump inside a block that lead out of it."""
    return frozenset(_escaping(block, _ALL_JUMPS))


def _escaping(block: list[gast.stmt], kinds: frozenset[type]) -> Iterator[type]:
    """Yield the kinds of the jumps of these kinds that lead out of a block."""
    waiting = [(block, kinds)]
    for statements, sought in waiting:  # which grows
        for statement in statements if sought else ():
            kind = statement.__class__
            if kind in sought:
                yield kind
            for inner in blocks(statement):
                ended = kind in LOOPS and inner is statement.body
                waiting.append((inner, sought & _RETURN if ended else sought))


def always_exits(block: list[gast.stmt]) -> bool:
    """Whether control certainly never reaches the end of ``block``."""
    return any(_exits(statement) for statement in block)


def _exits(statement: gast.stmt) -> bool:
    if isinstance(statement, (*JUMPS, gast.Raise)):
        return True
    if isinstance(statement, gast.If):
        return always_exits(statement.body) and always_exits(statement.orelse)
    if isinstance(statement, TRIES):
        if always_exits(statement.finalbody):
            return True
        normal = always_exits(statement.body) or always_exits(statement.orelse)
        return normal and all(always_exits(handler.body) for handler in statement.handlers)
    if isinstance(statement, gast.While):
        endless = isinstance(statement.test, gast.Constant) and bool(statement.test.value)
        return endless and not own_breaks(statement)
    return False  # a ``with`` may swallow an exception of its body; a ``for`` may run no iteration


def own_breaks(loop: gast.stmt) -> bool:
    """Whether a ``break`` ends this very loop."""
    return gast.Break in escaping_block(loop.body)
