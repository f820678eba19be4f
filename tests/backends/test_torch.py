"""Converted Python on PyTorch: programs, export, effects."""

from __future__ import annotations

import io
import shutil

import pytest

import autograph
from tests.backends import constructs, harness
from tests.support.nightly import NIGHTLY

torch = pytest.importorskip("torch", reason="torch is not installed")


class Model(torch.nn.Module):
    """A model whose forward pass is a converted function."""

    def __init__(self, function):
        super().__init__()
        self.function = autograph.to_graph(function)

    def forward(self, *args):
        return self.function(*args)


def export(function, *examples):
    """A function, exported with these arguments."""
    return torch.export.export(Model(function), examples)


def exported(function, *examples):
    """The same, run by PyTorch."""
    return export(function, *examples).module()


def on_numbers(function):
    """A program that takes Python numbers known at run time, recorded as one graph."""
    from autograph.backends.bounded_lists import maximum_size
    from autograph.backends.torch import BACKEND, graph_of

    converted = autograph.to_graph(function)
    graphs = {}

    def call(*args):
        tensors = [BACKEND.constant(arg) for arg in args]
        key = tuple(map(type, args))
        if key not in graphs:
            parts = []

            def whole(*inputs):
                with BACKEND.results_as_they_are():
                    result = converted(*map(BACKEND.scalar, inputs))
                graphs[key] = BACKEND.template(result, parts), None
                return parts

            with maximum_size(64):
                graph = graph_of(whole, *tensors)
            graphs[key] = graphs[key][0], graph
        template, graph = graphs[key]
        return template([tensor.numpy() for tensor in graph(*tensors)])

    return call


def test_a_slice_of_the_programs():
    harness.check("torch", on_numbers, 12)


def test_the_table_of_constructs(request):
    constructs.check("PyTorch", on_numbers, request)


@NIGHTLY
def test_all_programs():
    harness.check("torch", on_numbers, None)


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def test_export_of_a_loop():
    module = exported(collatz, torch.tensor(6))
    assert [int(module(torch.tensor(n))) for n in (1, 6, 27)] == [0, 8, 111]


def test_lists_become_tensors():
    def halves(x):
        found = []
        for i in range(4):
            if x[i] > 2:
                x = x / 2
            found.append(x.sum())
        return torch.stack(found)

    x = torch.tensor([1.0, 4.0, 6.0, 8.0])
    assert exported(halves, x)(x).tolist() == halves(x).tolist()


def test_a_layer_in_a_branch():
    class Gated(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 3)
            self.forward = autograph.to_graph(self.forward)

        def forward(self, x):
            if x.sum() > 0:
                x = self.linear(x)
            while x.abs().sum() > 1:
                x = x / 2
            return x

    model = Gated()
    x = torch.ones(2, 3)
    module = torch.export.export(model, (x,)).module()
    for y in (x, -x):
        torch.testing.assert_close(module(y), model(y))


def saved(program):
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    return torch.export.load(file).module()


def packaged(program, folder):
    path = torch._inductor.aoti_compile_and_package(program, package_path=str(folder / "model.pt2"))
    return torch._inductor.aoti_load_package(path)


def halve(x):
    if x.sum() > 0:
        x = x - x.mean() / 3
    while x.abs().sum() > 1:
        x = x / 2
    return x


def test_an_exported_program_is_saved():
    example = torch.tensor([[1.0, 3.0], [0.5, 7.0]])
    module = saved(export(halve, example))
    for x in (example, -example):
        torch.testing.assert_close(module(x), halve(x))


@NIGHTLY
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_inductor_compiles_branches_and_loops(tmp_path):
    example = torch.tensor([[1.0, 3.0], [0.5, 7.0]])
    program = export(halve, example)
    compiled = torch.compile(program.module(), fullgraph=True)
    for run in (compiled, packaged(program, tmp_path)):
        for x in (example, -example):
            torch.testing.assert_close(run(x), halve(x))


def test_exceptions_have_their_class_and_print_their_text(capsys):
    def checked(x):
        print("x is", x)
        if x < 0:
            raise ValueError(f"{x} is negative")
        return x + 1

    module = exported(checked, torch.tensor(3))
    assert int(module(torch.tensor(4))) == 5
    assert capsys.readouterr().out == "x is 4\n"
    with pytest.raises(ValueError, match="-2 is negative"):
        module(torch.tensor(-2))


def test_a_change_in_place_of_what_is_outside_is_refused():
    def changed(x):
        y = x + 1
        if x.sum() > 0:
            y.add_(1)
        return y

    with pytest.raises(autograph.AutoGraphError, match="in place"):
        exported(changed, torch.ones(2))
