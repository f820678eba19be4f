"""Operations that make, select and rearrange elements."""
