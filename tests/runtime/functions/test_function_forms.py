"""What ``function`` decorates: methods of all kinds, partials, objects; pickling."""

import abc
import copy
import functools
import gc
import inspect
import pickle
import weakref

import pytest

import autograph
import runtime as tf


@tf.function
def double(x):
    """Twice."""
    return x * 2


class Adder:
    """Has methods of all kinds."""

    offset = tf.constant(100)

    def __init__(self, by=1):
        self.by = by
        self.v = None

    @tf.function
    def add(self, x, more=0):
        """Adds."""
        return x + self.by + more

    @tf.function
    def lazily(self, x):
        if self.v is None:
            self.v = tf.Variable(self.by)
        return self.v.assign_add(x)

    @staticmethod
    @tf.function
    def outer_static(x):
        return x + 1

    @tf.function
    @staticmethod
    def inner_static(x):
        return x + 1

    @classmethod
    @tf.function
    def outer_class(cls, x):
        return x + cls.offset

    @tf.function
    @classmethod
    def inner_class(cls, x):
        return x + cls.offset

    @property
    @tf.function
    def both(self):
        return self.by + 1

    @tf.function
    def power(self, x, n):
        return x if n == 0 else x * self.power(x, n - 1)


class Shifted(Adder):
    """Overrides one."""

    offset = tf.constant(200)

    @tf.function
    def add(self, x, more=0):
        return super().add(x, more) * 10


def test_methods_have_traces_for_each_instance():
    one, two = Adder(1), Adder(2)
    assert [a.add(tf.constant(5)).numpy() for a in (one, two, one)] == [6, 7, 6]
    one.add(tf.constant(5.0))
    counts = [a.add.experimental_get_tracing_count() for a in (one, two)]
    assert counts == [2, 1] and Adder.add.experimental_get_tracing_count() == 0
    assert one.add.__self__ is one and one.add == one.add
    assert inspect.signature(one.add) == inspect.signature(lambda x, more=0: 0)
    assert (one.add.__name__, one.add.__doc__) == ("add", "Adds.")
    assert Adder.add(two, tf.constant(5)).numpy() == 7
    assert Shifted(3).add(tf.constant(1)).numpy() == 40


def test_methods_of_temporary_instances():
    assert Adder(4).add(tf.constant(5)).numpy() == 9
    assert Adder(4).add.get_concrete_function(tf.TensorSpec([], tf.int32)).name == "add"


def test_instances_are_held_weakly():
    adder = Adder()
    adder.add(tf.constant(1))
    Adder.add(adder, tf.constant(1))
    ref = weakref.ref(adder)
    del adder
    gc.collect()
    assert ref() is None
    assert Adder.add.cache_info().currsize == 0  # what was traced for the instance went with it


def test_each_instance_may_make_its_variables():
    one, two = Adder(1), Adder(10)
    found = [a.lazily(tf.constant(1)).numpy() for a in (one, two, one, two)]
    assert found == [2, 11, 3, 12]


def test_concrete_functions_of_methods():
    concrete = Adder(5).add.get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert concrete.structured_input_signature == ((tf.TensorSpec([None], tf.int32, "x"), 0), {})
    assert concrete(tf.constant([1, 2])).numpy().tolist() == [6, 7]


def test_a_method_with_an_input_signature():
    class Model:
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def total(self, x, scale=2):
            return tf.reduce_sum(x) * scale

    model = Model()
    assert model.total([1.0, 2.0]).numpy() == 6.0
    assert model.total.get_concrete_function() is model.total.get_concrete_function()
    assert Model.total(model, [1.0]).numpy() == 2.0


def test_static_and_class_methods():
    for home in (Adder, Adder()):
        assert home.outer_static(tf.constant(1)).numpy() == 2
        assert home.inner_static(tf.constant(1)).numpy() == 2
        assert home.outer_class(tf.constant(1)).numpy() == 101
        assert home.inner_class(tf.constant(1)).numpy() == 101
    assert Shifted.outer_class(tf.constant(1)).numpy() == 201
    assert Shifted.inner_class(tf.constant(1)).numpy() == 201
    assert Adder(6).both.numpy() == 7


def test_methods_that_call_themselves():
    assert Adder().power(tf.constant(3), 4).numpy() == 243


def test_instances_without_weak_references():
    class Slotted:
        __slots__ = ("by",)

        def __init__(self, by):
            self.by = by

        @tf.function
        def add(self, x):
            return x + self.by

    one, two = Slotted(1), Slotted(2)
    assert [a.add(tf.constant(5)).numpy() for a in (one, two, one)] == [6, 7, 6]


def test_abstract_methods_stay_abstract():
    class Base(abc.ABC):
        @tf.function
        @abc.abstractmethod
        def run(self, x): ...

    with pytest.raises(TypeError, match="abstract"):
        Base()


def test_partials_objects_bound_methods_and_functions():
    def scale(x, by, plus=0):
        return x * by + plus

    class Caller:
        """Calls."""

        def __init__(self):
            self.name = "mine"
            self._traces = "mine"

        def __call__(self, x):
            return -x if x > 0 else x

    partial = tf.function(functools.partial(scale, by=3, plus=tf.constant(1)))
    assert partial(tf.constant(2)).numpy() == 7 and partial.__name__ == "scale"
    caller = tf.function(Caller())
    assert caller(tf.constant(2)).numpy() == -2
    assert (caller.__name__, caller.name, caller.__doc__) == ("Caller", "Caller", "Calls.")
    assert tf.function(Adder(3).add)(tf.constant(1)).numpy() == 4
    again = tf.function(double)
    assert again(tf.constant(4)).numpy() == 8 and double.experimental_get_tracing_count() >= 1
    assert tf.function(functools.partial(double, tf.constant(4)))().numpy() == 8
    assert tf.function(lambda x: x + 1)(tf.constant(1)).numpy() == 2
    assert tf.function(max)(tf.constant(1), tf.constant(3)).numpy() == 3
    with pytest.raises(TypeError, match="3 is not a callable object"):
        tf.function(3)


def test_wrappers_of_traced_functions():
    def twice(f):
        @functools.wraps(f)
        def wrapper(x):
            return f(x) + f(x)

        wrapper.note = "mine"
        return wrapper

    made = tf.function(twice(double))
    assert made(tf.constant(3)).numpy() == 12 and made.note == "mine"
    assert made.experimental_get_tracing_count() == 1 and made.__name__ == "double"


def test_pickling_is_by_reference():
    for made in (double, Adder.add, Adder.outer_static):
        assert pickle.loads(pickle.dumps(made)) is made
        assert copy.copy(made) is made and copy.deepcopy(made) is made
    bound = pickle.loads(pickle.dumps(Adder(7).add))
    assert bound(tf.constant(1)).numpy() == 8
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tf.function(lambda x: x))


def test_running_eagerly():
    seen = []

    @tf.function
    def look(x):
        seen.append(type(x))
        return double(x)

    assert not tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert [look(3), look(3), look(tf.constant(2)).numpy()] == [6, 6, 4]
        assert Adder(2).add(1) == 3
        with tf.Graph().as_default(), tf.Session() as session:
            assert session.run(Adder(2).power(tf.constant(2), 2)) == 8
    finally:
        tf.config.run_functions_eagerly(False)
    assert seen[:2] == [int, int] and look.experimental_get_tracing_count() == 0
    assert look(3).numpy() == 6


def plus_one(x, by=1):
    """Not decorated: the function of the same name is another object."""
    return x + by


def test_a_function_made_of_a_named_one_is_pickled_with_its_options():
    made = tf.function(plus_one, input_signature=[tf.TensorSpec([None], tf.int32, name="x")])
    again = pickle.loads(pickle.dumps(made))
    assert again is not made and again.python_function is plus_one
    assert again.input_signature == made.input_signature
    assert again([1, 2]).numpy().tolist() == [2, 3]
    assert pickle.loads(pickle.dumps(double)) is double
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tf.function(lambda x: x))


def test_whether_an_argument_is_a_tensor_from_outside_is_not_known():
    start, v = tf.constant(0), tf.Variable(0)

    @tf.function
    def unchanged(x):
        return x is start

    @tf.function
    def passed(x, expected):
        return x is v, x is None, x is expected

    with pytest.raises(autograph.errors.ConcreteValueError, match="identity of a staged value"):
        unchanged(start)
    assert [t.numpy() for t in passed(v, v)] == [True, False, True]
    assert [t.numpy() for t in passed(start, v)] == [False, False, False]


def test_attributes_of_a_function_may_have_any_name():
    for name in ("name", "python_function", "input_signature", "marker"):
        def plain(x):
            return x + 1

        setattr(plain, name, "mine")
        assert int(tf.function(plain)(1)) == tf.jit(plain)(1) == 2
    assert tf.function(plain).marker == "mine"
