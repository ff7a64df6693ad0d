"""What each prompt says, over plans of every kind: it names what is shown, keeps one style, and contradicts nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import pytest

from generator.authors.author import NoDraft, OfflineAuthor
from generator.authors.llm import variables
from generator.authors.llm.author import opening
from generator.authors.llm.prompts import instructions_of
from generator.authors.llm.variables import kind_variables, language, question_text
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.kinds import KINDS
from generator.records import Exchange
from generator.scenarios.planner import Planner
from generator.scenarios.results import answer_calls
from generator.scenarios.scenario import REGISTERS, SITUATIONS, Persona, PlanError, Scenario, Step
from generator.values.meanings.entities import known_locales
from tests.bundled import bundled, bundled_prompts
from tests.tables import each_row

PROMPTS = bundled_prompts()
DAY = re.compile(r"'\d{4}-\d{2}-\d{2}")
DEFINITION = re.compile(r"^(- \w+: |  parameters: ).*$", re.MULTILINE)
EACH = 6
SHORT = ("a few words", "one short sentence")
LENGTH = re.compile(r"in a [\w -]+ tone, ([\w ]+)\. It")


@dataclass(frozen=True, slots=True)
class Asked:
    """One prompt of a plan."""

    scenario: Scenario
    step: Step
    name: str
    text: str

    @property
    def told(self) -> str:
        """The prompt without the definitions of tools, which may name others."""
        return DEFINITION.sub("", self.text)


@cache
def asked(kind: str, locale: str = "en_US", freedom: str = "world") -> tuple[Asked, ...]:
    """The prompts of some plans of a kind, as the offline author goes on with them."""
    job = Job.model_validate(
        {"count": 99, "seed": 4, "mix": {kind: 1.0}, "author": "llm", "locale": [locale], "freedom": freedom}
    )
    planner = Planner(job, bundled())
    return tuple(each for index in range(EACH) for each in _prompts(_planned(planner, index)))


def _planned(planner: Planner, index: int) -> Scenario:
    for attempt in range(20):
        try:
            return planner.plan(index, attempt)
        except PlanError:
            continue
    raise AssertionError("no attempt can be planned")


def _prompts(scenario: Scenario) -> Iterator[Asked]:
    history: tuple[Exchange, ...] = ()
    for step in scenario.steps:
        if step.request or step.reply:
            (message,) = opening(PROMPTS, scenario, history)
            yield Asked(scenario, step, question_text(scenario, history)[0], str(message["content"]))
        try:
            draft = OfflineAuthor().write(scenario, history)
        except NoDraft:  # pragma: no cover - the bundled tools have words for all of it
            return
        history = (*history, Exchange(draft, answer_calls(scenario, draft, step, history)))


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en_US", "de_DE"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_prompt_speaks_of_tools_that_are_not_shown(kind: str, locale: str) -> None:
    every = {tool.name for _, tool in sorted(_every_tool().items())}
    for each in asked(kind, locale):
        named = every & set(re.findall(r"\w+", each.told))
        assert named <= {tool.name for tool in each.scenario.tools}, each.told


@cache
def _every_tool() -> dict[str, object]:
    return {tool.name: tool for tool in bundled().tools}


@each_row("kind", KINDS)
def test_no_prompt_has_gaps(kind: str) -> None:
    for each in (*asked(kind), *asked(kind, freedom="plan")):
        assert not re.search(r"[^.]\.\.(?: |$)|\(\)| with \{\}, and states", each.told), each.told
        assert "\n\n\n" not in each.text


def test_why_something_failed_ends_once() -> None:
    failed = [each for each in asked("simple") if "Something failed" in each.text]
    assert failed
    assert all(re.search(r"Something failed: [^\n]*[^.\n]\. Say so plainly", each.text) for each in failed)


def test_a_refusal_recites_no_tool() -> None:
    replies = [each for each in asked("irrelevance") if each.name == "reply"]
    assert replies
    for each in replies:
        assert not any(tool.description[:40] in each.text for tool in each.scenario.tools)
        assert "Recite nothing" in each.text


@pytest.mark.parametrize("locale", ["en_US", "de_DE"])
def test_who_must_ask_between_readings_is_told_each(locale: str) -> None:
    questions = [each for each in asked("ambiguous", locale) if each.step.act == "ask"]
    assert len(questions) == EACH
    for each in questions:
        readings = kind_variables(each.scenario, ())["readings"]
        assert isinstance(readings, list)
        assert len(readings) >= 2
        assert all(f'"{reading}"' in each.text for reading in readings)


def test_between_two_tools_the_readings_are_what_they_do() -> None:
    by_tools = [each.scenario for each in asked("ambiguous") if "tools" in each.scenario.claim]
    assert by_tools
    for scenario in by_tools:
        readings = kind_variables(scenario, ())["readings"]
        assert isinstance(readings, list)
        described = " ".join(tool.description for tool in scenario.tools)
        assert all(isinstance(each, str) and each in described for each in readings)


def date_in_words(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


@pytest.mark.parametrize("freedom", ["world", "plan"])
def test_a_date_stands_wherever_a_plan_holds_one(freedom: str) -> None:
    met = 0
    for kind in KINDS:
        for each in asked(kind, freedom=freedom):
            if each.step.request and any(DAY.search(repr(call.arguments)) for call in each.scenario.calls):
                assert date_in_words(each.scenario.reference_date) in each.text
                met += 1
    assert met > 20


STAY = {
    "name": "book_stay",
    "description": "Book a stay in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "day": {"type": "string", "format": "date"}},
        "required": ["city", "day"],
    },
}


@pytest.mark.parametrize("kind", ["simple", "missing_parameter", "error_report"])
def test_a_date_stands_over_tools_of_which_nothing_is_known(tmp_path: Path, kind: str) -> None:
    """Their words say the year; a model's own may say "next Friday"."""
    (tmp_path / "stays.json").write_text(json.dumps([STAY]), "utf-8")
    catalog = load_catalog([tmp_path / "stays.json"]).catalog
    job = {"count": 40, "seed": 1, "mix": {kind: 1.0}, "freedom": "plan"}
    plans = [_planned(Planner(Job.model_validate({**job, "author": "llm"}), catalog), index) for index in range(8)]
    assert all(date_in_words(plan.reference_date) in plan.system and plan.states_date for plan in plans)
    offline = [_planned(Planner(Job.model_validate(job), catalog), index) for index in range(8)]
    assert not all(plan.states_date for plan in offline)  # what is worded offline stays as it is


@each_row("kind", KINDS)
def test_a_prompt_tells_one_length(kind: str) -> None:
    """The instructions of a kind leave the length to the rule that tells it."""
    assert not re.search(r"sentences?\b|paragraph|as short as|a word or two|short question", _instructions(kind))
    for each in asked(kind):
        rules = each.text.partition("Rules:")[2]
        assert sum(line.startswith(("- The message is in", "- Write in")) for line in rules.splitlines()) == 1


def _instructions(kind: str) -> str:
    return PROMPTS.sources[instructions_of(kind)]


def test_a_confirmation_is_short_and_a_question_is_one() -> None:
    met = set()
    for kind in ("confirm_before_write", "missing_parameter", "invalid_value", "ambiguous", "argument_shift"):
        for each in asked(kind):
            met.add(each.step.act)
            if each.step.act in ("agree", "decline"):
                (length,) = LENGTH.findall(each.text)
                assert length in SHORT
            if each.step.act in ("ask", "confirm"):
                assert "in one short question" in each.text
                assert "sentences" not in each.text.partition("Rules:")[2]
    assert {"agree", "decline", "ask", "confirm"} <= met


@pytest.mark.parametrize(
    ("words", "length"),
    [
        (1, "a few words"),
        (6, "a few words"),
        (7, "one short sentence"),
        (14, "one short sentence"),
        (15, "one or two sentences"),
        (28, "one or two sentences"),
        (29, "two or three sentences"),
        (90, "two or three sentences"),
    ],
)
def test_a_message_is_as_long_as_what_it_says(words: int, length: str) -> None:
    scenario = asked("missing_parameter")[0].scenario
    step = replace(scenario.steps[0], request_text="word " * words)
    assert variables._length(scenario, step, Random(1), is_first=True) == length
    free = asked("simple")[0].scenario
    assert free.free
    assert variables._length(free, step, Random(1), is_first=False) == length


def test_a_task_of_ones_own_takes_its_room_and_a_terse_one_no_more() -> None:
    scenario = asked("simple")[0].scenario
    assert scenario.free
    found = {
        register: {
            variables._length(
                replace(scenario, persona=Persona("somebody", register)), replace(scenario.steps[0], request_text=text),
                Random(number), is_first=True,
            )
            for number in range(60)
            for text in ("word", "word " * 20, "word " * 60)
        }
        for register in ("plain", "terse")
    }  # fmt: skip
    assert found["plain"] == {*variables._LENGTHS[1:]}
    assert found["terse"] == {*variables._LENGTHS[1:4]}


@each_row("kind", KINDS)
def test_what_is_said_before_a_yes_is_not_taken_for_the_wish(kind: str) -> None:
    """Where the assistant asks for consent, the calls of a step move behind the yes; its act stays what it is."""
    for each in asked(kind):
        if each.step.calls and each.step.request and each.step.act not in ("agree", ""):
            moved = replace(each.step, calls=(), about=each.step.about or each.step.calls)
            scenario = replace(each.scenario, steps=(moved,))
            before = PROMPTS.render(instructions_of(kind), kind_variables(replace(scenario, steps=(each.step,)), ()))
            assert PROMPTS.render(instructions_of(kind), kind_variables(scenario, ())) == before


def test_a_person_is_in_a_situation_that_suits_any_task() -> None:
    assert len(SITUATIONS) == len(set(SITUATIONS)) > 10
    assert all(situation.startswith("somebody ") for situation in SITUATIONS)
    assert "formal" not in REGISTERS  # it becomes ceremonious
    assert len({each.scenario.persona for each in asked("simple")}) > 1


def test_words_that_are_given_are_nobodys_in_particular() -> None:
    """Where the sense of a message is given, who says it follows from that."""
    for kind in KINDS:
        for each in asked(kind):
            is_given = "what this means" in each.text or "what this wishes for" in each.text
            assert not (is_given and each.scenario.persona.role.casefold() in each.text.casefold())


@each_row("kind", KINDS)
def test_no_words_are_asked_for_to_the_letter_in_another_language(kind: str) -> None:
    for each in asked(kind, "de_DE"):
        assert "exactly these words" not in each.text
        if each.step.request and each.name != "irrelevance":
            assert "What has a German word" in each.text
    assert not any("What has a" in each.text for each in asked(kind))


def test_a_refused_wish_begins_from_what_the_plan_would_say() -> None:
    topics = {question_text(each.scenario, ())[1]["topic"] for each in asked("irrelevance") if each.step.request}
    assert len(topics) == EACH
    assert all(each.scenario.steps[0].request_text for each in asked("irrelevance"))


@pytest.mark.parametrize(
    ("description", "left"),
    [
        ("Id of the entry, as list_workouts gives it.", "Id of the entry"),
        ("Day (see start_date).", "Day"),
        ("As list_workouts gives it.", ""),
        ("First. Then; as get_x, or get_y.", "First. Then"),
        ("Any day, e.g. next Friday.", "Any day, e.g. next Friday."),
        ("", ""),
    ],
)
def test_what_describes_a_parameter_names_no_other_tool(description: str, left: str) -> None:
    assert variables._without_tools(description) == left


def test_an_answer_in_words_of_its_own_sees_the_system_message() -> None:
    free = [each for each in asked("simple") if each.name == "reply"]
    assert free
    assert all(each.scenario.system in each.text for each in free)


@each_row("kind", [name for name in KINDS if name != "irrelevance"])
def test_what_a_message_means_is_told_wherever_nothing_is_invented(kind: str) -> None:
    for each in asked(kind):
        if each.name == "request":
            assert each.step.request_text
            assert "It means exactly what this means" in each.text


def test_each_locale_is_asked_for_in_its_own_language() -> None:
    english = {locale.partition("_")[0] for locale in known_locales() if language(locale) == "English"}
    assert english == {"en", "ng"}  # names of Nigerians, whom English serves
    assert (language("ar_SA"), language("th"), language("dk_DK"), language("xx_XX")) == (
        "Arabic",
        "Thai",
        "Danish",
        "English",
    )
