"""LLVM functions of keyed lists: hash indexes that find the entry of a key.

An index is a table of slots, open addressed and at most half full: {known, room, shift, mask}, then
32 bits a slot, 0 or the place of an entry + 1.  It knows the first ``known`` entries; those that
were appended since are entered by the next search.  Lists of a few entries are searched without.
"""

from __future__ import annotations

from string import Template

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import INDEX, NativeListHandle
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.text import FunctionText, llvm_type

__all__ = ["key_functions"]

FEW = 8
"""Lists of so many entries are searched without an index."""
MOST = (1 << 31) - 2
"""Lists of more entries cannot be searched: their places do not fit a slot."""
_FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)
"""Odd, and 2**64 by the golden ratio: the products of numbers in a row differ in high bits."""


def key_functions(type: ir.NativeList, declared: dict[str, str]) -> list[str]:
    """Return the functions of a keyed list type.

    find    the place of a key; -1 if there is none, -2 if there is no memory
    note    enters the entry that was appended
    forget  takes the entry out that is going to be removed
    """
    declared["calloc"] = "declare ptr @calloc(i64, i64)"
    declared["free"] = "declare void @free(ptr)"
    declared["llvm.ctlz.i64"] = "declare i64 @llvm.ctlz.i64(i64, i1)"
    kinds = [llvm_type(field) for field in type.fields]
    key = ", ".join(f"{kind} %k{number}" for number, kind in enumerate(kinds))
    pieces = {"list": list_name(type), "key": key, "INDEX": INDEX, "FEW": FEW, "MOST": MOST}
    texts = [Template(text).substitute(pieces) for text in (_SEARCH, _GROWTH, _REMOVAL)]
    return [_hash(type, key), _same(type, key), _of_entry(type), *texts]


def _hash(type: ir.NativeList, key: str) -> str:
    """Return the function that hashes a key; the highest bits choose the slot."""
    text = FunctionText(f"define internal i64 @{list_name(type)}.hash({key}) alwaysinline")
    digest = ""
    for number, field in enumerate(type.fields):
        assert isinstance(field, ir.Scalar)
        word = _word(text, field, f"%k{number}")
        mixed = text.value(f"xor i64 {word}, {digest}") if digest else word
        high = text.value(f"lshr i64 {mixed}, 32")
        spread = text.value(f"xor i64 {mixed}, {high}")
        digest = text.value(f"mul i64 {spread}, {_FACTOR}")
    text.line(f"ret i64 {digest}")
    return text.text()


def _word(text: FunctionText, type: ir.Scalar, name: str) -> str:
    """Return 64 bits of a number, the same for equal numbers."""
    kind = llvm_type(type)
    if type.kind != "f":
        return name if type.bits == 64 else text.value(f"zext {kind} {name} to i64")
    wide = name if type.bits == 64 else text.value(f"fpext {kind} {name} to double")
    unsigned_zero = text.value(f"fadd double {wide}, 0.0")  # -0.0 equals 0.0
    return text.value(f"bitcast double {unsigned_zero} to i64")


def _load_fields(text: FunctionText, type: ir.NativeList) -> list[str]:
    """Return the fields of the entry at ``%place``."""
    handle = NativeListHandle(text, type, "%list")
    return handle.load(handle.entry("%place"))


def _same(type: ir.NativeList, key: str) -> str:
    """Return the function that compares an entry with a key; a NaN equals none."""
    text = FunctionText(
        f"define internal i1 @{list_name(type)}.same(ptr %list, i64 %place, {key}) alwaysinline"
    )
    all_equal = "true"
    for number, (field, value) in enumerate(
        zip(type.fields, _load_fields(text, type), strict=True)
    ):
        assert isinstance(field, ir.Scalar)
        compare = "fcmp oeq" if field.kind == "f" else "icmp eq"
        equal = text.value(f"{compare} {llvm_type(field)} {value}, %k{number}")
        all_equal = text.value(f"and i1 {all_equal}, {equal}")
    text.line(f"ret i1 {all_equal}")
    return text.text()


def _of_entry(type: ir.NativeList) -> str:
    """Return the functions that give the hash and the slot of the entry at a place, and where
    another list has it.
    """
    name = list_name(type)
    texts = []
    for function, gives, leading in (
        ("hash", "i64", []), ("slot", "ptr", ["%list", "%index"]), ("find", "i64", ["%other"]),
    ):  # fmt: skip
        params = ", ".join([f"ptr {param}" for param in dict.fromkeys(["%list", *leading])])
        head = f"@{name}.{function}_of({params}, i64 %place) alwaysinline"
        text = FunctionText(f"define internal {gives} {head}")
        pairs = zip(type.fields, _load_fields(text, type), strict=True)
        args = [f"ptr {param}" for param in leading] + [
            f"{llvm_type(f)} {value}" for f, value in pairs
        ]
        result = text.value(f"call {gives} @{name}.{function}({', '.join(args)})")
        text.line(f"ret {gives} {result}")
        texts.append(text.text())
    return "\n".join(texts)


_SEARCH = """
define internal ptr @$list.slot(ptr %list, ptr %index, $key) alwaysinline {
entry:
  %shift_at = getelementptr i64, ptr %index, i64 2
  %shift = load i64, ptr %shift_at
  %mask_at = getelementptr i64, ptr %index, i64 3
  %mask = load i64, ptr %mask_at
  %slots = getelementptr i64, ptr %index, i64 4
  %hash = call i64 @$list.hash($key)
  %first = lshr i64 %hash, %shift
  br label %probe
probe:
  %n = phi i64 [%first, %entry], [%next, %other]
  %slot = getelementptr i32, ptr %slots, i64 %n
  %entered = load i32, ptr %slot
  %free = icmp eq i32 %entered, 0
  br i1 %free, label %end, label %compare
compare:
  %wide = zext i32 %entered to i64
  %place = sub i64 %wide, 1
  %same = call i1 @$list.same(ptr %list, i64 %place, $key)
  br i1 %same, label %end, label %other
other:
  %after = add i64 %n, 1
  %next = and i64 %after, %mask
  br label %probe
end:
  ret ptr %slot
}

define internal i64 @$list.find(ptr %list, $key) {
entry:
  %length_at = getelementptr i64, ptr %list, i64 1
  %length = load i64, ptr %length_at
  %few = icmp ule i64 %length, $FEW
  br i1 %few, label %scan, label %indexed
scan:
  %n = phi i64 [0, %entry], [%after, %compare]
  %more = icmp ult i64 %n, %length
  br i1 %more, label %compare, label %missing
compare:
  %same = call i1 @$list.same(ptr %list, i64 %n, $key)
  %after = add i64 %n, 1
  br i1 %same, label %scanned, label %scan
scanned:
  ret i64 %n
indexed:
  %index_at = getelementptr i8, ptr %list, i64 $INDEX
  %present = load ptr, ptr %index_at
  %none = icmp eq ptr %present, null
  br i1 %none, label %update, label %check, !prof !1
check:
  %known = load i64, ptr %present
  %complete = icmp eq i64 %known, %length
  br i1 %complete, label %search, label %update, !prof !0
update:
  %updated = call ptr @$list.update(ptr %list)
  %failed = icmp eq ptr %updated, null
  br i1 %failed, label %no_memory, label %search, !prof !1
search:
  %index = phi ptr [%present, %check], [%updated, %update]
  %slot = call ptr @$list.slot(ptr %list, ptr %index, $key)
  %entered = load i32, ptr %slot
  %wide = zext i32 %entered to i64
  %place = sub i64 %wide, 1
  ret i64 %place
missing:
  ret i64 -1
no_memory:
  ret i64 -2
}
"""

_GROWTH = """
define internal void @$list.enter(ptr %list, ptr %index, i64 %place) alwaysinline {
entry:
  %slot = call ptr @$list.slot_of(ptr %list, ptr %index, i64 %place)
  %entered = load i32, ptr %slot
  %free = icmp eq i32 %entered, 0
  br i1 %free, label %fill, label %end
fill:
  %low = trunc i64 %place to i32
  %more = add i32 %low, 1
  store i32 %more, ptr %slot
  br label %end
end:
  %known = add i64 %place, 1
  store i64 %known, ptr %index
  ret void
}

define internal void @$list.note(ptr %list) {
entry:
  %length_at = getelementptr i64, ptr %list, i64 1
  %length = load i64, ptr %length_at
  %index_at = getelementptr i8, ptr %list, i64 $INDEX
  %index = load ptr, ptr %index_at
  %none = icmp eq ptr %index, null
  br i1 %none, label %end, label %check
check:
  %place = sub i64 %length, 1
  %known = load i64, ptr %index
  %last = icmp eq i64 %known, %place
  %room_at = getelementptr i64, ptr %index, i64 1
  %room = load i64, ptr %room_at
  %fits = icmp ule i64 %length, %room
  %both = and i1 %last, %fits
  br i1 %both, label %enter, label %end
enter:
  call void @$list.enter(ptr %list, ptr %index, i64 %place)
  br label %end
end:
  ret void
}

define internal ptr @$list.update(ptr %list) noinline {
entry:
  %length_at = getelementptr i64, ptr %list, i64 1
  %length = load i64, ptr %length_at
  %index_at = getelementptr i8, ptr %list, i64 $INDEX
  %old = load ptr, ptr %index_at
  %none = icmp eq ptr %old, null
  br i1 %none, label %make, label %check
check:
  %room_at = getelementptr i64, ptr %old, i64 1
  %room = load i64, ptr %room_at
  %small = icmp ugt i64 %length, %room
  br i1 %small, label %make, label %fill
make:
  %long = icmp ugt i64 %length, $MOST
  br i1 %long, label %failed, label %allocate
allocate:
  %four = shl i64 %length, 2
  %below = sub i64 %four, 1
  %shift = call i64 @llvm.ctlz.i64(i64 %below, i1 true)
  %bits = sub i64 64, %shift
  %size = shl i64 1, %bits
  %bytes = shl i64 %size, 2
  %whole = add i64 %bytes, 32
  %new = call ptr @calloc(i64 1, i64 %whole)
  %missing = icmp eq ptr %new, null
  br i1 %missing, label %failed, label %ready
ready:
  %half = lshr i64 %size, 1
  %mask = sub i64 %size, 1
  %new_room = getelementptr i64, ptr %new, i64 1
  store i64 %half, ptr %new_room
  %new_shift = getelementptr i64, ptr %new, i64 2
  store i64 %shift, ptr %new_shift
  %new_mask = getelementptr i64, ptr %new, i64 3
  store i64 %mask, ptr %new_mask
  call void @free(ptr %old)
  store ptr %new, ptr %index_at
  br label %fill
fill:
  %index = phi ptr [%old, %check], [%new, %ready]
  %known = load i64, ptr %index
  br label %next
next:
  %place = phi i64 [%known, %fill], [%following, %enter]
  %following = add i64 %place, 1
  %more = icmp ult i64 %place, %length
  br i1 %more, label %enter, label %done
enter:
  call void @$list.enter(ptr %list, ptr %index, i64 %place)
  br label %next
done:
  ret ptr %index
failed:
  ret ptr null
}
"""

_REMOVAL = """
define internal void @$list.forget(ptr %list, i64 %place) noinline {
entry:
  %index_at = getelementptr i8, ptr %list, i64 $INDEX
  %index = load ptr, ptr %index_at
  %none = icmp eq ptr %index, null
  br i1 %none, label %end, label %check
check:
  %known = load i64, ptr %index
  %unknown = icmp uge i64 %place, %known
  br i1 %unknown, label %end, label %begin
begin:
  %shift_at = getelementptr i64, ptr %index, i64 2
  %shift = load i64, ptr %shift_at
  %mask_at = getelementptr i64, ptr %index, i64 3
  %mask = load i64, ptr %mask_at
  %slots = getelementptr i64, ptr %index, i64 4
  %fewer = sub i64 %known, 1
  store i64 %fewer, ptr %index
  %low = trunc i64 %place to i32
  %gone = add i32 %low, 1
  %hash = call i64 @$list.hash_of(ptr %list, i64 %place)
  %first = lshr i64 %hash, %shift
  br label %probe
probe:
  %n = phi i64 [%first, %begin], [%n_next, %other]
  %slot = getelementptr i32, ptr %slots, i64 %n
  %entered = load i32, ptr %slot
  %found = icmp eq i32 %entered, %gone
  br i1 %found, label %close, label %others
others:
  %absent = icmp eq i32 %entered, 0
  br i1 %absent, label %closed, label %other
other:
  %n_after = add i64 %n, 1
  %n_next = and i64 %n_after, %mask
  br label %probe
close:                                    ; entries that the probes found past the slot move to it
  %hole = phi i64 [%n, %probe], [%hole, %stays], [%m, %moves]
  %at = phi i64 [%n, %probe], [%m, %stays], [%m, %moves]
  %at_after = add i64 %at, 1
  %m = and i64 %at_after, %mask
  %hole_at = getelementptr i32, ptr %slots, i64 %hole
  %m_at = getelementptr i32, ptr %slots, i64 %m
  %other_entered = load i32, ptr %m_at
  %is_end = icmp eq i32 %other_entered, 0
  br i1 %is_end, label %closed, label %judge
judge:
  %wide = zext i32 %other_entered to i64
  %other_place = sub i64 %wide, 1
  %other_hash = call i64 @$list.hash_of(ptr %list, i64 %other_place)
  %home = lshr i64 %other_hash, %shift
  %probed = sub i64 %m, %home
  %probes = and i64 %probed, %mask
  %away = sub i64 %m, %hole
  %distance = and i64 %away, %mask
  %reaches = icmp uge i64 %probes, %distance
  br i1 %reaches, label %moves, label %stays
moves:
  store i32 %other_entered, ptr %hole_at
  br label %close
stays:
  br label %close
closed:
  %free_at = phi ptr [%slot, %others], [%hole_at, %close]
  store i32 0, ptr %free_at
  %was_last = icmp eq i64 %place, %fewer
  br i1 %was_last, label %end, label %renumber
renumber:
  %k = phi i64 [0, %closed], [%k_next, %renumber]
  %k_at = getelementptr i32, ptr %slots, i64 %k
  %number = load i32, ptr %k_at
  %is_later = icmp ugt i32 %number, %gone
  %one = zext i1 %is_later to i32
  %smaller = sub i32 %number, %one
  store i32 %smaller, ptr %k_at
  %k_next = add i64 %k, 1
  %is_done = icmp ugt i64 %k_next, %mask
  br i1 %is_done, label %end, label %renumber
end:
  ret void
}
"""
