"""Functions that the tests of processes launch: each runs in every process of a job."""

from __future__ import annotations

import os

import numpy as np

import runtime as tf


def exchanges():
    """What replicas exchange, eagerly and in graphs."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    results = {}

    def replica(x):
        context = tf.distribute.get_replica_context()
        number = context.replica_id_in_sync_group
        large = tf.ones([300_001]) * (tf.cast(number, tf.float32) + 1.0)
        assert not tf.distribute.in_cross_replica_context()

        def merge(current, value, scale):
            assert current is strategy and tf.distribute.in_cross_replica_context()
            return current.reduce("SUM", value, axis=None) * scale

        return {
            "own": x,
            "count": tf.constant(context.num_replicas_in_sync),
            "number": context.replica_id_in_sync_group,
            "sum": context.all_reduce("SUM", x),
            "means": context.all_reduce(tf.distribute.ReduceOp.MEAN, [x, 2.0 * x]),
            "all": context.all_gather(x, axis=0),
            "merged": context.merge_call(merge, args=(x,), kwargs={"scale": 2.0}),
            "slices": rows_of(context.all_reduce("SUM", tf.IndexedSlices(
                tf.ones([2, 1]) * (tf.cast(number, tf.float32) + 1.0), tf.constant([0, 1])
            ))),
            "bools": context.all_gather(number[None] == 0, axis=0),
            "whole": context.all_reduce("SUM", number + 1),
            "large": context.all_reduce("SUM", large)[-1:],
            "narrow": context.all_reduce("MEAN", tf.cast(number[None] + 1, tf.float16)),
        }

    dataset = tf.data.Dataset.range(8).map(lambda n: tf.cast(n, tf.float32)).batch(8)
    (batch,) = strategy.experimental_distribute_dataset(dataset)
    for name, way in (("eager", lambda f: f), ("graph", tf.function)):
        values = strategy.run(way(replica), args=(batch,))
        joint = {
            "reduced": strategy.reduce("SUM", values["number"], axis=None),
            "mean over rows": strategy.reduce("MEAN", values["own"], axis=0),
            "gathered": strategy.gather(values["own"], axis=0),
        }
        results[name] = tf.nest.map_structure(lambda t: t.numpy().tolist(), {**values, **joint})
    return results


def rows_of(slices):
    return {"values": slices.values, "indices": slices.indices}


def variables():
    """Initial values and assignments of replicas."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    number = strategy.cluster_resolver.task_id
    with strategy.scope():
        v = tf.Variable(tf.constant([float(number), 1.0]))
        inside = tf.Variable(lambda: np.random.default_rng().normal(size=3))
        graph = tf.Graph()
        with graph.as_default():
            of_graph = tf.Variable(tf.fill([2], float(number)))
            with tf.Session() as session:
                session.run(of_graph.initializer)
                in_session = session.run(of_graph).tolist()
        aggregated = {
            name: tf.Variable(0.0, aggregation=getattr(tf.VariableAggregation, name))
            for name in ("SUM", "MEAN", "ONLY_FIRST_REPLICA")
        }

    def replica():
        own = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
        for variable in aggregated.values():
            variable.assign(own + 1.0)
            variable.assign_add(own + 1.0)

    strategy.run(tf.function(replica))
    return {
        "v": v.numpy().tolist(), "inside": inside.numpy().tolist(), "session": in_session,
        "assigned": {name: float(variable) for name, variable in aggregated.items()},
    }


def own_loop():
    """Weights of a loop of the user's, in two processes and without a strategy."""
    data = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices((data, data.sum(1, keepdims=True))).batch(16)

    def weights(strategy, way):
        batches = strategy.experimental_distribute_dataset(dataset)
        with strategy.scope():
            weight = tf.Variable([[0.0], [1.0], [2.0], [3.0]])
            optimizer = tf.keras.optimizers.Adam(0.1)

        def step(inputs):
            features, labels = inputs
            with tf.GradientTape() as tape:
                errors = tf.reduce_sum((features @ weight - labels) ** 2, axis=1)
                loss = tf.nn.compute_average_loss(errors, global_batch_size=16)
            optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
            return loss

        def epoch(elements):
            total = tf.constant(0.0)
            for inputs in elements:
                total += strategy.reduce("SUM", strategy.run(step, args=(inputs,)), axis=None)
            return total

        losses = [float(way(epoch)(batches)) for _ in range(3)]
        return [*weight.numpy().ravel().tolist(), *losses]

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    return {
        "eager": weights(strategy, lambda f: f), "graph": weights(strategy, tf.function),
        "alone": weights(tf.distribute.get_strategy(), tf.function),
    }


def datasets():
    """Elements of distributed datasets."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    dataset = tf.data.Dataset.range(13).map(lambda n: tf.cast(n, tf.float32)).batch(8)
    batches = strategy.experimental_distribute_dataset(dataset)

    @tf.function
    def total(elements):
        result = tf.constant(0.0)
        for x in elements:
            result += strategy.reduce("SUM", strategy.run(tf.reduce_sum, args=(x,)), axis=None)
        return result

    def make(context):
        numbers = tf.data.Dataset.range(8)
        numbers = numbers.shard(context.num_input_pipelines, context.input_pipeline_id)
        return numbers.batch(context.get_per_replica_batch_size(4))

    return {
        "parts": [x.numpy().tolist() for x in batches],
        "in a function": float(total(batches)),
        "from a function": [
            x.numpy().tolist() for x in strategy.distribute_datasets_from_function(make)
        ],
        "value": strategy.experimental_distribute_values_from_function(
            lambda context: context.replica_id_in_sync_group * 10
        ),
        "fit": error_of(lambda: model_for(strategy).fit(batches)),
    }


def model_for(strategy):
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    return model


def error_of(call):
    """Class and text of the error of a call."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def gradients():
    """Gradient of a loss with a sum over replicas in it."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    def replica():
        context = tf.distribute.get_replica_context()
        x = tf.cast(context.replica_id_in_sync_group, tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = x * context.all_reduce("SUM", x * x)
        return tape.gradient(loss, x)

    return [float(strategy.run(way(replica))) for way in (lambda f: f, tf.function)]


def faults():
    """Beginnings of the errors of replicas."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        v = tf.Variable([0.0], name="v")
    plain = tf.Variable([0.0], name="plain")

    def branch():
        number = tf.distribute.get_replica_context().replica_id_in_sync_group
        if number > -1:
            number = tf.distribute.get_replica_context().all_reduce("SUM", number)
        return number

    def enter():
        with strategy.scope(), tf.distribute.OneDeviceStrategy("/cpu:0").scope():
            pass

    errors = {
        "no aggregation": lambda: strategy.run(lambda: v.assign([1.0])),
        "another variable": lambda: strategy.run(lambda: plain.assign([1.0])),
        "a run": lambda: strategy.run(lambda: strategy.run(lambda: None)),
        "a branch": lambda: strategy.run(tf.function(branch)),
        "another strategy": enter,
        "parts": lambda: strategy.run(tf.identity, (tf.distribute.PerReplica([1, 2, 3]),)),
    }
    ends = (" in Replica", ". Make it", ", use get", ". This can", ": <", "!")
    texts = {}
    for name, call in errors.items():
        text = error_of(call)
        for end in ends:
            text = text.partition(end)[0]
        texts[name] = text
    return texts


def files(folder):
    """Writes what training writes, to a folder of each process."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    own = f"{folder}/{strategy.cluster_resolver.task_id}"
    if strategy.cluster_resolver.task_id == 0:
        os.makedirs(own)
    model = model_for(strategy)
    model.fit(
        np.ones([8, 4], "float32"), np.ones([8, 1], "float32"), verbose=0,
        callbacks=[
            tf.keras.callbacks.CSVLogger(f"{own}/log.csv"),
            tf.keras.callbacks.ModelCheckpoint(f"{own}/model.safetensors"),
            tf.keras.callbacks.BackupAndRestore(f"{own}/backup"),
        ],
    )
    model.save_weights(f"{own}/weights.safetensors")
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(model), f"{own}/saved", 1)
    manager.save()
    manager.save()
    writer = tf.summary.create_file_writer(f"{own}/events")
    with writer.as_default():
        tf.summary.scalar("x", 1.0, step=1)
    writer.close()


def steps_of_keras():
    """Losses of steps made eagerly, as functions, and over a dataset."""
    x = np.random.default_rng(1).normal(size=(32, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    losses = {}
    for name in ("graph", "eager", "dataset"):
        tf.keras.utils.set_random_seed(3)
        with strategy.scope():
            model = tf.keras.Sequential([
                tf.keras.Input((4,)), tf.keras.layers.Dense(8, kernel_regularizer="l2"),
                tf.keras.layers.Dense(1),
            ])
            model.compile("adam", "mse", run_eagerly=name == "eager")
        if name == "dataset":
            data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
            history = model.fit(data, epochs=2, verbose=0)
        else:
            history = model.fit(x, y, 8, epochs=2, verbose=0, shuffle=False)
        losses[name] = history.history["loss"]
    return losses


def random_numbers():
    """Draws without a seed, and the error when one process has drawn more."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    model = model_for(strategy)
    numbers = tf.random.uniform([3]).numpy().tolist()
    if strategy.cluster_resolver.task_id == 1:
        tf.random.uniform([1])
    x = np.ones([8, 4], "float32")
    fault = error_of(lambda: model.fit(x, x[:, :1], verbose=0))
    tf.random.set_seed(1)
    return {"numbers": numbers, "fault": fault}


def digits(count=256):
    """Pictures of 8 by 8 and their classes, which a network can learn."""
    rng = np.random.default_rng(3)
    shapes = rng.normal(size=(10, 8, 8))
    labels = rng.integers(0, 10, count)
    pictures = shapes[labels] + 0.3 * rng.normal(size=(count, 8, 8))
    return pictures.astype("float32"), labels.astype("int32")


def network(kind):
    """A network of a kind, whose weights are always the same."""
    layers = tf.keras.layers
    tf.keras.utils.set_random_seed(7)
    inside = {
        "dense": [layers.Flatten(), layers.Dense(16, "relu")],
        "convolution": [
            layers.Reshape((8, 8, 1)), layers.Conv2D(4, 3),
            layers.BatchNormalization(synchronized=True), layers.ReLU(), layers.Flatten(),
        ],
        "lstm": [layers.LSTM(8)],
    }[kind]
    return tf.keras.Sequential([tf.keras.Input((8, 8)), *inside, layers.Dense(10)])


def trained(kind, steps=50, batch_size=32):
    """Weights and losses of a network after some steps of ``fit``."""
    pictures, labels = digits(batch_size * steps // 2)
    with tf.distribute.MultiWorkerMirroredStrategy().scope():
        model = network(kind)
        model.compile(
            tf.keras.optimizers.SGD(0.05, momentum=0.9),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    history = model.fit(pictures, labels, batch_size, epochs=2, verbose=0)
    logs = {name: values[-1] for name, values in history.history.items()}
    logs["evaluated"] = model.evaluate(pictures, labels, 64, verbose=0)
    logs["predicted"] = model.predict(pictures[:40], 16, verbose=0)
    return [w.numpy() for w in model.weights], logs


def all_of(*calls):
    """Results of several functions of this file in one job, each named with its arguments."""
    return [globals()[name](*args) for name, *args in calls]


def placed():
    """Numbers of a process whose TF_CONFIG, set by the program, turns the order round."""
    import json

    from mpi4py import MPI

    index = 1 - MPI.COMM_WORLD.rank
    cluster = {"chief": ["a:1"], "worker": ["b:2"]}
    task = {"type": "worker" if index else "chief", "index": 0}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task})
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    again = tf.distribute.MultiWorkerMirroredStrategy()
    gathered = again.gather(tf.constant([index]), axis=0).numpy().tolist()
    return strategy.cluster_resolver.task_type, gathered


def sums():
    """Sums of all ways and sizes beside NumPy's, in the order of the processes."""
    import zlib

    from runtime.distribute.process_world import joined_world

    group = joined_world()
    count = group.count
    for sizes in ((3,), (5, 70_000), (1_000_003,), (300_000, 300_001, 7), (0, 2)):
        rows = [
            [np.random.default_rng(n).normal(size=size).astype("float32") for size in sizes]
            for n in range(count)
        ]
        totals = group.sums(rows[group.rank], False)
        for column, total in zip(zip(*rows), totals, strict=True):
            np.testing.assert_allclose(total, np.sum(column, axis=0), atol=1e-5)
            assert len(set(group.numbers("sums", zlib.crc32(total.tobytes())))) == 1
    number = np.int32(group.rank).reshape(())
    mixed = group.sums([number, np.ones(3, np.float16), np.array([1 + 2j])], False)
    assert mixed[0] == count * (count - 1) // 2 and mixed[2][0] == count * (1 + 2j)
    assert mixed[1].dtype == np.float16 and (mixed[1] == count).all()
    gathered = group.gathered(np.full((group.rank, 2), group.rank, np.float32), 0)
    assert gathered[:, 0].tolist() == [n for n in range(count) for _ in range(n)]
    assert group.first(np.array([group.rank + 5.0])).tolist() == [5.0]
    return count
