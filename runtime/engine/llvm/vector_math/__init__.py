"""Mathematical functions of vectors of floats as LLVM IR: exp, log, sin and so on."""
