"""Lists of lists that grow, where buffers hold them: results, texts, refusals."""

from __future__ import annotations

import pytest

import autograph
from autograph.errors import ConcreteValueError


def on_numbers(name):
    """What stages a program on numbers, by a library."""
    pytest.importorskip(name, reason=f"{name} is not installed")
    if name == "jax":
        from tests.backends.test_jax import on_numbers
    else:
        from tests.backends.test_torch import on_numbers
    return on_numbers


def triangle(n):
    rows = []
    i = 0
    while i < n:
        row = []
        j = 0
        while j < i:
            row.append(j + 0.5)
            j += 1
        rows.append(row)
        i += 1
    return rows


def shown(n):
    rows = []
    i = 0
    while i < n:
        row = []
        j = 0
        while j < i:
            row.append(j)
            j += 1
        rows.append((i, row))
        print(rows, row)
        i += 1
    print(f"{rows}")
    return i


def deep(n):
    cube = []
    i = 0
    while i < n:
        rows = []
        j = 0
        while j < n:
            row = [j]
            if j > 1:
                row.append(i)
            rows.append(row)
            j += 1
        cube.append(rows)
        i += 1
    return len(cube)


@pytest.mark.parametrize("name", ["jax", "torch"])
def test_lists_of_lists(name, capsys):
    prepare = on_numbers(name)
    for n in (0, 1, 3):
        assert prepare(triangle)(n) == triangle(n)
        capsys.readouterr()
        shown(n)
        expected = capsys.readouterr().out
        prepare(shown)(n)
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize("name", ["jax", "torch"])
def test_a_third_level_is_refused(name):
    with pytest.raises(ConcreteValueError, match=r"test_nested_lists\.py:.*list of lists of lists"):
        on_numbers(name)(deep)(3)


def test_a_result_of_pytorch_is_a_buffer_and_lengths():
    torch = pytest.importorskip("torch", reason="torch is not installed")

    class Model(torch.nn.Module):
        def forward(self, n):
            with autograph.backends.bounded_lists.maximum_size(4):
                return autograph.to_graph(triangle)(n)

    rows, lengths, count = torch.export.export(Model(), (torch.tensor(3),)).module()(
        torch.tensor(3)
    )
    assert (lengths[: int(count)].tolist(), rows[2, :2].tolist()) == ([0, 1, 2], [0.5, 1.5])
