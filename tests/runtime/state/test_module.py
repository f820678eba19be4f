"""``tf.Module``: names, name scopes, and what is found in its attributes."""

import numpy as np
import pytest

import runtime as tf


class Dense(tf.Module):
    """A layer."""

    def __init__(self, inputs, outputs, name=None, trainable=True):
        super().__init__(name=name)
        self.w = tf.Variable(tf.ones([inputs, outputs]), name="w", trainable=trainable)
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class TwoLayers(tf.Module):
    """Layers in a list, and a frozen one among the values of a dict."""

    def __init__(self):
        super().__init__()
        with self.name_scope:
            self.layers = [Dense(2, 3), Dense(3, 1, "last")]
            self.others = {"frozen": Dense(1, 1, trainable=False), "rate": 0.1}

    @tf.Module.with_name_scope
    def __call__(self, x):
        """Applies the layers."""
        for layer in self.layers:
            x = layer(x)
        if tf.reduce_sum(x) > 100.0:
            x = x * 0.0
        return self.others["frozen"](x)


class Lazy(tf.Module):
    """Makes its variable on the first call."""

    w = None

    @tf.function
    @tf.Module.with_name_scope
    def __call__(self, x):
        if self.w is None:
            self.w = tf.Variable(tf.ones([x.shape[-1]]), name="w")
        return x * self.w


def named(variables):
    return [v.name for v in variables]


def test_variables_are_found_by_attribute_name_then_in_submodules():
    model = TwoLayers()
    assert named(model.layers[0].variables) == ["two_layers/b:0", "two_layers/w:0"]
    first, second, frozen = model.layers[0], model.layers[1], model.others["frozen"]
    expected = [first.b, first.w, second.b, second.w, frozen.b, frozen.w]
    assert all(v is e for v, e in zip(model.variables, expected, strict=True))
    assert len(model.trainable_variables) == 5
    assert model.non_trainable_variables[0] is frozen.w
    assert model.submodules == (first, second, frozen)


def test_submodules_come_nearest_first_and_once():
    a, b, c = tf.Module("a"), tf.Module("b"), tf.Module("c")
    a.child, a.list, b.child, c.back = b, [b, c], c, a
    assert a.submodules == (b, c)
    assert c.submodules == (a, b)


def test_paths_and_ignored_attributes():
    class Ignoring(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = frozenset({"hidden"})

    module = Ignoring()
    module.hidden = tf.Variable(1.0)
    module.seen = {"x": [tf.Variable(2.0)]}
    module.inner = Dense(1, 1)
    found = module._flatten(predicate=lambda v: isinstance(v, tf.Variable), with_path=True)
    assert [path for path, _ in found] == [("seen", "x", 0), ("inner", "b"), ("inner", "w")]
    assert len(list(module._flatten(recursive=False))) == 4
    module.mixed = {1: tf.Variable(3.0), "a": 3}
    assert len(module.variables) == 4
    module.bad = []
    module.bad.append(module.bad)  # contains itself
    with pytest.raises(ValueError, match="Error processing property 'bad'"):
        _ = module.variables


def test_names():
    with tf.name_scope("around"):
        module = TwoLayers()
    assert (module.name, module.name_scope.name) == ("two_layers", "around/two_layers/")
    assert module.name_scope is module.name_scope
    assert type("HTTPServer2Layer", (tf.Module,), {})().name == "http_server2_layer"
    with tf.Graph().as_default():
        assert [tf.Module("m").name_scope.name for _ in range(2)] == ["m/", "m_1/"]
    with pytest.raises(ValueError, match=r"'\$a' is not a valid module name"):
        tf.Module("$a")


def test_methods_enter_the_name_scope():
    lazy = Lazy()
    assert lazy(tf.constant([2.0, 3.0])).numpy().tolist() == [2.0, 3.0]
    assert lazy.w.name == "lazy/w:0"
    operations = lazy.__call__.get_concrete_function(tf.TensorSpec([2])).graph.get_operations()
    assert any(node.name.startswith("lazy/") for node in operations)
    assert TwoLayers.__call__.__doc__ == "Applies the layers."


@pytest.mark.parametrize("call", ["eager", "function", "in a function"])
def test_models_run_and_train_in_every_way(call):
    model = TwoLayers()
    step = {"eager": model, "function": tf.function(model)}.get(call)
    if step is None:
        step = tf.function(lambda x: model(x))
    with tf.GradientTape() as tape:
        y = step(tf.constant([[1.0, 2.0]]))
    assert y.numpy().tolist() == [[9.0]]
    gradients = tape.gradient(y, model.trainable_variables)
    assert all(g is not None for g in gradients)
    assert step(tf.constant([[100.0, 200.0]])).numpy().tolist() == [[0.0]]


class Plain(tf.Module):
    def __init__(self):  # does not call super().__init__()
        self.weight = tf.Variable([1.0, 2.0])
        self.inner = [Inner()]

    @tf.function(input_signature=[tf.TensorSpec([2])])
    def apply(self, x):
        if tf.reduce_sum(x) > 0.0:
            return x * self.weight + self.inner[0].bias
        return x

    @tf.Module.with_name_scope
    def scoped(self):
        return tf.Variable(1.0).name


class Inner(tf.Module):
    def __init__(self):
        self.bias = tf.Variable(3.0)


def test_a_module_that_does_not_call_ours_to_be_made(tmp_path):
    module = Plain()
    with tf.name_scope("around"):
        assert (module.name, module.name_scope.name) == ("plain", "plain/")
    assert Plain().scoped() == "plain/Variable:0"
    assert module.variables == (module.weight, module.inner[0].bias)
    assert module.submodules == (module.inner[0],)
    x = tf.constant([1.0, 1.0])
    tf.saved_model.save(Plain(), str(tmp_path / "saved"))
    np.testing.assert_array_equal(tf.saved_model.load(str(tmp_path / "saved")).apply(x), [4, 5])
    path = tf.train.Checkpoint(module=module).save(tmp_path / "checkpoint")
    fresh = Plain()
    fresh.weight.assign([0.0, 0.0])
    tf.train.Checkpoint(module=fresh).restore(path).assert_consumed()
    np.testing.assert_array_equal(fresh.apply(x), [4, 5])
