"""Native engine: graphs become kernel IR (lowering.py), LLVM IR (codegen.py), machine code."""
