"""JavaScript module beside WebAssembly: a function of numbers and typed arrays that calls it."""

from __future__ import annotations

from runtime.export.native_code.interface import Interface, Slot
from runtime.export.native_code.stand_ins import MESSAGE_BYTES

ARRAYS = {
    "bool": "Uint8Array", "int8_t": "Int8Array", "int16_t": "Int16Array", "int32_t": "Int32Array",
    "int64_t": "BigInt64Array", "uint8_t": "Uint8Array", "uint16_t": "Uint16Array",
    "uint32_t": "Uint32Array", "uint64_t": "BigUint64Array", "float": "Float32Array",
    "double": "Float64Array",
}  # fmt: skip
"""By C type: the class of typed arrays."""

_MODULE = """\
// Calls {name} of {file}: load(bytes or the response of a fetch) gives a function of
// {arguments}, which returns {results}.
const CALL_BYTES = {call_bytes};

export async function load(source, arenaBytes = 1 << 20) {{
  const loaded = source instanceof Response
    ? await WebAssembly.instantiateStreaming(source, {{}})
    : await WebAssembly.instantiate(source, {{}});
  const {{ memory, __heap_base, {name}, {init}autograph_use_arena }} = loaded.instance.exports;
  let next;
  const take = (bytes) => {{
    const start = (next + 15) & -16;
    next = start + bytes;
    const missing = next - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    return start;
  }};
  const put = (kind, values) => {{
    const start = take(values.length * kind.BYTES_PER_ELEMENT);
    new kind(memory.buffer, start, values.length).set(values);
    return start;
  }};
  const get = (kind, start, count) => new kind(memory.buffer, start, count).slice();
  const text = (start) => {{
    const bytes = new Uint8Array(memory.buffer, start);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }};
  next = __heap_base.value;
{make_state}  const firstFree = next;
  return ({parameters}) => {{
    next = firstFree;
    const call = take(CALL_BYTES);
{body}    const arena = take(arenaBytes);
    autograph_use_arena(call, arena, arenaBytes);
    const status = {name}({given});
    if (status !== 0) {{
      const words = new DataView(memory.buffer);
      const error = new Error(text(call + 24) || `status ${{status}}`);
      error.name = status === 4 ? "RangeError" : text(words.getUint32(call + 12, true));
      error.line = words.getInt32(call + 20, true);
      throw error;
    }}
    return {{ {returned} }};
  }};
}}
"""


def js_module(interface: Interface, file: str) -> str:
    """Return the text of the module."""
    parameters, body, given, returned = list[str](), list[str](), list[str](), list[str]()
    for slot in interface.arguments:
        parameters.append(slot.name)
        given += _argument(slot, parameters, body)
    for slot in interface.results:
        given += _result(slot, parameters, body)
        returned.append(f"{slot.name}: {_returned(slot)}")
    name, state = interface.name, bool(interface.state)
    given += ["state"] if state else []
    room = sum(variable.value.nbytes + 16 for variable in interface.state)
    make_state = f"  const state = take({room});\n  {name}_init(state);\n" if state else ""
    described = [f"{slot.name}: {slot.described}" for slot in interface.arguments]
    return _MODULE.format(
        name=name, file=file, call_bytes=24 + MESSAGE_BYTES, arguments=", ".join(described),
        results=f"{{ {', '.join(slot.name for slot in interface.results)} }}",
        init=f"{name}_init, " if state else "", make_state=make_state,
        parameters=", ".join(parameters), body="".join(body),
        given=", ".join([*given, "call"]), returned=", ".join(returned),
    )  # fmt: skip


def _argument(slot: Slot, parameters: list[str], body: list[str]) -> list[str]:
    """Add what puts an argument into memory; return what the function is given."""
    if slot.dims is None:
        return [f"BigInt({slot.name})" if "64" in slot.c_type else slot.name]
    sizes = [slot.size_name(axis) for axis in slot.unknown]
    parameters += sizes
    kind = ARRAYS[slot.c_type]
    body.append(f"    const {slot.name}At = put({kind}, {slot.name});\n")
    return [f"{slot.name}At", *(f"BigInt({size})" for size in sizes)]


def _result(slot: Slot, parameters: list[str], body: list[str]) -> list[str]:
    """Add what makes room for a result; return what the function is given."""
    kind = ARRAYS[slot.c_type]
    if not slot.unknown:
        body.append(f"    const {slot.name}At = take({_count(slot)} * {kind}.BYTES_PER_ELEMENT);\n")
        return [f"{slot.name}At"]
    parameters.append(f"{slot.name}Capacity = 65536")
    body += [
        f"    const {slot.name}At = take({slot.name}Capacity * {kind}.BYTES_PER_ELEMENT);\n",
        f"    const {slot.name}Sizes = take(8 * {len(slot.dims or ())});\n",
    ]
    return [f"{slot.name}At", f"BigInt({slot.name}Capacity)", f"{slot.name}Sizes"]


def _count(slot: Slot) -> int:
    count = 2 if slot.dtype.kind == "c" else 1
    for size in slot.dims or ():
        count *= size or 0
    return count


def _returned(slot: Slot) -> str:
    """Return the expression of a result."""
    kind = ARRAYS[slot.c_type]
    if slot.dims is None:
        number = f"get({kind}, {slot.name}At, 1)[0]"
        return f"{number} !== 0" if slot.dtype == bool else number
    if not slot.unknown:
        return f"get({kind}, {slot.name}At, {_count(slot)})"
    sizes = f"Array.from(get(BigInt64Array, {slot.name}Sizes, {len(slot.dims)}), Number)"
    return (
        f"((sizes) => ({{ sizes, values: get({kind}, {slot.name}At, "
        f"sizes.reduce((a, b) => a * b, 1)) }}))({sizes})"
    )
