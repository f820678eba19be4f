"""Operations that draw random numbers."""
