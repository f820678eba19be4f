"""Arguments of calls: bound to their parameters, compared, and laid out for a staged call.

For ``recursion``, which asks whether two calls of a function differ in staged values alone.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.identity import same
from autograph.operators.joins.nodes import NestNode, Node, SameNode, unjoined
from autograph.operators.joins.object_nodes import attributes
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import Contents, contents_of, kind_of
from autograph.staging.staged_map import MapContents, TracedMap, map_contents
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedUnion

Arguments = dict[str, Any]


def bind(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Arguments | None:
    """Return the arguments by parameter; None when the call is wrong, which Python reports."""
    try:
        arguments = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    arguments.apply_defaults()
    return dict(arguments.arguments)


def call_with(function: types.FunctionType, arguments: Arguments) -> Any:
    """Call a function with its arguments."""
    bound_arguments = inspect.BoundArguments(inspect.signature(function), arguments)
    return function(*bound_arguments.args, **bound_arguments.kwargs)


def alike(left: Any, right: Any, backend: Backend, numbers: bool) -> bool:
    """Whether two values differ in staged values alone, or also in ``numbers`` and texts."""
    staged = [backend.is_staged(value) or type(value) is StagedText for value in (left, right)]
    if all(staged):
        return True
    if any(staged):
        return numbers and None not in (spec_of(left, backend), spec_of(right, backend))
    if isinstance(left, StagedUnion) or isinstance(right, StagedUnion):
        return type(left) is type(right)
    if same(left, right):
        return True
    if type(left) is Contents and type(right) is Contents:
        return _alike_contents(left, right, backend, numbers)
    if type(left) is MapContents and type(right) is MapContents:
        return _alike_maps(left, right, backend, numbers)
    if isinstance(left, TracedMap) and type(left) is type(right):
        return _alike_maps(map_contents(left), map_contents(right), backend, numbers)
    if isinstance(left, list) and isinstance(right, list):
        return _alike_contents(contents_of(left), contents_of(right), backend, numbers)
    if type(left) is not type(right):
        return False
    if type(left) in (tuple, list, dict) or hasattr(type(left), "_make"):
        keys = tuple(left) if isinstance(left, dict) else range(len(left))
        if len(left) != len(right) or isinstance(left, dict) and tuple(right) != keys:
            return False
        return all(alike(left[key], right[key], backend, numbers) for key in keys)
    return numbers and type(left) in (bool, int, float, complex, str)


def _alike_contents(left: Contents, right: Contents, backend: Backend, numbers: bool) -> bool:
    """Whether two lists differ in staged values alone; of the length of one, when it is staged."""
    if left.prefix is not None or right.prefix is not None:
        return True
    if len(left.items) != len(right.items):
        return numbers
    pairs = zip(left.items, right.items, strict=True)
    return all(alike(mine, its, backend, numbers) for mine, its in pairs)


def _alike_maps(left: MapContents, right: MapContents, backend: Backend, numbers: bool) -> bool:
    """Whether two dicts or sets differ in staged values alone; of any keys, when one is staged."""
    if left.backend is not None or right.backend is not None:
        return True
    return alike(left.keys.items, right.keys.items, backend, numbers) and _alike_contents(
        left.values, right.values, backend, numbers
    )


def entered_arguments(arguments: Arguments, backend: Backend) -> Node:
    """Return the node for arguments; an object stays one object until a call has another."""
    items = tuple(
        SameNode(name, value) if _is_object(value, backend) else unjoined(name, value, backend)
        for name, value in arguments.items()
    )
    return NestNode("the arguments", dict, tuple(arguments), items)


def _is_object(value: Any, backend: Backend) -> bool:
    """Whether a value can be changed, by one name for it or another."""
    if isinstance(value, StagedUnion) or backend.owns(value):
        return False
    return kind_of(value) in (list, dict) or attributes(value) is not None
