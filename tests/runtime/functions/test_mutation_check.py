"""What a traced function does to collections among its arguments: refused, not lost."""

import dataclasses

import pytest

import runtime as tf


@dataclasses.dataclass
class Layer:
    """Holds a tensor and a list."""

    weight: object
    steps: list


def items():
    return [tf.constant(0.0), tf.constant(1.0)]


def one_more(values):
    values.append(2.0)


LISTS = {
    "append": one_more,
    "extend": lambda values: values.extend([2.0]),
    "insert": lambda values: values.insert(0, 2.0),
    "pop": lambda values: values.pop(),
    "reverse": lambda values: values.reverse(),
    "remove": lambda values: values.remove(values[0]),
    "clear": lambda values: values.clear(),
    "set": lambda values: values.__setitem__(0, values[1]),
}


@pytest.mark.parametrize("how", LISTS)
def test_a_changed_list_is_refused(how):
    values = items()
    with pytest.raises(ValueError, match=r"should not modify its Python input .* 'values'"):
        tf.function(LISTS[how])(values)
    assert len(values) == 2


DICTS = {
    "clear": lambda d: d.clear(),
    "pop": lambda d: d.pop("a"),
    "popitem": lambda d: d.popitem(),
    "update": lambda d: d.update(a=3.0),
    "setdefault": lambda d: d.setdefault("c", 3.0),
}


@pytest.mark.parametrize("how", DICTS)
def test_a_changed_dict_is_refused(how):
    values = dict(zip("ab", items(), strict=True))
    with pytest.raises(ValueError, match=r"should not modify .*`dict\(d\)`"):
        tf.function(DICTS[how])(values)
    assert list(values) == ["a", "b"]


def test_the_message_names_what_was_changed():
    def deep(x, nested):
        nested[0]["a"].append(x)
        return x

    with pytest.raises(ValueError) as error:
        tf.function(deep)(tf.constant(1), [{"a": [2]}, 3])
    assert error.value.message == (
        "deep() should not modify its Python input arguments, but it changes \"nested[0]['a']\": a "
        "call works on a copy, so the caller would not see the change. Let deep() change "
        "`list(nested[0]['a'])` instead, and return that."
    )


def test_moving_an_item_between_lists_is_a_change():
    def move(pair):
        pair[0].append(pair[1].pop(0))

    with pytest.raises(ValueError, match=r"'pair\[0\]'"):
        tf.function(move)([items(), items()])


def test_a_changed_dataclass_is_refused():
    def step(layer):
        layer.weight = layer.weight + 1.0

    def note(layer):
        layer.steps.append(1)

    def mark(layer):
        layer.seen = True

    layer = Layer(tf.constant(1.0), [])
    with pytest.raises(ValueError, match=r"changes 'layer'.*`copy.copy\(layer\)`"):
        tf.function(mark)(layer)
    with pytest.raises(ValueError, match=r"changes 'layer'.*`copy.copy\(layer\)`"):
        tf.function(step)(layer)
    with pytest.raises(ValueError, match=r"changes 'layer.steps'"):
        tf.function(note)(layer)


def test_a_branch_that_changes_an_argument_is_refused():
    @tf.function
    def clip(values):
        if values[0] > 0.0:
            values[1] = values[0]
        return values[1]

    with pytest.raises(ValueError, match="should not modify"):
        clip(items())


def test_copies_may_be_changed():
    @tf.function
    def swapped(values, table, **more):
        values, table = list(values), dict(table)
        values[0], values[1] = values[1], values[0]
        table["c"] = values[0]
        more.pop("extra")
        return values, table

    values, table = swapped(items(), {"a": 5}, extra=1)
    assert [v.numpy() for v in values] == [1.0, 0.0]
    assert table["a"].numpy() == 5
    assert table["c"].numpy() == 1.0


def test_what_consists_of_tensors_is_no_change():
    @tf.function
    def total(parts, array):
        array = array.write(0, 1.0)
        for x in parts["numbers"]:
            array = array.write(1, tf.cast(x, tf.float32))
        return array.stack(), parts["rows"].flat_values

    parts = {"numbers": tf.data.Dataset.range(3), "rows": tf.ragged.constant([[1], [2, 3]])}
    stacked, values = total(parts, tf.TensorArray(tf.float32, 2, clear_after_read=False))
    assert stacked.numpy().tolist() == [1.0, 2.0]
    assert values.numpy().tolist() == [1, 2, 3]


def test_eagerly_a_function_changes_its_arguments_as_in_python():
    values = [1.0]
    tf.config.run_functions_eagerly(True)
    try:
        tf.function(one_more)(values)
    finally:
        tf.config.run_functions_eagerly(False)
    assert values == [1.0, 2.0]


@dataclasses.dataclass
class Scaled:
    """Makes one field, and something that is no field, of another."""

    x: object
    twice: object = None

    def __post_init__(self):
        self.twice = self.x * 2
        self.note = "new"


def test_what_a_dataclass_made_of_its_fields_stays():
    f = tf.function(lambda s, by: (s.x + s.twice) * by if s.note == "new" else s.x)
    scaled = Scaled(tf.constant(1))
    assert f(scaled, 1).numpy() == 3
    scaled.twice = tf.constant(100)
    assert f(scaled, 1).numpy() == 101
    scaled.note = "old"
    assert f(scaled, 1).numpy() == 1
    scaled.note = tf.constant(5)
    g = tf.function(lambda s: s.x + s.note)
    assert g(scaled).numpy() == 6
    scaled.note = tf.constant(7)
    assert g(scaled).numpy() == 8


def test_the_error_names_the_line():
    def grown(values):
        values.append(1)

    for call in (tf.function(grown), tf.function(lambda values: tf.function(grown)(values))):
        with pytest.raises(ValueError, match="should not modify") as caught:
            call([1, 2])
        assert caught.value.where == (__file__, grown.__code__.co_firstlineno)
