def f(x):
    class Settings:
        rate = 1
        while x > rate:
            rate += 1

    return Settings.rate


ARGS = (1,)
