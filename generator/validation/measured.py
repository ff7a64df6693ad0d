"""What was measured of the rules: how many corrupted records each finds, and how many good ones it flags.

The figures lie in `assets/measured.json`; the benchmark of corruptions writes them.
"""

from __future__ import annotations

from functools import cache

import orjson

from generator.assets import asset_file
from generator.jsontext import JsonObject
from generator.validation.verdict import SEVERITIES

_MODES = {"written": "as written", "read": "as read", "bare": "without metadata"}
_SHOWN_CLASSES = 8


@cache
def _figures() -> JsonObject:
    figures: JsonObject = orjson.loads(asset_file("measured.json").read_bytes())
    return figures


def measured(code: str) -> tuple[str, ...]:
    """Return lines that tell what was measured of a rule; none where no class of corruptions breaks it."""
    figures = _figures()
    told: JsonObject | None = figures["rules"].get(code)
    if told is None:
        return ()
    classes = {name: figures["classes"][name]["records"] for name in told["found"]}
    found, flagged, good = sum(told["found"].values()), sum(told["flagged"].values()), sum(figures["good"].values())
    finds = [f"{count} of {classes[name]} {name}" for name, count in _most(told["found"])]
    flags = [f"{count} of {figures['good'][source]:,} {source}" for source, count in _most(told["flagged"])]
    recall = f"Recall {_share(found, sum(classes.values()))} over {len(classes)} classes of corruptions"
    precision = f"precision {_share(found, found + flagged)} beside {good:,} good records"
    more = len(classes) - len(finds)
    return (
        f"{recall}, {precision}, of which it flags {flagged:,}.",
        f"Finds {', '.join(finds)}{f' and {more} more classes' if more else ''}.",
        f"Flags of the good ones: {', '.join(flags) or 'none'}.",
    )


def corruption_table() -> str:
    """Return the classes of corruptions and their families as a table in Markdown, with the shares that are caught."""
    figures = _figures()
    rows = [
        f"| corruption | records | {' | '.join(_MODES.values())} |",
        "|---|---:|" + "---:|" * len(_MODES),
        *(_row(each["wrong"], each) for each in figures["classes"].values()),
        *(_row(f"**{name}**", each) for name, each in figures["families"].items()),
    ]
    return "\n".join(rows) + "\n"


def alarm_table() -> str:
    """Return how many good records have findings, by source and sureness, as a table in Markdown."""
    figures = _figures()
    rows = [
        "| good records | records | errors of meaning | warnings at most | notes at most | of form alone |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for source, count in figures["good"].items():
        cells = " | ".join(str(figures["flagged"][source][each]) for each in (*SEVERITIES, "form"))
        rows.append(f"| {source} | {count:,} | {cells} |")
    return "\n".join(rows) + "\n"


def _row(name: str, figures: JsonObject) -> str:
    cells = " | ".join(_share(figures[mode][-1], figures["records"]) for mode in _MODES)
    return f"| {name} | {figures['records']} | {cells} |"


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_SHOWN_CLASSES]


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "-"
