"""Converts all statements of a function that become calls: the last step over statements."""

from __future__ import annotations

import gast

from autograph.converters import conditionals, loops
from autograph.converters import try_statements as tries
from autograph.converters.body_functions import Bodies, Rule
from autograph.converters.context import Context
from autograph.converters.variables import note_undefined

RULES: dict[type, Rule] = {
    gast.If: conditionals.convert,
    gast.While: loops.convert_while,
    gast.For: loops.convert_for,
    gast.Try: tries.convert,
}


def convert(context: Context) -> None:
    """Turn the bodies of a function's statements into local functions."""
    bodies = Bodies(context, RULES)
    note_undefined(context)
    function = context.function
    function.body = bodies.block(function.body, in_loop=False)
    if bodies.made:
        bodies.declare(bodies.scopes.bound - frozenset(bodies.scopes.params))
        # reading those may raise
        context.has_effects |= bool(context.undefined or context.left_open_inside)
    else:  # Python itself raises
        context.undefined = frozenset()
