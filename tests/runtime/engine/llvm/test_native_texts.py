"""Programs on texts in native code: results, errors, and that no loop calls Python."""

import gc
import itertools
from pathlib import Path

import pytest

import runtime
from tests.runtime.engine.llvm.native_programs import check_native

pytest.importorskip("llvmlite")

TEXTS = ("", "a", "ab ba  a", "größe 中文", "x\U0001f600y", "a\tb\nc", "0 1٣ ²", "Ab1")


def characters(text, n):
    total = 0
    spelled = ""
    for character in text:
        total = (total * 31 + ord(character)) % 1000003
        spelled = character + spelled
    return total, spelled, len(text), spelled == text


def items(text, i):
    found = ""
    for _ in range(3):
        found += text[i]
    return found


def slices(text, i):
    found = ""
    for j in range(-3, 4):
        found += text[i:j] + "|" + text[j:] + "|" + text[:i:2] + text[::-1]
    return found


def comparisons(text, other):
    total = 0
    for k in range(2):
        total = total * 2 + (text < other)
        total = total * 2 + (text <= other)
        total = total * 2 + (text > other)
        total = total * 2 + (text >= other)
        total = total * 2 + (text == other)
        total = total * 2 + (text != other)
        total = total * 2 + (other in text)
        total = total * 2 + text.startswith(other)
        total = total * 2 + text.endswith(other)
        total = total * 3 + text.find(other)
    return total


def kinds(text, n):
    total = 0
    for character in text:
        total = total * 2 + character.isalpha()
        total = total * 2 + character.isdigit()
        total = total * 2 + character.isdecimal()
        total = total * 2 + character.isnumeric()
        total = total * 2 + character.isalnum()
        total = (total * 2 + character.isspace()) % 1000003
    return total, text.isalpha(), text.isspace()


def words(text, n):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    total = 0
    for word, count in counts.items():
        total = total * 7 + count * len(word)
    return total


def tokens(text, n):
    found = []
    word = ""
    for character in text:
        if character.isalnum():
            word += character
        elif word:
            found.append(word)
            word = ""
    if word:
        found.append(word)
    total = 0
    for token in found:
        total = total * 5 + len(token)
    return total, found


def formats(text, n):
    found = ""
    for k in range(-n, n, 7):
        found += f"{k}:{text}{k * n!s};" + str(k)
    return found


def codes(text, n):
    found = ""
    for character in text:
        found += chr(ord(character) + n)
    return found


def kept(text, n):
    """A text that changes in place is another one where it was stored before."""
    word, found = "", []
    for character in text:
        before = word
        word += character
        word += word
        found.append(before + "-" + word)
        word = word[-3:]
    return found, word


def lists_of_characters(text, n):
    letters = list(text)
    total = 0
    for k in range(len(letters)):
        total += ord(letters[k])
    return total, letters[-1]


def changed_characters(text, n):
    letters = list(text)
    letters.append("!")
    found = ""
    for letter in letters:
        found += letter
    return found


@pytest.mark.parametrize(
    "program",
    [characters, slices, kinds, words, tokens, formats, kept, changed_characters],
)
def test_programs(program):
    check_native(program, *itertools.product(TEXTS, (0, 2, 20)))


def test_pairs_of_texts():
    check_native(comparisons, *itertools.product(TEXTS, TEXTS))


def changes(text, other, new):
    total = 0
    spelled = ""
    for _ in range(2):
        total = total * 7 + text.count(other)
        spelled += text.replace(other, new) + "|" + text.strip() + "|" + text.lstrip() + "|"
        spelled += text.rstrip() + "|" + text.lower() + "|" + text.upper()
    return total, spelled


def parts(text, separator):
    total = 0
    spelled = ""
    for part in text.split(separator):
        total += len(part)
        spelled += part + "~"
    return total, spelled


def joined(text, separator):
    pieces = []
    for word in text.split():
        pieces.append(word.upper())
    return separator.join(pieces)


def counted(text, n):
    counts = {"a": n}
    for word in text.split(" "):
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
        if word + "b" in counts:
            counts[word + "b"] += counts[word]
    total = 0
    for count in counts.values():
        total = (total * 3 + count) % 1000003
    return total, len(counts)


CHANGED = (*TEXTS, " \t große ΑΣ 中 \n", "aaaa", "ΑΣ", "İ", "\u1680a\u3000", "AZ[@`az{\x00")


def test_changes_of_texts():
    check_native(changes, *itertools.product(CHANGED, ("", "a", "aa", " ", "ß"), ("", "中", "xyz")))
    check_native(parts, *itertools.product(CHANGED, ("a", "aa", " ", "ß", ", ")))
    check_native(joined, *itertools.product(CHANGED, ("", "中", ", ")))


def test_an_empty_separator_is_refused_as_by_python():
    staged = runtime.jit(parts, jit_compile=True, strict=True)
    for text in ("", "ab"):
        with pytest.raises(ValueError, match="empty separator"):
            staged(text, "")


def test_dicts_find_keys_again():
    """A dict looks first at the place of the key that was found last."""
    many = " ".join(chr(97 + i * i % 23) + str(i % 11) for i in range(200))
    check_native(counted, *itertools.product((*TEXTS, many, many + " ab a a ab"), (0, 5)))


def test_places_that_do_not_exist():
    check_native(items, *itertools.product(TEXTS, (-9, -1, 0, 2, 9)))
    check_native(lists_of_characters, *itertools.product(TEXTS, (0,)))


def test_codes_that_are_no_characters():
    check_native(codes, *itertools.product(TEXTS, (0, 1, 300, -100, 1 << 40)))


def test_calls_pass_texts_as_they_are():
    @runtime.jit(jit_compile=True, strict=True)
    def doubled(text):
        return text + text

    for text in (*TEXTS, "\ud800", "long " * 1000):
        assert [doubled(text) for _ in range(3)] == [text + text] * 3


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")
def test_texts_of_a_loop_are_freed():
    @runtime.jit(jit_compile=True, strict=True)
    def grown(n):
        found, text = [], ""
        for k in range(n):
            text = (text + str(k))[-50:]
            found.append(text)
            parts = (" " + text + " ").replace("1", "12").strip().split("2")
            text = ",".join(parts).lower()[-60:]
            if len(found) > 10:
                found = found[5:]
        return len(found)

    def held():
        return int(Path("/proc/self/statm").read_text().split()[1])

    for _ in range(3):
        grown(20_000)
    gc.collect()
    before = held()
    for _ in range(10):
        grown(20_000)
    assert held() - before < 4_000, "pages of 4 KB; 200,000 texts would take 5,000"
