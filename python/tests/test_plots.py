"""Small pictures: well-formed SVG of whatever numbers there are."""

import sys
import xml.dom.minidom

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from spinney import plots

numbers = st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=30)


@settings(max_examples=100, deadline=None)
@given(numbers, numbers, st.booleans(), st.booleans(), st.text(max_size=40))
def test_any_numbers(x, y, log_x, log_y, name):
    name = "".join(c for c in name if c.isprintable())
    count = min(len(x), len(y))
    svg = plots.lines([plots.Curve(name, x[:count], y[:count])], title=name, log_x=log_x, log_y=log_y)
    xml.dom.minidom.parseString(svg)
    assert "nan" not in svg.replace(plots.escape(name), "") and "inf" not in svg.replace(plots.escape(name), "")


def places(svg, k=0):
    line = xml.dom.minidom.parseString(svg).getElementsByTagName("polyline")[k]
    return [tuple(map(float, point.split(","))) for point in line.getAttribute("points").split()]


def test_places():
    points = places(plots.lines([plots.Curve("a", [0, 1, 2], [0, 5, 10])]))
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x0 < x1 < x2 and y0 > y1 > y2  # up is up
    assert abs(x1 - (x0 + x2) / 2) <= 0.1 and abs(y1 - (y0 + y2) / 2) <= 0.1
    points = places(plots.lines([plots.Curve("a", [1, 10, 100], [1, 10, 100])], log_x=True, log_y=True))
    assert abs(points[1][0] - (points[0][0] + points[2][0]) / 2) <= 0.1


def test_gaps_and_points():
    svg = plots.lines([plots.Curve("a", range(6), [1, 2, np.nan, 3, 4, np.inf])])
    assert svg.count("<polyline") == 2
    assert plots.lines([plots.Curve("a", [1], [1])]).count("<circle") == 1


def test_many_points_keep_their_extremes():
    y = np.zeros(10**6)
    y[123456] = 5
    svg = plots.lines([plots.Curve("a", np.arange(10**6), y)])
    assert len(svg) < 10**5
    heights = {round(v, 1) for _, v in places(svg)}
    assert len(heights) == 2  # the one spike is there


def test_names_and_bands():
    svg = plots.lines([plots.Curve("a & b", [1, 2], [1, 2], [0, 1], [2, 3]), plots.Curve("c" * 99, [1, 2], [2, 1])],
                      x_label="<x>", y_label="'y'")
    assert "a &amp; b" in svg and "&lt;x&gt;" in svg and "<polygon" in svg and "c" * 99 not in svg


def test_histogram():
    svg = plots.histogram([("one", [1, 1, 2, 3]), ("none", [])], x_label="energy")
    xml.dom.minidom.parseString(svg)
    x, y = plots.outline([1, 1, 2, 3])
    assert len(x) == len(y) and np.isclose(y[1::2].sum(), 1) and x[0] < 1 and x[-1] > 3
    assert len(plots.outline([np.nan])[0]) == 0


def test_bad_columns():
    with pytest.raises(ValueError, match="2 values of x, but 1 of y"):
        plots.lines([plots.Curve("a", [1, 2], [1])])
    with pytest.raises(ValueError, match="x"):
        plots.lines([plots.Curve("a", [[1]], [1])])


def test_a_number_that_has_no_larger_one(recwarn):
    """The margins around a single number end with the doubles."""
    largest = sys.float_info.max
    (x0, y0), (x1, y1) = places(plots.lines([plots.Curve("x", [0, 1], [largest, largest])]))
    assert x0 < x1 and y0 == y1
    assert not recwarn.list
