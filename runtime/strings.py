"""``runtime.strings``: the public names of string ops, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.ops.string.regex import regex_full_match as regex_full_match
from runtime.ops.string.regex import regex_replace as regex_replace
from runtime.ops.string.strings import as_string as as_string
from runtime.ops.string.strings import join as join
from runtime.ops.string.strings import length as length
from runtime.ops.string.strings import lower as lower
from runtime.ops.string.strings import strip as strip
from runtime.ops.string.strings import substr as substr
from runtime.ops.string.strings import to_number as to_number
from runtime.ops.string.strings import upper as upper
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.composite.string_split import bytes_split as bytes_split
    from runtime.composite.string_split import format as format
    from runtime.composite.string_split import ngrams as ngrams
    from runtime.composite.string_split import reduce_join as reduce_join
    from runtime.composite.string_split import split as split
    from runtime.composite.string_split import unicode_decode as unicode_decode
    from runtime.composite.string_split import (
        unicode_decode_with_offsets as unicode_decode_with_offsets,
    )
    from runtime.composite.string_split import unicode_encode as unicode_encode
    from runtime.composite.string_split import unicode_split as unicode_split
    from runtime.composite.string_split import (
        unicode_split_with_offsets as unicode_split_with_offsets,
    )
    from runtime.composite.string_split import unicode_transcode as unicode_transcode
    from runtime.composite.string_split import unsorted_segment_join as unsorted_segment_join

with _optional_annex():
    from runtime.containers.string_hash_ops import (
        to_hash_bucket,
        to_hash_bucket_fast,
        to_hash_bucket_strong,
    )

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "ngrams", "reduce_join",
    "regex_full_match", "regex_replace", "split", "strip", "substr", "to_hash_bucket",
    "to_hash_bucket_fast", "to_hash_bucket_strong", "to_number",
    "unicode_decode", "unicode_decode_with_offsets", "unicode_encode", "unicode_split",
    "unicode_split_with_offsets", "unicode_transcode", "unsorted_segment_join", "upper",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
