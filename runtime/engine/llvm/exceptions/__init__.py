"""``try`` in native code: its instructions, their lowering, and their LLVM code."""
