"""Charts: drawn by pygal, in the page's own colours, with nothing that runs, names a day or is random."""

from __future__ import annotations

import re

from generator.reports.page.charts import bars, columns


def test_a_chart_has_names_and_numbers_and_nothing_else() -> None:
    chart = bars("Records", "records", {"simple": 1200, "<b>parallel</b>": 3})
    for drawn in (chart.wide, chart.narrow):
        assert "1,200" in drawn and "simple" in drawn and "&lt;b&gt;" in drawn
        assert not re.search(r"<(script|style|title|desc|!--)|style=|#[0-9a-f]{6}|Kozea", drawn)
    assert chart.total == 1203
    assert chart == bars("Records", "records", {"simple": 1200, "<b>parallel</b>": 3})


def test_the_first_bar_is_on_top() -> None:
    drawn = bars("Records", "records", {"first": 2, "second": 1}).wide
    heights = {name: float(re.findall(rf'y="([\d.]+)"[^>]*>{name}<', drawn)[0]) for name in ("first", "second")}
    assert heights["first"] < heights["second"]


def test_columns_are_named_by_where_they_begin() -> None:
    drawn = columns("Tokens", "records", {"0–499": 3, "500–999": 4, "1,000 on": 1}).wide
    assert ">500<" in drawn and ">1,000<" in drawn and "499" not in drawn


def test_charts_of_nothing_are_drawn() -> None:
    assert bars("Errors", "calls", {}).total == 0
    assert columns("Calls", "records", {"0": 0}).wide.startswith("<svg")
