"""Lists, dicts, sets and deques among the arguments of a trace of ``runtime.jit``: written back.

concrete_function.py makes one ``ContainerArguments`` for each trace.  What such a container holds
at the end of the trace is one more output of the graph, and a call lets the caller's hold that.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging import (
    Contents,
    MapContents,
    TracedList,
    check_usable,
    contents_held,
    given_containers,
)
from runtime.functions.cache_key import flatten_arguments
from runtime.functions.mutation_check import check_unchanged, refusal
from runtime.functions.number_arguments import containers
from runtime.functions.result_codecs import CallerObject
from runtime.functions.signature import BoundCall
from runtime.types import treedef


class ContainerArguments:
    """The lists, dicts, sets and deques among the arguments of one trace.

    written  the numbers of those that the trace changes
    """

    def __init__(self) -> None:
        self.written: Sequence[int] = ()
        self._before: list[tuple[Any, Any]] = []
        """What stands for each in the trace that is being made, with its first contents."""

    @contextlib.contextmanager
    def watch(self, call: BoundCall) -> Iterator[None]:
        """Note what they hold before the function runs, in the block."""
        proxies = [container.proxy for container in containers(call.leaves)]
        with given_containers(proxies):
            self._before = [(proxy, _contents(proxy)) for proxy in proxies]
            yield

    @property
    def may_have_changed(self) -> bool:
        """Whether any holds something else by now."""
        return any(map(_is_changed, self._before))

    def check_copies(self, function: str, call: BoundCall, python: Callable[..., Any]) -> None:
        """Refuse changes of the records in lists and dicts: they are copies."""
        written = {id(pair[0]): _is_changed(pair) for pair in self._before}
        for (name, _), value in zip(call.labels, call.values, strict=True) if written else ():
            for container in containers(flatten_arguments(value)[0]):
                copies = [(name + place, *states) for place, *states in container.copies]
                if copies and written[id(container.proxy)]:
                    path, before, _ = copies[0]
                    raise refusal(function, path, before, python)
                check_unchanged(function, copies, python)

    def finish(self, result: Any) -> tuple[Any, list[Any]]:
        """The result, with CallerObjects in place of those in it, and what changed ones hold."""
        if not self._before:
            return result, []
        proxies = [proxy for proxy, _ in self._before]
        self.written = [n for n, pair in enumerate(self._before) if _is_changed(pair)]
        self._before = []
        numbers = {id(proxy): number for number, proxy in enumerate(proxies)}
        leaves, layout = treedef.flatten(result, lambda value: id(value) in numbers)
        result = layout.unflatten([
            CallerObject(numbers[id(leaf)]) if id(leaf) in numbers else leaf for leaf in leaves
        ])  # fmt: skip
        return result, [_items(proxies[number]) for number in self.written]

    def shared_error(self, function: str) -> EffectError:
        """The error for a call that is given one of them twice, and changes one."""
        return EffectError(
            f"{function}() changes a list or dict among its arguments, but one list or dict "
            "is passed twice, and a change of the one would not be seen in the other",
            where=user_line(),
            help="pass copies: list(x), or [list(row) for row in x]",
        )


def _items(proxy: Any) -> Any:
    """What stands for the contents: of a deque, the list of its items."""
    return proxy.items if staging.is_traced_deque(proxy) else proxy


def _contents(proxy: Any) -> Contents | MapContents:
    """The present contents; EffectError for a list that may have changed as another one."""
    proxy = _items(proxy)
    if isinstance(proxy, OrderedDict):  # whose order is not that of the dict inside of it
        return MapContents(Contents(None, tuple(proxy)), Contents(None, tuple(proxy.values())))
    if isinstance(proxy, TracedList):
        check_usable(proxy)
    return contents_held(proxy)


def _is_changed(pair: tuple[Any, Any]) -> bool:
    proxy, before = pair
    return not _contents(proxy).same(before)
