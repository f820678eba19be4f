; Functions that stand for those of Python, NumPy and the runtime; stand_ins.py fills in constants.
$call_type
%failure = type {i32, i32, i64, i32, ptr, ptr, ptr}
@rt_class = constant i8 0
@workspace_handler = constant i64 $IMMORTAL
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
@rt_failures = external constant [0 x %failure]
declare i64 @rt_item_bytes(i32)
declare ptr @rt_dtype(i32)

; -- Python ---------------------------------------------------------------------------------------
define ptr @PyTuple_GetItem(ptr %ctx, i64 %index) alwaysinline {
  %place = getelementptr i64, ptr %ctx, i64 %index
  %object = load ptr, ptr %place
  ret ptr %object
}
define i1 @rt_call_context(ptr %ctx, i64 %entry) alwaysinline {
  %deep = icmp eq i64 %entry, $TOO_DEEP
  br i1 %deep, label %raise, label %go
raise:
  call void @rt_fail(ptr %ctx, i64 $RECURSION_SITE, i64 0, ptr null)
  ret i1 true
go:
  ret i1 false
}
define i32 @Py_GetRecursionLimit() alwaysinline {
  ret i32 $limit
}
define ptr @PyObject_CallNoArgs(ptr %function) alwaysinline {
  ret ptr null
}
define i64 @PyLong_AsLongLong(ptr %lowest_address) alwaysinline {
  ret i64 -9223372036854775808
}
define ptr @PyEval_SaveThread() alwaysinline {
  ret ptr null
}
define void @PyEval_RestoreThread(ptr %state) alwaysinline {
  ret void
}
define void @PyErr_Clear() alwaysinline {
  ret void
}
define ptr @PyErr_NoMemory() alwaysinline {
  ret ptr null
}

; -- memory ---------------------------------------------------------------------------------------
define ptr @rt_take(ptr %ctx, i64 %size) noinline {
  %call = load ptr, ptr %ctx
  %alone = icmp eq ptr %call, null
  br i1 %alone, label %missing, label %ask
ask:
  %function_at = getelementptr $CALL, ptr %call, i64 0, i32 $ALLOCATE
  %allocate = load ptr, ptr %function_at
  %memory_at = getelementptr $CALL, ptr %call, i64 0, i32 $MEMORY
  %memory = load ptr, ptr %memory_at
  %none = icmp eq ptr %allocate, null
  %total = add i64 %size, $EXTRA
  %fits64 = icmp ult i64 %total, 2147483648
  %sane = icmp ult i64 %size, 4611686018427387904
  %possible = and i1 $fits, %sane
  %impossible = xor i1 %possible, true
  %bad = or i1 %none, %impossible
  br i1 %bad, label %missing, label %go
go:
  %bytes = $narrow
  %raw = call ptr %allocate(ptr %memory, $size %bytes)
  %failed = icmp eq ptr %raw, null
  br i1 %failed, label %missing, label %done
done:
  %behind = getelementptr i8, ptr %raw, i64 16
  %number = ptrtoint ptr %behind to i64
  %up = add i64 %number, $ROUND
  %start = and i64 %up, -$ALIGNMENT
  %block = inttoptr i64 %start to ptr
  %raw_at = getelementptr i8, ptr %block, i64 -16
  store ptr %raw, ptr %raw_at
  ret ptr %block
missing:
  %status = getelementptr i64, ptr %ctx, i64 $STATUS
  store i64 $NO_MEMORY, ptr %status
  ret ptr null
}
define void @rt_give(ptr %ctx, ptr %block) noinline {
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %go
go:
  %call = load ptr, ptr %ctx
  %function_at = getelementptr $CALL, ptr %call, i64 0, i32 $RELEASE
  %release = load ptr, ptr %function_at
  %memory_at = getelementptr $CALL, ptr %call, i64 0, i32 $MEMORY
  %memory = load ptr, ptr %memory_at
  %raw_at = getelementptr i8, ptr %block, i64 -16
  %raw = load ptr, ptr %raw_at
  %never = icmp eq ptr %release, null
  br i1 %never, label %end, label %free
free:
  call void %release(ptr %memory, ptr %raw)
  br label %end
end:
  ret void
}
define ptr @rt_malloc(ptr %ctx, i64 %size) alwaysinline {
  %block = call ptr @rt_take(ptr %ctx, i64 %size)
  ret ptr %block
}
define ptr @rt_calloc(ptr %ctx, i64 %count, i64 %item) {
  %size = mul i64 %count, %item
  %block = call ptr @rt_take(ptr %ctx, i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %clear
clear:
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 %size, i1 false)
  br label %end
end:
  ret ptr %block
}
define void @rt_free(ptr %ctx, ptr %block) alwaysinline {
  call void @rt_give(ptr %ctx, ptr %block)
  ret void
}
define ptr @rt_text_make(ptr %ctx, i64 %count) {
  %points = shl i64 %count, 2
  %size = add i64 %points, 24
  %text = call ptr @rt_take(ptr %ctx, i64 %size)
  %none = icmp eq ptr %text, null
  br i1 %none, label %end, label %fill
fill:
  %length = getelementptr i64, ptr %text, i64 1
  %room = getelementptr i64, ptr %text, i64 2
  store i64 1, ptr %text
  store i64 0, ptr %length
  store i64 %count, ptr %room
  br label %end
end:
  ret ptr %text
}
define void @rt_text_free(ptr %ctx, ptr %text) alwaysinline {
  call void @rt_give(ptr %ctx, ptr %text)
  ret void
}
define ptr @rt_memcpy(ptr %to, ptr %from, i64 %size) alwaysinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret ptr %to
}
define ptr @rt_memmove(ptr %to, ptr %from, i64 %size) alwaysinline {
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret ptr %to
}
define i32 @rt_memcmp(ptr %a, ptr %b, i64 %size) {
entry:
  br label %head
head:
  %n = phi i64 [0, %entry], [%next, %same]
  %more = icmp ult i64 %n, %size
  br i1 %more, label %body, label %equal
body:
  %a_at = getelementptr i8, ptr %a, i64 %n
  %b_at = getelementptr i8, ptr %b, i64 %n
  %x = load i8, ptr %a_at
  %y = load i8, ptr %b_at
  %differs = icmp ne i8 %x, %y
  br i1 %differs, label %different, label %same
same:
  %next = add i64 %n, 1
  br label %head
different:
  %wide_x = zext i8 %x to i32
  %wide_y = zext i8 %y to i32
  %difference = sub i32 %wide_x, %wide_y
  ret i32 %difference
equal:
  ret i32 0
}

; Runs all tasks of a frame in this thread.
define i32 @share_tasks(ptr %run, ptr %task, ptr %frame, i64 %count) {
  %done = call i64 %run(ptr %task, ptr %frame, i64 -1)
  ret i32 0
}

; -- arrays ---------------------------------------------------------------------------------------
define void @Py_IncRef(ptr %object) alwaysinline {
  %count = load i64, ptr %object
  %mortal = icmp slt i64 %count, $IMMORTAL
  br i1 %mortal, label %change, label %end
change:
  %more = add nsw i64 %count, 1
  store i64 %more, ptr %object
  br label %end
end:
  ret void
}
define void @Py_DecRef(ptr %ctx, ptr %object) {
  %none = icmp eq ptr %object, null
  br i1 %none, label %end, label %look
look:
  %count = load i64, ptr %object
  %mortal = icmp slt i64 %count, $IMMORTAL
  br i1 %mortal, label %change, label %end
change:
  %less = sub nsw i64 %count, 1
  store i64 %less, ptr %object
  %last = icmp eq i64 %less, 0
  br i1 %last, label %free, label %end
free:
  call void @rt_array_free(ptr %ctx, ptr %object)
  br label %end
end:
  ret void
}
define void @rt_array_free(ptr %ctx, ptr %object) noinline {
  %handler_at = getelementptr i8, ptr %object, i64 $HANDLER
  %handler = load ptr, ptr %handler_at
  %inside = icmp eq ptr %handler, null
  br i1 %inside, label %base, label %data
data:
  %data_at = getelementptr i8, ptr %object, i64 $DATA
  %block = load ptr, ptr %data_at
  call void @rt_give(ptr %ctx, ptr %block)
  br label %base
base:
  %base_at = getelementptr i8, ptr %object, i64 $BASE
  %owner = load ptr, ptr %base_at
  call void @Py_DecRef(ptr %ctx, ptr %owner)
  call void @rt_give(ptr %ctx, ptr %object)
  ret void
}
define ptr @PyArray_New(ptr %ctx, ptr %class, i32 %rank, ptr %dims, i32 %type, ptr %strides, ptr %data, i32 %item_size, i32 %flags, ptr %owner) noinline {
entry:
  %item = call i64 @rt_item_bytes(i32 %type)
  %axes = zext i32 %rank to i64
  br label %count
count:
  %axis = phi i64 [0, %entry], [%next, %counted]
  %bytes = phi i64 [%item, %entry], [%product, %counted]
  %more = icmp ult i64 %axis, %axes
  br i1 %more, label %counted, label %ready
counted:
  %dim_at = getelementptr i64, ptr %dims, i64 %axis
  %dim = load i64, ptr %dim_at
  %pair = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %bytes, i64 %dim)
  %product = extractvalue {i64, i1} %pair, 0
  %over = extractvalue {i64, i1} %pair, 1
  %next = add i64 %axis, 1
  br i1 %over, label %missing, label %count
ready:
  %tables = shl i64 %axes, 4
  %head = add i64 %tables, $HEADER
  %head_up = add i64 %head, $ROUND
  %offset = and i64 %head_up, -$ALIGNMENT
  %given = icmp ne ptr %data, null
  %inner = select i1 %given, i64 0, i64 %bytes
  %size = add i64 %offset, %inner
  %object = call ptr @rt_take(ptr %ctx, i64 %size)
  %failed = icmp eq ptr %object, null
  br i1 %failed, label %missing, label %fill
fill:
  call void @llvm.memset.p0.i64(ptr %object, i8 0, i64 $HEADER, i1 false)
  store i64 1, ptr %object
  %class_at = getelementptr i8, ptr %object, i64 8
  store ptr %class, ptr %class_at
  %own = getelementptr i8, ptr %object, i64 %offset
  %elements = select i1 %given, ptr %data, ptr %own
  %data_at = getelementptr i8, ptr %object, i64 $DATA
  store ptr %elements, ptr %data_at
  %rank_at = getelementptr i8, ptr %object, i64 $RANK
  store i32 %rank, ptr %rank_at
  %sizes = getelementptr i8, ptr %object, i64 $HEADER
  %sizes_at = getelementptr i8, ptr %object, i64 $SIZES
  store ptr %sizes, ptr %sizes_at
  %steps = getelementptr i64, ptr %sizes, i64 %axes
  %steps_at = getelementptr i8, ptr %object, i64 $STRIDES
  store ptr %steps, ptr %steps_at
  %dtype = call ptr @rt_dtype(i32 %type)
  %dtype_at = getelementptr i8, ptr %object, i64 $DTYPE
  store ptr %dtype, ptr %dtype_at
  %own_flags = or i32 $ROW_BY_ROW, $ALL_OWN
  %all_flags = select i1 %given, i32 %flags, i32 %own_flags
  %flags_at = getelementptr i8, ptr %object, i64 $FLAGS
  store i32 %all_flags, ptr %flags_at
  br label %axes_head
axes_head:
  %left = phi i64 [%axes, %fill], [%before, %axes_body]
  %step = phi i64 [%item, %fill], [%wider, %axes_body]
  %goes_on = icmp ne i64 %left, 0
  br i1 %goes_on, label %axes_body, label %done
axes_body:
  %before = sub i64 %left, 1
  %n_at = getelementptr i64, ptr %dims, i64 %before
  %n = load i64, ptr %n_at
  %size_at = getelementptr i64, ptr %sizes, i64 %before
  store i64 %n, ptr %size_at
  %step_at = getelementptr i64, ptr %steps, i64 %before
  store i64 %step, ptr %step_at
  %wider = mul i64 %step, %n
  br label %axes_head
done:
  ret ptr %object
missing:
  %status = getelementptr i64, ptr %ctx, i64 $STATUS
  store i64 $NO_MEMORY, ptr %status
  ret ptr null
}
define ptr @PyArray_NewCopy(ptr %ctx, ptr %array, i32 %order) noinline {
  %rank_at = getelementptr i8, ptr %array, i64 $RANK
  %rank = load i32, ptr %rank_at
  %sizes_at = getelementptr i8, ptr %array, i64 $SIZES
  %sizes = load ptr, ptr %sizes_at
  %dtype_at = getelementptr i8, ptr %array, i64 $DTYPE
  %dtype = load ptr, ptr %dtype_at
  %type_at = getelementptr i8, ptr %dtype, i64 $TYPE_NUMBER
  %type = load i32, ptr %type_at
  %copy = call ptr @PyArray_New(ptr %ctx, ptr @rt_class, i32 %rank, ptr %sizes, i32 %type, ptr null, ptr null, i32 0, i32 0, ptr null)
  %none = icmp eq ptr %copy, null
  br i1 %none, label %end, label %fill
fill:
  %data_at = getelementptr i8, ptr %copy, i64 $DATA
  %data = load ptr, ptr %data_at
  call void @rt_elements(ptr %data, ptr %array)
  br label %end
end:
  ret ptr %copy
}
; Gives a copy of an array with other sizes, of which one may be -1; null where they do not fit.
define ptr @rt_reshaped(ptr %ctx, ptr %array, ptr %dims, i32 %rank) noinline {
entry:
  %old_rank_at = getelementptr i8, ptr %array, i64 $RANK
  %old_rank = load i32, ptr %old_rank_at
  %old_axes = zext i32 %old_rank to i64
  %old_sizes_at = getelementptr i8, ptr %array, i64 $SIZES
  %old_sizes = load ptr, ptr %old_sizes_at
  %axes = zext i32 %rank to i64
  br label %count
count:
  %n = phi i64 [0, %entry], [%n_next, %counted]
  %total = phi i64 [1, %entry], [%total_next, %counted]
  %more = icmp ult i64 %n, %old_axes
  br i1 %more, label %counted, label %known
counted:
  %old_at = getelementptr i64, ptr %old_sizes, i64 %n
  %old = load i64, ptr %old_at
  %total_next = mul i64 %total, %old
  %n_next = add i64 %n, 1
  br label %count
known:
  %m = phi i64 [0, %count], [%m_next, %taken]
  %product = phi i64 [1, %count], [%product_next, %taken]
  %free = phi ptr [null, %count], [%free_next, %taken]
  %again = icmp ult i64 %m, %axes
  br i1 %again, label %taken, label %fill
taken:
  %dim_at = getelementptr i64, ptr %dims, i64 %m
  %dim = load i64, ptr %dim_at
  %is_free = icmp slt i64 %dim, 0
  %factor = select i1 %is_free, i64 1, i64 %dim
  %product_next = mul i64 %product, %factor
  %free_next = select i1 %is_free, ptr %dim_at, ptr %free
  %m_next = add i64 %m, 1
  br label %known
fill:
  %has_free = icmp ne ptr %free, null
  %zero = icmp eq i64 %product, 0
  %divisor = select i1 %zero, i64 1, i64 %product
  %rest = udiv i64 %total, %divisor
  br i1 %has_free, label %put, label %check
put:
  store i64 %rest, ptr %free
  br label %check
check:
  %last = select i1 %has_free, i64 %rest, i64 1
  %result = mul i64 %product, %last
  %fits = icmp eq i64 %result, %total
  br i1 %fits, label %make, label %none
make:
  %dtype_at = getelementptr i8, ptr %array, i64 $DTYPE
  %dtype = load ptr, ptr %dtype_at
  %type_at = getelementptr i8, ptr %dtype, i64 $TYPE_NUMBER
  %type = load i32, ptr %type_at
  %copy = call ptr @PyArray_New(ptr %ctx, ptr @rt_class, i32 %rank, ptr %dims, i32 %type, ptr null, ptr null, i32 0, i32 0, ptr null)
  %missing = icmp eq ptr %copy, null
  br i1 %missing, label %none, label %elements
elements:
  %data_at = getelementptr i8, ptr %copy, i64 $DATA
  %data = load ptr, ptr %data_at
  call void @rt_elements(ptr %data, ptr %array)
  ret ptr %copy
none:
  ret ptr null
}
; Copies the elements of an array, row by row, to an address.
define void @rt_elements(ptr %to, ptr %array) noinline {
entry:
  %rank_at = getelementptr i8, ptr %array, i64 $RANK
  %rank = load i32, ptr %rank_at
  %axes = zext i32 %rank to i64
  %sizes_at = getelementptr i8, ptr %array, i64 $SIZES
  %sizes = load ptr, ptr %sizes_at
  %steps_at = getelementptr i8, ptr %array, i64 $STRIDES
  %steps = load ptr, ptr %steps_at
  %dtype_at = getelementptr i8, ptr %array, i64 $DTYPE
  %dtype = load ptr, ptr %dtype_at
  %type_at = getelementptr i8, ptr %dtype, i64 $TYPE_NUMBER
  %type = load i32, ptr %type_at
  %item = call i64 @rt_item_bytes(i32 %type)
  %data_at = getelementptr i8, ptr %array, i64 $DATA
  %data = load ptr, ptr %data_at
  %flags_at = getelementptr i8, ptr %array, i64 $FLAGS
  %flags = load i32, ptr %flags_at
  br label %count
count:
  %axis = phi i64 [0, %entry], [%next, %counted]
  %total = phi i64 [1, %entry], [%product, %counted]
  %more = icmp ult i64 %axis, %axes
  br i1 %more, label %counted, label %ready
counted:
  %size_at = getelementptr i64, ptr %sizes, i64 %axis
  %size = load i64, ptr %size_at
  %product = mul i64 %total, %size
  %next = add i64 %axis, 1
  br label %count
ready:
  %flag = and i32 %flags, $ROW_BY_ROW
  %dense = icmp ne i32 %flag, 0
  br i1 %dense, label %whole, label %each
whole:
  %bytes = mul i64 %total, %item
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %data, i64 %bytes, i1 false)
  ret void
each:
  %number = phi i64 [0, %ready], [%following, %copy]
  %any = icmp ult i64 %number, %total
  br i1 %any, label %place, label %end
place:
  %rest = phi i64 [%number, %each], [%quotient, %placed]
  %left = phi i64 [%axes, %each], [%before, %placed]
  %offset = phi i64 [0, %each], [%further, %placed]
  %inside = icmp ne i64 %left, 0
  br i1 %inside, label %placed, label %copy
placed:
  %before = sub i64 %left, 1
  %n_at = getelementptr i64, ptr %sizes, i64 %before
  %n = load i64, ptr %n_at
  %step_at = getelementptr i64, ptr %steps, i64 %before
  %step = load i64, ptr %step_at
  %quotient = udiv i64 %rest, %n
  %whole_rows = mul i64 %quotient, %n
  %index = sub i64 %rest, %whole_rows
  %distance = mul i64 %index, %step
  %further = add i64 %offset, %distance
  br label %place
copy:
  %from = getelementptr i8, ptr %data, i64 %offset
  %target_offset = mul i64 %number, %item
  %target = getelementptr i8, ptr %to, i64 %target_offset
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %from, i64 %item, i1 false)
  %following = add i64 %number, 1
  br label %each
end:
  ret void
}

; -- failures -------------------------------------------------------------------------------------
; Notes what Python would raise at a site; `cells` are the arguments of the site.
define void @rt_fail(ptr %ctx, i64 %site, i64 %pattern, ptr %cells) noinline cold {
entry:
  %wanted = trunc i64 %site to i32
  br label %head
head:
  %n = phi i64 [0, %entry], [%next, %other]
  %row = getelementptr %failure, ptr @rt_failures, i64 %n
  %row_site = load i32, ptr %row
  %here = icmp eq i32 %row_site, %wanted
  %pattern_at = getelementptr %failure, ptr %row, i64 0, i32 2
  %row_pattern = load i64, ptr %pattern_at
  %any = icmp eq i64 %row_pattern, -1
  %same = icmp eq i64 %row_pattern, %pattern
  %suits = or i1 %any, %same
  %fits = and i1 %here, %suits
  %next = add i64 %n, 1
  br i1 %fits, label %hit, label %other
other:
  br label %head
hit:
  %status_at = getelementptr i64, ptr %ctx, i64 $STATUS
  %before = load i64, ptr %status_at
  %no_memory = icmp eq i64 %before, $NO_MEMORY
  %row_status_at = getelementptr %failure, ptr %row, i64 0, i32 3
  %row_status = load i32, ptr %row_status_at
  %wide_status = zext i32 %row_status to i64
  %status = select i1 %no_memory, i64 $NO_MEMORY, i64 %wide_status
  store i64 %status, ptr %status_at
  %call = load ptr, ptr %ctx
  %alone = icmp eq ptr %call, null
  br i1 %alone, label %end, label %tell
tell:
  %line_at = getelementptr %failure, ptr %row, i64 0, i32 1
  %line = load i32, ptr %line_at
  %exception_at = getelementptr %failure, ptr %row, i64 0, i32 4
  %row_exception = load ptr, ptr %exception_at
  %exception = select i1 %no_memory, ptr @rt_memory_error, ptr %row_exception
  %file_at = getelementptr %failure, ptr %row, i64 0, i32 5
  %file = load ptr, ptr %file_at
  %template_at = getelementptr %failure, ptr %row, i64 0, i32 6
  %row_template = load ptr, ptr %template_at
  %template = select i1 %no_memory, ptr @rt_nothing, ptr %row_template
  call void @rt_tell(ptr %call, ptr %exception, ptr %file, i32 %line, ptr %template, ptr %cells)
  br label %end
end:
  ret void
}
@rt_memory_error = private constant [12 x i8] c"MemoryError\00"
@rt_nothing = private constant [1 x i8] c"\00"
@rt_true = private constant [5 x i8] c"True\00"
@rt_false = private constant [6 x i8] c"False\00"
; Fills in the caller's structure.
define void @rt_tell(ptr %call, ptr %exception, ptr %file, i32 %line, ptr %template, ptr %cells) noinline cold {
  %exception_at = getelementptr $CALL, ptr %call, i64 0, i32 $EXCEPTION
  store ptr %exception, ptr %exception_at
  %file_at = getelementptr $CALL, ptr %call, i64 0, i32 $FILE
  store ptr %file, ptr %file_at
  %line_at = getelementptr $CALL, ptr %call, i64 0, i32 $LINE
  store i32 %line, ptr %line_at
  %message = getelementptr $CALL, ptr %call, i64 0, i32 $MESSAGE
  %length = alloca i64
  store i64 0, ptr %length
  call void @rt_format(ptr %message, ptr %length, ptr %template, ptr %cells)
  ret void
}
; Appends a byte to a message, if there is room.
define void @rt_put(ptr %message, ptr %length, i8 %byte) noinline cold {
  %n = load i64, ptr %length
  %fits = icmp ult i64 %n, $ROOM
  br i1 %fits, label %put, label %end
put:
  %place = getelementptr i8, ptr %message, i64 %n
  store i8 %byte, ptr %place
  %more = add i64 %n, 1
  store i64 %more, ptr %length
  %end_at = getelementptr i8, ptr %message, i64 %more
  store i8 0, ptr %end_at
  br label %end
end:
  ret void
}
define void @rt_format(ptr %message, ptr %length, ptr %template, ptr %cells) noinline cold {
entry:
  %empty = load i64, ptr %length
  %first = getelementptr i8, ptr %message, i64 %empty
  store i8 0, ptr %first
  br label %head
head:
  %n = phi i64 [0, %entry], [%next, %plain], [%after, %filled]
  %at = getelementptr i8, ptr %template, i64 %n
  %byte = load i8, ptr %at
  %next = add i64 %n, 1
  %after = add i64 %n, 2
  %is_mark = icmp ule i8 %byte, $UNSIGNED
  br i1 %is_mark, label %mark, label %plain
plain:
  call void @rt_put(ptr %message, ptr %length, i8 %byte)
  br label %head
mark:
  %number_at = getelementptr i8, ptr %template, i64 %next
  %is_end = icmp eq i8 %byte, 0
  br i1 %is_end, label %end, label %argument
argument:
  %number_byte = load i8, ptr %number_at
  %number_up = zext i8 %number_byte to i64
  %number = sub i64 %number_up, 1
  %cell_at = getelementptr i64, ptr %cells, i64 %number
  %cell = load i64, ptr %cell_at
  switch i8 %byte, label %int [i8 $TEXT, label %text i8 $BOOL, label %bool i8 $UNSIGNED, label %digits]
int:
  %negative = icmp slt i64 %cell, 0
  br i1 %negative, label %minus, label %digits
minus:
  call void @rt_put(ptr %message, ptr %length, i8 45)
  %opposite = sub i64 0, %cell
  br label %digits
digits:
  %size = phi i64 [%cell, %argument], [%cell, %int], [%opposite, %minus]
  call void @rt_put_digits(ptr %message, ptr %length, i64 %size)
  br label %filled
bool:
  %is_true = icmp ne i64 %cell, 0
  %word = select i1 %is_true, ptr @rt_true, ptr @rt_false
  call void @rt_format(ptr %message, ptr %length, ptr %word, ptr null)
  br label %filled
text:
  %points = inttoptr i64 %cell to ptr
  call void @rt_put_text(ptr %message, ptr %length, ptr %points)
  br label %filled
filled:
  br label %head
end:
  ret void
}
define void @rt_put_digits(ptr %message, ptr %length, i64 %number) noinline cold {
entry:
  br label %scale
scale:
  %power = phi i64 [1, %entry], [%larger, %scale]
  %larger = mul i64 %power, 10
  %quotient = udiv i64 %number, %power
  %goes_on = icmp ugt i64 %quotient, 9
  br i1 %goes_on, label %scale, label %digit
digit:
  %unit = phi i64 [%power, %scale], [%smaller, %digit]
  %upper = udiv i64 %number, %unit
  %last = urem i64 %upper, 10
  %character = add i64 %last, 48
  %byte = trunc i64 %character to i8
  call void @rt_put(ptr %message, ptr %length, i8 %byte)
  %smaller = udiv i64 %unit, 10
  %more = icmp ne i64 %smaller, 0
  br i1 %more, label %digit, label %end
end:
  ret void
}
; Appends the UTF-8 of a text, which is a count, a length, a capacity and code points.
define void @rt_put_text(ptr %message, ptr %length, ptr %text) noinline cold {
entry:
  %count_at = getelementptr i64, ptr %text, i64 1
  %count = load i64, ptr %count_at
  %points = getelementptr i64, ptr %text, i64 3
  br label %head
head:
  %n = phi i64 [0, %entry], [%next, %last]
  %more = icmp ult i64 %n, %count
  br i1 %more, label %point, label %end
point:
  %point_at = getelementptr i32, ptr %points, i64 %n
  %code = load i32, ptr %point_at
  %next = add i64 %n, 1
  %used = load i64, ptr %length
  %fits = icmp ult i64 %used, $ROOM_OF_POINT
  br i1 %fits, label %kind, label %end
kind:
  %is_1 = icmp ult i32 %code, 128
  %is_2 = icmp ult i32 %code, 2048
  %is_3 = icmp ult i32 %code, 65536
  br i1 %is_1, label %last, label %long
long:
  br i1 %is_2, label %two, label %longer
longer:
  br i1 %is_3, label %three, label %four
four:
  %top = lshr i32 %code, 18
  %top_byte = or i32 %top, 240
  %b4 = trunc i32 %top_byte to i8
  call void @rt_put(ptr %message, ptr %length, i8 %b4)
  br label %three
three:
  %upper = lshr i32 %code, 12
  %upper_6 = and i32 %upper, 63
  %lead_3 = or i32 %upper, 224
  %follow_3 = or i32 %upper_6, 128
  %word_3 = select i1 %is_3, i32 %lead_3, i32 %follow_3
  %b3 = trunc i32 %word_3 to i8
  call void @rt_put(ptr %message, ptr %length, i8 %b3)
  br label %two
two:
  %middle = lshr i32 %code, 6
  %middle_6 = and i32 %middle, 63
  %lead_2 = or i32 %middle, 192
  %follow_2 = or i32 %middle_6, 128
  %word_2 = select i1 %is_2, i32 %lead_2, i32 %follow_2
  %b2 = trunc i32 %word_2 to i8
  call void @rt_put(ptr %message, ptr %length, i8 %b2)
  br label %last
last:
  %low = and i32 %code, 63
  %low_follow = or i32 %low, 128
  %low_word = select i1 %is_1, i32 %code, i32 %low_follow
  %b1 = trunc i32 %low_word to i8
  call void @rt_put(ptr %message, ptr %length, i8 %b1)
  br label %head
end:
  ret void
}
