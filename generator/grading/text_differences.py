"""What one text says otherwise than the record's own answer: its stance, facts, measures, their order, its words.

Each difference is a reason with a score. Those below 0.9 are of something that is wrong; from 0.9 on they are of
something that nobody here can tell to be right, so that the text is worth less than the record's own and more than
what is wrong. Facts that are told side by side must be of one owner, a result or a row of one, and facts of one sort
keep their order: a text that tells first of the other city says the same, one that gives its degrees to this one does
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, islice
from typing import Protocol

from generator.grading.reasons import Reason
from generator.grading.statements import (
    LONGEST,
    Fact,
    Statements,
    content_stems,
    is_another_unit,
    statements_of,
    unit_stems,
)
from generator.jsontext import JsonValue
from generator.validation.grounding.reading.languages import UNKNOWN, courtesies, language_of, little_words
from generator.validation.grounding.reading.role_words import role_names
from generator.validation.grounding.reading.words import fold, stem, tokens_of, tokens_of_value

_FEW = 3
_MOST_TOLD = 8
_MOST_WORDS = 2_000
_MOSTLY = 0.6
_FAR_LONGER, _LONGER_BY = 3, 40


class OwnAnswer(Protocol):
    """What is known of the record's own answer."""

    own: Statements
    facts: frozenset[Fact]
    language: str

    @property
    def after_results(self) -> bool:
        """Whether there are results that the answer is to tell."""
        ...

    @property
    def evidence(self) -> frozenset[Fact]:
        """The facts of all that was said, called and returned before."""
        ...

    @property
    def owners(self) -> FactOwners:
        """Which result each fact belongs to."""
        ...

    @property
    def evidence_stems(self) -> frozenset[str]:
        """The stems of all that was said, called and returned before, and of the definitions of the tools."""
        ...

    @property
    def asked_for(self) -> frozenset[str]:
        """The stems by which a question is known to ask for the same."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """The texts of the results that the record's own answer repeats, folded."""
        ...


def differences(known: OwnAnswer, said: Statements, folded: str, referred: AbstractSet[Fact]) -> Iterator[Reason]:
    """Yield what a text says otherwise than the record's own answer.

    Args:
        known: what is known of the record's own answer.
        said: what the text says.
        folded: the text, folded.
        referred: the facts that it refers to without their words, so that they are told.
    """
    if not said.sentences:
        yield _told("empty_answer", 0.0, "says nothing")
        return
    yield from _denials(known, said)
    yield from _deeds(known.own, said)
    yield from _questions(known, said)
    yield from _lost_and_gained(known, said, referred)
    yield from _names(known, said)
    yield from _measures(known.own, said)
    yield from _order(known, said)
    yield from _words(known, said, folded)
    yield from _sentences(known, said)
    yield from _replaced(known, said)


def _told(code: str, score: float, message: str) -> Reason:
    return Reason(code, "outcome", "", "", score, message)


def _denials(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    own = known.own
    if own.denials and not said.denials:
        yield _told("denial_untold", 0.4, "says nothing of what is denied, failed or declined in the record's answer")
    elif said.denials and not own.denials:
        yield _told("denied", 0.5, "denies or excuses where the record's answer does not")
    elif said.negations > own.negations and known.after_results:
        yield _told("denied", 0.9, "denies more than the record's answer does")


def _deeds(own: Statements, said: Statements) -> Iterator[Reason]:
    for one, other in (("making", "unmaking"), ("unmaking", "making")):
        if said.poles[one] > own.poles[one] and own.poles[other] > said.poles[other]:
            yield _told("contrary_deed", 0.4, "tells the contrary of what was done")
            return
    if said.poles["unmaking"] > own.poles["unmaking"]:
        yield _told("other_deed", 0.9, "speaks of undoing more than the record's answer does")


def _questions(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    if known.own.asks:
        asked = said.stems - courtesies()
        if not said.asks:
            score = 0.9 if known.after_results else 0.4
            yield _told("nothing_asked", score, "asks nothing, where the record's answer asks")
        elif asked and known.asked_for and known.asked_for.isdisjoint(asked):
            yield _told("asks_another", 0.5, "asks for something else than the record does")
    elif said.asks and _only_asks(said):
        yield _told("asked_instead", 0.3, "asks back, where the record answers")


def _only_asks(said: Statements) -> bool:
    """Say whether a text says nothing but courtesies beside what it asks."""
    return all(sentence.asks or not sentence.stems - courtesies() for sentence in said.sentences)


def _lost_and_gained(known: OwnAnswer, said: Statements, referred: AbstractSet[Fact]) -> Iterator[Reason]:
    lost, gained = _lost(known, said, referred), _gained(known, said)
    near = {other: fact for fact in gained for other in lost if _is_near(fact, other)}
    if near:
        yield _told("rounded", 0.95, f"rounds {_listed(near)}")
    yield from _left_out([fact for fact in lost if fact not in near], known)
    yield from _strange([fact for fact in gained if fact not in near.values()], known)


def _lost(known: OwnAnswer, said: Statements, referred: AbstractSet[Fact]) -> list[Fact]:
    told = referred | frozenset(said.facts)
    return [fact for fact in dict.fromkeys(known.own.facts) if fact not in told and not _says_word(fact, known, said)]


def _gained(known: OwnAnswer, said: Statements) -> list[Fact]:
    return [fact for fact in dict.fromkeys(said.facts) if fact not in known.facts and fact[0] != "word"]


def _left_out(facts: list[Fact], known: OwnAnswer) -> Iterator[Reason]:
    if facts:
        kept = 1 - len(facts) / len(known.facts)
        score = 0.4 + 0.5 * kept if all(fact[0] == "word" for fact in facts) else 0.2 + 0.6 * kept
        yield _told("left_out", score, f"does not tell {_listed(facts)}")


def _strange(facts: list[Fact], known: OwnAnswer) -> Iterator[Reason]:
    unborne = [fact for fact in facts if fact not in known.evidence]
    if unborne:
        yield _told("unborne", 0.4, f"tells {_listed(unborne)}, which nothing said before bears out")
    elif facts:
        yield _told("tells_more", 0.95, f"tells {_listed(facts)} as well, which the record's answer does not")


def _names(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    names = said.names - known.own.words
    unknown = sorted(name for name in names if not content_stems(name) <= known.evidence_stems)
    if unknown:
        yield _told("unborne", 0.4, f"names {', '.join(unknown[:_MOST_TOLD])}, which nobody has said")
    elif names:
        yield _told("tells_more", 0.95, f"names {', '.join(sorted(names)[:_MOST_TOLD])} as well")


def _measures(own: Statements, said: Statements) -> Iterator[Reason]:
    for value, units in own.units.items():
        for other in sorted(said.units.get(value, set()) - units):
            if any(is_another_unit(one, other) for one in units):
                yield _told("other_unit", 0.4, f"tells {value:g} in {other}, not in {min(units)}")
    for at, halves in own.halves.items():
        if said.halves.get(at, halves) - halves:
            yield _told("other_time", 0.4, f"tells {at // 60 or 12}:{at % 60:02} of the other half of the day")


def _order(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    """Hold the order of the facts against that of the record's answer: in another one they may be exchanged."""
    ours, theirs = known.own.in_order(), said.in_order(known.facts)
    if ours == theirs or set(ours[0]) != set(theirs[0]):
        return  # what is lost is told elsewhere
    if sorted(map(str, known.own.by_sentence())) == sorted(map(str, said.by_sentence(known.facts))):
        return
    if len(ours[1]) > len(theirs[1]) or not known.owners.tells_the_same(known.own.facts, said.in_facts(known.facts)):
        yield _told("other_order", 0.85, "tells its facts in another order, so that they may belong to other things")


def _words(known: OwnAnswer, said: Statements, folded: str) -> Iterator[Reason]:
    words = [word for word in tokens_of(folded)[:_MOST_WORDS] if word.isalpha()]
    if len(words) >= _FEW and known.language != "zh" and _are_mostly_strange(words, known):
        yield _told("off_topic", 0.5, "hardly any of its words have to do with the conversation")
    yield from _length(known, len(words), len(folded))
    if len(words) > _FEW and _is_in_another_language(folded, known.language):
        yield _told("other_language", 0.5, "is in another language than the record's answer")
    if "than" in said.words and "than" not in known.own.words:
        yield _told("compares", 0.9, "compares, which the record's answer does not")
    yield from _untold_value(known, folded)


def _are_mostly_strange(words: list[str], known: OwnAnswer) -> bool:
    return sum(not _is_known(word, known) for word in words) > _MOSTLY * len(words)


def _is_in_another_language(folded: str, language: str) -> bool:
    return bool(language) and language_of(folded[:LONGEST]) not in (UNKNOWN, language)


def _untold_value(known: OwnAnswer, folded: str) -> Iterator[Reason]:
    """Look for a value that is left out in Chinese, of which no words are told apart that would be facts."""
    untold = (value for value in known.values if value not in folded)
    if known.language == "zh" and (value := next(untold, None)) is not None:
        yield _told("left_out", 0.7, f"does not tell {value}")


def _length(known: OwnAnswer, words: int, characters: int) -> Iterator[Reason]:
    if characters > LONGEST:
        yield _told("far_longer", 0.8, f"is longer than the {LONGEST:,} characters that are read")
    elif words > _FAR_LONGER * len(known.own.words) + _LONGER_BY:
        yield _told("far_longer", 0.9, "is far longer than the record's answer")


def _is_known(word: str, known: OwnAnswer) -> bool:
    stemmed = stem(word)
    said = word in little_words() or word in known.own.words or stemmed in courtesies()
    return said or stemmed in known.evidence_stems


def _sentences(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    """Look for sentences that tell nothing of what the record's answer tells."""
    ours = known.own.stems
    for sentence in said.sentences:
        stems = sentence.stems - courtesies()
        if not known.facts.isdisjoint(sentence.facts) or 2 * len(stems & ours) >= len(stems):
            continue
        if known.facts and not sentence.asks:
            yield _told("states_more", 0.9, f"states what the record's answer does not: {_some(stems)}")
            return
    if not known.facts and known.after_results and ours - courtesies() and (ours - courtesies()).isdisjoint(said.stems):
        yield _told("says_another", 0.7, f"speaks of nothing that the record's answer speaks of: {_some(said.stems)}")


def _replaced(known: OwnAnswer, said: Statements) -> Iterator[Reason]:
    """Look for few words that stand in the place of others, or beside all of them: what they mean nobody knows."""
    ours, theirs = known.own.stem_counts, said.stem_counts
    idle = _idle_stems(known, said)
    lost, gained = _beyond(ours, theirs, idle), _beyond(theirs, ours, idle)
    if not gained and not lost:
        if _orders(known.own, idle) != _orders(said, idle) and not _is_told_by_facts(known, said):
            yield _told("other_order", 0.9, "says the same words in another order, so that they may be of other things")
    elif not lost:
        if strange := set(gained) - known.owners.field_stems:
            yield _told("states_more", 0.9, f"adds to all that the record's answer says: {_some(strange)}")
    elif not gained:
        yield _told("left_out", 0.9, f"leaves out of what the record's answer says: {_some(lost)}")
    elif max(len(gained), len(lost)) <= _FEW and len(ours.keys() & theirs.keys()) >= _FEW + len(lost):
        yield _told("replaced", 0.9, f"says {_some(gained)} where the record's answer says {_some(lost)}")


def _idle_stems(known: OwnAnswer, said: Statements) -> frozenset[str]:
    """Return the stems that may stand in one text alone: courtesies, and units where both tell the same ones."""
    ours, theirs = known.own.stem_counts, said.stem_counts
    if known.own.units and known.own.units == said.units and ours != theirs:
        units = unit_stems(known.language)
        if _units_in(ours, units) == _units_in(theirs, units):
            return courtesies() | units.keys()  # the same units, written out or short
    return courtesies()


def _units_in(stems: Counter[str], units: Mapping[str, str]) -> list[str]:
    return sorted(units[each] for each, times in stems.items() if each in units for _ in range(times))


def _beyond(ours: Counter[str], theirs: Counter[str], idle: AbstractSet[str]) -> list[str]:
    """Return the stems that one text has more often than the other, idle ones left out."""
    return [each for each, times in ours.items() if times > theirs[each] and each not in idle]


def _is_told_by_facts(known: OwnAnswer, said: Statements) -> bool:
    """Say whether all is told in facts that stand with what they are of, so that no other word tells whose they are."""
    facts = {stem(str(fact[1])) for fact in known.facts if fact[0] == "word"}
    others = said.stems - facts - courtesies() - known.owners.field_stems
    return not others and known.owners.are_apart(said.in_facts(known.facts))


def _orders(statements: Statements, idle: AbstractSet[str]) -> list[list[str]]:
    """Return the words of each sentence in their order, idle ones left out."""
    orders = ([each for each in sentence.order if each not in idle] for sentence in statements.sentences)
    return sorted(filter(None, orders))


def _says_word(fact: Fact, known: OwnAnswer, said: Statements) -> bool:
    """Say whether a text has a word, or another form of one that is no name."""
    if fact[0] != "word":
        return False
    word = str(fact[1])
    forms = {stem(word), stem(stem(word))}
    return word in said.words or (word not in known.own.names and not forms.isdisjoint(said.stems))


def _is_near(fact: Fact, other: Fact) -> bool:
    """Say whether a number is another one, rounded to fewer digits."""
    if fact[0] != "number" or other[0] != "number":
        return False
    told, exact = float(fact[1]), float(other[1])
    is_close = told != exact and abs(told - exact) <= 0.01 * abs(exact)
    return is_close and round(exact, 1 if told != int(told) else 0) == told


def _some(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)[:_MOST_TOLD])


def _listed(facts: Iterable[Fact] | Mapping[Fact, Fact]) -> str:
    return ", ".join([_worded(fact) for fact in facts][:_MOST_TOLD])


def _worded(fact: Fact) -> str:
    if len(fact) > 2:
        return f"{fact[1]:02}-{fact[2]:02}"
    if fact[0] == "clock":
        return f"{int(fact[1]) // 60 or 12}:{int(fact[1]) % 60:02}"
    return f"{fact[1]:g}" if isinstance(fact[1], float) else str(fact[1])


_MOST_THINGS = 200
_MOST_LEAVES = 5_000
_LONGEST_TEXT = 400
_ANY = "any"
"""The sort of a word that stands in fields of several sorts."""


class FactOwners:
    """Says of facts whose they are and of which sort.

    Args:
        things: what the results of a turn tell of, each with its call's arguments.
    """

    def __init__(self, things: Iterable[JsonValue]) -> None:
        self._owners: dict[Fact, int | None] = {}
        self._sorts: dict[str, str] = {}
        self.field_stems: set[str] = set()
        """The stems of the names of the fields, with which values may be told."""
        for number, thing in enumerate(_rows(things)):
            for field, leaf in _leaves(thing):
                self.field_stems.update(map(stem, tokens_of_value(field)))
                for fact in _facts(leaf):
                    known = self._owners.setdefault(fact, number)
                    if known != number:
                        self._owners[fact] = None
                    if fact[0] == "word":
                        word = str(fact[1])
                        sort = _sort(field)
                        self._sorts[word] = sort if self._sorts.setdefault(word, sort) == sort else _ANY

    def tells_the_same(self, own: Sequence[Fact], said: Sequence[Fact]) -> bool:
        """Say whether facts told in another order belong to the same things, and none to another of its sort."""
        ours, theirs = self._by_owner(own), self._by_owner(said)
        if ours is None or theirs is None:
            ours, theirs = {None: list(own)}, {None: list(said)}
        return ours.keys() == theirs.keys() and all(self._keeps(ours[owner], theirs[owner]) for owner in ours)

    def are_apart(self, said: Sequence[Fact]) -> bool:
        """Say whether facts of several things are told, those of each side by side."""
        found = self._by_owner(said)
        return found is not None and len(found) > 1

    def _by_owner(self, facts: Sequence[Fact]) -> dict[int | None, list[Fact]] | None:
        """Return the facts by the things that they are told with; None where a thing is told of in several places."""
        found: dict[int | None, list[Fact]] = {}
        waiting: list[Fact] = []
        last: int | None = None
        for fact in facts:
            owner = self._owners.get(fact)
            if owner is None or owner == last:
                (waiting if last is None else found[last]).append(fact)
                continue
            if owner in found:
                return None
            found[owner] = [*waiting, fact] if last is None else [fact]
            waiting, last = [], owner
        return found or None

    def _keeps(self, ours: list[Fact], theirs: list[Fact]) -> bool:
        return self._by_sort(ours) == self._by_sort(theirs)

    def _by_sort(self, facts: list[Fact]) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for fact in dict.fromkeys(facts):
            sort = self._sorts.get(str(fact[1]), _ANY) if fact[0] == "word" else fact[0]
            found.setdefault(sort, []).append(fact)
        return found


def _rows(things: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Yield each thing, or each row of the lists of objects inside."""
    return islice(chain.from_iterable(map(_rows_in, things)), _MOST_THINGS)


def _rows_in(thing: JsonValue) -> list[JsonValue]:
    values = thing.values() if isinstance(thing, dict) else ()
    lists = [value for value in values if isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)]
    return [*chain.from_iterable(lists)] or [thing]


def _leaves(thing: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    waiting: list[tuple[str, JsonValue]] = [("", thing)]
    for field, value in waiting:
        if isinstance(value, dict):
            waiting.extend((str(key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((field, inner) for inner in value)
        else:
            yield field, value
        if len(waiting) > _MOST_LEAVES:
            return


def _facts(leaf: JsonValue) -> list[Fact]:
    if isinstance(leaf, str):
        text = leaf[:_LONGEST_TEXT]
        return statements_of(text, "", frozenset(tokens_of(fold(text)))).facts
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return [("number", abs(float(leaf)))] if abs(leaf) < 1e300 else []
    return []


def _sort(field: str) -> str:
    words = tokens_of_value(field)
    return _ANY if not words or not _sides().isdisjoint(words) else words[-1]


@cache
def _sides() -> frozenset[str]:
    """Return the words of fields that come in pairs, whose values may be exchanged for each other."""
    return frozenset(word for names in role_names().values() for word in names)
