"""Optional dependencies: one clear error names the command that installs what is absent."""

import importlib.util

import pytest

import runtime as tf
from runtime.ops.op import TABLE
from runtime.types import dtypes, extras
from tests.support.extras import PACKAGES


@pytest.fixture
def absent(monkeypatch):
    """A function that makes a package look absent until the test ends."""

    def hide(package):
        before = extras.importlib.import_module

        def import_module(name):
            if name.partition(".")[0] == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=package)
            return before(name)

        monkeypatch.setattr(extras.importlib, "import_module", import_module)
        extras.require.cache_clear()

    yield hide
    monkeypatch.undo()
    extras.require.cache_clear()


def test_an_absent_package_is_named_with_its_command(absent):
    absent("scipy")
    with pytest.raises(ModuleNotFoundError) as caught:
        tf.math.igamma(1.0, 2.0)
    assert str(caught.value) == (
        "igamma needs the package 'scipy', which is not installed: "
        "pip install 'pyautograph[special]'"
    )
    assert caught.value.name == "scipy"


def test_in_a_graph_the_error_names_the_users_line(absent):
    absent("scipy")
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.math.igamma(tf.placeholder_with_default(1.0, []), 2.0)
        with pytest.raises(ModuleNotFoundError, match="pyautograph.special") as caught:
            session.run(y)
    assert "test_extras.py" in caught.value.__notes__[0]


def test_what_a_package_lacks_itself_is_not_reported_as_an_extra(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import nothing_of_that_name\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="nothing_of_that_name"):
        extras.require("half_installed", extra="special", for_="this")


def test_the_tests_know_every_extra():
    named = {op.extra for op in TABLE.values()} - {""}
    assert named <= set(PACKAGES)
    assert all(importlib.util.find_spec(p) is None or extras.require(p, extra=e, for_="this")
               for e, names in PACKAGES.items() for p in names)  # fmt: skip


def test_bfloat16_says_what_it_needs(absent, monkeypatch):
    absent("ml_dtypes")
    monkeypatch.setattr(dtypes, "NARROW", [])
    monkeypatch.setattr(dtypes, "_BY_NAME", {})
    for asked in (lambda: tf.bfloat16, lambda: tf.dtypes.bfloat16, lambda: tf.ones(2, "bfloat16")):
        with pytest.raises(ModuleNotFoundError, match="^bfloat16 needs .*'pyautograph.jit.'$"):
            asked()
    assert "bfloat16" not in dir(tf) and not hasattr(tf, "bfloat17")
