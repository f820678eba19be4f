"""The frame of TensorFlow 1's programs: app, flags, logging, gfile."""

import logging
import subprocess
import sys

import pytest

import runtime
import runtime.compat.v1 as tf

PROGRAM = """
import runtime.compat.v1 as tf

flags = tf.app.flags
flags.DEFINE_integer("steps", 100, "number of steps")
flags.DEFINE_bool("train", True, "whether to train")
FLAGS = flags.FLAGS

def main(argv):
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.logging.info("steps %d", FLAGS.steps)
    print(FLAGS.steps, FLAGS.train, argv[1:])
    return 3

if __name__ == "__main__":
    tf.app.run()
"""


def run(tmp_path, *arguments):
    (tmp_path / "program.py").write_text(PROGRAM)
    return subprocess.run(
        [sys.executable, "program.py", *arguments], cwd=tmp_path, capture_output=True, text=True
    )


def test_programs(tmp_path):
    result = run(tmp_path, "--steps=5", "--notrain", "file")
    assert (result.returncode, result.stdout) == (3, "5 False ['file']\n")
    assert result.stderr == "INFO:runtime:steps 5\n"
    result = run(tmp_path, "--stepz", "5")
    assert result.returncode == 1 and "Unknown command line flag 'stepz'" in result.stderr
    assert "number of steps (default: 100)" in run(tmp_path, "--help").stdout


def defined():
    flags, values = tf.flags, tf.flags.FlagValues()
    flags.DEFINE_integer("n", 1, "", flag_values=values)
    flags.DEFINE_float("rate", 0.5, "", flag_values=values)
    flags.DEFINE_string("name", None, "", flag_values=values)
    flags.DEFINE_boolean("fast", False, "", flag_values=values)
    flags.DEFINE_enum("kind", "a", ["a", "b"], "", flag_values=values)
    flags.DEFINE_list("parts", "x,y", "", flag_values=values)
    flags.DEFINE_multi_integer("sizes", [1], "", flag_values=values)
    return values


def test_values_of_flags():
    values = defined()
    words = ["program", "--n", "0x10", "-rate=2", "--name=", "one", "--fast", "--kind=b",
             "--parts=p, q", "--sizes=3", "--sizes=4", "--", "--n=9"]  # fmt: skip
    assert values(words) == ["program", "one", "--n=9"]
    assert values.flag_values_dict() == {
        "n": 16, "rate": 2.0, "name": "", "fast": True, "kind": "b", "parts": ["p", "q"],
        "sizes": [3, 4],
    }  # fmt: skip
    values.n = 7
    assert values.n == 7 == values["n"] and "n" in values
    values.unparse_flags()
    values(["program"])
    assert (values.n, values.parts, values.sizes) == (1, ["x", "y"], [1])


@pytest.mark.parametrize(("words", "match"), [
    (["--n=x"], "--n=x"), (["--kind=c"], "one of <a|b>"), (["--fast=maybe"], "true or false"),
    (["--what"], "Unknown"), (["--n"], "Missing value"),
])  # fmt: skip
def test_wrong_flags(words, match):
    with pytest.raises(tf.flags.Error, match=match.replace("|", r"\|")):
        defined()(["program", *words])


def test_required_flags_and_flags_twice():
    values = defined()
    tf.flags.mark_flag_as_required("name", values)
    with pytest.raises(tf.flags.Error, match="--name must have a value"):
        values(["program"])
    with pytest.raises(tf.flags.Error, match="twice"):
        tf.flags.DEFINE_integer("n", 2, "", flag_values=values)
    with pytest.raises(AttributeError, match="no flag 'absent'"):
        values.absent


def test_messages(caplog):
    assert runtime.get_logger() is logging.getLogger("runtime")
    tf.logging.set_verbosity(tf.logging.WARN)
    with caplog.at_level(tf.logging.WARN, "runtime"):
        tf.logging.info("hidden")
        tf.logging.warning("shown %s", 1)
        for k in range(5):
            tf.logging.log_every_n(tf.logging.ERROR, "every %d", 2, k)
            tf.logging.log_first_n(tf.logging.ERROR, "first %d", 1, k)
    assert [r.message for r in caplog.records] == [
        "shown 1", "every 0", "first 0", "every 2", "every 4"]  # fmt: skip


def test_files(tmp_path):
    gfile, folder = runtime.io.gfile, str(tmp_path / "a" / "b")
    gfile.makedirs(folder)
    name = gfile.join(folder, "x.txt")
    with gfile.GFile(name, "w") as file:
        file.write("one\ntwo\n")
        assert file.size() == 8
    with tf.gfile.Open(name) as file:
        assert file.readline() == "one\n" and [*file] == ["two\n"]
    with gfile.GFile(name, "rb") as file:
        assert file.read(3) == b"one" and file.tell() == 3
    gfile.copy(name, f"{folder}/y.txt")
    assert gfile.listdir(folder) == ["x.txt", "y.txt"] and gfile.isdir(folder)
    assert gfile.glob(f"{folder}/*.txt") == [name, f"{folder}/y.txt"]
    assert gfile.stat(name).length == 8 and not gfile.stat(name).is_directory
    assert [files for *_, files in gfile.walk(str(tmp_path))] == [[], [], ["x.txt", "y.txt"]]
    for call, error in (
        (lambda: gfile.copy(name, f"{folder}/y.txt"), tf.errors.AlreadyExistsError),
        (lambda: gfile.rename(name, f"{folder}/y.txt"), tf.errors.AlreadyExistsError),
        (lambda: gfile.mkdir(folder), tf.errors.AlreadyExistsError),
        (lambda: gfile.remove(f"{folder}/z"), tf.errors.NotFoundError),
        (lambda: gfile.remove(folder), tf.errors.FailedPreconditionError),
        (lambda: gfile.listdir(f"{folder}/z"), tf.errors.NotFoundError),
        (lambda: gfile.GFile(f"{folder}/z").read(), tf.errors.NotFoundError),
        (lambda: gfile.exists("gs://bucket/x"), tf.errors.NotFoundError),
    ):
        with pytest.raises(error):
            call()
    gfile.rename(name, f"{folder}/y.txt", overwrite=True)
    tf.gfile.DeleteRecursively(str(tmp_path / "a"))
    assert not tf.gfile.Exists(folder)
