"""Native containers: LLVM code of the lists that stand for dicts and sets."""
