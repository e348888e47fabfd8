"""Small pictures as SVG text, for notebooks: curves with intervals, and histograms. They need only NumPy, so a result
can always show itself; for a paper use the figures of a report."""
from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple, Sequence
from xml.sax.saxutils import escape

import numpy as np

__all__ = ["Curve", "escape", "histogram", "lines", "outline"]

# The colours of the figures of reports, which colour-blind people can tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 28, 44
LEGEND_LETTERS = 24
MOST_POINTS = 2 * 60 + 2  # of an outline: SPN_MOST_BINS of <spinney/lab/plot.h>


class Curve(NamedTuple):
    """A curve; if low and high are given, with a band between them."""

    name: str
    x: Any
    y: Any
    low: Any = None
    high: Any = None


class _Axis:
    """One axis: maps numbers to places between start and end, and chooses the labels."""

    def __init__(self, values: np.ndarray, start: float, end: float, log: bool) -> None:
        usable = values[np.isfinite(values) & ((values > 0) | (not log))]
        self.log = log and usable.size > 0
        least, most = (usable.min(), usable.max()) if usable.size else (0.0, 1.0)
        self.least, self.most = self._scale(np.array([least, most], dtype=float)).tolist()
        if self.least == self.most:
            margin = 0.5 if self.log else abs(self.least) / 2 or 0.5
            largest = sys.float_info.max
            self.least, self.most = max(self.least - margin, -largest), min(self.most + margin, largest)
        self.start, self.end = start, end

    def _scale(self, values: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log10(values) if self.log else values

    def place(self, values: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):  # halves, so that a range over all doubles does not overflow
            share = (self._scale(values) / 2 - self.least / 2) / (self.most / 2 - self.least / 2)
            return self.start + share * (self.end - self.start)

    def tics(self) -> list[float]:
        if self.log and self.most - self.least >= 1:
            step = max(1, math.ceil((self.most - self.least) / 6))
            powers = range(math.ceil(self.least), math.floor(self.most) + 1, step)
            return [10.0**power for power in powers]
        least, most = (10**self.least, 10**self.most) if self.log else (self.least, self.most)
        return _round_numbers(least, most)


def _round_numbers(least: float, most: float) -> list[float]:
    """About five numbers between two, in steps of 1, 2 or 5 times a power of ten."""
    rough = most / 5 - least / 5
    if not (math.isfinite(rough) and rough > 0):
        return []
    power = 10.0 ** math.floor(math.log10(rough))
    if power == 0:
        return []
    step = next((k * power for k in (1, 2, 5, 10) if k * power >= rough), 10 * power)
    first, last = math.ceil(least / step), math.floor(most / step)
    return [k * step for k in range(first, last + 1)] if last - first < 50 else []


def _thin(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and highest point of each column, if there are more points than a picture can show."""
    size = len(x) // WIDTH
    if size < 4:
        return x, y
    whole = len(x) // size * size
    rows = np.where(np.isfinite(y[:whole]), y[:whole], np.nan).reshape(-1, size)
    empty = np.isnan(rows).all(axis=1)
    rows = np.where(empty[:, None], 0, rows)
    chosen = np.stack([np.nanargmin(rows, axis=1), np.nanargmax(rows, axis=1)], axis=1)
    chosen = np.sort(chosen, axis=1) + np.arange(len(rows))[:, None] * size
    chosen = np.unique(np.concatenate([chosen.ravel(), np.arange(whole, len(x))]))
    return x[chosen], y[chosen]


def _points(x: np.ndarray, y: np.ndarray) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))


def _pieces(x: np.ndarray, y: np.ndarray, style: str) -> str:
    """A line, broken at missing values; an isolated point is a dot."""
    out, shown = [], np.isfinite(x) & np.isfinite(y)
    borders = np.flatnonzero(np.diff(np.concatenate([[0], shown.astype(np.int8), [0]])))
    for first, end in zip(borders[::2], borders[1::2]):
        if end - first == 1:
            out.append(f'<circle cx="{x[first]:.1f}" cy="{y[first]:.1f}" r="2.5" fill="{style}"/>')
        else:
            out.append(f'<polyline points="{_points(x[first:end], y[first:end])}" fill="none" '
                       f'stroke="{style}" stroke-width="1.6"/>')
    return "".join(out)


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{more}>'
            f"{escape(text)}</text>")


def _frame(across: _Axis, up: _Axis) -> str:
    out = []
    for value in across.tics():
        place = float(across.place(np.array([value]))[0])
        out.append(f'<line x1="{place:.1f}" y1="{TOP}" x2="{place:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        out.append(_text(place, HEIGHT - BOTTOM + 15, f"{value:.6g}", more=' stroke="none"'))
    for value in up.tics():
        place = float(up.place(np.array([value]))[0])
        out.append(f'<line x1="{LEFT}" y1="{place:.1f}" x2="{WIDTH - RIGHT}" y2="{place:.1f}"/>')
        out.append(_text(LEFT - 6, place + 4, f"{value:.6g}", "end", ' stroke="none"'))
    return ('<g stroke="currentColor" stroke-opacity="0.15">' + "".join(out) +
            f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
            f'height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke-opacity="0.6"/></g>')


def _legend(names: Sequence[str]) -> str:
    out = []
    for k, name in enumerate(names):
        y, shown = TOP + 16 + 16 * k, name
        if len(name) > LEGEND_LETTERS:
            shown = name[: LEGEND_LETTERS - 1] + "…"
        out.append(f'<line x1="{WIDTH - RIGHT - 26}" y1="{y - 4}" x2="{WIDTH - RIGHT - 8}" '
                   f'y2="{y - 4}" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="2"/>')
        out.append(_text(WIDTH - RIGHT - 32, y, shown, "end"))
    return "".join(out)


def _column(values: Any, name: str) -> np.ndarray:
    out = np.asarray(values, dtype=float)
    if out.ndim != 1:
        raise ValueError(f"{name}: expected a list of numbers, not an array of {out.ndim} dimensions")
    return out


def _band(curve: Curve, x: np.ndarray, across: _Axis, up: _Axis, colour: str) -> str:
    low, high = _column(curve.low, "low"), _column(curve.high, "high")
    a, b, c = across.place(x), up.place(low), up.place(high)
    shown = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    if not shown.any():
        return ""
    bars = "".join(f'<line x1="{p:.1f}" y1="{q:.1f}" x2="{p:.1f}" y2="{r:.1f}" '
                   f'stroke="{colour}" stroke-opacity="0.6"/>'
                   for p, q, r in zip(a[shown], b[shown], c[shown])) if shown.sum() <= 40 else ""
    outline = _points(np.concatenate([a[shown], a[shown][::-1]]),
                      np.concatenate([b[shown], c[shown][::-1]]))
    return f'<polygon points="{outline}" fill="{colour}" fill-opacity="0.12"/>' + bars


def lines(curves: Sequence[Curve], *, title: str = "", x_label: str = "", y_label: str = "",
          log_x: bool = False, log_y: bool = False) -> str:
    """Draw curves as an SVG picture.

    Values that are not finite, and on a logarithmic axis those that are not positive, are left out,
    and the line is broken there.

    >>> svg = lines([Curve("square", [0, 1, 2], [0, 1, 4])], title="x and its square")
    >>> svg.startswith("<svg") and "x and its square" in svg
    True
    """
    columns = [(_column(c.x, "x"), _column(c.y, "y")) for c in curves]
    for curve, (x, y) in zip(curves, columns):
        if len(x) != len(y):
            raise ValueError(f"curve {curve.name!r}: {len(x)} values of x, but {len(y)} of y")
    bands = [_column(part, "low and high") for c in curves for part in (c.low, c.high)
             if part is not None]
    all_x = np.concatenate([x for x, _ in columns] or [np.zeros(0)])
    all_y = np.concatenate([y for _, y in columns] + bands or [np.zeros(0)])
    across = _Axis(all_x, LEFT, WIDTH - RIGHT, log_x)
    up = _Axis(all_y, HEIGHT - BOTTOM, TOP, log_y)
    drawn = []
    for k, (curve, (x, y)) in enumerate(zip(curves, columns)):
        colour = COLOURS[k % len(COLOURS)]
        if curve.low is not None and curve.high is not None:
            drawn.append(_band(curve, x, across, up, colour))
        x, y = _thin(x, y)
        drawn.append(_pieces(across.place(x), up.place(y), colour))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12" role="img">'
            + _text(WIDTH / 2, 17, title, more=' font-weight="bold"') + _frame(across, up)
            + "".join(drawn) + (_legend([c.name for c in curves]) if len(curves) > 1 else "")
            + _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label)
            + _text(14, middle, y_label, more=f' transform="rotate(-90 14 {middle:.0f})"')
            + "</svg>")


def outline(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The outline of a histogram, with bins chosen by the library: shares against values."""
    import ctypes

    from . import _library

    _library.declare(_library.lab, {"spn_histogram_outline": (_library.STATUS, [ctypes.c_void_p] * 4 + [
        ctypes.c_size_t])})
    sample = np.ascontiguousarray(values, dtype=float).ravel()
    x, y, points = np.zeros(MOST_POINTS), np.zeros(MOST_POINTS), ctypes.c_size_t()
    _library.check(_library.lab.spn_histogram_outline, x.ctypes.data, y.ctypes.data, ctypes.addressof(points),
                   sample.ctypes.data, len(sample))
    return x[: points.value], y[: points.value]


def histogram(samples: Sequence[tuple[str, Any]], *, title: str = "", x_label: str = "",
              y_label: str = "share") -> str:
    """Draw the distributions of named samples as an SVG picture.

    >>> histogram([("energies", [1, 1, 2])], x_label="energy").startswith("<svg")
    True
    """
    curves = [Curve(name, *outline(values)) for name, values in samples]
    return lines(curves, title=title, x_label=x_label, y_label=y_label)
