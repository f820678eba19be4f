"""AutoGraph: write plain Python, run it as a dataflow graph.

``to_graph`` converts a function, ``to_code`` shows what becomes of it.
"""

from autograph.api import convert, do_not_convert, to_code, to_graph
from autograph.errors import (
    AutoGraphError,
    ConcreteValueError,
    ConversionError,
    DtypeJoinError,
    EffectError,
    JoinError,
    NoSourceError,
    NotAFunctionError,
    ShapeJoinError,
    StagingError,
    StructureJoinError,
    UnconvertedError,
    UnsupportedSyntaxError,
)
from autograph.features import Feature
from autograph.operators.loops import set_loop_options
from autograph.syntax.texts import exec_source

__version__ = "0.1.0"

__all__ = [
    "AutoGraphError",
    "ConcreteValueError",
    "ConversionError",
    "DtypeJoinError",
    "EffectError",
    "Feature",
    "JoinError",
    "NoSourceError",
    "NotAFunctionError",
    "ShapeJoinError",
    "StagingError",
    "StructureJoinError",
    "UnconvertedError",
    "UnsupportedSyntaxError",
    "convert",
    "do_not_convert",
    "exec_source",
    "set_loop_options",
    "to_code",
    "to_graph",
]
