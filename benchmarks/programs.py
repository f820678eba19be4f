"""Functions that the benchmarks convert and run; each means the same on numbers and on tensors."""


def sum_even(numbers):
    """The sum of the even ones: one loop, one test, one `continue`."""
    total = 0
    for number in numbers:
        if number % 2 != 0:
            continue
        total += number
    return total


def settle(orders, stock, price, limit):
    """A market day in 62 lines: nested loops, ifs, breaks and early returns.

    `bench_conversion` measures how long its conversion takes and how long the result is.
    """
    sold = waiting = 0
    income = 0
    day = 0
    if limit <= 0:
        return sold, waiting, income
    while stock > 0:
        day += 1
        if day > limit:
            break
        demand = 0
        for order in orders:
            if order <= 0:
                continue
            if order > stock:
                waiting += 1
                if waiting > limit:
                    return sold, waiting, income
                continue
            demand += order
            remaining = order
            while remaining > 0:
                if stock == 0:
                    break
                bundle = 1
                if remaining >= 10 and stock >= 10:
                    bundle = 10
                elif remaining >= 5 and stock >= 5:
                    bundle = 5
                remaining -= bundle
                stock -= bundle
                sold += bundle
                if bundle == 10:
                    income += bundle * price - 2
                else:
                    income += bundle * price
            if remaining > 0:
                waiting += 1
        if demand == 0:
            if price <= 1:
                return sold, waiting, income
            price -= 1
        else:
            if demand > 2 * sold:
                price += 2
            elif demand > sold:
                price += 1
            step = 0
            while step < day:
                step += 1
                if step % 3 == 0:
                    continue
                if step * price > 100:
                    price = price // 2
                    break
    if stock < 0 or price < 0:
        return -1, waiting, income
    return sold, waiting, income
