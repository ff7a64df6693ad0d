"""Templates: slots, formats, loops, rows by their names, what is unsayable, faults."""

from __future__ import annotations

from typing import Any

import pytest

from generator.random_streams import stream
from generator.worlds.rows import Row, Worded
from generator.worlds.speech import Speech, Unsayable
from generator.worlds.templates import compile_template, written_value
from tests.domains_library import compiler, library, scope
from tests.tables import each_row

NAMES: dict[str, Any] = {
    "n": 3, "t": "Red Sea", "due": "2026-01-20", "none": None, "late": "It is late.", "empty": [], "yes": True,
    "r": {"loans": [{"title": "A", "n": 1}, {"title": "B", "n": 2}, {"title": "C", "n": 3}]},
    "nested": [{"name": "x", "parts": [1, 2]}, {"name": "y", "parts": [3]}], "w": Worded(5, ("five", "5"), ()),
}  # fmt: skip

SAID: list[tuple[str, str]] = [
    ("plain", "plain"),
    ("", ""),
    ("{n} of {t}", "3 of Red Sea"),
    ("{ t }", "Red Sea"),
    ("{$t}", "Red Sea"),
    ("{due|day}", "January 20"),
    ("{n|count:loan}", "3 loans"),
    ("{r.loans|count:loan}", "3 loans"),
    ("{{n}} <<t>>", "{n} <t>"),
    ("a > b", "a > b"),
    ("<r.loans: {title}>", "A, B and C"),
    ("{t|first|lower}", "red"),
    ("{due|day|upper|quote}", '"JANUARY 20"'),
    ("{n|count:loan|cap}", "3 loans"),
    ("<r.loans|or: {title}>", "A, B or C"),
    ("<r.loans|2: {title}>", "A and B"),
    ("<r.loans|lines: {title}: {n}>", "\n- A: 1\n- B: 2\n- C: 3"),
    ("<r.loans|sentences: {title}.>", "A. B. C."),
    ("<r.loans|semicolons: {title}>", "A; B; C"),
    ("<r.loans|2|or: {title}>", "A or B"),
    ("<nested: {name} <parts: {it}>>", "x 1 and 2 and y 3"),
    ("<r.loans: {it.title} of {n}>", "A of 1, B of 2 and C of 3"),
    ("{today|date}", "January 15, 2026"),
    ("{r.loans.0.title}", "A"),
    ("{r.loans.title}", "A, B and C"),
    ("She wrote {late|quote}.", 'She wrote "It is late."'),
    ("She wrote {t|quote}.", 'She wrote "Red Sea".'),
]


@each_row(("text", "expected"), SAID)
def test_texts(text: str, expected: str) -> None:
    known = compiler(*NAMES)
    assert compile_template(text, (), known).write(scope(**NAMES), Speech(stream(1))) == expected
    assert known.faults.found == []


@pytest.mark.parametrize(
    "text", ["{none}", "{yes}", "{r}", "{t.x}", "{missing}", "<empty: {it}>", "<n: {it}>", "{t|day}", "{empty|list}"]
)
def test_what_stands_for_nothing_is_unsayable(text: str) -> None:
    known = compiler(*NAMES, "missing")
    with pytest.raises(Unsayable):
        compile_template(text, (), known).write(scope(**NAMES), Speech(stream(1)))
    assert known.faults.found == []


FAULTS: list[tuple[str, str, str]] = [
    ("{lsit}", "unknown name '$lsit'", "$list"),
    ("{l.boook}", "unknown field of loan 'boook'", "book"),
    ("{l.book.titel}", "unknown field of book 'titel'", "title"),
    ("{n|dya}", "unknown format 'dya'", "day"),
    ("{n", "a slot is not closed", ""),
    ("<list {it}>", "a loop is written", ""),
    ("<list: {it}", "a loop is not closed", ""),
    ("<p>Hello: you</p>", "a plain < or > is written << or >>", ""),
    ("<a href='http://x'>{t}</a>", "a plain < or > is written << or >>", ""),
    ("{n|count:loan|capp}", "unknown format 'capp'", "cap"),
    ("{n|yes:a, b, c|cap}", "takes two texts, not 3", ""),
    ("<list|line: {it}>", "unknown way of joining 'line'", "lines"),
    ("{n|count}", "`count` is written", ""),
    ("Order {n|count:{l}} for me.", "a slot stands inside a slot", "one behind the other"),
    ("<list|999: {it}>", "unknown way of joining '999'", ""),
]


@each_row(("text", "what", "nearest"), FAULTS)
def test_faults(text: str, what: str, nearest: str) -> None:
    known = compiler("list", "n", l="loan")
    compile_template(text, ("tools", "x", "requests", 0), known)
    (fault,) = known.faults.found
    assert what in fault.what
    assert fault.path == ("tools", "x", "requests", 0)
    assert nearest in fault.remedy


def loans() -> list[Row]:
    return list(scope().world.table("loan").values())


def test_rows_are_called_the_same_throughout() -> None:
    known = compiler(l="loan")
    text = compile_template("{l}", (), known)
    for seed in range(20):
        voice = Speech(stream(seed))
        assert len({text.write(scope(l=loans()[0]), voice) for _ in range(5)}) == 1
    assert len({text.write(scope(l=loans()[0]), Speech(stream(seed))) for seed in range(20)}) == 2


def test_rows_that_are_typed_are_called_by_their_ids() -> None:
    row = loans()[0]
    voice = Speech(stream(1), typed={row})
    text = compile_template("Renew {l}.", (), compiler(l="loan"))
    assert text.write(scope(l=row), voice) == f"Renew loan {row.fields['id']}."
    both = loans()[:2]
    first, second = (each.fields["id"] for each in both)
    for text, said in (("{rows}", ""), ("<rows: {it}>", ""), ("<rows: of {it}>", "of ")):
        several = compile_template(text, (), compiler("rows"))
        spoken = several.write(scope(rows=both), Speech(stream(1), typed=set(both)))
        assert spoken == (f"of loan {first} and of loan {second}" if said else f"loans {first} and {second}")


def test_worded_values_are_said_in_one_of_their_words() -> None:
    text = compile_template("{w}", (), compiler("w"))
    said = {text.write(scope(w=NAMES["w"]), Speech(stream(seed))) for seed in range(20)}
    assert said == {"five", "5"}
    voice = Speech(stream(1))
    words = text.write(scope(w=NAMES["w"]), voice)
    assert text.write(scope(w=NAMES["w"]), voice) == words
    assert voice.worded == {id(NAMES["w"]): words}


def test_a_name_that_holds_itself_is_unsayable() -> None:
    at = scope()
    at.names["b"] = next(iter(at.world.table("book").values()))
    voice = Speech(stream(1), calling={at.names["b"]})
    with pytest.raises(Unsayable, match="holds itself"):
        compile_template("{b}", (), compiler(b="book")).write(at, voice)


def test_texts_that_grow_too_long_are_unsayable() -> None:
    text = compile_template("{a}{a}", (), compiler("a"))
    with pytest.raises(Unsayable, match="too long"):
        text.write(scope(a="x" * 15_000), Speech(stream(1)))


def test_names_of_slots() -> None:
    assert compile_template("{n} {l.book.title} <r.loans: {title}>", (), library().program.compiler).names == {
        "n",
        "l",
        "r",
    }


def test_a_text_that_is_a_value_is_absent_where_it_cannot_be_said() -> None:
    value = written_value("{n} of {none}", (), compiler("n", "none"))
    assert not value(scope(n=1, none=None))
    assert value(scope(n=1, none=2)) == "1 of 2"


def test_how_the_user_listed_a_thing_is_kept() -> None:
    loans = NAMES["r"]["loans"]
    template = compile_template("Renew <r.loans: the {title}, {n} days>.", (), compiler(*NAMES))
    asked = Speech(stream(1))
    template.write(scope(**NAMES), asked)
    one, pieces = asked.listed[id(loans[1])]
    assert one is loans[1]
    assert pieces == ((False, "the "), (True, "B"), (False, ", "), (True, "2"), (False, " days"))


def test_what_the_assistant_lists_or_a_value_holds_was_not_said_by_the_user() -> None:
    template = compile_template("<r.loans: {title}>", (), compiler(*NAMES))
    answer, value = Speech(stream(1)), Speech(stream(1), is_value=True)
    with answer.of_assistant():
        template.write(scope(**NAMES), answer)
    template.write(scope(**NAMES), value)
    assert answer.listed == value.listed == {}
