"""Operations of arithmetic, comparison, logic and reduction."""
