"""String ops against what TensorFlow 2.21 gives, eagerly, as a function and in a session."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from tests.support.extras import needs
from tests.support.ways import everywhere

S = tf.strings


GIVES = {
    "double": (lambda: tf.constant("a") + tf.constant("a"), b"aa"),
    "plus": (lambda: ["b" + tf.constant(["a"]), tf.constant("a") + "b"], [[b"ba"], b"ab"]),
    "equal": (lambda: tf.constant(["a", "b"]) == "a", [True, False]),
    "differs": (lambda: tf.constant(["a", "b"]) != tf.constant("a"), [False, True]),
    "format": (
        lambda: S.format("x: {}, y: {}", (tf.constant([[1, 2], [3, 4]]), tf.constant("a"))),
        b'x: [[1 2]\n [3 4]], y: "a"',
    ),
    "format short": (lambda: S.format("{}", tf.range(10)), b"[0 1 2 ... 7 8 9]"),
    "format summarize": (lambda: S.format("%", tf.range(9), "%", 1), b"[0 ... 8]"),
    "format kinds": (
        lambda: S.format("{} {}", (tf.constant([1.5, 1e10, 1 / 3]), tf.constant(True))),
        b"[1.5 1e+10 0.333333343] 1",
    ),
    "as_string": (lambda: S.as_string([1.5, 1e20, np.inf, -0.0]),
                  [b"1.500000", b"100000002004087734272.000000", b"inf", b"-0.000000"]),
    "as_string kinds": (lambda: [S.as_string(v) for v in (1, True, 3 + 4j, b"a")],
                        [b"1", b"true", b"(3.000000,4.000000)", b"a"]),
    "precision": (lambda: S.as_string(3.1415926, precision=2), b"3.14"),
    "shortest": (lambda: S.as_string([3.1415926, 1e8], shortest=True), [b"3.14159", b"1e+08"]),
    "scientific": (lambda: S.as_string(3.1415926, 3, scientific=True), b"3.142e+00"),
    "width": (lambda: [S.as_string(22, width=4, fill=f) for f in ("0", "", "-")],
              [b"0022", b"  22", b"22  "]),
    "to_number": (lambda: S.to_number(["1.5", " 2 ", "1e3", "inf", "-0", "0x10", "+1", ".5"]),
                  [1.5, 2, 1000, np.inf, -0.0, 16, 1, 0.5]),
    "to_number int64": (lambda: S.to_number("3000000000", tf.int64), 3000000000),
    "substr": (lambda: [S.substr("hello", *a) for a in ((-3, 2), (5, 2), (1, -1))],
               [b"ll", b"", b"ello"]),
    "substr of each": (lambda: S.substr(["ab", "cd"], [0, 1], [1, 1]), [b"a", b"d"]),
    "substr characters": (lambda: S.substr("größe", 2, 2, unit="UTF8_CHAR"), "öß".encode()),
    "case of ASCII": (lambda: [S.lower("ÄB"), S.upper("äb")], ["Äb".encode(), "äB".encode()]),
    "case": (lambda: [S.lower("ÄB", "utf-8"), S.upper("äb", "utf-8")],
             ["äb".encode(), "ÄB".encode()]),
    "strip": (lambda: S.strip(" \t\na b\r\n"), b"a b"),
    "length": (lambda: [S.length(["ä", "ab"]), S.length(["ä", "ab"], unit="UTF8_CHAR")],
               [[2, 2], [1, 2]]),
    "join": (lambda: S.join([["a", "b"], "c"], "-"), [b"a-c", b"b-c"]),
    "join nothing": (lambda: S.join([], "-"), b""),
    "reduce_join": (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=[0, 1], separator=","),
                    b"a,c,b,d"),
    "reduce_join all": (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
    "reduce_join keepdims": (lambda: S.reduce_join([["a", "b"]], 1, keepdims=True), [[b"ab"]]),
    "replace": (lambda: S.regex_replace("aXbX", "X(b)", r"<\1\0\\>"), b"a<bXb\\>X"),
    "replace once": (lambda: S.regex_replace("abcb", "b", "-", replace_global=False), b"a-cb"),
    "replace empty matches": (lambda: S.regex_replace(["baac", ""], "a*", "-"), [b"-b-c-", b"-"]),
    "replace by tensors": (lambda: S.regex_replace("ab", tf.constant("b"), tf.constant("-")),
                           b"a-"),
    "full match": (lambda: S.regex_full_match(["abc", "b", "a\n"], "a.*"), [True, False, False]),
    "RE2": (lambda: S.regex_full_match(["ab\n", "ab"], r"[[:alpha:]]+$"), [False, True]),
    "RE2 literal": (lambda: S.regex_replace("a.b|c", r"\Q.b|\E", ""), b"ac"),
    "RE2 end": (lambda: S.regex_replace("ab\n", r"b$", "-"), b"ab\n"),
    "RE2 ASCII": (lambda: S.regex_replace("äa1٣", r"\w|\d", "-"), "ä--٣".encode()),
    "RE2 named": (lambda: S.regex_replace("ab", r"(?P<x>a)(?i)B", r"\1"), b"a"),
    "RE2 no boundary": (lambda: S.regex_replace(["", "ab"], r"\B", "-"), [b"-", b"a-b"]),
    "RE2 braces": (lambda: S.regex_replace("aa{,2}", "a{,2}", "-"), b"a-"),
    "RE2 negated": (lambda: S.regex_replace("a1é", "[[:^alpha:]]", "-"), b"a--"),
    "RE2 flags": (lambda: S.regex_replace("xA B xb", r"x(?i)a|b", "-"), b"- - x-"),
    "RE2 letters": (
        lambda: [S.regex_full_match(["É", "\u212a", "e"], "(?i)é|k"),
                 S.regex_full_match(["é", "\v", "\x1c", " ", "٣"], r"[\w\s\d]"),
                 S.regex_full_match(["é", "\v", "a"], r"\W"), S.regex_replace("é a", r"\b", "|")],
        [[True, True, False], [False, False, False, True, False], [True, True, False],
         "é |a|".encode()]),
    "RE2 codes": (lambda: S.regex_full_match(["A", "é", "Aé"], r"(\x41|\101|\x{e9}|[\x{e9}])+"),
                  [True, True, True]),
    "RE2 categories": (
        lambda: [S.regex_replace("Aé1, ß", r"\pL", "x"), S.regex_replace("Aé1", r"\p{Lu}|\PL", "x"),
                 S.regex_replace("Aé1_", r"[^\pL\d]|[\p{^L}_]", "x")],
        [b"xx1, x", "xéx".encode(), "Aéxx".encode()]),
    "RE2 scripts": (lambda: S.regex_replace("aαβ", r"\p{Greek}", "x"), b"axx"),
    "RE2 swapped greed": (lambda: S.regex_replace("aaa", r"(?U)a+", "x"), b"xxx"),
    "RE2 empty between characters": (lambda: S.regex_replace("éa€", "b*", "-"),
                                     "-é-a-€-".encode()),
    "RE2 broken characters": (
        lambda: [S.regex_replace(b"a\xff\xc3b", "x*", "-"), S.regex_full_match(b"\xff", "."),
                 S.regex_full_match(b"a\xff", "a\\C")],
        [b"-a-\xff-\xc3-b-", False, True]),
    "RE2 negated inside": (lambda: S.regex_replace("é1 a\v", r"[\D]", "x"), b"x1xxx"),
    "split": (lambda: S.split("a b  c "), [b"a", b"b", b"c"]),
    "split several": (lambda: S.split(["a b", "", "c"]), [[b"a", b"b"], [], [b"c"]]),
    "split matrix": (lambda: S.split([["a b"], ["c"]]), [[[b"a", b"b"]], [[b"c"]]]),
    "split at": (lambda: S.split("a,,b", ","), [b"a", b"", b"b"]),
    "maxsplit": (lambda: [S.split("a,b,c", ",", 1), S.split(" a  b c ", maxsplit=1)],
                 [[b"a", b"b,c"], [b"a", b"b c "]]),
    "bytes": (lambda: S.bytes_split("hé"), [b"h", b"\xc3", b"\xa9"]),
    "ngrams": (lambda: S.ngrams(["a", "b", "c"], 2), [b"a b", b"b c"]),
    "ngrams several": (lambda: S.ngrams([["a", "b", "c"]], [1, 2]),
                       [[b"a", b"b", b"c", b"a b", b"b c"]]),
    "ngrams padded": (lambda: S.ngrams(["a", "b", "c"], 3, "-", ("<", ">"), 1),
                      [b"<-a-b", b"a-b-c", b"b-c->"]),
    "ngrams short": (lambda: S.ngrams(["a", "b"], 5, preserve_short_sequences=True), [b"a b"]),
    "ngrams of rows": (lambda: S.ngrams(S.split(["a b c", "d"]), 2), [[b"a b", b"b c"], []]),
    "decode": (lambda: S.unicode_decode("aé", "UTF-8"), [97, 233]),
    "decode several": (lambda: S.unicode_decode(["aé", "b"], "UTF-8"), [[97, 233], [98]]),
    "decode wrong": (lambda: [S.unicode_decode(b"a\xff", "UTF-8", e) for e in
                              ("replace", "ignore")], [[97, 65533], [97]]),
    "offsets": (lambda: S.unicode_decode_with_offsets("aéb", "UTF-8"), ([97, 233, 98], [0, 1, 3])),
    "encode": (lambda: S.unicode_encode([[97, 233], [98, 99]], "UTF-8"), ["aé".encode(), b"bc"]),
    "encode rows": (lambda: S.unicode_encode(S.unicode_decode(["aé", ""], "UTF-8"), "UTF-16-BE"),
                    [b"\x00a\x00\xe9", b""]),
    "characters": (lambda: S.unicode_split("aé", "UTF-8"), [b"a", "é".encode()]),
    "characters and offsets": (lambda: S.unicode_split_with_offsets(["é", "ab"], "UTF-8"),
                               ([["é".encode()], [b"a", b"b"]], [[0], [0, 1]])),
    "transcode": (lambda: S.unicode_transcode("aé", "latin1", "UTF-8"), "aÃ©".encode()),
    "segments": (lambda: S.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 3, ":"),
                 [b"a:c", b"b", b""]),
    "segments of rows": (
        lambda: [S.unsorted_segment_join([["a", "b"], ["c", "d"], ["e", "f"]], [1, 0, 1], 2, ":"),
                 S.unsorted_segment_join([[["a"], ["b"]], [["c"], ["d"]]], [[1, 0], [1, 1]], 2)],
        [[[b"c", b"d"], [b"a:e", b"b:f"]], [[b"b"], [b"acd"]]]),
    "join an empty list": (lambda: S.join(["1", [], "2"]), []),
    "rows joined": (lambda: S.reduce_join(S.split(["a b", "c"]), 1, separator="-"), [b"a-b", b"c"]),
    "hash": (lambda: [S.to_hash_bucket(["a", "bcd"], 1000), S.to_hash_bucket_fast("a", 1000),
                      S.to_hash_bucket_strong(["a", "bcd"], 1000, [1, 2])],
             [[868, 358], 939, [646, 189]]),
    "hash of long": (lambda: S.to_hash_bucket_fast(
        "hello world, this is a long string of more than 32 chars, really more than sixty-four "
        "chars", 1000), 192),
}  # fmt: skip


def by_extra(table):
    """The names of a table as parameters; regular expressions need an extra."""
    regular = {name for name, (program, _) in table.items()
               if any("regex" in called for called in program.__code__.co_names)}  # fmt: skip
    return [pytest.param(n, marks=needs("text") if n in regular else ()) for n in table]


@pytest.mark.parametrize("name", by_extra(GIVES))
def test_gives(name):
    program, expected = GIVES[name]
    assert everywhere(program) == expected


REFUSES = {
    "too many times": (lambda: S.regex_full_match("a", "a{1001}"), "invalid repetition size"),
    "possessive counts": (lambda: S.regex_full_match("a", "a{1,2}+"), "bad repetition operator"),
    "flags of Python": (lambda: S.regex_full_match("a", "(?x) a"), "invalid perl operator: (?x"),
    "escapes of Python": (lambda: S.regex_full_match("a", r"\u0061"), "invalid escape sequence:"),
    "no segment": (lambda: S.unsorted_segment_join(["a", "b"], [-1, 0], 1), "-1 is not in"),
    "segments of other rows": (lambda: S.unsorted_segment_join([["a"]], [0, 0], 1), "must start"),
    "one axis twice": (lambda: S.reduce_join([["a"]], [0, -2]), "Duplicate reduction dimension"),
    "no number": (lambda: S.to_number(["a"]), "could not correctly convert string: a"),
    "no whole number": (lambda: S.to_number("1.5", tf.int32), "convert string: 1.5"),
    "too large": (lambda: S.to_number("3000000000", tf.int32), "convert string: 3000000000"),
    "underscores": (lambda: S.to_number("1_0"), "convert string: 1_0"),
    "out_type": (lambda: S.to_number("1", tf.int16), "'out_type' of int16 is not in the list"),
    "pos": (lambda: S.substr("hello", 6, 2), "pos 6 out of range for string b'hello'"),
    "pos and len": (lambda: S.substr(["ab", "cd"], [0, 1], 1), "should have the same shape"),
    "both notations": (lambda: S.as_string(1.0, scientific=True, shortest=True), "Cannot select"),
    "precision": (lambda: S.as_string(1, precision=2), "precision not supported for datatype"),
    "shapes": (lambda: S.join([["a", "b"], ["c"]]), "Input shapes do not match"),
    "pattern": (lambda: S.regex_replace("a", "(", ""), "Invalid pattern: ("),
    "look-ahead": (lambda: S.regex_replace("a", "a(?=b)", ""), "invalid perl operator: (?="),
    "back": (lambda: S.regex_full_match("aa", r"(a)\1"), "invalid escape sequence: \\1"),
    "group": (lambda: S.regex_replace("a", "a", r"\1"), "asks for group 1"),
    "strict": (lambda: S.unicode_decode(b"\xff", "UTF-8", "strict"), "Invalid formatting"),
    "dtype": (lambda: S.reduce_join([1, 2]), "does not take dtype int32"),
    "encoding": (lambda: S.lower("a", "latin1"), "only utf-8 or ''"),
    "buckets": (lambda: S.to_hash_bucket("a", 0), "must be at least 1"),
    "order": (lambda: tf.constant("a") < "b", "less does not take dtype string"),
}  # fmt: skip


@pytest.mark.parametrize("name", by_extra(REFUSES))
def test_refuses(name):
    program, words = REFUSES[name]
    kind, text = everywhere(program)
    assert issubclass(kind, errors.InvalidArgumentError) and words in text


@needs("text")
def test_patterns_take_linear_time():
    """Of nested repetitions a backtracking search would not end before the sun does."""
    text = "a" * 20_000
    assert not S.regex_full_match(text, "(a+)+b").numpy()
    assert S.regex_replace(text, "(a|aa)+$", "x").numpy() == b"x"


def test_wrong_arguments():
    with pytest.raises(ValueError, match="expects 2 tensors, but the inputs only has 1"):
        S.format("{} {}", tf.constant(1))
    with pytest.raises(ValueError, match="unit must be one of"):
        S.length("a", unit="CHAR")
    with pytest.raises(ValueError, match="greater than 0"):
        S.ngrams(["a"], 0)
    with pytest.raises(ValueError, match="the encoding must be one of"):
        S.unicode_encode([97], "latin1")
    with pytest.raises(errors.InvalidArgumentError, match="Could not create converter"):
        S.unicode_decode("a", "no such")


def test_a_string_has_no_items():
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        list(tf.constant("abc"))
    with pytest.raises(TypeError, match="not iterable"):
        "a" in tf.constant("abc")  # noqa: B015 - it raises


def test_words_in_a_staged_loop():
    def longest(text):
        best = tf.constant("")
        for word in S.split(text):
            if S.length(word) > S.length(best):
                best = word
        return S.upper(best) + "!"

    text = tf.constant("to be or not to be that is the question")
    assert longest(text).numpy() == b"QUESTION!"
    assert tf.function(longest)(text).numpy() == b"QUESTION!"


def test_hashes_of_all_lengths():
    """Sums of what TensorFlow 2.21 gives for strings of 0 to 299 bytes."""
    words = [bytes((i * 7 + k * 13) % 256 for k in range(i)) for i in range(300)]
    sums = [
        sum(S.to_hash_bucket(words, 2**40).numpy().tolist()),
        sum(S.to_hash_bucket_fast(words, 2**40).numpy().tolist()),
        sum(S.to_hash_bucket_strong(words, 2**40, [123, 2**40]).numpy().tolist()),
    ]
    assert sums == [171169621624684, 163369299998716, 171191744621363]
