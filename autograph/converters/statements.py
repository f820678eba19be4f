"""The last statement converter: turns the remaining compound statements into operator calls."""

from __future__ import annotations

import gast

from autograph.converters import conditionals, loops, try_statements
from autograph.converters.body_functions import Bodies, Rule
from autograph.converters.context import Context
from autograph.converters.variables import note_undefined

RULES: dict[type, Rule] = {
    gast.If: conditionals.convert,
    gast.While: loops.convert_while,
    gast.For: loops.convert_for,
    gast.Try: try_statements.convert,
}


def convert(context: Context) -> None:
    """Turn the bodies of a function's statements into local functions."""
    bodies = Bodies(context, RULES)
    note_undefined(context)
    function = context.function
    function.body = bodies.block(function.body, in_loop=False)
    if bodies.made:
        bodies.declare(bodies.scopes.bound - frozenset(bodies.scopes.params))
        # reading these may raise
        context.has_effects |= bool(context.undefined or context.left_open_inside)
    else:  # Python itself raises
        context.undefined = frozenset()
