"""Operations on state: variables, lists, tensor arrays, tables, queues, datasets, files."""
