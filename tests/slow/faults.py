"""The faults that ``seeded_faults`` sows: for each room and pass a small, plausible mistake.

A fault names the room it belongs to, the change - a text that occurs once in the packages, and
what stands there instead; further pairs are for versions in which names have changed - and the
tests that should notice: files and folders of tests/, found by the end of their paths
(``a.py|b.py`` for one that has changed its name).
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One mistake, and where it should be noticed."""

    name: str
    room: str
    changes: tuple[tuple[str, str], ...]
    tests: str


def _fault(name: str, room: str, tests: str, *texts: str) -> Fault:
    return Fault(name, room, tuple(zip(texts[::2], texts[1::2], strict=True)), tests)


RUNTIME = (
    _fault(
        "unknown size joined with a known one", "types",
        "test_types.py|test_shapes.py",
        "TensorShape([a if a == b else None for a, b in pairs])",
        "TensorShape([a if a == b or b is None else None for a, b in pairs])",
    ),
    _fault(
        "narrowest of NumPy's integers", "types",
        "types/test_promotion.py test_values.py|test_conversion.py",
        "return max((DTYPE_OF_NUMPY[to_array(v).dtype] for v in values)",
        "return min((DTYPE_OF_NUMPY[to_array(v).dtype] for v in values)",
    ),
    _fault(
        "dict rebuilt in sorted order", "types",
        "test_nest.py",
        "ordered = {key: by_key[key] for key in like}",
        "ordered = by_key",
        "if keys != order:\n            mapping = {key: mapping[key] for key in order}",
        "if False:\n            mapping = {key: mapping[key] for key in order}",
    ),
    _fault(
        "large negative ints wrap around", "types",
        "test_values.py|test_conversion.py",
        "if array.size and (array.min() < INT32_MIN or array.max() > INT32_MAX):",
        "if array.size and array.max() > INT32_MAX:",
    ),
    _fault(
        "mean's gradient of unknown sizes", "ops/math",
        "test_reduction.py test_derivatives.py|ops/test_gradients.py "
        "test_derivative_edges.py|test_gradient_edges.py",
        "return cast(count(x) // maximum(count(y), np.int64(1)), x.dtype)",
        "return cast(count(x), x.dtype)",
    ),
    _fault(
        "slice beyond the end", "ops/array",
        "ops/test_indexing.py test_op_refusals.py test_shape.py tests/test_op_table.py",
        "or (d is not None and b + max(s, 0) > d):",
        "or (d is not None and b > d):",
    ),
    _fault(
        "gradient of a product of two transposed", "ops/linalg",
        "test_derivatives.py|ops/test_gradients.py",
        "return summed_to(product(dy, a, True, transpose_a), b)",
        "return summed_to(product(dy, a, True, False), b)",
    ),
    _fault(
        "slope of gelu", "ops/nn",
        "test_derivatives.py|ops/test_gradients.py",
        "scale * (1 + 3 * 0.044715 * square(x))",
        "scale * (1 + 0.044715 * square(x))",
    ),
    _fault(
        "truncated at one end only", "ops/random",
        "test_random.py",
        "wrong = (values < low) | (values > high)\n    for",
        "wrong = values > high\n    for",
    ),
    _fault(
        "characters of more than one byte", "ops/string",
        "test_strings.py",
        "sum(b & 0xC0 != 0x80 for b in s)",
        "sum(b & 0x80 != 0x80 for b in s)",
    ),
    _fault(
        "negative branch index", "ops/control_flow",
        "test_control_flow.py|test_cond_while.py",
        "if not 0 <= chosen < len(branches):",
        "if chosen >= len(branches):",
    ),
    _fault(
        "an item is set in the list before, too", "ops/resource",
        "test_staged_state.py tests/test_programs.py",
        "entries = list(handle)\n    entries[_place(handle, index, messages)] = values",
        "entries = handle._entries\n    entries[_place(handle, index, messages)] = values",
    ),
    _fault(
        "float beside an integer tensor", "eager",
        "eager/test_tensor.py types/test_promotion.py",
        "kind is int and dtype in WIDE_INTEGERS and INT32_MIN <= other <= INT32_MAX",
        "dtype in WIDE_INTEGERS and INT32_MIN <= other <= INT32_MAX",
    ),
    _fault(
        "cond forgets the control inputs around it", "graph",
        "graph/test_graph.py test_control_flow.py|test_cond_while.py test_effect_order.py",
        "(*control, *[node for node in mine if node is not None])",
        "[node for node in mine if node is not None]",
        "(*control, *[node for node in needed if node is not None])",
        "[node for node in needed if node is not None]",
    ),
    _fault(
        "captured Python number becomes a tensor", "graph",
        "test_subgraph.py|test_func_graph.py test_staging.py|test_backend.py "
        "test_python_scalar_kernels.py",
        "inner = self.add_input(direct.spec, direct.weak)",
        "inner = self.add_input(direct.spec)",
    ),
    _fault(
        "fold: random numbers and prints", "engine/passes",
        "test_fold.py test_random_graphs.py",
        "_OUT = frozenset((HIGHER_ORDER, STATEFUL))",
        "_OUT = frozenset((HIGHER_ORDER,))",
    ),
    _fault(
        "simplify: x + 0.0", "engine/passes",
        "test_simplify.py test_random_graphs.py",
        "return array.tobytes() == filled.tobytes()",
        "return bool((array == filled).all())",
    ),
    _fault(
        "share: reads across writes", "engine/passes",
        "test_share.py|test_cse.py test_random_graphs.py",
        "epoch += READS not in op_def.traits",
        "epoch += READS in op_def.traits",
    ),
    _fault(
        "prune: what may raise", "engine/passes",
        "test_prune.py test_random_graphs.py",
        "if id(node) not in needed and total(node):",
        "if id(node) not in needed and not node.stateful:",
    ),
    _fault(
        "propagate: a shape that a turn loses", "engine/passes",
        "test_propagate.py test_random_graphs.py test_control_flow.py|test_cond_while.py",
        "if not body.outputs[k].shape.is_subtype_of(start[k].shape)}",
        "if not body.outputs[k].shape.is_compatible_with(start[k].shape)}",
    ),
    _fault(
        "hoist: what raises, before a loop of no turns", "engine/passes",
        "test_hoist.py test_random_graphs.py",
        "if all(known) and total(one):",
        "if all(known) and not one.stateful:",
        "if all(invariant) and total(op):",
        "if all(invariant) and not op.stateful:",
    ),
    _fault(
        "inline: notes of reuse are kept", "engine/passes",
        "test_inline.py test_reuse.py|test_reuse_buffers.py test_random_graphs.py "
        "passes/test_pipeline.py",
        "for one in nodes:\n            forget(one)",
        "for one in nodes[:0]:\n            forget(one)",
        "for operation in nodes:\n            forget(operation)",
        "for operation in nodes[:0]:\n            forget(operation)",
    ),
    _fault(
        "decide: a test with effects", "engine/passes",
        "test_decide.py|test_fold_branches.py test_random_graphs.py",
        "if not plain or any(value is None for value in values):",
        "if any(value is None for value in values):",
    ),
    _fault(
        "freeze: state that only what raises reads", "engine/passes",
        "test_freeze.py|test_invariant_state.py test_random_graphs.py",
        "if n.op_def is not placeholder_op and not total(n)}",
        "if n.op_def is not placeholder_op and n.stateful}",
        "if n.op_def is not placeholder_op and not total(n)\n",
        "if n.op_def is not placeholder_op and n.stateful\n",
    ),
    _fault(
        "reuse: fetched arrays", "engine/passes",
        "test_reuse.py|test_reuse_buffers.py passes/test_pipeline.py",
        "uses.update(id(t) for t in graph.outputs)\n        for index, tensor",
        "uses.update(id(t) for t in graph.outputs[:0])\n        for index, tensor",
    ),
    _fault(
        "reference: later control inputs", "engine/reference",
        "test_execute.py|test_plan.py graph/test_graph.py test_session.py",
        "late = late or control.index > node.index",
        "late = False",
    ),
    _fault(
        "generated code assigns one after the other", "engine/python_codegen",
        "test_written.py|test_python_codegen.py",
        "self.add(depth, f\"{', '.join(left)} = {', '.join(right)}\")",
        "self.add(depth, '; '.join(f'{a} = {b}' for a, b in pairs))",
    ),
    _fault(
        "effects do not wait for what may fail", "engine/parallel",
        "test_parallel.py",
        "before |= set(range(last_effect or 0, number))",
        "before |= set() if last_effect is None else {last_effect}",
    ),
    _fault(
        "fetches taken for feeds", "engine/session",
        "test_session.py test_session_refusals.py",
        "*map(id, elements), None, *map(id, feeds))",
        "*map(id, elements), *map(id, feeds))",
    ),
    _fault(
        "last value before the padding", "composite",
        "test_ragged_tensors.py|test_ragged_tensor.py",
        "where(real, places[None, :] + 1, zeros_like(sizes[1]))",
        "where(real, places[None, :], zeros_like(sizes[1]))",
    ),
    _fault(
        "a variable's read is taken for today's", "state",
        "test_variables.py|test_variable.py test_session.py",
        "if count != len(graph.operations) and not (graph.finalized and read is not None):",
        "if read is None:",
    ),
    _fault(
        "one iteration too many", "control_flow",
        "test_control_flow.py|test_cond_while.py",
        "(maximum is None or iterations < maximum)",
        "(maximum is None or iterations <= maximum)",
    ),
    _fault(
        "backprop goes on behind stops", "autodiff",
        "autodiff/test_gradients.py",
        "if key in stops:\n                    gradients[index] = None",
        "if key in stops and key not in wanted:\n                    gradients[index] = None",
    ),
    _fault(
        "gradients through two loop variables", "autodiff",
        "test_loops.py|test_vjp_loop.py autodiff/test_gradients.py",
        "closure(moved, lambda k: ahead[k])",
        "moved",
    ),
    _fault(
        "what the second branch saved", "autodiff",
        "autodiff/test_gradients.py test_every_way.py",
        "start, saved = start + count, saved + len(vjp.saved_residuals)",
        "start, saved = start + count, saved",
    ),
    _fault(
        "gradient cache mixes up sources", "autodiff",
        "test_recurring.py|test_gradient_cache.py test_tape.py",
        '("targets", map(id, targets)), ("sources", sources)',
        '("targets", map(id, targets)), ("sources", ())',
    ),
    _fault(
        "Jacobian-vector product forgets the vector", "autodiff",
        "test_forward.py|test_forward_mode.py",
        "back.gradient([g for g, _ in there], start, [t for _, t in there])",
        "back.gradient([g for g, _ in there], start)",
        "[g for g, _ in connected_pairs], start, [t for _, t in connected_pairs]\n        )",
        "[g for g, _ in connected_pairs], start\n        )",
    ),
    _fault(
        "persistent tape stops when asked", "autodiff",
        "test_tape.py",
        "if self._recording and not self._persistent:\n            self._stop()",
        "if self._recording:\n            self._stop()",
    ),
    _fault(
        "0.0 and -0.0 call alike", "functions",
        "test_function.py test_retracing.py",
        "return type(value), value.hex()  # tells",
        "return type(value), value  # tells",
        "return type(leaf), leaf.hex()  # tells",
        "return type(leaf), leaf  # tells",
    ),
    _fault(
        "annotations do not count in quick calls", "functions",
        "test_signatures.py|test_signature.py test_function_forms.py",
        "self._simple = len(parameters) if simple and not self._declares else -1",
        "self._simple = len(parameters) if simple else -1",
    ),
    _fault(
        "items of a returned dict change places", "functions",
        "test_packing.py|test_output_packing.py",
        'items = [f"n{known}[{i}]: {ordered[key]}" for i, key in enumerate(keys)]',
        'items = [f"n{known}[{i}]: {parts[i][1]}" for i, key in enumerate(keys)]',
        "[f'{keys}[{i}]: {by_key[key]}' for i, key in enumerate(order)]",
        "[f'{keys}[{i}]: {parts[i]}' for i, key in enumerate(order)]",
        '[f"{keys}[{i}]: {by_key[key]}" for i, key in enumerate(data[1])]',
        '[f"{keys}[{i}]: {parts[i]}" for i, key in enumerate(data[1])]',
    ),
    _fault(
        "number of batches", "data",
        "runtime/data",
        "return size // per if drop else -(-size // per)",
        "return size // per",
    ),
    _fault(
        "one turn more than maximum_iterations", "staging",
        "test_staging.py|test_backend.py test_staged_state.py",
        "self.both(count < limit, result)",
        "self.both(count <= limit, result)",
        "both(count < self._maximum, result)",
        "both(count <= self._maximum, result)",
    ),
)

AUTOGRAPH = (
    _fault(
        "with of one tuple", "autograph/syntax",
        "test_emit.py",
        "if len(node.items) == 1 and first.optional_vars is None and _is_tuple(",
        "if len(node.items) > 1 and first.optional_vars is None and _is_tuple(",
    ),
    _fault(
        "globals that inner functions assign", "autograph/analysis",
        "test_scopes.py test_liveness.py test_paths.py",
        "(walk.wrote & ~walk.globals) | written_outside",
        "walk.wrote & ~walk.globals",
    ),
    _fault(
        "with swallows nothing", "autograph/analysis",
        "test_cfg.py test_reaching.py|test_reaching_definitions.py test_liveness.py "
        "test_paths.py",
        "ExitTargets(self._node(None, node, (after, exits.raised), exits), exits.jumps)",
        "ExitTargets(self._node(None, node, (exits.raised,), exits), exits.jumps)",
    ),
    _fault(
        "exceptions come after a statement only", "autograph/analysis",
        "test_reaching.py|test_reaching_definitions.py test_paths.py",
        "state[caught] |= before | after",
        "state[caught] |= after",
    ),
    _fault(
        "what a handler reads is dead in the body", "autograph/analysis",
        "test_liveness.py test_paths.py",
        "before = needed[node] | ((after | caught) & unassigned[node]) | caught",
        "before = needed[node] | ((after | caught) & unassigned[node])",
    ),
    _fault(
        "one of two exits was not taken", "autograph/converters",
        "tests/test_golden.py tests/test_programs.py",
        "else at(gast.BoolOp(gast.And(), negated), origin)",
        "else at(gast.BoolOp(gast.Or(), negated), origin)",
    ),
    _fault(
        "breaks of inner loops skip else", "autograph/converters",
        "tests/test_golden.py tests/test_programs.py",
        "if not (isinstance(statement, LOOPS) and inner is statement.body):\n                _flag",
        "if True:\n                _flag",
    ),
    _fault(
        "what handlers read of the body", "autograph/converters",
        "tests/test_golden.py tests/test_programs.py",
        "return sorted(written & after), sorted((written & inside) - after)",
        "return sorted(written & after), []",
    ),
    _fault(
        "objects keep what one path did to them", "autograph/operators",
        "tests/test_programs.py",
        "self.state.write(self.before)\n        self.heap.restore()",
        "self.state.write(self.before)",
    ),
    _fault(
        "a list may change while a loop goes through it", "autograph/operators",
        "test_errors.py tests/test_programs.py",
        "if not (after.same(before) or home is not None and home.is_in_place(after)):",
        "if after is None:",
    ),
    _fault(
        "a joined list as it was before its path", "autograph/operators",
        "tests/test_programs.py",
        "with at_the_end_of(self.outcome):\n            return make(self.value, backend)",
        "if True:\n            return make(self.value, backend)",
    ),
    _fault(
        "changed defaults of a converted function", "autograph/conversion",
        "test_halves.py|test_unstaged.py test_api.py test_calls.py",
        "bound.__defaults__, bound.__kwdefaults__ = function.__defaults__, function.__kwdefaults__",
        "pass",
    ),
    _fault(
        "items of a dict of texts are numbers", "autograph/lint",
        "cli/test_check.py test_rules.py",
        "if is_text(node.slice):\n            return Kind.PYTHON",
        "if False:\n            return Kind.PYTHON",
    ),
    _fault(
        "unknown options are taken", "autograph/cli",
        "test_cli.py|test_main.py",
        "if extras:\n        options.parser.unknown(extras)",
        "if False:\n        options.parser.unknown(extras)",
    ),
)

FAULTS = (*RUNTIME, *AUTOGRAPH)
