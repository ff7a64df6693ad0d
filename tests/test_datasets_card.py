"""The card of a data set: what records say of themselves is shown there, and obeyed by nobody."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.datasets.card import Facts, card
from tests.record_examples import simple
from tests.tables import each_row

OUTSIDE = (
    "a | b | c",
    "---\ninjected: true\n---",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](http://evil) ![pixel](http://evil/p.png)",
    "http://evil.example www.evil.example a@evil.example",
    "`code` **bold** __bold__ ~~gone~~ $x$ # title",
    "\n\n# A heading\n\n- a list",
    "&lt;b&gt; &#60;",
    "\x1b[2J \u202egpj.exe \u2028 \ud800 \x00",
    "x" * 100_000,
)


def told(text: str) -> Facts:
    facts = Facts(columns=("messages", "tools", "metadata"))
    record = simple()
    record["metadata"].update({"kind": text, "toolgen_version": text, "author": text, "locale": text})
    facts.count(record, "train")
    return facts


def parts(written: str) -> tuple[Any, str]:
    """The header as YAML reads it, and what follows."""
    _, header, body = written.split("---\n", 2)
    return yaml.safe_load(header), body


@each_row("text", OUTSIDE, ids=range(len(OUTSIDE)))
def test_a_text_of_a_record_is_text(text: str) -> None:
    plain, hostile = card("mine", told("simple")), card(text, told(text))
    header, body = parts(hostile)
    assert header.keys() <= {*parts(plain)[0], "language"}
    assert len(body.splitlines()) == len(parts(plain)[1].splitlines())
    assert len(hostile) < 3_000
    assert hostile.encode()
    for mark in ("<", "](", "![", "`code", "**", "__", "~~", "http:", "www.", "@evil", "\x1b", "\u202e", "&", "$x"):
        outside_code = body.replace("`datasets`", "").replace("`messages`", "").replace("`tools`", "")
        assert mark not in outside_code.replace(f"\\{mark[0]}", "")


@given(st.text())
def test_a_table_keeps_its_columns(text: str) -> None:
    rows = [line for line in card("mine", told(text)).split("\n") if line.startswith("|")]
    assert len(rows) == 3
    assert {row.replace("\\\\", "").replace("\\|", "").count("|") for row in rows} == {3}


@pytest.mark.parametrize(
    ("locale", "languages"), [("no_NO", ["no"]), ("en_US", ["en"]), ("yes: [", None), ("x\n- y", None), ("DE_de", None)]
)
def test_a_language_is_a_text_of_its_own(locale: str, languages: list[str] | None) -> None:
    assert parts(card("mine", told(locale)))[0].get("language") == languages


def test_a_split_may_be_called_what_yaml_takes_for_another_thing() -> None:
    facts = Facts(columns=("messages", "tools"), splits={"yes": 1, "null": 2})
    header, _ = parts(card("mine", facts))
    assert [each["split"] for each in header["configs"][0]["data_files"]] == ["yes", "null"]


def test_thousands_of_kinds_and_makers_do_not_make_a_book() -> None:
    facts = Facts(columns=("messages", "tools"), splits={"train": 1})
    facts.kinds = {f"k{at:06}": Counter(train=1) for at in range(10_000)}
    facts.makers = Counter({f"m{at:06}": 1 for at in range(10_000)})
    written = card("mine", facts)
    assert len(written) < 6_000
    assert "| 9,900 more | |" in written
    assert "; 9,990 more." in written


def test_words_of_ours_stay_as_they_are() -> None:
    written = card("my-set_2", told("parallel_multiple"))
    assert "\n# my-set_2\n" in written
    assert "\n| parallel_multiple | 1 |\n" in written
