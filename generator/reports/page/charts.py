"""Charts as SVG that takes its colours and fonts from the page, drawn by pygal; each with its numbers as a table.

pygal's own styles, scripts and comments are left out: they name the day and a random id, and the page allows no
script but its own. Each chart is drawn twice, for a wide and for a narrow window, so that its words stay readable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from generator.extras import missing
from generator.reports.page.visible import visible

_WIDE, _NARROW = 660, 320
_ROW, _BESIDE = 22, 8
_COLUMNS_HIGH = 240
_MOST_LINES = 8
"""Lines across columns, so that their numbers stand apart."""
_CAPITALS = 34
"""Room for capitals, which are wider than pygal takes letters for."""
_FONT = 12
_LONGEST_LABEL = 34
_MOST_BARS = 40
_KEPT = {"svg", "g", "rect", "path", "text", "circle", "line"}
"""The elements of a drawing; all others are titles, scripts and notes for pygal's own scripts."""
_ATTRIBUTES = ("viewBox", "transform", "x", "y", "width", "height", "d", "rx", "ry", "cx", "cy", "r", "class")


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers by name, drawn in two widths."""

    title: str
    what: str
    """What is counted, as a head for the numbers."""
    wide: Markup
    narrow: Markup
    numbers: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """The sum of the numbers."""
        return sum(count for _, count in self.numbers)


def require_pygal() -> None:
    """Refuse to begin where nothing draws charts.

    Raises:
        UsageError: pygal is not installed; the message names the install.
    """
    _pygal()


def _pygal() -> Any:
    try:
        import pygal
    except ImportError as error:
        raise missing("a report needs", "pygal", "report") from error
    return pygal


def bars(title: str, what: str, counts: Mapping[str, int]) -> Chart:
    """Draw a bar for each name, the first one on top."""
    numbers = tuple((visible(name), count) for name, count in counts.items())
    shown = numbers[:_MOST_BARS]
    return Chart(title, what, _bars(shown, _WIDE), _bars(shown, _NARROW), numbers)


def columns(title: str, what: str, counts: Mapping[str, int]) -> Chart:
    """Draw a column for each name, from left to right."""
    numbers = tuple((visible(name), count) for name, count in counts.items())
    return Chart(title, what, _columns(numbers, _WIDE), _columns(numbers, _NARROW), numbers)


def _bars(numbers: tuple[tuple[str, int], ...], width: int) -> Markup:
    longest = _LONGEST_LABEL if width == _WIDE else _LONGEST_LABEL // 2
    upwards = numbers[::-1]
    beside = {"margin_left": _CAPITALS if any(name.isupper() for name, _ in numbers) else 2}
    settings = {**_settings(width, _ROW * len(numbers) + _BESIDE), **beside}
    chart = _pygal().HorizontalBar(**settings, print_values=True)
    chart.truncate_label = -1
    chart.x_labels = [_cut(name, longest) for name, _ in upwards]
    chart.range = (0, 1.15 * max((count for _, count in numbers), default=1) or 1)
    chart.show_x_labels = False
    chart.add("", [count for _, count in upwards], formatter=lambda count: f"{count:,.0f}")
    return _svg(chart, width)


def _columns(numbers: tuple[tuple[str, int], ...], width: int) -> Markup:
    chart = _pygal().Bar(**_settings(width, _COLUMNS_HIGH), max_scale=_MOST_LINES)
    chart.x_labels = [name.partition("–")[0].removesuffix(" on") for name, _ in numbers]
    chart.truncate_label = -1
    chart.x_labels_major_every = -(-len(numbers) // (10 if width == _WIDE else 5)) or 1
    chart.show_minor_x_labels = False
    chart.value_formatter = lambda count: f"{count:,.0f}"
    chart.add("", [count for _, count in numbers])
    return _svg(chart, width)


def _settings(width: int, height: int) -> dict[str, Any]:
    style = _pygal().style.Style(label_font_size=_FONT, major_label_font_size=_FONT, value_font_size=_FONT)
    quiet = {"js": [], "css": [], "no_prefix": True, "show_legend": False, "print_values_position": "top"}
    return {**quiet, "style": style, "width": width, "height": height, "margin": 2, "spacing": 6}


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _svg(chart: Any, width: int) -> Markup:
    """Write the drawing without what pygal adds to it, the same from either of the XML libraries that it uses."""
    root = chart.render_tree()
    about = f'class="chart" viewBox="{root.get("viewBox")}" width="{width}" aria-hidden="true" focusable="false"'
    return Markup(f"<svg {about}>{''.join(_parts(root))}</svg>")  # noqa: S704 - texts and attributes are escaped


def _parts(parent: Any) -> Iterator[str]:
    for element in parent:
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if name in _KEPT:
            attributes = "".join(_attributes(element))
            yield f"<{name}{attributes}>{escape(element.text or '')}{''.join(_parts(element))}</{name}>"


def _attributes(element: Any) -> Iterable[str]:
    return (f' {name}="{escape(value)}"' for name in _ATTRIBUTES if (value := element.get(name)))
