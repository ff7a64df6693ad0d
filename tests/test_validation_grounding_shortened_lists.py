"""A list in a call has all that the request lists."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.incomplete import shortened_lists
from generator.validation.view import RecordView
from tests.test_validation_grounding_denials import record

Json = Any  # parsed JSON

MISSED: list[tuple[str, list[Json], str, list[str | None]]] = [
    ("Invite Ann Lee, Bob Ray and Carla Diaz.", ["Ann Lee", "Carla Diaz"], "Ann, Bob and Carla know.", ["warning"]),
    ("Invite Ann Lee and Bob Ray.", ["Bob Ray"], "Done.", ["note"]),
    ("What can I cook with leek, rice and tofu?", ["leek", "tofu"], "A leek and rice pot.", ["warning"]),
    ("Was kann ich mit Lauch und Reis kochen?", ["Lauch"], "Eine Pfanne mit Reis.", ["warning"]),
    ("¿Qué cocino con arroz y tofu?", ["tofu"], "Un arroz salteado.", ["warning"]),
    ("Sort 35, 10, 25, 5 and 15.", [35, 10, 5, 15], "Done.", ["warning"]),
]
WHOLE: list[tuple[str, list[Json], str]] = [
    ("Invite Ann Lee, Bob Ray and Carla Diaz.", ["Ann Lee", "Bob Ray", "Carla Diaz"], "Ann, Bob and Carla know."),
    ("Invite Ann Lee, but not Bob Ray.", ["Ann Lee"], "Bob is not invited."),
    ("Find a dish with leek and send it to Bob.", ["leek"], "It is on its way."),
    ("Invite Ann Lee and tell me when she is free.", ["Ann Lee"], "Ann is free at two."),
    ("Invite Ann on Monday at 3 PM, and Bob at 4.", ["Ann", "Bob"], "Both know."),
    ("Sort 35, 10, 25.", [35, 10, 25], "Done."),
    ("Find offices in Paris, France.", ["Paris"], "There are two in Paris, France."),
]


def found(asked: str, things: list[Json], answer: str) -> list[str | None]:
    """How sure it is that a list misses something."""
    document = record(asked, ("do_it", {"things": things}))
    document["messages"].append({"role": "assistant", "content": answer})
    return [each.at_most for each in shortened_lists(RecordView(document, generated=False))]


@pytest.mark.parametrize(("asked", "things", "answer", "severities"), MISSED)
def test_what_a_list_misses_is_found(asked: str, things: list[Json], answer: str, severities: list[str | None]) -> None:
    assert found(asked, things, answer) == severities


@pytest.mark.parametrize(("asked", "things", "answer"), WHOLE)
def test_a_whole_list_is_in_order(asked: str, things: list[Json], answer: str) -> None:
    assert found(asked, things, answer) == []


def test_the_list_of_another_call_has_the_thing() -> None:
    asked = "When are Ann Lee and Bob Ray free? Set up a talk with them."
    document = record(asked, ("find_slot", {"who": ["Ann Lee"]}), ("add_event", {"who": ["Ann Lee", "Bob Ray"]}))
    (finding,) = shortened_lists(RecordView(document, generated=False))
    assert (finding.pointer, finding.at_most) == ("/messages/1/tool_calls/0/function/arguments/who", "warning")
