"""Rewards of turns in which the record speaks: an answer that says the same, in whichever words.

What the record's own answer tells is held against what another one tells: its facts must be there, no others that
nothing bears out, nothing denied that is affirmed, nothing asked where all is told. Where that holds, the rules of the
examiner on answers are asked as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod

from generator.grading.examining import Examination
from generator.grading.moods import mood_differences, mood_of, sides_of
from generator.grading.reasons import Reason, Reward, reward_of
from generator.grading.statements import Fact, Statements, content_stems, statements_of
from generator.grading.text_differences import FactOwners, differences
from generator.grading.turns import Turn
from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.languages import little_words, phrases
from generator.validation.grounding.reading.words import fold, tokens_of

_LEAST = 0.05
"""What an answer in words is worth at least where the record answers in words."""
_OF_SEVERITY = {"error": 0.4, "warning": 0.6, "note": 0.9}
_DOUBTFUL = 0.9
"""From here on the examiner is asked: what is known to be worse need not be looked at any closer."""
_REFUSING = (("declining", "unable"), ("outcomes", "denial"))
_MOST_TOLD = 8
_SHORTEST_FACT = 3
_MOST_VALUES = 20_000
_LONGEST_VALUE = 2_000
_LONGEST_EVIDENCE = 20_000


class SpokenTurn:
    """A turn in which the record speaks, with all that is known of its answer.

    Args:
        document: the record.
        turn: the turn that is answered.
    """

    def __init__(self, document: JsonObject, turn: Turn) -> None:
        self._document, self._turn = document, turn
        self.examination = Examination(document, turn)
        own = self.examination.own
        self.language = own.language
        self._normal = " ".join(own.folded.split())
        self._telling = frozenset(_words_of(self.examination.results)) - little_words()
        self.own = statements_of(own.text, self.language, self._telling)
        self.facts = frozenset(self.own.facts)
        self._telling |= self.own.names
        self.mood = mood_of(own.text, self.language)
        names = {str(fact[1]) for fact in self.facts if fact[0] == "word"}
        self.sides = sides_of(own.folded, names, self.language)
        self._right = reward_of(1.0, [Reason("right_answer", "outcome", "", "", 1.0, "says what the record says")])

    @property
    def after_results(self) -> bool:
        """Whether there are results that the answer is to tell."""
        return bool(self.examination.own.results)

    @cached_property
    def evidence(self) -> frozenset[Fact]:
        """The facts of all that was said, called and returned before."""
        said = statements_of(self.examination.own.evidence_as_said[:_LONGEST_EVIDENCE], "en", frozenset())
        counts: list[Fact] = [("number", float(size)) for size in _sizes(self.examination.results)]
        return frozenset([*said.facts, *counts])

    @cached_property
    def owners(self) -> FactOwners:
        """Which result each fact belongs to."""
        return FactOwners(self.examination.things)

    @cached_property
    def evidence_stems(self) -> frozenset[str]:
        """The stems of all that was said, called and returned before, and of the definitions of the tools."""
        own = self.examination.own
        said = content_stems(own.evidence_as_said[:_LONGEST_EVIDENCE])
        return said | content_stems(own.tools_text[:_LONGEST_EVIDENCE])

    @cached_property
    def said_stems(self) -> frozenset[str]:
        """The stems of all that was said, called and returned before, and of the names of the fields."""
        said = content_stems(self.examination.own.evidence_as_said[:_LONGEST_EVIDENCE])
        return said | self.owners.field_stems

    @cached_property
    def asked_about(self) -> frozenset[Fact]:
        """The words among the facts that name the one thing which the request asks about; none where it is not one."""
        requests = [each.get("content") for each in self._turn.prefix if each.get("role") == "user"]
        if not requests or not isinstance(requests[-1], str) or self.owners.are_apart(self.own.facts):
            return frozenset()
        asked = frozenset(tokens_of(fold(requests[-1][:_LONGEST_EVIDENCE])))
        return frozenset(fact for fact in self.facts if fact[0] == "word" and fact[1] in asked)

    @cached_property
    def asked_for(self) -> frozenset[str]:
        """The stems by which a question is known to ask for the same: its own, and those of the parameters missing."""
        asking = [sentence.stems for sentence in self.own.sentences if sentence.asks]
        metadata = self._document.get("metadata")
        claim = metadata.get("claim") if isinstance(metadata, dict) else None
        missing = claim.get("missing") if isinstance(claim, dict) else None
        names = [name for name in missing if isinstance(name, str)] if isinstance(missing, list) else []
        return frozenset().union(*asking, *(content_stems(name.replace("_", " ")) for name in names))

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The texts of the results that the record's own answer repeats, folded: for languages without spaces."""
        own = self.examination.own.folded
        told = dict.fromkeys(fold(value) for value in _texts_of(self.examination.results) if 1 < len(value) < 80)
        return tuple(value for value in told if value in own)

    def reward(self, text: str) -> Reward:
        """Return what a text is worth as the answer to the turn."""
        folded = fold(text)
        if " ".join(folded.split()) == self._normal:
            return self._right
        said, mood = self.said_in(text), mood_of(text, self.language)
        referred = self.asked_about if mood.refers else frozenset()
        reasons = [*differences(self, said, folded, referred), *mood_differences(self, said, mood, folded)]
        if _worth(reasons) >= _DOUBTFUL:
            found = self.examination.find(text, tells_the_same=not reasons)[:_MOST_TOLD]
            reasons += [
                Reason("contradiction", "outcome", "", "", _OF_SEVERITY[each.severity], f"{each.rule}: {each.message}")
                for each in found
            ]
        if not reasons:
            return self._right
        return reward_of(max(_LEAST, _worth(reasons)), reasons)

    def said_in(self, text: str) -> Statements:
        """Return what a text says, the words of the results and the names in the record's answer being facts."""
        return statements_of(text, self.language, self._telling)

    def beside_calls(self, text: str) -> Iterator[Reason]:
        """Yield what speaks against a text that stands beside calls: what is told there is not known yet."""
        said, folded, language = self.said_in(text), fold(text), self.language or "en"
        if any(fact[0] != "word" and fact not in self.evidence for fact in said.facts):
            yield Reason(
                "told_before", "outcome", "", "", 0.8, "tells beside the calls what only their results can tell"
            )
        elif phrases(language, "claims", "completed").begins(folded):
            yield Reason("told_before", "outcome", "", "", 0.8, "says beside the calls that all is done")
        if not self.own.denials and any(phrases(language, *each).found_in(folded) for each in _REFUSING):
            yield Reason("denied", "outcome", "", "", 0.8, "says beside the calls that it cannot be done")
        if said.asks:
            yield Reason("asked_instead", "outcome", "", "", 0.9, "asks and calls at once")


def _worth(reasons: list[Reason]) -> float:
    """Return what is left: what is wrong counts each time, what is but doubtful as the most doubtful of it."""
    wrong = prod(reason.score for reason in reasons if reason.score < _DOUBTFUL)
    return wrong * min((reason.score for reason in reasons if reason.score >= _DOUBTFUL), default=1.0)


def _texts_of(results: list[JsonValue]) -> Iterator[str]:
    """Yield the texts in results; none where there are too many values to look at."""
    waiting: list[JsonValue] = list(results)
    for value in waiting:
        if len(waiting) > _MOST_VALUES:
            return
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, str):
            yield value[:_LONGEST_VALUE]


def _words_of(results: list[JsonValue]) -> Iterator[str]:
    """Yield the words of the texts in results."""
    for text in _texts_of(results):
        yield from (word for word in tokens_of(fold(text)) if len(word) >= _SHORTEST_FACT)


def _sizes(results: list[JsonValue]) -> Iterator[int]:
    """Yield how many entries the lists in results have."""
    waiting: list[JsonValue] = list(results)
    for value in waiting:
        if len(waiting) > _MOST_VALUES:
            return
        if isinstance(value, list):
            yield len(value)
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
