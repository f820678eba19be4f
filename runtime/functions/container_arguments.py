"""Lists, dicts, sets and deques among the arguments of a trace of ``runtime.jit``: written back.

concrete_function.py makes one ``ContainerArguments`` for each trace.  What such a container holds
at the end of the trace is one more output of the graph, and a call lets the caller's hold that.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from runtime.functions.cache_key import flatten_arguments
from runtime.functions.mutation_check import Change, first_change
from runtime.functions.number_arguments import ContainerArgument, containers
from runtime.functions.results import CallerObject
from runtime.functions.signature import BoundCall
from runtime.types import treedef


class ContainerArguments:
    """The lists, dicts, sets and deques among the arguments of one trace.

    written  the numbers of those that the trace changes
    """

    def __init__(self) -> None:
        self.written: Sequence[int] = ()
        self._containers: Sequence[ContainerArgument] = ()
        """Those of the call that is traced."""

    @contextlib.contextmanager
    def watch(self, call: BoundCall) -> Iterator[None]:
        """Note what they hold before the function runs, in the block."""
        self._containers = [*containers(call.leaves)]
        with staging.given_containers([container.proxy for container in self._containers]):
            for container in self._containers:
                container.before = _contents(container.proxy)
            yield

    @property
    def may_have_changed(self) -> bool:
        """Whether any holds something else by now."""
        return any(map(_is_changed, self._containers))

    def first_change(self, call: BoundCall) -> Change | None:
        """Return a record in lists and dicts that was changed, or may have been: it is a copy."""
        for (name, _), value in zip(call.labels, call.values, strict=True):
            for container in containers(flatten_arguments(value)[0]) if self._containers else ():
                copies = [(name + place, *states) for place, *states in container.copies]
                if copies and _is_changed(container):
                    return copies[0][:2]
                if change := first_change(copies):
                    return change
        return None

    def finish(self, result: Any) -> tuple[Any, list[Any]]:
        """The result, with CallerObjects in place of those in it, and what changed ones hold."""
        proxies = [container.proxy for container in self._containers]
        self.written = [n for n, c in enumerate(self._containers) if _is_changed(c)]
        self._containers = ()
        if not proxies:
            return result, []
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


def _contents(proxy: Any) -> staging.Contents | staging.MapContents:
    """The present contents; EffectError for a list that may have changed as another one."""
    proxy = _items(proxy)
    if isinstance(proxy, OrderedDict):  # whose order is not that of the dict inside of it
        keys, values = (staging.Contents(None, tuple(v)) for v in (proxy, proxy.values()))
        return staging.MapContents(keys, values)
    if isinstance(proxy, staging.TracedList):
        staging.check_usable(proxy)
    return staging.contents_held(proxy)


def _is_changed(container: ContainerArgument) -> bool:
    """Whether a trace has changed what a container holds."""
    return not _contents(container.proxy).same(container.before)
