"""Reasons why ops are refused, where the op itself does not tell enough."""

from __future__ import annotations

from runtime.export.onnx_models.graph_writer import REASONS


def _refuses(text: str, names: str) -> None:
    REASONS.update(dict.fromkeys(names.split(), text))


_refuses("it raises an exception, and an ONNX model has none: return a flag instead", "raise")
_refuses(
    "it checks what an ONNX model cannot: check it before the model runs, or return a flag",
    "assert check_numerics assert_rank guarded",
)
_refuses("a model catches no exceptions: return a flag instead of raising", "try save")
_refuses("it prints, and an ONNX model cannot: return the value instead", "print")
_refuses(
    "its random numbers depend on a state, which an ONNX model has not: make them an argument",
    "random_uniform random_normal random_truncated_normal random_parameterized_truncated_normal "
    "random_gamma random_poisson random_binomial random_uniform_full_int random_shuffle "
    "random_categorical rng_read_and_skip set_seed",
)
_refuses(
    "ONNX does not say which random numbers a seed gives: make them an argument",
    "stateless_random_uniform stateless_random_normal stateless_random_truncated_normal "
    "stateless_random_parameterized_truncated_normal stateless_random_gamma "
    "stateless_random_poisson stateless_random_binomial stateless_random_uniform_full_int "
    "stateless_shuffle stateless_random_categorical random_index_shuffle",
)
_refuses("it calls Python, which an ONNX model cannot", "py_func call_python")
_refuses("functions of ONNX cannot call themselves: write a loop", "recurse")
_refuses(
    "it reads or changes what is kept outside of the model",
    "read_file write_file matching_files table_import table_insert table_remove table_lookup "
    "table_size table_export queue_enqueue queue_dequeue queue_dequeue_many queue_size "
    "queue_is_closed queue_close write_summary flush_summaries",
)
_refuses(
    "a model has no datasets: make the elements an argument",
    "dataset make_iterator iterator_next iterator_has_next iterator_next_as_optional dataset_save "
    "dataset_reduce dataset_cardinality initialize_iterator read_iterator",
)
