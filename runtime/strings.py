"""``runtime.strings``: the public names of string ops, as in TensorFlow."""

from runtime.ops.hashing import to_hash_bucket as to_hash_bucket
from runtime.ops.hashing import to_hash_bucket_fast as to_hash_bucket_fast
from runtime.ops.hashing import to_hash_bucket_strong as to_hash_bucket_strong
from runtime.ops.patterns import regex_full_match as regex_full_match
from runtime.ops.patterns import regex_replace as regex_replace
from runtime.ops.strings import as_string as as_string
from runtime.ops.strings import join as join
from runtime.ops.strings import length as length
from runtime.ops.strings import lower as lower
from runtime.ops.strings import strip as strip
from runtime.ops.strings import substr as substr
from runtime.ops.strings import to_number as to_number
from runtime.ops.strings import upper as upper
from runtime.splitting import bytes_split as bytes_split
from runtime.splitting import format as format
from runtime.splitting import ngrams as ngrams
from runtime.splitting import reduce_join as reduce_join
from runtime.splitting import split as split
from runtime.splitting import unicode_decode as unicode_decode
from runtime.splitting import unicode_decode_with_offsets as unicode_decode_with_offsets
from runtime.splitting import unicode_encode as unicode_encode
from runtime.splitting import unicode_split as unicode_split
from runtime.splitting import unicode_split_with_offsets as unicode_split_with_offsets
from runtime.splitting import unicode_transcode as unicode_transcode
from runtime.splitting import unsorted_segment_join as unsorted_segment_join

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "ngrams", "reduce_join",
    "regex_full_match", "regex_replace", "split", "strip", "substr", "to_hash_bucket",
    "to_hash_bucket_fast", "to_hash_bucket_strong", "to_number",
    "unicode_decode", "unicode_decode_with_offsets", "unicode_encode", "unicode_split",
    "unicode_split_with_offsets", "unicode_transcode", "unsorted_segment_join", "upper",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
