"""Grids of what people say for days, numbers and times in five languages: the right reading, and no wrong one.

Each line of `dates_grid.jsonl`, `numbers_grid.jsonl` and `clocks_grid.jsonl` is a phrase with values that it means and
values near them that it does not mean. A reader that accepts everything finds all of the right ones, and is useless.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding.arguments.grounded import ground_arguments
from generator.validation.grounding.arguments.sources import Said, Source
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.clocks import clocks_in
from generator.validation.grounding.reading.days import phrases_of
from generator.validation.grounding.reading.quantities import figures_of, quantities_of
from generator.validation.view import RecordView
from tests.bounded import bounded
from tests.tables import each_row

Json = Any  # parsed JSON
GRIDS = ("dates", "numbers", "clocks")
LEAST = {"en": 45, "de": 20, "es": 20, "fr": 20, "zh": 20}
SENTENCES = {
    "en": "Please take {}.",
    "de": "Bitte nimm {}.",
    "es": "Por favor, usa {}.",
    "fr": "Merci de prendre {}.",
    "zh": "请用{}。",
}
DAY = "2026-03-11"


def lines(grid: str) -> list[Json]:
    text = Path(__file__).with_name(f"{grid}_grid.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def cases(which: str) -> Iterator[Any]:
    for grid in GRIDS:
        for line in lines(grid):
            for value in line[which]:
                yield pytest.param(line, value, id=f"{grid}-{line['language']}-{line['text']}-{value}")


def is_grounded(line: Json, value: Json) -> bool:
    record = record_of(SENTENCES[line["language"]].format(line["text"]), value, line.get("day", DAY))
    (found,) = ground_arguments(RecordView(record))
    return found.grounding is not None


def record_of(asked: str, value: Json, day: str = DAY) -> Json:
    schema = {"type": "object", "properties": {"value": {"description": "The value."}}}
    function = {"name": "act", "arguments": {"value": value}}
    return {
        "messages": [
            {"role": "user", "content": asked},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "abcdefgh1", "type": "function", "function": function}],
            },
        ],
        "tools": [
            {"type": "function", "function": {"name": "act", "description": "Act.", "parameters": schema}},
        ],
        "metadata": {"reference_date": day},
    }


@each_row(("line", "value"), list(cases("right")))
def test_what_a_phrase_means_is_read(line: Json, value: Json) -> None:
    assert is_grounded(line, value)


@each_row(("line", "value"), list(cases("wrong")))
def test_what_a_phrase_does_not_mean_is_refused(line: Json, value: Json) -> None:
    assert not is_grounded(line, value)


@pytest.mark.parametrize("value", [4, 65, 465])
def test_part_of_a_decimal_is_no_number_of_its_own(value: int) -> None:
    record = record_of("Setze die Grenze bitte auf 4,65 Millionen.", value)
    assert [each.rule for each in check(record, generated=False) if each.rule == "TC201"] == ["TC201"]


def test_the_grid_of_dates_has_enough_of_each_language() -> None:
    found = [line["language"] for line in lines("dates")]
    assert {language: found.count(language) >= least for language, least in LEAST.items()} == dict.fromkeys(LEAST, True)


def test_every_line_has_right_and_wrong_values() -> None:
    assert [line for grid in GRIDS for line in lines(grid) if not (line["right"] and line["wrong"])] == []


HOSTILE = [
    "the 3rd and ", "10 to ", "next ", "two weeks after ", "1,", "1.", "1 ", "1/2/", "hundred ", "half a million ",
    "一", "百", "月", "einundzwanzig", "hundert", "quatre-vingt-", "y media ", "5:", "the last friday of may and ",
]  # fmt: skip


@pytest.mark.slow
@each_row("part", HOSTILE)
def test_no_text_takes_long_or_stops_the_reader(part: str) -> None:
    text = (part * 20_000)[:20_000]
    with bounded(20):
        said = Said((Source(0, text),), DAY)
        for language in LEAST:
            quantities_of(figures_of(text, (language,)), (language,))
            assert list(days.relative_days(phrases_of(text, (language,)), date.fromisoformat(DAY))) is not None
            clocks_in(text, (language,))
        assert said.relative_days is not None and said.sources[0].hours is not None
