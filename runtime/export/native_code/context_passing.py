"""Context passing: a pass over LLVM IR that hands the context of a call to what needs it.

Code for Python finds memory and exceptions without being told where; exports have no global state.
So each function that calls one which takes ``ptr %ctx`` first takes it, too:

    define internal ptr @list_i64_end.make(i64 %count)             ->  (ptr %ctx, i64 %count)
      %t1 = call ptr @rt_take(i64 %size)                           ->  (ptr %ctx, i64 %size)

Functions of which others take the address take it always, and calls of addresses pass it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEAD = re.compile(
    r"^(?P<word>define|declare)(?P<gives>[^@\n]*)@(?P<name>[\w.$]+)\((?P<params>[^()\n]*)\)", re.M
)
_BODY_END = "\n}"
_USE = re.compile(r"@([\w.$]+)\((?!ptr %ctx)")
_CALLED = re.compile(r"@([\w.$]+)\(")
_ADDRESS = re.compile(r"ptr @([\w.$]+)(?![\w.$(])")
_INDIRECT = re.compile(r"(call [^@\n%]*%(?!allocate\b|release\b)\w+)\((\)?)")
"""Calls of addresses, but of the two functions of the caller's."""
_CONTEXT = "ptr %ctx"
_KEPT = "\0"
"""Mark after the names of heads, which are no calls."""
_MADE = "%ctx = "
"""In functions that make the context."""


def pass_context(texts: Sequence[str]) -> list[str]:
    """Return LLVM modules, which will be linked, in which functions that need the context get it.
    """
    bodies = [body for text in texts for body in _bodies(text)]
    defined = {name for name, _, _ in bodies}
    taking = {name for name, params, _ in bodies if params.startswith(_CONTEXT)}
    making = {name for name, _, body in bodies if _MADE in body}
    by_address = {
        name for text in texts for name in _ADDRESS.findall(text) if name in defined - taking
    }
    callers: dict[str, set[str]] = {}
    indirect = set()
    for name, _, body in bodies:
        for called in _CALLED.findall(body):
            callers.setdefault(called, set()).add(name)
        if _INDIRECT.search(body):
            indirect.add(name)
    needing, todo = taking | by_address, [*taking, *by_address]
    if by_address:
        todo += indirect - needing
        needing |= indirect
    while todo:
        for caller in callers.get(todo.pop(), set()) - needing - making:
            needing.add(caller)
            todo.append(caller)
    return [_changed(text, needing, taking, bool(by_address)) for text in texts]


def _bodies(text: str) -> list[tuple[str, str, str]]:
    """Return the name, parameters and lines of each function that is defined."""
    found = []
    for head in _HEAD.finditer(text):
        if head["word"] == "define":
            end = text.index(_BODY_END, head.end())
            found.append((head["name"], head["params"], text[head.end() : end]))
    return found


def _changed(text: str, needing: set[str], taking: set[str], with_addresses: bool) -> str:
    """Return the text of a module in which functions that need the context take it first, and get
    it wherever they are called; those that are ``taking`` it already are declared with it.
    """

    def head(match: re.Match[str]) -> str:
        is_done = match["name"] in taking and match["word"] == "define"
        if match["name"] not in needing or is_done:
            return f"{match['word']}{match['gives']}@{match['name']}{_KEPT}({match['params']})"
        first = _CONTEXT if match["word"] == "define" else "ptr"
        params = f"{first}, {match['params']}" if match["params"] else first
        return f"{match['word']}{match['gives']}@{match['name']}{_KEPT}({params})"

    def use(match: re.Match[str]) -> str:
        if match[1] not in needing:
            return match[0]
        closed = with_heads[match.end()] == ")"
        return f"@{match[1]}({_CONTEXT}{'' if closed else ', '}"

    with_heads = _HEAD.sub(head, text)
    result = _USE.sub(use, with_heads).replace(_KEPT, "")
    if with_addresses:
        result = _INDIRECT.sub(lambda m: f"{m[1]}({_CONTEXT}{m[2] or ', '}", result)
    return result
