"""A picture as SVG: shapes on a card that is readable on light and dark pages."""
from html import escape
from pathlib import Path

INK, PALE, ACCENT, SECOND = "#24343d", "#d7dcd6", "#1f7a5c", "#c2562d"
COLOURS = {"red": "#c8493a", "green": "#3f8f5f", "blue": "#3b6ea8", "yellow": "#d9a520"}
CARD = "#fbfaf6"


def number(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


class Picture:
    """width by height points; the text is for those who cannot see it."""

    def __init__(self, width: float, height: float, text: str) -> None:
        self.size, self.text, self.parts = (width, height), text, [""]

    def add(self, name: str, content: str = "", /, **attributes: object) -> None:
        given = "".join(f' {key.replace("_", "-")}="{number(value) if isinstance(value, float) else value}"'
                        for key, value in attributes.items())
        self.parts.append(f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>")

    def box(self, x: float, y: float, width: float, height: float, fill: str, **more: str) -> None:
        self.add("rect", x=float(x), y=float(y), width=float(width), height=float(height), fill=fill, **more)

    def dot(self, x: float, y: float, radius: float, fill: str, **more: str) -> None:
        self.add("circle", cx=float(x), cy=float(y), r=float(radius), fill=fill, **more)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1) -> None:
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=stroke,
                 stroke_width=float(width), stroke_linecap="round")

    def write(self, x: float, y: float, text: object, size: float = 12, anchor: str = "middle", fill: str = INK,
              **more: str) -> None:
        self.add("text", escape(str(text)), x=float(x), y=float(y), font_size=float(size), text_anchor=anchor,
                 fill=fill, **more)

    def save(self, path: Path) -> None:
        width, height = map(number, self.size)
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                        f'height="{height}" font-family="sans-serif" role="img">\n<title>{escape(self.text)}</title>\n'
                        f'<rect width="100%" height="100%" rx="8" fill="{CARD}"/>'
                        + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def layout(count: int, edges: list[tuple[int, int]], steps: int = 300) -> list[complex]:
    """Places of a graph's nodes within the unit square: all repel each other, edges pull, the centre pulls a little."""
    import cmath

    places = [cmath.rect((k + 1) ** 0.5, 2.4 * k) for k in range(count)]
    for step in range(steps):
        forces = [-0.3 * place for place in places]
        for i in range(count):
            for j in range(i):
                away = places[i] - places[j]
                push = away / (abs(away) ** 2 + 0.01)
                forces[i] += push
                forces[j] -= push
        for i, j in edges:
            pull = 0.3 * (places[i] - places[j])
            forces[i] -= pull
            forces[j] += pull
        most = 0.5 * (1 - step / steps)
        places = [place + force * min(1, most / (abs(force) + 1e-9)) for place, force in zip(places, forces)]
    left, low = min(p.real for p in places), min(p.imag for p in places)
    wide, high = max(p.real for p in places) - left, max(p.imag for p in places) - low
    return [complex((p.real - left) / wide, (p.imag - low) / high) for p in places]
