"""A script of TensorFlow 1 for two parameter servers and a worker.

``python tests/runtime/distribute/sessions/tutorial.py FILE`` writes TensorFlow's own losses.
"""

from __future__ import annotations

import json
import os
import sys

import numpy as np

OPTIMIZERS = {
    "GradientDescent": (0.1,), "Momentum": (0.05, 0.9), "Adam": (0.01,), "RMSProp": (0.01,),
    "Adagrad": (0.1,),
}  # fmt: skip


def losses(tf, addresses, steps=40):
    """The losses of each optimizer, by its name; ``tf`` is TensorFlow or what stands for it."""
    cluster = tf.train.ClusterSpec({"ps": addresses[:2], "worker": addresses[2:]})
    tasks = ("ps", 0), ("ps", 1), ("worker", 0)
    servers = [tf.train.Server(cluster, job_name=job, task_index=k) for job, k in tasks]
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(512, 20)).astype("float32")
    classes = (rows @ rng.normal(size=(20, 5))).argmax(1).astype("int64")
    return {
        name: _trained(tf, cluster, servers[2].target, name, arguments, rows, classes, steps)
        for name, arguments in OPTIMIZERS.items()
    }


def _trained(tf, cluster, target, name, arguments, rows, classes, steps):
    with tf.Graph().as_default():
        setter = tf.train.replica_device_setter(
            worker_device="/job:worker/task:0", cluster=cluster
        )
        with tf.device(setter), tf.variable_scope(name):
            x = tf.placeholder(tf.float32, [None, 20])
            y = tf.placeholder(tf.int64, [None])
            draw = np.random.default_rng(1)
            w1, w2 = [
                tf.get_variable(f"w{k}", initializer=(draw.normal(size=s) * 0.3).astype("float32"))
                for k, s in enumerate([(20, 16), (16, 5)])
            ]
            b1 = tf.get_variable("b1", initializer=np.zeros(16, "float32"))
            b2 = tf.get_variable("b2", initializer=np.zeros(5, "float32"))
            logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
            loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
            step = tf.train.get_or_create_global_step()
            optimizer = getattr(tf.train, f"{name}Optimizer")(*arguments)
            train = optimizer.minimize(loss, global_step=step)
        hooks = [tf.train.StopAtStepHook(last_step=steps)]
        measured = []
        with tf.train.MonitoredTrainingSession(target, True, hooks=hooks) as session:
            while not session.should_stop():
                chosen = np.arange(32 * len(measured), 32 * len(measured) + 32) % 512
                feeds = {x: rows[chosen], y: classes[chosen]}
                measured.append(float(session.run([loss, train], feeds)[0]))
        return measured


if __name__ == "__main__":
    import tensorflow.compat.v1 as tensorflow

    tensorflow.disable_v2_behavior()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(losses(tensorflow, [f"localhost:{23170 + k}" for k in range(3)]), file)
    os._exit(0)  # servers do not end
