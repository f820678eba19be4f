"""Small pictures as SVG: curves over steps, and rows of grey images."""

from html import escape

COLOURS = ("#1f5fa8", "#c4521a", "#2e7d4f", "#7a4fa3")
LEFT, TOP, WIDTH, HEIGHT = 64, 44, 480, 220


def document(width, height, title, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
    style = 'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#333"'
    back = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    name = text(width / 2, 24, title, 'text-anchor="middle" font-size="15" font-weight="bold"')
    return "\n".join([f"{head} {style}>", back, name, *parts, "</svg>\n"])


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(str(words))}</text>'


def ticks(low, high):
    """Round numbers from low to high, about five."""
    rough = (high - low) / 5
    power = 10.0
    while power > rough:
        power /= 10
    while power * 10 <= rough:
        power *= 10
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = int(low // step) - 1
    return [k * step for k in range(first, first + 12) if low <= k * step <= high * (1 + 1e-9)]


def curves(path, title, lines, x_label, y_label, start=1, legend=LEFT + WIDTH - 170):
    """Lines by name, each a list of numbers, over 1, 2, 3 ..., and a legend at a place across."""
    most = max(len(line) for line in lines.values())
    low = min(0.0, *(min(line) for line in lines.values()))
    high = max(max(line) for line in lines.values()) * 1.05
    right, bottom = LEFT + WIDTH, TOP + HEIGHT

    def x_of(step):
        return LEFT + WIDTH * (step - start) / max(most - 1, 1)

    def y_of(value):
        return bottom - HEIGHT * (value - low) / (high - low)

    parts = []
    for value in ticks(low, high):
        y = y_of(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#e4e4e4"/>')
        parts.append(text(LEFT - 6, y + 4, f"{value:g}", 'text-anchor="end"'))
    for step in ticks(start, start + most - 1):
        if step == int(step):
            parts.append(text(x_of(step), bottom + 17, int(step), 'text-anchor="middle"'))
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#555"/>')
    for number, (name, line) in enumerate(lines.items()):
        places = [f"{x_of(start + k):.1f},{y_of(v):.1f}" for k, v in enumerate(line)]
        look = f'fill="none" stroke="{COLOURS[number]}" stroke-width="2"'
        parts.append(f'<polyline points="{" ".join(places)}" {look}/>')
        y = TOP + 14 + 18 * number
        parts.append(f'<path d="M{legend} {y - 4}h22" {look}/>' + text(legend + 28, y, name))
    parts.append(text(LEFT + WIDTH / 2, bottom + 38, x_label, 'text-anchor="middle"'))
    middle = TOP + HEIGHT / 2
    turned = f'text-anchor="middle" transform="rotate(-90 16 {middle})"'
    parts.append(text(16, middle, y_label, turned))
    save(path, document(right + 24, bottom + 52, title, parts))


def images(path, title, rows, size=5):
    """Rows of grey images by name: arrays [height, width] of numbers from 0 (white) to 1."""
    parts, squares, top, right = [], {}, 44, 0
    for name, row in rows.items():
        parts.append(text(16, top + len(row[0]) * size / 2 + 4, name))
        for number, image in enumerate(row):
            left = 130 + number * (image.shape[1] * size + 6)
            right = max(right, left + image.shape[1] * size)
            for i, line in enumerate(image):
                for j, value in enumerate(line):
                    grey = f"{255 - round(17 * round(min(max(float(value), 0), 1) * 15)):02x}"
                    place = f"M{left + j * size} {top + i * size}"
                    squares.setdefault(grey * 3, []).append(f"{place}h{size}v{size}h-{size}z")
        top += len(row[0]) * size + 10
    squares.pop("ffffff", None)
    parts += [f'<path fill="#{grey}" d="{"".join(d)}"/>' for grey, d in squares.items()]
    save(path, document(right + 16, top + 6, title, parts))


def save(path, picture):
    with open(path, "w", encoding="utf-8") as file:
        file.write(picture)
