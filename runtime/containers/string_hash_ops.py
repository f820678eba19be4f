"""Op definitions of string hashes: the functions of TensorFlow, so that buckets agree with it.

``to_hash_bucket`` is MurmurHash64A with TensorFlow's seed, ``_fast`` FarmHash's Fingerprint64,
``_strong`` SipHash-2-4.  All compute modulo 2**64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.op import MAPS_FIRST, OpDef, define
from runtime.ops.rules.samples import OpSample, case
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array, int64
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec

__all__ = ["string_to_hash_bucket", "string_to_hash_bucket_fast", "string_to_hash_bucket_strong"]

MASK = 2**64 - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def murmur(text: bytes) -> int:
    """Compute MurmurHash64A."""
    factor = 0xC6A4A7935BD1E995
    state = (0xDECAFCAFFE ^ len(text) * factor) & MASK
    whole_words_end = len(text) // 8 * 8
    for at in range(0, whole_words_end, 8):
        k = int.from_bytes(text[at : at + 8], "little") * factor & MASK
        k = (k ^ k >> 47) * factor & MASK
        state = (state ^ k) * factor & MASK
    if whole_words_end < len(text):
        state = (state ^ int.from_bytes(text[whole_words_end:], "little")) * factor & MASK
    state = (state ^ state >> 47) * factor & MASK
    return state ^ state >> 47


def _turned(value: int, shift: int) -> int:
    value &= MASK
    return (value >> shift | value << 64 - shift) & MASK


def _mixed(value: int) -> int:
    value &= MASK
    return value ^ value >> 47


def _joined(u: int, v: int, factor: int) -> int:
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor & MASK


def fingerprint(text: bytes) -> int:
    """Compute FarmHash's Fingerprint64."""
    size = len(text)

    def word(at: int, width: int = 8) -> int:
        return int.from_bytes(text[at : at + width], "little")

    factor = _K2 + size * 2
    if size > 64:
        return _of_long(word, size)
    if size > 16:
        return _of_middle(word, size, factor)
    if size >= 8:
        a, b = word(0) + _K2 & MASK, word(size - 8)
        c = _turned(b, 37) * factor + a & MASK
        return _joined(c, (_turned(a, 25) + b) * factor & MASK, factor)
    if size >= 4:
        return _joined(size + (word(0, 4) << 3), word(size - 4, 4), factor)
    if size:
        y, z = text[0] + (text[size >> 1] << 8), size + (text[-1] << 2)
        return _mixed((y * _K2 ^ z * _K0) & MASK) * _K2 & MASK
    return _K2


def _of_middle(word: Callable[..., int], size: int, factor: int) -> int:
    first = _K1 if size <= 32 else _K2
    a, b = word(0) * first & MASK, word(8)
    c, d = word(size - 8) * factor & MASK, word(size - 16) * _K2 & MASK
    y = _turned(a + b, 43) + _turned(c, 30) + d & MASK
    z = _joined(y, a + _turned(b + _K2, 18) + c & MASK, factor)
    if size <= 32:
        return z
    e, f = word(16) * factor & MASK, word(24)
    g, h = (y + word(size - 32)) * factor & MASK, (z + word(size - 24)) * factor & MASK
    last = e + _turned(f + a, 18) + g & MASK
    return _joined(_turned(e + f, 43) + _turned(g, 30) + h & MASK, last, factor)


Pair = tuple[int, int]


def _weak(word: Callable[..., int], at: int, a: int, b: int) -> Pair:
    w, x, y, z = (word(at + k) for k in (0, 8, 16, 24))
    a = a + w & MASK
    b = _turned(b + a + z, 21)
    c = a
    a = a + x + y & MASK
    return a + z & MASK, b + _turned(a, 44) + c & MASK


def _of_long(word: Callable[..., int], size: int) -> int:
    x, y = 81, 81 * _K1 + 113 & MASK
    z = _mixed(y * _K2 + 113) * _K2 & MASK
    v: Pair = (0, 0)
    w: Pair = (0, 0)
    x = x * _K2 + word(0) & MASK
    end = (size - 1) // 64 * 64
    for at in range(0, end, 64):
        x = _turned(x + y + v[0] + word(at + 8), 37) * _K1 & MASK
        y = _turned(y + v[1] + word(at + 48), 42) * _K1 & MASK
        x ^= w[1]
        y = y + v[0] + word(at + 40) & MASK
        z = _turned(z + w[0], 33) * _K1 & MASK
        v = _weak(word, at, v[1] * _K1, x + w[0])
        w = _weak(word, at + 32, z + w[1], y + word(at + 16))
        x, z = z, x
    factor = _K1 + ((z & 0xFF) << 1)
    at = size - 64
    w = (w[0] + (size - 1 & 63) & MASK, w[1])
    v = (v[0] + w[0] & MASK, v[1])
    w = (w[0] + v[0] & MASK, w[1])
    x = _turned(x + y + v[0] + word(at + 8), 37) * factor & MASK
    y = _turned(y + v[1] + word(at + 48), 42) * factor & MASK
    x ^= w[1] * 9 & MASK
    y = y + v[0] * 9 + word(at + 40) & MASK
    z = _turned(z + w[0], 33) * factor & MASK
    v = _weak(word, at, v[1] * factor, x + w[0])
    w = _weak(word, at + 32, z + w[1], y + word(at + 16))
    x, z = z, x
    first = _joined(v[0], w[0], factor) + _mixed(y) * _K0 + z & MASK
    return _joined(first, _joined(v[1], w[1], factor) + x & MASK, factor)


def siphash(text: bytes, key: Pair) -> int:
    """Compute SipHash-2-4 under a key of two words."""
    state = [
        key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D,
        key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573,
    ]  # fmt: skip

    def rounds(count: int) -> None:
        a, b, c, d = state
        for _ in range(count):
            a, c = a + b & MASK, c + d & MASK
            b, d = _turned(b, 51) ^ a, _turned(d, 48) ^ c
            a, c = _turned(a, 32) + d & MASK, c + b & MASK
            b, d = _turned(b, 47) ^ c, _turned(d, 43) ^ a
            c = _turned(c, 32)
        state[:] = a, b, c, d

    padded = text + b"\0" * (7 - len(text) % 8) + bytes([len(text) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        state[3] ^= word
        rounds(2)
        state[0] ^= word
    state[2] ^= 0xFF
    rounds(4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _row(name: str, node_name: str, doc: str, samples: Callable[[], list[OpSample]],
         hashed: Callable[..., int]) -> OpDef:  # fmt: skip
    def kernel(x: Array, *, num_buckets: int, **attrs: Any) -> Any:
        result = np.empty(np.shape(x), np.int64)
        for index in np.ndindex(result.shape):
            result[index] = hashed(x[index], **attrs) % num_buckets
        return result

    return define(
        name, inputs="input", kernel=kernel, dtype_kinds="O", grad=None, node_name=node_name,
        samples=samples,
        traits=(MAPS_FIRST,),
        infer=lambda x, **attrs: TensorSpec(x.shape, int64), doc=doc,
    )  # fmt: skip


def _samples() -> list[OpSample]:
    return [case(["a", "bcd", ""], num_buckets=1000)]


bucket_op = _row(
    "string_to_hash_bucket", "StringToHashBucket", "A number for each string.", _samples, murmur
)
fast_op = _row(
    "string_to_hash_bucket_fast", "StringToHashBucketFast",
    "A number for each string, fast elsewhere.", _samples, fingerprint,
)  # fmt: skip
strong_op = _row(
    "string_to_hash_bucket_strong", "StringToHashBucketStrong",
    "A number for each string that nobody can foresee without the key.",
    lambda: [case(["a", "bcd", ""], num_buckets=1000, key=(1, 2))], siphash,
)  # fmt: skip


def _buckets(num_buckets: int) -> int:
    if num_buckets < 1:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {num_buckets} must be at least 1"
        )
    return int(num_buckets)


def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Any:
    """Hash strings into buckets, with the numbers that TensorFlow gives.

    Args:
        input: tensor of strings.
        num_buckets: positive integer.
    Returns:
        Tensor of int64 in the shape of ``input``, of numbers from 0 to below ``num_buckets``.
    Raises:
        InvalidArgumentError: ``num_buckets`` is not positive.
    """
    return bucket_op(input, num_buckets=_buckets(num_buckets), name=name)


def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Any:
    """Hash strings into buckets by FarmHash, with the numbers that TensorFlow gives.

    Args:
        input: tensor of strings.
        num_buckets: positive integer.
    Returns:
        Tensor of int64 in the shape of ``input``, of numbers from 0 to below ``num_buckets``.
    Raises:
        InvalidArgumentError: ``num_buckets`` is not positive.
    """
    return fast_op(input, num_buckets=_buckets(num_buckets), name=name)


def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Any, name: str | None = None
) -> Any:
    """Hash strings into buckets by SipHash under a key.

    Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.

    Args:
        input: tensor of strings.
        num_buckets: positive integer.
        key: two integers of 64 bits.
    Returns:
        Tensor of int64 in the shape of ``input``, of numbers from 0 to below ``num_buckets``.
    Raises:
        InvalidArgumentError: ``num_buckets`` is not positive, or the key has another length.
    """
    words = tuple(int(word) & MASK for word in key)
    if len(words) != 2:
        raise InvalidArgumentError(f"Key must have 2 elements, got {key!r}")
    return strong_op(input, num_buckets=_buckets(num_buckets), key=words, name=name)


string_to_hash_bucket = to_hash_bucket
string_to_hash_bucket_fast = to_hash_bucket_fast
string_to_hash_bucket_strong = to_hash_bucket_strong
