"""Public interface for staging backends: everything that a backend may import from autograph.

Its modules, lowest first: ``state_spec``; the protocol (``list_protocol``, ``try_protocol``,
``call_protocol``, ``control_protocol`` and their sum ``protocol``); the staged values
(``staged_list``, ``staged_map``, ``staged_union``, ``joined_number``, ``staged_string``,
``staged_sequence``); ``registry``, which finds the backend of a value; and ``unsupported``, which
raises what Python raises for such values.

This package also exports a few names of the operators.  They are imported on first use, so that
programs that convert nothing do not pay for the import.  Inside autograph the modules are imported
directly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph.diagnostics import user_frame
from autograph.diagnostics.runtime_exceptions import (
    actual,
    is_stand_in,
    is_transient,
    like,
    raise_as_python,
)
from autograph.diagnostics.user_frame import user_line
from autograph.library.collections import is_traced_deque, traced_deque
from autograph.staging.access import changed_line, check_usable, each_container_class
from autograph.staging.aliases import given_containers
from autograph.staging.call_protocol import StagesCalls
from autograph.staging.control_protocol import NO_ITEM, StagedCond, StagedLoop
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.joined_number import KINDS as NUMBER_KINDS
from autograph.staging.joined_number import JoinedNumber, number_parts
from autograph.staging.protocol import Backend
from autograph.staging.registry import (
    EAGER,
    force_version,
    may_stage,
    register,
    staging_backend,
    tracing_backend,
    unregister,
)
from autograph.staging.run_id import RUN, current_run
from autograph.staging.staged_array import (
    ArrayStorage,
    ChangeWatch,
    StagedArray,
    StaleContent,
    link_storages,
)
from autograph.staging.staged_list import (
    Contents,
    Prefix,
    StagedList,
    TracedList,
    contents_of,
    hold,
    kind_of,
)
from autograph.staging.staged_map import (
    KINDS as MAP_KINDS,
)
from autograph.staging.staged_map import (
    MapContents,
    StagedMap,
    TracedDict,
    TracedMap,
    TracedSet,
    contents_held,
    hold_map,
    map_contents,
)
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_string import FormattedPart, StagedText
from autograph.staging.staged_union import (
    StagedChoice,
    StagedOptional,
    StagedReference,
    StagedUnion,
    StagedVariant,
)
from autograph.staging.state_spec import (
    MISSING,
    Spec,
    StagedValue,
    StateSpec,
)
from autograph.staging.try_protocol import Raises, StagedTry
from autograph.staging.unsupported import check_supported
from autograph.tracing import TRACES, CallsPython, announce, load_announced

if TYPE_CHECKING:
    from autograph.conversion.convert_hook import converted
    from autograph.operators.calls.list_methods import repeated
    from autograph.operators.calls.recursion import detect_recursion
    from autograph.operators.calls.unconverted_calls import explain_unconverted
    from autograph.operators.containers.list_ops import as_staged_list
    from autograph.operators.containers.map_ops import (
        as_staged_map,
        settled_map,
        without_references,
    )
    from autograph.operators.control.long_loops import LongLoops, is_deliberate, staging_long_loops
    from autograph.operators.control.raises import stages
    from autograph.operators.namespaces import namespace
    from autograph.operators.state.array_creations import ArrayCreations, creating
    from autograph.operators.state.carrying import carrying
    from autograph.operators.state.closure_cells import UNDEFINED
    from autograph.operators.state.holders import is_users
    from autograph.operators.state.links import ContentsLink, Link, ObjectAttributes
    from autograph.operators.state.object_snapshot import dismantle
    from autograph.operators.state.outliving import OutlivingSlot, TraceHeap
    from autograph.operators.state.outside_world import refuse_outside_world
    from autograph.operators.state.plain_values import has_maps, plain
    from autograph.operators.state.sentinels import MaybeValue
    from autograph.operators.state.skip_list import is_skipped
    from autograph.operators.state.unknown_effects import refuse_unknown_effects
    from autograph.staging.possible_numbers import marked_as_number

__all__ = [
    # the protocol
    "MISSING", "NO_ITEM", "StagedTry", "Backend", "LazyIterable", "Raises", "Spec",
    "ArrayStorage", "ChangeWatch", "StagedArray", "StaleContent", "link_storages",
    "StagedCond", "StagedLoop", "StagesCalls", "StateSpec",
    # backends and traces
    "EAGER", "TRACES", "announce", "force_version", "load_announced", "may_stage", "register",
    "staging_backend", "tracing_backend", "unregister",
    # staged values that are autograph's own, and objects that hold some
    "FormattedPart", "JoinedNumber", "Prefix", "StagedChoice", "StagedList", "StagedOptional",
    "StagedSequence", "StagedText", "StagedValue", "StagedUnion", "TracedList",
    "StagedReference", "StagedVariant", "NUMBER_KINDS", "marked_as_number",
    "contents_of", "each_container_class",
    "dismantle", "kind_of", "as_staged_list", "check_usable", "number_parts", "repeated",
    "changed_line", "given_containers",
    "Contents", "MapContents", "StagedMap", "TracedDict", "TracedMap", "hold", "hold_map",
    "map_contents", "contents_held", "TracedSet", "MAP_KINDS", "as_staged_map", "settled_map",
    "without_references",
    # whose code runs: frames, lines, tracebacks
    "RUN", "current_run", "user_frame", "user_line",
    # conversion of what the user hands to a backend
    "converted", "explain_unconverted", "is_skipped", "namespace", "detect_recursion",
    # state that outlives a trace
    "UNDEFINED", "CallsPython", "ContentsLink", "Link", "MaybeValue", "ObjectAttributes",
    "ArrayCreations", "OutlivingSlot", "TraceHeap", "carrying", "creating", "has_maps", "is_users",
    "LongLoops", "is_deliberate", "plain", "refuse_outside_world",
    "refuse_unknown_effects", "staging_long_loops", "is_traced_deque", "stages",
    "traced_deque",
    # exceptions that are raised at run time
    "actual", "is_stand_in", "is_transient", "like", "raise_as_python", "check_supported",
]  # fmt: skip

_LATER = {
    "converted": "conversion.convert_hook",
    "dismantle": "operators.state.object_snapshot",
    "explain_unconverted": "operators.calls.unconverted_calls",
    "is_skipped": "operators.state.skip_list",
    "namespace": "operators.namespaces",
    "as_staged_list": "operators.containers.list_ops",
    "repeated": "operators.calls.list_methods",
    "LongLoops": "operators.control.long_loops",
    "is_deliberate": "operators.control.long_loops",
    "staging_long_loops": "operators.control.long_loops",
    "as_staged_map": "operators.containers.map_ops",
    "settled_map": "operators.containers.map_ops",
    "without_references": "operators.containers.map_ops",
    "detect_recursion": "operators.calls.recursion",
    "ArrayCreations": "operators.state.array_creations",
    "creating": "operators.state.array_creations",
    "carrying": "operators.state.carrying",
    "refuse_outside_world": "operators.state.outside_world",
    "stages": "operators.control.raises",
    "refuse_unknown_effects": "operators.state.unknown_effects",
    "ContentsLink": "operators.state.links",
    "Link": "operators.state.links",
    "MaybeValue": "operators.state.sentinels",
    "ObjectAttributes": "operators.state.links",
    "is_users": "operators.state.holders",
    "OutlivingSlot": "operators.state.outliving",
    "TraceHeap": "operators.state.outliving",
    "UNDEFINED": "operators.state.closure_cells",
    "marked_as_number": "staging.possible_numbers",
    "has_maps": "operators.state.plain_values",
    "plain": "operators.state.plain_values",
}
"""The module of ``autograph`` that holds a name."""


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _LATER:
        raise AttributeError(f"module 'autograph.staging' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"autograph.{_LATER[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
