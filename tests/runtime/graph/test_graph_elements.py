"""What graphs know of their elements: names, scopes, devices, collections, control inputs."""

import threading

import pytest

import runtime as tf


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def test_elements_by_name_and_object(graph):
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(1.0, name="v")
    assert graph.as_graph_element("x") is x.op and graph.as_graph_element("x:0") is x
    assert graph.as_graph_element("x:0", allow_operation=False) is x
    assert graph.as_graph_element(x) is x and graph.as_graph_element(x.op) is x.op
    assert graph.as_graph_element(v).dtype is tf.float32
    assert graph.version == len(graph.get_operations())


@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (lambda g, x: g.get_tensor_by_name("x"), ValueError, "refers to an Operation, not a Tens"),
        (lambda g, x: g.get_tensor_by_name("nobody"), ValueError, "not a valid tensor name"),
        (lambda g, x: g.get_tensor_by_name(3), TypeError, r"are strings \(or similar\), not int"),
        (lambda g, x: g.get_operation_by_name(3), TypeError, r"are strings \(or similar\), not in"),
        (lambda g, x: g.get_operation_by_name("x:0"), ValueError, "appears to refer to a Tensor"),
        (lambda g, x: g.as_graph_element("x", allow_operation=False), ValueError, "not a Tensor"),
        (lambda g, x: g.as_graph_element("x:0", allow_tensor=False), ValueError, "to a Tensor"),
        (lambda g, x: g.as_graph_element(x, False), TypeError, "SymbolicTensor into a Operation"),
        (lambda g, x: g.as_graph_element(x, False, False), ValueError, "can't both be False"),
        (lambda g, x: g.as_graph_element(3), TypeError, "a int into a Tensor or Operation"),
        (lambda g, x: tf.Graph().as_graph_element(x), ValueError, "Tensor .* is not an element"),
        (lambda g, x: tf.Graph().as_graph_element(x.op), ValueError, "Operation .* is not an ele"),
    ],
)
def test_elements_that_are_not_there(graph, ask, error, text):
    x = tf.placeholder(tf.float32, name="x")
    with pytest.raises(error, match=text):
        ask(graph, x)


def test_operations_describe_themselves(graph):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([x]), tf.device("/cpu:0"):
        a, b = tf.split(x, 2, name="parts")
    y = tf.add(b, a, name="y")
    definition = y.op.node_def
    assert (definition.name, definition.op) == ("y", "AddV2")
    assert definition.input == ["parts:1", "parts"]
    assert a.op.node_def.input[-1] == "^x" and a.op.node_def.device == "/device:CPU:0"
    assert [node.name for node in graph.as_graph_def().node][0] == "x"
    assert [node.name for node in graph.as_graph_def(graph.version - 1).node] == ["y"]
    shown = graph.as_graph_def(add_shapes=True).node[-1].attr["_output_shapes"]
    assert shown == [tf.TensorShape([1])]
    assert y.op.values() == [y] and y.op.traceback[0].startswith(__file__)
    assert y.op.colocation_groups() == [b"loc:@y"]
    assert "name='y'" in repr(definition)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/gpu:0", "/device:GPU:0"),
        ("cpu:1", "/device:CPU:1"),
        ("/job:ps/task:1", "/job:ps/task:1"),
        ("/device:gpu:*", "/device:GPU:*"),
        ("/task:2/job:a/replica:0/device:TPU:3", "/job:a/replica:0/task:2/device:TPU:3"),
        ("", ""),
    ],
)
def test_devices(graph, name, shown):
    with tf.device(name):
        assert tf.constant(1).device == shown


def test_nested_devices_merge(graph):
    with tf.device("/job:a/gpu:1"):
        with tf.device("/task:2"):
            assert tf.constant(1).device == "/job:a/task:2/device:GPU:1"
        with tf.device("/cpu:0"):
            assert tf.constant(1).device == "/job:a/device:CPU:0"
        with tf.device(None):
            assert tf.constant(1).device == ""
        with tf.device(tf.DeviceSpec(device_type="CPU")):
            assert tf.constant(1).device == "/job:a/device:CPU:1"
        with tf.device(lambda op: "/cpu:3" if op.type == "AddV2" else None):
            x = tf.constant(1)
            assert (x.device, (x + x).device) == ("/job:a/device:GPU:1", "/job:a/device:CPU:3")


def test_functions_that_choose_devices_decide_last(graph):
    with tf.device(lambda op: f"{op.device}/task:1" if "gpu" in op.device.lower() else "/job:b"):
        assert tf.constant(1).device == "/job:b"
        with tf.device("/gpu:0"):
            assert tf.constant(1).device == "/task:1/device:GPU:0"
        with tf.device("/job:a"):
            assert tf.constant(1).device == "/job:b"
    with tf.device("/gpu:7"), tf.device("/gpu:*"):
        assert tf.constant(1).device == "/device:GPU:7"


def test_types_are_in_tensorflows_words(graph):
    x = tf.placeholder(tf.float32, [2, 2])
    made = [x, x + x, x @ x, x * x, x / x, tf.stack([x])]
    made.append(tf.cond(x[0, 0] > 0, lambda: x, lambda: x))
    made += tf.while_loop(lambda k: k < 3, lambda k: k + 1, [0])
    types = "Placeholder AddV2 MatMul Mul RealDiv Pack If While".split()
    assert [t.op.type for t in made] == types
    assert tf.no_op().type == "NoOp" and tf.group().control_inputs == []
    assert graph.building_function is False


def test_objects_stand_for_elements_by_name(graph):
    class Named:
        def _as_graph_element(self):
            return "x:0"

    x = tf.placeholder(tf.float32, name="x")
    assert graph.as_graph_element(Named()) is x
    with tf.control_dependencies([Named()]):
        y = tf.constant(1)
    assert y.op.control_inputs == [x.op]


@pytest.mark.parametrize("name", ["bogus", "/device:GPU", "/cpu:0/gpu:1", "/job:1", "/task:x"])
def test_devices_that_are_none(graph, name):
    with pytest.raises(ValueError, match="is not a valid device name"), tf.device(name):
        pass
    with pytest.raises(TypeError, match="a device is a name"), tf.device(3):
        pass


def test_device_specs():
    spec = tf.DeviceSpec.from_string("/job:w/gpu:1")
    assert (spec.job, spec.device_type, spec.device_index, spec.task) == ("w", "GPU", 1, None)
    assert spec.replace(device_index=2).to_string() == "/job:w/device:GPU:2"
    assert spec == tf.DeviceSpec(job="w", device_type="gpu", device_index=1)
    assert len({spec, tf.DeviceSpec.from_string(str(spec))}) == 1


def test_collections_of_the_default_graph(graph):
    tf.add_to_collection(tf.GraphKeys.LOSSES, 1)
    tf.add_to_collections(["mine", tf.GraphKeys.LOSSES], 2)
    assert tf.get_collection("losses") == [1, 2]
    tf.get_collection_ref("mine").append(3)
    assert graph.get_collection("mine") == [2, 3]
    with tf.name_scope("a"):
        v = tf.Variable(1.0, name="v")
    assert [w is v for w in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, "a/")] == [True]
    assert tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "b/") == []
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        tf.add_to_collection("mine", 4)


def test_branches_and_loop_bodies_add_to_the_collections_around(graph):
    tf.add_to_collection("mine", 1)

    def body(k, x):
        tf.add_to_collection("loops", "once")
        tf.cond(k > 0, lambda: tf.add_to_collection("mine", 4) or k, lambda: k)
        return k + 1, tf.concat([x, x], 0)  # the body is traced again, for the changed shape

    def then():
        assert tf.get_collection("mine") == [1]
        tf.add_to_collection("mine", 2)
        return tf.constant(0)

    tf.cond(tf.placeholder(tf.bool, []), then, lambda: tf.add_to_collection("mine", 3) or 1)
    assert tf.get_collection("mine") == [1, 2, 3]
    start = [tf.constant(0), tf.zeros([1])]
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    tf.while_loop(lambda k, x: k < 3, body, start, shape_invariants=shapes)
    assert tf.get_collection("mine") == [1, 2, 3, 4]
    assert tf.get_collection("loops") == ["once"]

    @tf.function
    def collect():
        tf.add_to_collection("mine", 5)
        return tf.constant(tf.get_collection("mine"))

    with tf.Session() as session:
        assert session.run(collect()).tolist() == [1, 2, 3, 4, 5]
    assert tf.get_collection("mine") == [1, 2, 3, 4]  # a function has its own


def test_control_inputs_of_other_kinds(graph):
    v = tf.Variable(1.0)
    assign = v.assign(2.0)
    with tf.control_dependencies([assign, "Variable/Assign", v]):
        x = tf.constant(1) + 1
    names = [node.op_def.name for node in x.op.control_inputs]
    assert names == ["assign_variable", "assign_variable", "read_variable"]
    for wrong in (3, None):
        with pytest.raises(TypeError, match="Can not convert a"):
            with tf.control_dependencies([wrong]):
                pass


def test_bodies_wait_for_what_stands_outside(graph, capsys):
    flag = tf.placeholder(tf.bool, [])
    x = tf.constant(1)
    shown = tf.print("outside")

    def body():
        with tf.control_dependencies([shown]):
            return tf.cond(flag, lambda: x + 1, lambda: x)

    y = tf.cond(flag, body, lambda: x)

    def deep():
        def deeper():
            with tf.control_dependencies([shown]):
                return x + 2

        return tf.cond(flag, deeper, lambda: x)

    z = tf.cond(flag, deep, lambda: x)
    with tf.Session() as sess:
        assert sess.run(y, {flag: True}) == 2 and capsys.readouterr().err == "outside\n"
        assert sess.run(z, {flag: True}) == 3 and capsys.readouterr().err == "outside\n"


def test_threads_add_to_one_graph_each_with_its_own_scopes(graph):
    barrier = threading.Barrier(4)
    failed = []

    def work(number):
        try:
            with graph.as_default(), tf.name_scope(f"t{number}"), tf.device(f"/cpu:{number}"):
                first = tf.constant(number, name="first")
                with tf.control_dependencies([first]):
                    barrier.wait()
                    for _ in range(50):
                        made = first + 1
                        assert made.name.startswith(f"t{number}/add")
                        assert made.device == f"/device:CPU:{number}"
                        assert made.op.control_inputs == [first.op]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    names = [node.name for node in graph.get_operations()]
    assert len(names) == len(set(names)) and [n.index for n in graph.operations] == list(
        range(len(names))
    )


def test_sessions_side_by_side():
    graphs = [tf.Graph() for _ in range(2)]
    sessions, variables = [], []
    for number, g in enumerate(graphs):
        with g.as_default():
            variables.append(tf.Variable(float(number), name="v"))
            g.init = tf.global_variables_initializer()
        sessions += [tf.Session(graph=g), tf.Session(graph=g)]
    for number, session in enumerate(sessions):
        session.run(session.graph.init)
        variables[number // 2].load(number * 10.0, session)
    values = [s.run(variables[n // 2]) for n, s in enumerate(sessions)]
    assert values == [0, 10, 20, 30]
    with pytest.raises(tf.errors.FailedPreconditionError, match="'v:0': it has no value yet"):
        tf.Session(graph=graphs[0]).run(variables[0])
    with sessions[0] as outer, sessions[3]:
        assert tf.get_default_session() is sessions[3]
        assert tf.get_default_graph() is graphs[1] and outer is sessions[0]


def test_other_blocks(graph):
    with tf.name_scope("a"), tf.name_scope("b"):
        assert graph.get_name_scope() == "a/b"
    with tf.container("c") as name, tf.colocate_with(tf.constant(1)):
        assert name == "c"
    assert graph.get_name_scope() == "" and graph.seed is None
