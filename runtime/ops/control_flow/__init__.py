"""Operations that run graphs or have effects: cond, while, try, calls, print, assert."""
