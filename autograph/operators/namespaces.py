"""Table of the operators, and the namespaces in which converted code finds them as ``ag__``.

Functions are named after the construct, their arguments after the fields of Python's syntax tree.
``namespace(features)`` gives the operators for a set of features; ``autograph.operators`` itself,
which converted files import, is the one for all features.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from autograph.conversion.conversion import Converter
from autograph.conversion.convert_hook import use
from autograph.errors import AutoGraphError as StagingError
from autograph.features import Feature
from autograph.operators.calls.calls import CallResolver
from autograph.operators.calls.dict_methods import dict_with
from autograph.operators.calls.keyword_calls import keywords
from autograph.operators.calls.set_methods import of_view, set_with
from autograph.operators.containers.list_ops import list_
from autograph.operators.containers.map_ops import dict_, dict_of, set_of
from autograph.operators.containers.slices import (
    getitem,
    inplace,
    item_at_key,
    item_of,
    just,
    setitem,
    setitem_in,
    slice,
    update_item,
    update_item_in,
)
from autograph.operators.containers.strings import fstring, percent, percent_in_place
from autograph.operators.control.asserts import assert_stmt
from autograph.operators.control.conditionals import if_exp, if_stmt
from autograph.operators.control.logical import all_true, and_, any_true, not_, or_
from autograph.operators.control.optionals import is_, is_not
from autograph.operators.control.raises import pass_on, raise_stmt
from autograph.operators.control.try_statements import try_stmt
from autograph.operators.control.with_statements import manager
from autograph.operators.iteration.comparisons import compare, eq, in_, not_eq, not_in, order
from autograph.operators.iteration.comprehensions import (
    dict_comp,
    generator,
    list_comp,
    nested,
    set_comp,
)
from autograph.operators.iteration.loops import for_stmt, while_stmt
from autograph.operators.iteration.matches import (
    captured,
    case,
    either,
    instance,
    mapping,
    named,
    sequence,
)
from autograph.operators.iteration.spreads import list_of, spread, tuple_of
from autograph.operators.iteration.unpacking import unpacked
from autograph.operators.names.optional_attributes import certain, own_locals
from autograph.operators.names.return_values import result, returned
from autograph.operators.names.type_queries import class_of
from autograph.operators.names.variables import defined, free, read, value
from autograph.operators.state import special_methods
from autograph.operators.state.sentinels import BREAK
from autograph.staging.registry import EAGER, may_stage
from autograph.syntax.fork_safe_lock import fork_safe_lock
from autograph.tracing import TRACES

OPERATORS: dict[str, Any] = {
    "BREAK": BREAK,
    "StagingError": StagingError,
    "EAGER": EAGER,
    "TRACES": TRACES,
    "all_true": all_true,
    "and_": and_,
    "any_true": any_true,
    "assert_stmt": assert_stmt,
    "captured": captured,
    "case": case,
    "certain": certain,
    "class_of": class_of,
    "compare": compare,
    "defined": defined,
    "dict_": dict_,
    "dict_comp": dict_comp,
    "dict_of": dict_of,
    "dict_with": dict_with,
    "either": either,
    "eq": eq,
    "for_stmt": for_stmt,
    "free": free,
    "fstring": fstring,
    "getitem": getitem,
    "generator": generator,
    "if_exp": if_exp,
    "if_stmt": if_stmt,
    "in_": in_,
    "inplace": inplace,
    "instance": instance,
    "is_": is_,
    "is_not": is_not,
    "list_comp": list_comp,
    "mapping": mapping,
    "named": named,
    "nested": nested,
    "item_at_key": item_at_key,
    "item_of": item_of,
    "just": just,
    "may_stage": may_stage,
    "keywords": keywords,
    "list_": list_,
    "list_of": list_of,
    "spread": spread,
    "manager": manager,
    "not_": not_,
    "not_eq": not_eq,
    "not_in": not_in,
    "of_view": of_view,
    "or_": or_,
    "own_locals": own_locals,
    "order": order,
    "pass_on": pass_on,
    "percent": percent,
    "percent_in_place": percent_in_place,
    "raise_stmt": raise_stmt,
    "read": read,
    "result": result,
    "returned": returned,
    "sequence": sequence,
    "set_comp": set_comp,
    "set_of": set_of,
    "set_with": set_with,
    "setitem": setitem,
    "setitem_in": setitem_in,
    "slice": slice,
    "update_item": update_item,
    "update_item_in": update_item_in,
    "try_stmt": try_stmt,
    "tuple_of": tuple_of,
    "unpacked": unpacked,
    "value": value,
    "while_stmt": while_stmt,
}

_namespaces: dict[tuple[frozenset[Feature], bool], ModuleType] = {}
_lock = fork_safe_lock()


def namespace(features: frozenset[Feature], recursive: bool = True) -> Any:
    """Return the operators for a set of features; they are made once.

    Besides the operators, the namespace holds ``converter`` and what calls look up, which depend on
    the features.  Without ``recursive``, ``call`` converts nothing.
    """
    with _lock:
        operators = _namespaces.get((features, recursive))
        if operators is None:
            operators = ModuleType(str(__package__))  # the object with the fastest attributes
            converter = Converter(features, operators)
            calls = CallResolver(converter, recursive)
            vars(operators).update(
                OPERATORS, converter=converter, is_recursive=recursive, call=calls.look_up,
                call_at=calls.call_at, method_at=calls.method_at,
                starred=calls.starred,
                patch_reachable=special_methods.patch_reachable,
            )  # fmt: skip
            _namespaces[features, recursive] = operators
        return operators


call = namespace(Feature.resolve(None)).call
starred = namespace(Feature.resolve(None)).starred
converter = namespace(Feature.resolve(None)).converter
use(call, starred, converter)
