class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is not None


def f(x):
    y = 0
    try:
        with Manager():
            if x > 0:
                raise ValueError("positive")
            y = 1
    except ValueError:
        y = 2
    return y


ARGS = (1,)
