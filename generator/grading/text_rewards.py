"""Rewards of turns in which the record speaks: an answer that says the same, in whichever words.

What the record's own answer tells is held against what another one tells: its facts must be there, no others that
nothing bears out, nothing denied that is affirmed, nothing asked where all is told. Where that holds, the rules of the
examiner on answers are asked as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import prod

from generator.grading.examining import Examination
from generator.grading.reasons import Reason, Reward, reward_of
from generator.grading.statements import Fact, Statements, content_stems, is_same_family, statements_of
from generator.grading.turns import Turn
from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.languages import little_words
from generator.validation.grounding.reading.words import fold, stem, tokens_of

_LEAST = 0.05
"""What an answer in words is worth at least where the record answers in words."""
_OF_SEVERITY = {"error": 0.4, "warning": 0.6, "note": 0.9}
_DOUBTFUL = 0.9
"""From here on the examiner is asked: what is known to be worse need not be looked at any closer."""
_MOST_WORDS = 2_000
_MOST_TOLD = 8
_SMALLEST_FACT_WORD = 3


class SpokenTurn:
    """A turn in which the record speaks, with all that is known of its answer."""

    def __init__(self, document: JsonObject, turn: Turn) -> None:
        self._document = document
        self.examination = Examination(document, turn)
        own = self.examination.own
        self.language = own.language
        self.normal = " ".join(own.folded.split())
        self.telling = frozenset(_words_of(self.examination.results)) - little_words()
        self.own = statements_of(own.text, self.language, self.telling)
        names = {str(fact[1]) for fact in self.own.facts if fact[0] == "word"}
        self.known_words = names | self.own.words
        self.facts = frozenset(self.own.facts)
        self._right = reward_of(1.0, [Reason("right_answer", "outcome", "", "", 1.0, "says what the record says")])

    @cached_property
    def evidence(self) -> frozenset[Fact]:
        """The facts of all that was said, called and returned before."""
        own = self.examination.own
        said = statements_of(own.evidence_as_said, "en", frozenset())
        counts: list[Fact] = [("number", float(size)) for size in _sizes(self.examination.results)]
        return frozenset([*said.facts, *counts])

    @cached_property
    def evidence_words(self) -> frozenset[str]:
        """The stems of all that was said, called and returned before, and of the definitions of the tools."""
        own = self.examination.own
        return content_stems(own.evidence_as_said[:20_000]) | content_stems(own.tools_text[:20_000])

    @cached_property
    def asked_for(self) -> frozenset[str]:
        """The stems by which a question is known to ask for the same: its own, and those of the parameters missing."""
        asking = [sentence.stems for sentence in self.own.sentences if sentence.asks]
        metadata = self._document.get("metadata")
        claim = metadata.get("claim") if isinstance(metadata, dict) else None
        missing = claim.get("missing") if isinstance(claim, dict) else None
        names = [name for name in missing if isinstance(name, str)] if isinstance(missing, list) else []
        return frozenset().union(*asking, *(content_stems(name.replace("_", " ")) for name in names))

    def reward(self, text: str) -> Reward:
        """Return what a text is worth as the answer to the turn."""
        if " ".join(fold(text).split()) == self.normal:
            return self._right
        said = statements_of(text, self.language, self.telling | self.own.names)
        reasons = list(self._differences(said, text))
        worth = prod(reason.score for reason in reasons)
        if worth >= _DOUBTFUL:
            found = self.examination.find(text)
            reasons += [
                Reason(f"contradicts_{each.rule}", "outcome", "", "", _OF_SEVERITY[each.severity], each.message)
                for each in found[:_MOST_TOLD]
            ]
            worth = prod(reason.score for reason in reasons)
        if not reasons:
            return self._right
        return reward_of(max(_LEAST, worth), reasons)

    def _differences(self, said: Statements, text: str) -> Iterator[Reason]:
        yield from self._stance(said)
        yield from self._facts(said)
        yield from self._measures(said)
        yield from self._order(said)
        yield from self._words(said, text)

    def _stance(self, said: Statements) -> Iterator[Reason]:
        own = self.own
        if (own.denies or own.fails) and not (said.denies or said.fails):
            yield _told(
                "denial_untold", 0.4, "says nothing of what is denied, failed or declined in the record's answer"
            )
        elif (said.denies or said.fails) and not (own.denies or own.fails):
            yield _told("denied", 0.5, "denies or excuses where the record's answer does not")
        if own.poles - said.poles and said.poles - own.poles:
            yield _told("contrary_deed", 0.4, "tells the contrary of what was done")
        elif said.poles - own.poles and not own.poles and "unmaking" in said.poles:
            yield _told("other_deed", 0.9, "speaks of undoing, which the record's answer does not")
        asks_alone = bool(said.sentences) and all(each.asks or not each.stems for each in said.sentences)
        if own.asks and not said.asks:
            only = all(each.asks or not each.has_facts for each in own.sentences) and not self.examination.results
            yield _told("nothing_asked", 0.4 if only else 0.9, "asks nothing, where the record's answer asks")
        elif asks_alone and not own.asks:
            yield _told("asked_instead", 0.3, "asks back, where the record answers")

    def _facts(self, said: Statements) -> Iterator[Reason]:
        told = frozenset(said.facts)
        lost = [fact for fact in dict.fromkeys(self.own.facts) if fact not in told and not _says_word(fact, said)]
        gained = [fact for fact in dict.fromkeys(said.facts) if fact not in self.facts and fact[0] != "word"]
        near = {other: fact for fact in gained for other in lost if _is_near(fact, other)}
        if near:
            yield _told("rounded", 0.95, f"rounds {_listed(near)}")
        lost = [fact for fact in lost if fact not in near]
        if lost:
            kept = 1 - len(lost) / len(self.facts)
            weak = all(fact[0] == "word" for fact in lost)
            yield _told(
                "left_out", (0.4 + 0.5 * kept) if weak else (0.2 + 0.6 * kept), f"does not tell {_listed(lost)}"
            )
        strange = [fact for fact in gained if fact not in near.values()]
        unborne = [fact for fact in strange if fact not in self.evidence]
        if unborne:
            yield _told("unborne", 0.4, f"tells {_listed(unborne)}, which nothing said before bears out")
        elif strange:
            yield _told("tells_more", 0.95, f"tells {_listed(strange)} as well, which the record's answer does not")
        names = said.names - self.known_words
        if names:
            unknown = sorted(name for name in names if not content_stems(name) <= self.evidence_words)
            if unknown:
                yield _told("unborne", 0.4, f"names {', '.join(unknown[:_MOST_TOLD])}, which nobody has said")
            else:
                yield _told("tells_more", 0.95, f"names {', '.join(sorted(names)[:_MOST_TOLD])} as well")

    def _measures(self, said: Statements) -> Iterator[Reason]:
        for value, units in self.own.units.items():
            others = said.units.get(value)
            if others and units.isdisjoint(others):
                one, other = sorted(units)[0], sorted(others)[0]
                if is_same_family(one, other) or (one.isupper() and other.isupper()):
                    yield _told("other_unit", 0.4, f"tells {value:g} in {other}, not in {one}")
        for at, halves in self.own.halves.items():
            if halves.isdisjoint(said.halves.get(at, halves)):
                yield _told("other_time", 0.4, f"tells {at // 60 or 12}:{at % 60:02} of the other half of the day")

    def _order(self, said: Statements) -> Iterator[Reason]:
        """Hold the order of the facts against that of the record's answer: in another one they may be exchanged."""
        ours, theirs = self.own.in_order(), said.in_order(self.facts)
        if ours == theirs or set(ours[0]) != set(theirs[0]):
            return  # what is lost is told elsewhere
        if sorted(map(str, self.own.by_sentence())) != sorted(map(str, said.by_sentence(self.facts))):
            yield _told(
                "other_order", 0.85, "tells its facts in another order, so that they may belong to other things"
            )

    def _words(self, said: Statements, text: str) -> Iterator[Reason]:
        if not said.sentences:
            yield _told("empty_answer", 0.0, "says nothing")
            return
        words = [word for word in tokens_of(fold(text))[:_MOST_WORDS] if word.isalpha()]
        strange = [word for word in words if not self._is_known(word)]
        if len(words) > 2 and len(strange) > 0.6 * len(words):
            yield _told("off_topic", 0.5, "hardly any of its words have to do with the conversation")
        if len(words) > 3 * len(self.own.words) + 40:
            yield _told("far_longer", 0.9, "is far longer than the record's answer")
        if "than" in said.words and "than" not in self.own.words:
            yield _told("compares", 0.9, "compares, which the record's answer does not")
        asked = said.stems - COURTESIES
        if self.own.asks and said.asks and asked and self.asked_for and self.asked_for.isdisjoint(asked):
            yield _told("asks_another", 0.5, "asks for something else than the record does")
        yield from self._further(said)
        yield from self._replaced(said)

    def _further(self, said: Statements) -> Iterator[Reason]:
        """Look for sentences that tell nothing of what the record's answer tells."""
        ours = self.own.stems
        for sentence in said.sentences:
            stems = sentence.stems - COURTESIES
            if sentence.has_facts or not stems or 2 * len(stems & ours) >= len(stems):
                continue
            if self.facts and not sentence.asks:
                yield _told(
                    "states_more", 0.9, f"states what the record's answer does not: {', '.join(sorted(stems)[:5])}"
                )
                return

    def _replaced(self, said: Statements) -> Iterator[Reason]:
        """Look for few words that stand in the place of others: whether they mean the same nobody knows."""
        ours, theirs = self.own.stems - COURTESIES, said.stems - COURTESIES
        lost, gained = ours - theirs, theirs - ours
        if 0 < len(gained) <= _FEW and 0 < len(lost) <= _FEW and len(ours & theirs) >= _FEW + len(lost):
            told = f"says {', '.join(sorted(gained))} where the record's answer says {', '.join(sorted(lost))}"
            yield _told("replaced", 0.9, told)

    def _is_known(self, word: str) -> bool:
        stemmed = stem(word)
        return word in little_words() or word in self.known_words or stemmed in COURTESIES or (
            stemmed in self.evidence_words
        )  # fmt: skip


_FEW = 3
COURTESIES = frozenset(
    stem(word)
    for word in """
    sure certainly course okay ok alright right great good nice fine perfect wonderful glad happy pleased welcome thanks
    thank sorry apologies apologize afraid unfortunately hello hi hey dear enjoy hope hopefully help assist assistance
    anything else let know feel free ask question questions further more done set ready here find found following below
    look looks like want would like need please just now currently moment today got get have has done all yes no also
    information info details detail result results request requested asked back happen well however still though
    sadly able unable possible see saw check checked tell say said moment yet day lovely
    """.split()
)
"""Stems of words with which people are polite or lead to what they have to tell."""


def _told(code: str, score: float, message: str) -> Reason:
    return Reason(code, "outcome", "", "", score, message)


def _says_word(fact: Fact, said: Statements) -> bool:
    return fact[0] == "word" and fact[1] in said.words


def _is_near(fact: Fact, other: Fact) -> bool:
    """Say whether a number is another one, rounded to fewer digits."""
    if fact[0] != "number" or other[0] != "number":
        return False
    told, exact = float(fact[1]), float(other[1])
    return (
        told != exact and abs(told - exact) <= 0.01 * abs(exact) and round(exact, 1 if told != int(told) else 0) == told
    )


def _listed(facts: Iterable[Fact]) -> str:
    return ", ".join([_worded(fact) for fact in facts][:_MOST_TOLD])


def _worded(fact: Fact) -> str:
    if fact[0] == "day":
        return f"{fact[1]:02}-{fact[2]:02}"  # type: ignore[misc]  # a day has three parts
    if fact[0] == "clock":
        return f"{int(fact[1]) // 60 or 12}:{int(fact[1]) % 60:02}"
    return f"{fact[1]:g}" if isinstance(fact[1], float) else str(fact[1])


def _words_of(results: list[JsonValue]) -> Iterator[str]:
    """Yield the words of the texts in results."""
    waiting: list[JsonValue] = list(results)
    for value in waiting:
        if len(waiting) > _MOST_VALUES:
            return
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, str):
            yield from (word for word in tokens_of(fold(value[:_LONGEST_VALUE])) if len(word) >= _SMALLEST_FACT_WORD)


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


_MOST_VALUES = 20_000
_LONGEST_VALUE = 2_000
