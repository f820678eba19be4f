"""Which share of a series of tests runs always; the rest runs where all tests do (``-m ""``).

Series are listed that take more than a second: of all others a part would save nothing.
"""

from __future__ import annotations

OF_FILES = {
    14: """
        runtime/engine/xla/test_programs.py runtime/engine/xla/test_sweep.py
    """,
    12: """
        benchmarks/test_against_peers.py
    """,
    6: """
        autograph/staging/test_tiny_backend.py
        runtime/engine/llvm/test_array_sweep.py runtime/engine/llvm/test_complex_sweep.py
        runtime/engine/llvm/test_native_random.py runtime/engine/xla/test_tensor_arrays.py
        runtime/functions/test_codecs.py
        runtime/functions/test_jit_lists.py runtime/functions/test_long_loops.py
        runtime/functions/test_references.py runtime/functions/test_variants.py
        runtime/keras/test_golden.py runtime/keras/test_layer_golden.py
    """,
    4: """
        test_op_table.py
        runtime/array_api/test_functions.py
        runtime/data/test_elements.py runtime/data/test_staged.py
        runtime/engine/llvm/test_computed_elements.py runtime/engine/llvm/test_narrow_sweep.py
        runtime/engine/llvm/test_native_tries.py
        runtime/engine/llvm/test_native_variables.py runtime/engine/llvm/test_row_layouts.py
        runtime/engine/llvm/test_products.py runtime/engine/llvm/test_short_rows.py
        runtime/engine/llvm/test_scalar_sweep.py runtime/engine/llvm/test_transposed_reads.py
        runtime/engine/llvm/test_known_powers.py runtime/engine/llvm/test_speculation.py
        runtime/engine/vector_math/test_vector_math.py
        runtime/functions/test_array_arguments.py runtime/functions/test_jit_containers.py
         runtime/functions/test_jit_nested_maps.py
        runtime/functions/test_joined_numbers.py runtime/functions/test_library_attributes.py
        runtime/functions/test_made_arrays.py runtime/functions/test_optional_attributes.py
        runtime/keras/test_attention_golden.py runtime/keras/test_features.py
        runtime/keras/test_mixed_precision.py
        runtime/ops/test_op_refusals.py runtime/ops/test_small_matrices.py
        runtime/ops/test_tensorflow_calls.py runtime/ops/test_window_products.py
        runtime/staging/numpy_arrays/test_numpy_functions.py
        runtime/staging/python_numbers/test_numbers_beside_scalars.py
        runtime/staging/python_numbers/test_python_functions.py
        runtime/types/test_bfloat16.py
    """,
    3: """
        test_programs.py runtime/engine/llvm/test_narrow_floats.py runtime/ops/test_gradients.py
    """,
    2: """
        runtime/array_api/test_expressions.py runtime/autodiff/test_every_way.py
        runtime/autodiff/test_forward_mode.py runtime/autodiff/test_tensor_arrays.py
        runtime/engine/llvm/test_array_views.py runtime/engine/llvm/test_sums_of_halves.py
        runtime/export/onnx_models/test_edges.py runtime/export/onnx_models/test_examples.py
        runtime/export/onnx_models/test_keras_layers.py
        runtime/export/onnx_models/test_node_cases.py runtime/export/onnx_models/test_op_table.py
        runtime/functions/choice/test_programs.py runtime/functions/test_jit_collections.py
        runtime/functions/test_swapped_arrays.py runtime/functions/test_unused_reads.py
        runtime/keras/test_image_boxes.py runtime/keras/test_images.py
        runtime/keras/test_op_golden.py runtime/keras/test_ops.py
        runtime/ops/test_promises.py
        runtime/staging/python_numbers/test_number_operands.py
        runtime/staging/test_staged_maps.py runtime/state/test_variable_choices.py
    """,
}
"""One test of so many runs, in the long series (``nightly.LONG``) of these files."""
OF_SERIES = {
    12: """
        autograph/syntax/test_emit.py::test_a_file_of_the_standard_library
        runtime/engine/xla/test_sizes.py::test_as_on_the_cpu
    """,  # noqa: E501
    6: """
        autograph/cli/test_names.py::test_pipes_and_devices_are_refused
        autograph/conversion/test_module_source.py::test_only_bodies_change
        autograph/operators/calls/test_recursion_in_trees.py::test_values_of_python_are_staged_before_the_calls_multiply
        runtime/composite/test_ctc.py::test_gradients_are_slopes
        runtime/distribute/test_mirrored.py::test_assignments_of_replicas_are_aggregated
        runtime/engine/llvm/test_array_loops.py::test_orders
        runtime/engine/llvm/test_array_loops.py::test_scans_are_equal_to_the_bit
        runtime/engine/llvm/test_array_loops.py::test_the_first_nan_is_the_extreme
        runtime/engine/llvm/test_array_loops.py::test_updates_at_indexes
        runtime/engine/llvm/test_computed_elements.py::test_indexes_are_checked
        runtime/engine/llvm/test_computed_elements.py::test_samples
        runtime/engine/llvm/test_fusions.py::test_reductions
        runtime/engine/llvm/test_native_array_writes.py::test_numbers_that_are_converted
        runtime/engine/llvm/test_tiles.py::test_tiles
        runtime/engine/xla/test_programs.py::test_as_plain_python
        runtime/staging/test_eager_is_staged.py::test_binary
        runtime/staging/test_long_chains.py::test_long_chains_are_staged
        runtime/engine/llvm/test_scalar_sweep.py::test_tensors
        runtime/engine/llvm/test_products.py::test_matrices_of_all_layouts
        runtime/engine/llvm/test_reductions.py::test_arrays
        runtime/engine/llvm/test_windows.py::test_convolutions_and_their_gradients
        runtime/engine/llvm/test_windows.py::test_pooling_and_its_gradients
        runtime/engine/llvm/test_narrow_floats.py::test_chains
        runtime/engine/vector_math/test_vector_math.py::test_a_lane_has_the_bits_of_the_scalar_function
        runtime/keras/test_optimizers.py::test_state_is_made_in_the_first_call_of_a_function
        runtime/staging/numpy_arrays/test_numpy_equivalents.py::test_of_each_dtype_and_shape
        runtime/test_error_texts.py::test_a_traceback_proposes_the_nearest_once
        runtime/engine/llvm/test_native_variables.py::test_programs_do_what_the_reference_does
        runtime/engine/llvm/test_native_tries.py::test_programs
    """,  # noqa: E501
    4: """
        autograph/cli/test_targets.py::test_modules_of_packages
        autograph/cli/test_targets.py::test_errors
        autograph/cli/test_streams_and_signals.py::test_streams_that_are_closed
        autograph/cli/test_streams_and_signals.py::test_a_signal_leaves_no_process
        autograph/syntax/test_typed_source.py::test_the_text_of_the_command_line_is_source
        autograph/syntax/test_source.py::test_every_function_of_a_module_is_found_as_in_the_whole_file
        backends/test_jax.py::test_derivatives_of_a_loop_that_is_left
        runtime/data/test_atomic_files.py::test_a_killed_writer_leaves_old_or_new_data
        runtime/test_fresh_process.py::test_uses_in_a_fresh_process
        runtime/engine/llvm/test_native_tensor_arrays.py::test_random_changes
        runtime/engine/llvm/test_run_time_slices.py::test_random_programs
        runtime/engine/llvm/test_shared_tasks.py::test_large_fusions_are_equal_to_the_bit_for_any_number_of_threads
        runtime/engine/llvm/test_native_maps.py::test_random_changes
        runtime/engine/llvm/test_sums_of_halves.py::test_other_layouts
        runtime/engine/llvm/test_native_loops.py::test_counts
        runtime/engine/xla/test_host_calls.py::test_draws_are_those_of_the_cpu
        runtime/engine/xla/test_programs.py::test_gradients_of_loops_with_lists
        runtime/engine/xla/test_programs.py::test_a_list_gets_more_room_when_it_needs_it
        runtime/engine/xla/test_tensor_arrays.py::test_errors_are_those_of_the_cpu
        runtime/export/native_code/test_export_layers.py::test_layer
        runtime/export/native_code/test_export_arrays.py::test_products
        runtime/export/native_code/test_export_arrays.py::test_views_are_copies
        runtime/functions/test_distant_state.py::test_a_distant_object_is_state
        runtime/functions/test_interrupted_imports.py::test_interrupts_at_some_lines_of_the_first_trace
        runtime/functions/test_interrupted_first_calls.py::test_an_error_at_some_lines_of_the_first_call
        runtime/functions/test_jit_containers.py::test_changes_between_calls_are_seen
        runtime/graph/test_parser.py::test_random_graphs_read_back_before_and_after_the_passes
        runtime/staging/numpy_arrays/test_numpy_equivalents.py::test_of_two_dtypes
        runtime/staging/numpy_arrays/test_numpy_equivalents.py::test_of_infinities_and_nan
        runtime/staging/test_long_chains.py::test_long_chains_have_gradients
        runtime/staging/test_recursion.py::test_results_of_other_types_in_each_call
        runtime/engine/llvm/test_row_layouts.py::test_arrays_of_any_layout_are_read
        runtime/engine/llvm/test_short_rows.py::test_combinations
        runtime/array_api/test_functions.py::test_two_arrays
    """,  # noqa: E501
    3: """
        autograph/cli/test_help_examples.py::test_example
        autograph/lint/test_codes.py::test_remedy_works_on_jax
        runtime/devices/test_eager_sweep.py::test_a_gpu_agrees_with_the_cpu
        examples/test_examples.py::test_same_values_dtypes_and_text
        runtime/engine/llvm/test_compositions.py::test_losses_and_gradients_call_no_kernels
        runtime/engine/llvm/test_decompositions.py::test_the_results_are_those_of_the_kernels
        runtime/engine/llvm/test_native_list_programs.py::test_programs_run_whole_in_native_code
        runtime/engine/llvm/test_native_maps.py::test_programs_run_whole_in_native_code
        runtime/engine/llvm/test_native_scans.py::test_results_are_those_of_the_kernel
        runtime/engine/llvm/test_native_tries.py::test_no_exception_is_made_where_the_handler_needs_none
        runtime/engine/llvm/test_repeated_fusions.py::test_blocks_have_the_bits_of_whole_arrays
        runtime/engine/llvm/test_run_time_slices.py::test_kernels_call_no_kernels
        runtime/engine/llvm/test_native_arrays.py::test_numbers
        runtime/engine/llvm/test_fusions.py::test_elements_have_the_bits_of_the_kernels
        runtime/functions/test_exchanged_arrays.py::test_arrays_of_the_function_change_places
        runtime/functions/test_jit_memos.py::test_results_are_stored_as_in_plain_python
        runtime/functions/test_jit_tables.py::test_a_lookup_is_as_in_plain_python
        runtime/functions/test_jit_matches.py::test_results_are_pythons
        runtime/functions/test_sequence_classes.py::test_iteration_by_number
        runtime/functions/test_long_loops.py::test_nests_give_what_python_gives
        runtime/staging/numpy_arrays/test_array_operators.py::test_operators_give_what_numpy_gives
        runtime/staging/test_counters.py::test_counters_compute_as_in_python
        runtime/keras/test_scripts.py::test_losses_are_those_of_tensorflow
    """,  # noqa: E501
    2: """
        autograph/syntax/test_typed_source.py::test_what_is_typed_is_told_once
        runtime/keras/test_mixed_precision.py::test_a_model_is_trained_and_saved
        backends/test_jax_math.py::test_values
        examples/test_examples.py::test_runs_as_a_script
        autograph/drawing/test_in_browser.py::test_boxes_open_and_close
        autograph/operators/calls/test_recursion.py::test_what_a_recursive_function_changes_is_carried
        backends/test_nested_lists.py::test_lists_of_lists
        runtime/distribute/test_mirrored.py::test_gradients_of_a_sum_over_replicas
        runtime/distribute/test_mirrored.py::test_what_replicas_exchange
        runtime/distribute/test_processes_die.py::test_processes_out_of_step
        runtime/engine/llvm/test_inspection.py::test_perf_map_follows_no_link_and_waits_for_no_pipe
        runtime/engine/llvm/test_shared_tasks.py::test_signals_interrupt_a_kernel
        runtime/engine/llvm/test_narrow_floats.py::test_conversions_to_others
        runtime/engine/llvm/test_narrow_floats.py::test_conversions_from_others
        runtime/engine/xla/test_host_calls.py::test_prints_come_once_and_in_order
        runtime/keras/test_names.py::test_layers_without_weights_are_built_from_the_start
        stdlib/test_converted_modules.py::test_no_test_is_lost
        stdlib/test_replaced_modules.py::test_no_passing_test_is_lost
        runtime/engine/llvm/test_windows.py::test_numbers_that_are_not_finite
        runtime/engine/llvm/test_sums_of_halves.py::test_sums_of_what_a_fusion_computes
    """,  # noqa: E501
}
"""One test of so many runs, in these series."""
SHARES = {
    f"tests/{name}": share
    for table in (OF_FILES, OF_SERIES)
    for share, names in table.items()
    for name in names.split()
}
