"""docs/gallery.md shows each example with its picture; `--update-golden` writes both."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.docs.gallery import FOLDER, PAGE, draw, names, page, times_shown

LARGEST = 48_000
NUMBER = re.compile(r"-?\d+\.?\d*")


def test_the_page_has_a_section_for_each_example(request):
    text = page(times_shown())
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "run `pytest tests/docs --update-golden`"
    assert re.findall(r"^\| \[(\w+)\]", times_shown(), re.M) == names()


def test_there_is_a_picture_for_each_example():
    assert sorted(path.name for path in FOLDER.iterdir()) == [f"{name}.svg" for name in names()]


@pytest.mark.parametrize("name", names())
def test_the_picture_is_what_the_example_draws(name, request, tmp_path):
    path = FOLDER / f"{name}.svg"
    if request.config.getoption("--update-golden"):
        draw(name, path)
    draw(name, tmp_path / "new.svg")
    old, new = path.read_text(encoding="utf-8"), (tmp_path / "new.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(old.encode())
    assert len(old) <= LARGEST
    assert "<title>/" not in old, "a title names a folder of this machine"
    assert NUMBER.sub("", old) == NUMBER.sub("", new), "run `pytest tests/docs --update-golden`"
    places = [[float(number) for number in NUMBER.findall(text)] for text in (old, new)]
    assert places[0] == pytest.approx(places[1], abs=1.0)  # a pixel: the last bits may differ
