class f:
    pass
