"""Programs on texts: characters, slices, dicts of words; plain Python against numba and us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import jit, numba, python


def levenshtein(a: str, b: str) -> int:
    """Count the changes that make one text of the other."""
    row = list(range(len(b) + 1))
    for i in range(len(a)):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            least = min(row[j] + 1, row[j + 1] + 1, diagonal + cost)
            diagonal = row[j + 1]
            row[j + 1] = least
    return row[len(b)]


def common_subsequence(a: str, b: str) -> int:
    """Find the length of the longest common subsequence of two texts."""
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b):
            above = row[j + 1]
            row[j + 1] = diagonal + 1 if x == y else max(above, row[j])
            diagonal = above
    return row[len(b)]


def word_counts(text: str) -> int:
    """Count words by a tokenizer of characters; give the count of the commonest, times all."""
    counts: dict[str, int] = {}
    word = ""
    for character in text:
        if character.isalpha():
            word += character
        elif word:
            if word in counts:
                counts[word] += 1
            else:
                counts[word] = 1
            word = ""
    most = 0
    for count in counts.values():
        most = max(most, count)
    return most * len(counts)


def split_counts(text: str) -> int:
    """Count words by ``split``; give the count of the commonest, times all."""
    counts: dict[str, int] = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    most = 0
    for count in counts.values():
        most = max(most, count)
    return most * len(counts)


def json_depth(text: str) -> int:
    """Scan JSON: the greatest depth of brackets outside of strings, times the number of strings."""
    depth, deepest, strings = 0, 0, 0
    inside = False
    i = 0
    while i < len(text):
        c = text[i]
        if inside:
            if c == "\\":
                i += 1
            elif c == '"':
                inside = False
        elif c == '"':
            inside = True
            strings += 1
        elif c in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif c in "]}":
            depth -= 1
        i += 1
    return deepest * strings


def run_lengths(text: str) -> int:
    """Write a text as characters and how often each is repeated; give a number of that text."""
    runs = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        runs.append(text[i] + str(j - i))
        i = j
    total = 0
    for c in "".join(runs):
        total = (total * 31 + ord(c)) % 1000003
    return total


def number_sum(text: str) -> int:
    """Add the numbers in a text."""
    total = 0
    number = 0
    for c in text:
        if c.isdigit():
            number = number * 10 + ord(c) - ord("0")
        else:
            total += number
            number = 0
    return total + number


def letters(count: int, alphabet: str) -> str:
    """Draw a text."""
    draw = np.random.default_rng(count)
    return "".join(alphabet[i] for i in draw.integers(0, len(alphabet), count))


def words(count: int) -> str:
    """Draw a text of words, of which few are common."""
    draw = np.random.default_rng(count)
    vocabulary = [letters(int(n), "abcdefghij") for n in draw.integers(3, 9, 200)]
    return " ".join(vocabulary[int(200 * x * x)] for x in draw.random(count))


def json_text(count: int) -> str:
    """Give JSON of nested lists and dicts."""
    return "[" + ", ".join(f'{{"name \\" {i}": [{i}, [{i}.5]]}}' for i in range(count)) + "]"


def line(
    program: Callable[..., Any], inputs: tuple[Any, ...], small: tuple[Any, ...], ratio: float
) -> Line:
    """Give the line of a program, at most ``ratio`` times Python's time."""
    return Line(
        f"{program.__name__}, texts",
        inputs=lambda: inputs,
        small=lambda: small,
        systems={"Python": python(program), "numba": numba(program), "runtime.jit": jit(program)},
        targets=(Target("runtime.jit", ratio, "Python"),),
    )


PAIR = letters(300, "abcd"), letters(280, "abcd")
LINES = [
    line(levenshtein, PAIR, ("kitten", "sitting"), 0.05),
    line(common_subsequence, PAIR, ("abcbd", "bdcab"), 0.05),
    line(word_counts, (words(3_000) + ".",), ("a bc a, bc; a.",), 0.05),
    line(split_counts, (words(3_000),), ("a bc a bc a",), 0.05),
    line(json_depth, (json_text(800),), ('[{"a]": [1, "\\""]}]',), 0.05),
    line(run_lengths, (letters(5_000, "aaab"),), ("aaabccd",), 0.05),
    line(number_sum, ("12 and 30, " * 1_000,), ("1, 20 and 3",), 0.05),
]
