"""The examiner's view of an answer: what its rules on answers find in it that they do not find in the record's own.

The record is read once as far as the turn. Each answer then takes the place of the record's own in a view that shares
all else, so that only what depends on the answer's words is looked at again.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

from generator.grading.turns import Turn
from generator.jsontext import JsonObject
from generator.validation.grounding.answers.answer import Answer
from generator.validation.rules import RULES
from generator.validation.verdict import Severity
from generator.validation.view import MessageView, RecordView

ON_ANSWERS = ("TC202", "TC203", "TC204", "TC205", "TC206", "TC208", "TC216", "TC217", "TC218", "TC221", "TC222")
"""The rules on what answers tell."""
_OF_ITS_WORDS = frozenset(
    """
    text pointer folded has_verbatim_figures language stems words beginnings tokens stated_numbers without_moments days
    clocks lengths chunks
    """.split()
)
"""What an `Answer` keeps that depends on its own words; all else is that of the turn."""


class Found(NamedTuple):
    """What a rule finds in an answer."""

    rule: str
    message: str
    severity: Severity


class Examination:
    """The rules on answers, ready to be asked about any answer to one turn.

    Args:
        document: the record.
        turn: the turn that is answered.
    """

    def __init__(self, document: JsonObject, turn: Turn) -> None:
        content = turn.expected.get("content")
        own = {"role": "assistant", "content": content if isinstance(content, str) else ""}
        shown = {**document, "messages": [*turn.prefix, own]}
        self._view = RecordView(shown, generated=False)
        self._place = turn.place
        self._before = self._view.messages[: turn.place]
        spoken = [message.index for message in self._before if message.role == "user"]
        since = spoken[-1] if spoken else -1
        self._results = [result for result in self._view.results if result.message.index > since]
        self._day = self._view.metadata.get("reference_date")
        self.own = Answer(self._view.messages[turn.place], self._before, self._results, self._view.tools, self._day)
        self._known = frozenset((found.rule, found.message) for found in self._ask(self._view, self.own))

    @property
    def results(self) -> list[object]:
        """What the results of the turn hold, those of failed calls left out."""
        return [result.value for result in self._results if not result.failed]

    def answer(self, text: str) -> tuple[RecordView, Answer]:
        """Return the view of the record with another answer to the turn, and that answer."""
        message = MessageView(self._place, {"role": "assistant", "content": text})
        answer = Answer(message, self._before, self._results, self._view.tools, self._day)
        kept = vars(answer)
        for name, value in vars(self.own).items():
            if name not in _OF_ITS_WORDS:
                kept[name] = value
        view = copy.copy(self._view)
        view.messages = [*self._before, message]
        view.kept = {}
        view._text = None
        return view, answer

    def find(self, text: str) -> list[Found]:
        """Return what the rules find in an answer and not in the record's own."""
        view, answer = self.answer(text)
        return [found for found in self._ask(view, answer) if (found.rule, found.message) not in self._known]

    def _ask(self, view: RecordView, answer: Answer) -> list[Found]:
        view.answers = [answer]
        found: list[Found] = []
        for code in ON_ANSWERS:
            rule = RULES[code]
            if rule.scope and not getattr(view, rule.scope):
                continue
            severity = rule.severity_in(False)
            if severity is not None:
                violations = (rule.violation(finding, severity) for finding in rule.find(view))
                found += [Found(code, each.message, each.severity) for each in violations
                          if each.pointer.startswith(f"/messages/{self._place}")]  # fmt: skip
        return found
