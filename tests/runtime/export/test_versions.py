"""Saved models of earlier versions are read: this folder is the first version's, and never changes.

``python -m tests.runtime.export.test_versions FOLDER`` writes such a folder for a new version.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import runtime as tf

FIRST = Path(__file__).parent / "version_1"
X = np.array([[1.0, -2.0], [0.5, 3.0]], np.float32)


class Model(tf.Module):
    """All kinds of objects, and a function with branches, loops, effects, constants and texts."""

    def __init__(self, file):
        super().__init__()
        self.w = tf.Variable([[1.0, 0.5], [2.0, -1.0]], name="w")
        self.counts = {"runs": [tf.Variable(0, trainable=False, name="runs")], "pair": (1.5, None)}
        self.asset = tf.saved_model.Asset(file)
        self.table = tf.constant(np.arange(100.0, dtype=np.float32))

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="given")])
    def run(self, given):
        assert tf.reduce_all(given < 100.0), "too large"
        total = given
        for i in tf.range(3):
            total = tf.matmul(total, self.w) + tf.gather(self.table, i)
            if tf.reduce_sum(total) > 10.0:
                total = total - 1.0
        self.counts["runs"][0].assign_add(1)
        tf.print("runs", self.counts["runs"][0], output_stream="file:///dev/null")
        word = tf.strings.join([tf.io.read_file(self.asset.asset_path), "!"])
        return {"total": total, "word": word, "noise": tf.random.uniform([2], seed=5) < 2.0}


def test_the_first_version_is_read(tmp_path):
    loaded = tf.saved_model.load(FIRST)
    file = tmp_path / "word.txt"
    file.write_text("word")
    found, wanted = loaded.run(X), Model(file).run(X)
    assert np.array_equal(found["total"], wanted["total"]) and found["noise"].numpy().all()
    assert found["word"].numpy() == b"word!"
    assert loaded.counts["runs"][0].numpy() == 1 and loaded.counts["pair"] == (1.5, None)
    assert loaded.table.shape == [100] and loaded.w.trainable
    assert list(loaded.signatures["serving_default"](given=X)) == ["noise", "total", "word"]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.parent.mkdir(parents=True, exist_ok=True)
    (folder.parent / "word.txt").write_text("word")
    tf.saved_model.save(Model(folder.parent / "word.txt"), folder)
