; An allocator of the memory that a caller gives, for WebAssembly, whose callers have no functions to
; pass; export.py adds it.  Two words at the begin of the memory say what is next and where it ends.
define internal ptr @arena_allocate(ptr %memory, i32 %bytes) {
  %end_at = getelementptr i32, ptr %memory, i32 1
  %next = load i32, ptr %memory
  %end = load i32, ptr %end_at
  %up = add i32 %bytes, 15
  %size = and i32 %up, -16
  %room = sub i32 %end, %next
  %fits = icmp ule i32 %size, %room
  br i1 %fits, label %take, label %none
take:
  %after = add i32 %next, %size
  store i32 %after, ptr %memory
  %block = inttoptr i32 %next to ptr
  ret ptr %block
none:
  ret ptr null
}
define void @autograph_use_arena(ptr %call, ptr %memory, i32 %bytes) {
  %start = ptrtoint ptr %memory to i32
  %first = add i32 %start, 16
  %end = add i32 %start, %bytes
  %end_at = getelementptr i32, ptr %memory, i32 1
  store i32 %first, ptr %memory
  store i32 %end, ptr %end_at
  %release_at = getelementptr ptr, ptr %call, i32 1
  %memory_at = getelementptr ptr, ptr %call, i32 2
  store ptr @arena_allocate, ptr %call
  store ptr null, ptr %release_at
  store ptr %memory, ptr %memory_at
  ret void
}
; The product of two numbers of 128 bits, which code of WebAssembly calls: it has no instruction for it.
define void @__multi3(ptr %to, i64 %a, i64 %a_high, i64 %b, i64 %b_high) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %p00_high = lshr i64 %p00, 32
  %p01_low = and i64 %p01, 4294967295
  %p10_low = and i64 %p10, 4294967295
  %middle0 = add i64 %p00_high, %p01_low
  %middle = add i64 %middle0, %p10_low
  %low_bits = and i64 %p00, 4294967295
  %middle_up = shl i64 %middle, 32
  %low = or i64 %middle_up, %low_bits
  %middle_high = lshr i64 %middle, 32
  %p01_high = lshr i64 %p01, 32
  %p10_high = lshr i64 %p10, 32
  %h0 = add i64 %p11, %middle_high
  %h1 = add i64 %h0, %p01_high
  %h2 = add i64 %h1, %p10_high
  %cross0 = mul i64 %a, %b_high
  %cross1 = mul i64 %a_high, %b
  %h3 = add i64 %h2, %cross0
  %high = add i64 %h3, %cross1
  store i64 %low, ptr %to
  %high_at = getelementptr i64, ptr %to, i32 1
  store i64 %high, ptr %high_at
  ret void
}
