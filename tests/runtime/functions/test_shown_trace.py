"""Traces draw themselves, and notebooks show traces and what ``explain()`` says."""

from __future__ import annotations

import runtime as tf


@tf.function
def scaled(x, factor):
    return {"sum": tf.reduce_sum(x) * factor, "parts": [x, (tf.tanh(x), None)]}


def test_results_have_the_names_of_the_returned_structure() -> None:
    trace = scaled.get_concrete_function(tf.TensorSpec([2]), tf.constant(2.0))
    diagram = trace.__diagram__()
    assert diagram.title == "scaled"
    assert [one.title for one in diagram.vertices if one.kind.value == "output"] == [
        "result['parts'][0]", "result['parts'][1][0]", "result['sum']",
    ]  # fmt: skip
    assert trace.to_svg().count("<svg") == trace._repr_html_().count("<svg") == 1


def test_state_is_an_output_too(tmp_path) -> None:
    class Counter:
        total = 0

    counter = Counter()

    @tf.function
    def add(x):
        counter.total = counter.total + x
        return x

    add(tf.constant(1))
    trace = add.get_concrete_function(tf.constant(1))
    trace.draw(tmp_path / "trace.svg")
    assert "output 1" in (tmp_path / "trace.svg").read_text()


def test_explanations_are_pages_with_the_latest_drawings() -> None:
    @tf.function
    def tripled(x):
        return x * 3

    assert "has not been traced yet" in tripled._repr_html_()
    for size in range(5):
        tripled(tf.zeros([size]))
    text = tripled.explain()._repr_html_()
    assert text == tripled._repr_html_()
    assert text.count("<details") == 5
    assert text.count("<svg") == 3
    assert "tripled: 5 calls, traced 5 times" in text
    assert "the shape of &#x27;x&#x27; differs" in text
    assert str(tripled.explain()).startswith("tripled: 5 calls")
