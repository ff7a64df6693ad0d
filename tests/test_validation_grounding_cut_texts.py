"""What somebody dictates is given whole."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.incomplete import cut_texts
from generator.validation.view import RecordView
from tests.test_validation_grounding_denials import record

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
