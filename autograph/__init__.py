"""AutoGraph: write plain Python, run it as a dataflow graph.

``to_graph`` converts a function; ``to_code`` shows the generated code.
"""

# Names are imported on first use: a program that converts nothing does not pay for the import.

from typing import TYPE_CHECKING

from autograph.errors import (
    AutoGraphError,
    ConcreteValueError,
    ConversionError,
    DtypeJoinError,
    EffectError,
    InternalFaultError,
    JoinError,
    NoSourceError,
    NotAFunctionError,
    ShapeJoinError,
    StagingError,
    StructureJoinError,
    UnconvertedError,
    UnsupportedSyntaxError,
    unknown_name,
)

if TYPE_CHECKING:
    from autograph import experimental
    from autograph.api import convert, do_not_convert, to_code, to_graph
    from autograph.diagnostics.verbosity import set_verbosity, trace
    from autograph.features import Feature
    from autograph.operators.iteration.loops import set_loop_options
    from autograph.syntax.exec_source import exec_source

__version__ = "0.1.0"

__all__ = [
    "AutoGraphError",
    "ConcreteValueError",
    "ConversionError",
    "DtypeJoinError",
    "EffectError",
    "Feature",
    "InternalFaultError",
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
    "experimental",
    "set_loop_options",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]

_LATER = {
    "Feature": "features",
    "convert": "api",
    "do_not_convert": "api",
    "exec_source": "syntax.exec_source",
    "set_loop_options": "operators.iteration.loops",
    "set_verbosity": "diagnostics.verbosity",
    "to_code": "api",
    "to_graph": "api",
    "trace": "diagnostics.verbosity",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    from autograph.collection_pause import without_collection

    if name in ("experimental", "staging"):  # TensorFlow's name, and what backends ask for
        return import_module(f"autograph.{name}")
    with without_collection():
        if name == "operators":  # what converted files ask for
            import_module("autograph.operators.namespaces")
            import_module("autograph.tracing").load_announced()
            import_module("autograph.backends").expect_libraries()
            return import_module("autograph.operators")
        if name not in _LATER:
            raise unknown_name("autograph", name, __all__)
        value = globals()[name] = getattr(import_module(f"autograph.{_LATER[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
