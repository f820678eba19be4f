"""LLVM code shared by all graphs: the call of a site, and numbers as Python objects.

It is compiled once for a process and linked to the code of graphs by the names of its functions.
Numbers travel in *cells* of 64 bits, with a letter for each type: b, i, u, f (64 bits), g (32
bits), o (an object) and p (an object whose reference is used up).
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir

EXPORTED = ("rt_call_site", "rt_call_context")
"""Functions that the code of graphs calls."""


def letter(type: ir.Type) -> str:
    """Return the letter of a type; lists travel as boxed objects."""
    if isinstance(type, ir.Scalar):
        return "g" if type.kind == "f" and type.bits == 32 else type.kind
    return "p" if isinstance(type, ir.NativeList) else "o"


TEXT = """
declare ptr @PyTuple_GetItem(ptr, i64)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_CallNoArgs(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare ptr @PyFloat_FromDouble(double)
declare ptr @PyBool_FromLong(i64)
declare i64 @PyLong_AsLongLong(ptr)
declare i64 @PyLong_AsUnsignedLongLong(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyErr_Occurred()
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)

define internal ptr @box(i8 %code, i64 %cell) {
entry:
  switch i8 %code, label %object [
    i8 98, label %bool
    i8 105, label %signed
    i8 117, label %unsigned
    i8 102, label %double
    i8 103, label %single
    i8 112, label %owned
  ]
bool:
  %b = call ptr @PyBool_FromLong(i64 %cell)
  ret ptr %b
signed:
  %i = call ptr @PyLong_FromLongLong(i64 %cell)
  ret ptr %i
unsigned:
  %u = call ptr @PyLong_FromUnsignedLongLong(i64 %cell)
  ret ptr %u
double:
  %d = bitcast i64 %cell to double
  %f = call ptr @PyFloat_FromDouble(double %d)
  ret ptr %f
single:
  %low = trunc i64 %cell to i32
  %s = bitcast i32 %low to float
  %e = fpext float %s to double
  %g = call ptr @PyFloat_FromDouble(double %e)
  ret ptr %g
object:
  %o = inttoptr i64 %cell to ptr
  call void @Py_IncRef(ptr %o)
  ret ptr %o
owned:
  %p = inttoptr i64 %cell to ptr
  ret ptr %p
}

define internal i64 @unbox(i8 %code, ptr %object) {
entry:
  switch i8 %code, label %object_cell [
    i8 98, label %bool
    i8 105, label %signed
    i8 117, label %unsigned
    i8 102, label %double
    i8 103, label %single
  ]
bool:
  %b = call i32 @PyObject_IsTrue(ptr %object)
  %t = icmp ne i32 %b, 0
  %z = zext i1 %t to i64
  ret i64 %z
signed:
  %i = call i64 @PyLong_AsLongLong(ptr %object)
  ret i64 %i
unsigned:
  %u = call i64 @PyLong_AsUnsignedLongLong(ptr %object)
  ret i64 %u
double:
  %d = call double @PyFloat_AsDouble(ptr %object)
  %f = bitcast double %d to i64
  ret i64 %f
single:
  %wide = call double @PyFloat_AsDouble(ptr %object)
  %s = fptrunc double %wide to float
  %low = bitcast float %s to i32
  %g = zext i32 %low to i64
  ret i64 %g
object_cell:
  call void @Py_IncRef(ptr %object)
  %o = ptrtoint ptr %object to i64
  ret i64 %o
}

define i1 @rt_call_site(ptr %ctx, i64 %index, ptr %cells, ptr %takes, i64 %count, ptr %gives,
                       i64 %results) {
entry:
  %room = add i64 %count, 1
  %boxes = alloca ptr, i64 %room
  br label %box_head
box_head:
  %n = phi i64 [0, %entry], [%n_next, %box_body]
  %missing = phi i1 [false, %entry], [%missing_next, %box_body]
  %more = icmp ult i64 %n, %count
  br i1 %more, label %box_body, label %boxed
box_body:
  %code_at = getelementptr i8, ptr %takes, i64 %n
  %code = load i8, ptr %code_at
  %cell_at = getelementptr i64, ptr %cells, i64 %n
  %cell = load i64, ptr %cell_at
  %object = call ptr @box(i8 %code, i64 %cell)
  %box_at = getelementptr ptr, ptr %boxes, i64 %n
  store ptr %object, ptr %box_at
  %null = icmp eq ptr %object, null
  %missing_next = or i1 %missing, %null
  %n_next = add i64 %n, 1
  br label %box_head
boxed:
  br i1 %missing, label %drop_head, label %call
call:
  %size = call i64 @PyTuple_Size(ptr %ctx)
  %after = sub i64 %size, 1
  %position = sub i64 %after, %index
  %function = call ptr @PyTuple_GetItem(ptr %ctx, i64 %position)
  %called = call ptr @PyObject_Vectorcall(ptr %function, ptr %boxes, i64 %count, ptr null)
  br label %drop_head
drop_head:
  %found = phi ptr [null, %boxed], [%called, %call], [%found, %drop_body]
  %k = phi i64 [0, %boxed], [0, %call], [%k_next, %drop_body]
  %left = icmp ult i64 %k, %count
  br i1 %left, label %drop_body, label %dropped
drop_body:
  %drop_at = getelementptr ptr, ptr %boxes, i64 %k
  %drop = load ptr, ptr %drop_at
  call void @Py_DecRef(ptr %drop)
  %k_next = add i64 %k, 1
  br label %drop_head
dropped:
  %failed = icmp eq ptr %found, null
  br i1 %failed, label %fail, label %unpack
unpack:
  %one = icmp eq i64 %results, 1
  br i1 %one, label %single, label %several_head
single:
  %only_code = load i8, ptr %gives
  %only = call i64 @unbox(i8 %only_code, ptr %found)
  store i64 %only, ptr %cells
  br label %check
several_head:
  %m = phi i64 [0, %unpack], [%m_next, %several_body]
  %going = icmp ult i64 %m, %results
  br i1 %going, label %several_body, label %check
several_body:
  %part = call ptr @PyTuple_GetItem(ptr %found, i64 %m)
  %part_code_at = getelementptr i8, ptr %gives, i64 %m
  %part_code = load i8, ptr %part_code_at
  %value = call i64 @unbox(i8 %part_code, ptr %part)
  %value_at = getelementptr i64, ptr %cells, i64 %m
  store i64 %value, ptr %value_at
  %m_next = add i64 %m, 1
  br label %several_head
check:
  call void @Py_DecRef(ptr %found)
  %error = call ptr @PyErr_Occurred()
  %fine = icmp eq ptr %error, null
  ret i1 %fine
fail:
  ret i1 false
}

define i1 @rt_call_context(ptr %ctx, i64 %entry_number) {
entry:
  %function = call ptr @PyTuple_GetItem(ptr %ctx, i64 %entry_number)
  %result = call ptr @PyObject_CallNoArgs(ptr %function)
  %failed = icmp eq ptr %result, null
  call void @Py_DecRef(ptr %result)
  ret i1 %failed
}
"""
