"""What somebody dictates is given whole, and so is what somebody lists."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.incomplete import cut_texts, shortened_lists
from generator.validation.view import RecordView
from tests.test_validation_grounding_requests_last_word import record

Json = Any  # parsed JSON

CUT: list[tuple[str | list[str], Json]] = [
    ('Post "The canteen is closed on Friday, bring lunch." to #office.', {"text": "The canteen is closed"}),
    ("Add a note called “Things to ask the plumber about”.", {"title": "Things to ask"}),
    ("Schreib Anna: „Ich komme heute etwas später nach Hause.“", {"text": "Ich komme heute"}),
    ("Écris «Le dîner est prêt à huit heures» à Paul.", {"body": "Le dîner est prêt"}),
    ("Text Bob 'The keys are under the mat by the door'", {"body": "under the mat by the door"}),
    (["Write to Bob.", '"Heads-up: the review is at 4 instead of 3."'], {"body": "Heads-up: the review is at 4"}),
]
WHOLE: list[tuple[str | list[str], Json]] = [
    ('Post "The canteen is closed on Friday." to #office.', {"text": "The canteen is closed on Friday"}),
    ('Write "Lunch is ready, come down" to Ann.', {"title": "Lunch is ready", "body": "come down"}),
    ('Call it "Walk the dog" and put "Walk the dog at six" into the text.',
     {"title": "Walk the dog", "text": "Walk the dog at six"}),
    ('Move "Finish the sales report for May" to done.', {"task_id": "T1"}),
    ('"Please post that lunch is ready to #office. It has to be quick."', {"text": "lunch is ready"}),
    ("Post lunch is ready", {"text": "lunch is"}),
]  # fmt: skip


def found(asked: str | list[str], arguments: Json, name: str = "post_it") -> list[str]:
    """Where something is found of a call."""
    return [each.pointer for each in cut_texts(RecordView(record(asked, (name, arguments)), generated=False))]


@pytest.mark.parametrize(("asked", "arguments"), CUT)
def test_a_part_of_what_is_dictated_is_found(asked: str | list[str], arguments: Json) -> None:
    assert len(found(asked, arguments)) == 1


@pytest.mark.parametrize(("asked", "arguments"), WHOLE)
def test_what_is_whole_or_goes_on_elsewhere_is_in_order(asked: str | list[str], arguments: Json) -> None:
    assert found(asked, arguments) == []


def test_a_part_may_be_searched_for() -> None:
    assert found('Find my note "Things to ask the plumber about".', {"query": "Things to ask"}, "search_notes") == []


MISSED: list[tuple[str, list[Json], str, list[str | None]]] = [
    ("Invite Ann Lee, Bob Ray and Carla Diaz.", ["Ann Lee", "Carla Diaz"], "Ann, Bob and Carla know.", ["warning"]),
    ("Invite Ann Lee and Bob Ray.", ["Bob Ray"], "Done.", ["note"]),
    ("What can I cook with leek, rice and tofu?", ["leek", "tofu"], "A leek and rice pot.", ["warning"]),
    ("Was kann ich mit Lauch und Reis kochen?", ["Lauch"], "Eine Pfanne mit Reis.", ["warning"]),
    ("¿Qué cocino con arroz y tofu?", ["tofu"], "Un arroz salteado.", ["warning"]),
    ("Sort 35, 10, 25, 5 and 15.", [35, 10, 5, 15], "Done.", ["warning"]),
]
WHOLE_LISTS: list[tuple[str, list[Json], str]] = [
    ("Invite Ann Lee, Bob Ray and Carla Diaz.", ["Ann Lee", "Bob Ray", "Carla Diaz"], "Ann, Bob and Carla know."),
    ("Invite Ann Lee, but not Bob Ray.", ["Ann Lee"], "Bob is not invited."),
    ("Find a dish with leek and send it to Bob.", ["leek"], "It is on its way."),
    ("Invite Ann Lee and tell me when she is free.", ["Ann Lee"], "Ann is free at two."),
    ("Invite Ann on Monday at 3 PM, and Bob at 4.", ["Ann", "Bob"], "Both know."),
    ("Sort 35, 10, 25.", [35, 10, 25], "Done."),
    ("Find offices in Paris, France.", ["Paris"], "There are two in Paris, France."),
]


def shortened(asked: str, things: list[Json], answer: str) -> list[str | None]:
    """How sure it is that a list misses something."""
    document = record(asked, ("do_it", {"things": things}))
    document["messages"].append({"role": "assistant", "content": answer})
    return [each.at_most for each in shortened_lists(RecordView(document, generated=False))]


@pytest.mark.parametrize(("asked", "things", "answer", "severities"), MISSED)
def test_what_a_list_misses_is_found(asked: str, things: list[Json], answer: str, severities: list[str | None]) -> None:
    assert shortened(asked, things, answer) == severities


@pytest.mark.parametrize(("asked", "things", "answer"), WHOLE_LISTS)
def test_a_whole_list_is_in_order(asked: str, things: list[Json], answer: str) -> None:
    assert shortened(asked, things, answer) == []


def test_the_list_of_another_call_has_the_thing() -> None:
    asked = "When are Ann Lee and Bob Ray free? Set up a talk with them."
    document = record(asked, ("find_slot", {"who": ["Ann Lee"]}), ("add_event", {"who": ["Ann Lee", "Bob Ray"]}))
    (finding,) = shortened_lists(RecordView(document, generated=False))
    assert (finding.pointer, finding.at_most) == ("/messages/1/tool_calls/0/function/arguments/who", "warning")
