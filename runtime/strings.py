"""``runtime.strings``: the public names of string ops, as in TensorFlow."""

from runtime.ops.strings import as_string as as_string
from runtime.ops.strings import join as join
from runtime.ops.strings import length as length
from runtime.ops.strings import lower as lower
from runtime.ops.strings import reduce_join as reduce_join
from runtime.ops.strings import regex_full_match as regex_full_match
from runtime.ops.strings import regex_replace as regex_replace
from runtime.ops.strings import strip as strip
from runtime.ops.strings import substr as substr
from runtime.ops.strings import to_number as to_number
from runtime.ops.strings import upper as upper

__all__ = [
    "as_string", "join", "length", "lower", "reduce_join", "regex_full_match", "regex_replace",
    "strip", "substr", "to_number", "upper",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
