"""Small programs whose results were recorded from Keras 3.15."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers
X, Y = np.ones((4, 2), "float32"), np.ones((4, 1), "float32")


def test_the_value_of_a_variable_is_an_attribute_and_a_method():
    variable = tf.Variable([1.0, 2.0])
    before = variable.value
    variable.assign([3.0, 4.0])
    assert np.asarray(before).tolist() == [1.0, 2.0] == before().numpy().tolist()
    assert (before + 1).numpy().tolist() == [2.0, 3.0]
    assert float(keras.optimizers.SGD(0.5).learning_rate.value) == 0.5

    @tf.function
    def doubled():
        if variable.value[0] > 1:
            variable.assign_add([1.0, 1.0])
        return variable.value + variable.value()

    assert doubled().numpy().tolist() == [8.0, 10.0]
    with tf.GradientTape() as tape:
        y = variable.value * variable.value
    assert tape.gradient(y, variable).numpy().tolist() == [8.0, 10.0]


def test_einsum_dense_draws_by_the_fans_of_its_equation():
    layer = layers.EinsumDense("abc,cde->abde", output_shape=(None, 8, 16))
    layer(np.zeros((1, 4, 32), "float32"))
    limit = np.abs(layer.kernel.numpy()).max()
    assert 0.17 < limit <= np.sqrt(6 / (32 + 8 * 16))
    attention = layers.MultiHeadAttention(8, 4)
    attention(np.zeros((1, 4, 32), "float32"), np.zeros((1, 4, 32), "float32"))
    assert 0.2 < np.abs(attention.query_dense.kernel.numpy()).max() <= np.sqrt(6 / (32 + 32))


def test_initializers_draw_their_seeds_when_they_are_made():
    keras.utils.set_random_seed(3)
    initializer = keras.initializers.GlorotUniform()
    assert initializer.seed == 255512576  # what random.randint(1, 10**9) gives first
    assert initializer.get_config()["seed"] is None
    generator = keras.initializers.RandomNormal(seed=keras.random.SeedGenerator(1))
    first, second = generator((2, 3)), generator((2, 3))
    assert first.shape == (2, 3) and not np.allclose(first, second)
    json.dumps(generator.get_config())


def test_a_softmax_of_a_row_that_is_masked_is_zero():
    mask = np.array([[False, False, False], [True, False, True]])
    found = layers.Softmax()(np.ones((2, 3), "float32"), mask=mask)
    np.testing.assert_allclose(found, [[0, 0, 0], [0.5, 0, 0.5]])
    numbers = layers.Softmax()(np.ones((1, 2), "float32"), mask=np.array([[0.4, 0.6]], "float32"))
    np.testing.assert_allclose(numbers, [[0, 1]])
    with pytest.raises(ValueError, match="broadcastable"):
        layers.Softmax()(np.ones((2, 3), "float32"), mask=np.ones((2, 2), bool))


def test_ignored_classes_take_their_weights_out_of_a_mean():
    metric = keras.metrics.SparseCategoricalCrossentropy(ignore_class=0)
    y, p = np.array([0, 1]), np.array([[0.8, 0.1, 0.1], [0.05, 0.9, 0.05]])
    for weight, wanted in (None, 0.0526803), ([1.0, 2.0], 0.1053605), (1.0, 0.1053605):
        metric.reset_state()
        np.testing.assert_allclose(metric(y, p, sample_weight=weight), wanted, rtol=1e-5)


@pytest.mark.parametrize("relative", [False, True])
def test_adafactor_takes_less_than_the_root_of_the_step(relative):
    optimizer = keras.optimizers.Adafactor(
        learning_rate=0.5, clip_threshold=0.9, relative_step=relative
    )
    v = tf.Variable(np.ones(3, "float32"))
    for k in range(5):
        optimizer.apply_gradients([(tf.constant([0.1, 0.2, 0.3]) * (k + 1), v)])
    np.testing.assert_allclose(v, [0.0546766] * 3, rtol=1e-3)


def test_normalization_adapts_to_batches():
    x = np.arange(16.0, dtype="float32").reshape(8, 2)
    wanted = layers.Normalization()
    wanted.adapt(x)
    samples = tf.data.Dataset.from_tensor_slices(x)
    pairs = tf.data.Dataset.from_tensor_slices((x, x[:, 0])).batch(3)
    for data in [x[:4], x[4:]], samples, pairs, iter([x[:5], x[5:]]):
        layer = layers.Normalization()
        layer.adapt(data)
        np.testing.assert_allclose(layer(x), wanted(x), rtol=1e-5, atol=1e-6)
    with pytest.raises(TypeError, match="list"):
        layers.Normalization().adapt([[1.0], [2.0]])
    with pytest.raises(ValueError, match="empty iterable"):
        layers.Normalization().adapt([])


def test_a_mask_reaches_layers_that_are_called_with_symbolic_tensors():
    seen = []

    class Asks(layers.Layer):
        def call(self, x, mask=None):
            seen.append(mask is not None)
            return x

    class Doubles(layers.Layer):
        def call(self, x, mask=None):
            return x * tf.cast(mask, "float32")[..., None]

    inputs = keras.Input((4,), dtype="int32")
    embedded = layers.Embedding(5, 3, mask_zero=True, embeddings_initializer="ones")(inputs)
    model = keras.Model(inputs, Asks()(Doubles()(embedded)))
    found = model(np.array([[1, 0, 2, 0]]))
    assert found.numpy()[0, :, 0].tolist() == [1, 0, 1, 0]
    assert seen[0] is False  # Doubles does not support masking: the mask ends there
    Asks()(embedded)
    assert seen[-1]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_nested_inputs_are_matched_by_their_structure(order):
    inputs = {"a": [keras.Input((2,)), keras.Input((2,))], "b": keras.Input((2,))}
    inputs = {name: inputs[name] for name in order}
    first, second = inputs["a"]
    model = keras.Model(inputs, {"o": [first - second, (inputs["b"],)]})
    one, two, three = (np.full((1, 2), n, "float32") for n in (1, 2, 3))
    found = model({"b": three, "a": [one, two]})
    assert found["o"][0].numpy().tolist() == [[-1, -1]]
    assert found["o"][1][0].numpy().tolist() == [[3, 3]]


def test_inputs_get_the_rank_of_a_functional_model():
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(1)(inputs))
    assert model(np.zeros((2, 3, 1), "float32")).shape == (2, 1)
    single = keras.Input((1,))
    assert keras.Model(single, single * 2)(np.zeros(4, "float32")).shape == (4, 1)


def test_stacked_cells_have_a_structure_of_states_each():
    cells = [layers.LSTMCell(3), layers.SimpleRNNCell(4), layers.GRUCell(2)]
    layer = layers.RNN(cells, return_state=True)
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype("float32")
    output, first, second, third = layer(x)
    assert output.shape == (2, 2) and len(first) == 2
    assert first[1].shape == (2, 3) and second.shape == (2, 4) and third.shape == (2, 2)
    assert layer.state_size == [[3, 3], 4, 2]
    again = tf.function(lambda x: layer(x))(x)
    for a, b in zip(tf.nest.flatten(again), tf.nest.flatten([output, first, second, third])):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    continued = layer(x, initial_state=[first, second, third])
    assert not np.allclose(continued[0], output)


def test_losses_have_the_structure_of_nested_outputs():
    inputs = keras.Input((2,))
    outputs = [layers.Dense(1)(inputs), [layers.Dense(1)(inputs), layers.Dense(1)(inputs)]]
    model = keras.Model(inputs, outputs)
    model.compile("sgd", loss=["mse", ["mse", "mae"]], metrics=[["mae"], [["mae"], None]])
    found = model.fit(X, [Y, [Y, Y]], verbose=0).history
    assert len([name for name in found if name.endswith("loss")]) == 4 and len(found) == 6
    a, (b, c) = model.predict(X, verbose=0)
    total = ((a - Y) ** 2).mean() + ((b - Y) ** 2).mean() + abs(c - Y).mean()
    np.testing.assert_allclose(model.evaluate(X, [Y, [Y, Y]], verbose=0)[0], total, rtol=1e-5)


def test_metrics_have_the_attributes_of_keras():
    precision = keras.metrics.Precision(thresholds=0.4)
    precision.update_state([1, 0], [1.0, 1.0])
    assert precision.true_positives.numpy().tolist() == [1.0]
    assert precision.init_thresholds == 0.4
    assert keras.metrics.AUC().false_negatives.shape == (200,)
    assert keras.metrics.PrecisionAtRecall(0.5).recall == 0.5
    assert keras.metrics.FalsePositives().accumulator.shape == (1,)
    assert keras.metrics.BinaryCrossentropy(from_logits=True).from_logits
    assert keras.losses.BinaryCrossentropy(label_smoothing=0.1).label_smoothing == 0.1
    with pytest.raises(AttributeError, match="nothing"):
        _ = precision.nothing


def test_weighted_metrics_are_named_after_their_output():
    inputs = keras.Input((2,))
    outputs = {name: layers.Dense(1, name=name)(inputs) for name in "pq"}
    model = keras.Model(inputs, outputs)
    model.compile("sgd", "mse", metrics={"p": ["mae"]}, weighted_metrics={"p": ["mae"]})
    found = model.fit(X, {"p": Y, "q": Y}, verbose=0).history
    assert sorted(found) == ["loss", "p_loss", "p_mae", "p_weighted_mae", "q_loss"]


def test_models_are_made_of_configurations_with_custom_objects():
    class Mine(layers.Dense):
        pass

    inputs = keras.Input((2,))
    model = keras.Model(inputs, Mine(1)(inputs))
    again = keras.Model.from_config(model.get_config(), custom_objects={"Mine": Mine})
    assert type(again.layers[1]) is Mine
    model.compile("adam", "mse")
    clone = keras.models.clone_model(model)
    assert clone.compiled and clone.loss == "mse"


def test_files_of_callbacks(tmp_path):
    model = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    log = tmp_path / "log.csv"
    given = {"validation_data": (X, Y), "validation_freq": 2, "epochs": 3, "verbose": 0}
    model.fit(X, Y, callbacks=[keras.callbacks.CSVLogger(log)], **given)
    first, *rows = log.read_text().splitlines()
    assert first == "epoch,loss,val_loss"
    assert [row.endswith("NA") for row in rows] == [True, False, True]
    path = tmp_path / "best.weights.h5"
    pytest.importorskip("h5py")
    best = keras.callbacks.ModelCheckpoint(
        path, monitor="unknown", save_best_only=True, save_weights_only=True
    )
    with pytest.warns(UserWarning, match="unknown"):
        model.fit(X, Y, verbose=0, callbacks=[best])
    assert path.exists()


def test_images_are_made_larger_by_means():
    x = np.arange(24, dtype="float32").reshape(1, 4, 3, 2) ** 1.5
    for size, total in ((2, 2), 4282.0957), ((3, 1), 3211.5723), (4, 17128.385):
        layer = layers.UpSampling2D(size, interpolation="bilinear")
        np.testing.assert_allclose(np.sum(layer(x)), total, rtol=1e-6)
        last = layers.UpSampling2D(size, "channels_first", "bilinear")(x.transpose(0, 3, 1, 2))
        np.testing.assert_allclose(np.transpose(last, (0, 2, 3, 1)), layer(x), rtol=1e-6)
        np.testing.assert_allclose(tf.function(lambda x, layer=layer: layer(x))(x), layer(x))
    assert np.sum(layers.UpSampling2D(2, interpolation="bilinear")(x.astype("int32"))) == 4248
    with pytest.raises(ValueError, match=r"must be one of \('nearest', 'bilinear'"):
        layers.UpSampling2D(interpolation="cubic")


def test_clear_session_begins_the_names_of_layers_anew():
    layers.Dense(1), layers.Dense(1)
    keras.utils.clear_session()
    assert layers.Dense(1).name == "dense"
    with tf.device("cpu"):
        assert tf.constant(1.0).device.endswith("CPU:0")


def test_batches_by_number_end():
    class Data(keras.utils.PyDataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):  # never an IndexError
            return np.full((2, 4), float(index)), np.zeros(2)

    layer = layers.Normalization()
    layer.adapt(Data())
    np.testing.assert_allclose(layer.mean, np.ones((1, 4)))
    np.testing.assert_allclose(layer.variance, np.full((1, 4), 2 / 3), rtol=1e-6)
    assert [batch[0][0, 0] for batch in Data()] == [0, 1, 2]


def test_clones_are_called_by_a_function():
    shared = layers.Dense(2)
    inputs = {"a": keras.Input((2,)), "b": keras.Input((2,))}
    inner = keras.Sequential([keras.Input((2,)), layers.Dense(2)])
    model = keras.Model(inputs, inner(shared(inputs["a"]) + shared(inputs["b"])))

    def call(layer, *args, **kwargs):
        outputs = layer(*args, **kwargs)
        return layers.Dropout(0.5)(outputs) if isinstance(layer, layers.Dense) else outputs

    clone = keras.models.clone_model(model, clone_function=lambda x: x, call_function=call)
    assert [type(one).__name__ for one in clone.layers].count("Dropout") == 2
    x = {"a": X, "b": 2 * X}
    np.testing.assert_allclose(clone(x), model(x), rtol=1e-6)
    with pytest.raises(ValueError, match="must have the same structure as model.input"):
        keras.models.clone_model(model, input_tensors=tuple(inputs.values()))
    with pytest.raises(ValueError, match="only supported for Functional models"):
        keras.models.clone_model(inner, call_function=call)


def test_optimizers_take_their_variables():
    first, second = keras.optimizers.Adam(), keras.optimizers.Adam()
    weights = [tf.Variable(X), tf.Variable(X)]
    first.apply_gradients([(tf.constant(X), weights[0])])
    with pytest.raises(ValueError, match="has not yet been built"):
        second.set_weights(first.variables)
    second.build(weights[1:])
    second.set_weights(first.variables)
    assert all(map(np.array_equal, second.variables, first.variables))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: keras.ops.cholesky(np.ones((3, 2))), "Expected a square matrix"),
        (lambda: keras.ops.det(keras.Input((None, 3))), "Expected a square matrix"),
        (lambda: keras.ops.solve(np.eye(3), np.ones((2, 1))), "Incompatible shapes between"),
        (lambda: keras.ops.qr(X, mode="raw"), "Expected one of {'reduced', 'complete'}"),
        (lambda: keras.random.SeedGenerator("a"), "`seed` must be an integer"),
        (lambda: keras.random.SeedGenerator(1, steps=2), "Unrecognized keyword arguments"),
        (lambda: keras.callbacks.BackupAndRestore(None), "Empty `backup_dir`"),
        (lambda: keras.callbacks.BackupAndRestore("a", "batch"), "Invalid value for argument"),
        (lambda: keras.callbacks.ModelCheckpoint("a.keras", save_freq="a"), "Unrecognized save_fr"),
    ],
)
def test_wrong_arguments_are_told_in_the_words_of_keras(make, match):
    with pytest.raises(ValueError, match=match):
        make()


@pytest.mark.parametrize("mode", ["int", "one_hot", "multi_hot", "count"])
@pytest.mark.parametrize("shape", [(4,), (4, 1), (3, 4)])
def test_shapes_of_hashed_features_are_told_before_a_call(mode, shape):
    layer = layers.Hashing(5, output_mode=mode)
    told = layer.compute_output_shape((None, *shape))
    assert list(told) == list(layer(keras.Input(shape)).shape)


def test_a_rescaling_by_arrays_has_a_plain_configuration():
    layer = layers.Rescaling(np.array([1.0, 2.0]), offset=np.float32(0.5))
    json.dumps(layer.get_config())
    same = layers.Rescaling.from_config(layer.get_config())
    np.testing.assert_array_equal(same(X), layer(X))
    np.testing.assert_array_equal(keras.constraints.Constraint()(X), X)
