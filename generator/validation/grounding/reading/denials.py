"""Denials: clauses with what they affirm or deny, what a text corrects and takes back, and how far each reaches."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from generator.validation.grounding.reading.denial_words import (
    Cues,
    cues_of,
    language_by_denials,
    words_with_apostrophes,
)
from generator.validation.grounding.reading.languages import LETTERS, entries, phrases
from generator.validation.grounding.reading.words import fold, tokens_of
from generator.validation.verdict import Severity
from generator.validation.view import cached_attribute

_END = re.compile(r"[.!?](?=\s)\s*|[。！？；;\n]\s*")
_JOINT = re.compile(r"[,:](?=\s)|[，、：]|\s[-–—]\s|[()]")


class Clause(NamedTuple):
    """A part of a text that says one thing."""

    start: int
    text: str
    asks: bool
    """Whether its sentence is a question."""
    sentence: str
    """The sentence that it is part of."""


def sentences_of(text: str) -> Iterator[Clause]:
    """Yield the sentences of a text."""
    start = 0
    for match in _END.finditer(text):
        yield Clause(start, text[start : match.start()], match[0][0] in "?？", text[start : match.start()])
        start = match.end()
    if text[start:].strip():
        yield Clause(start, text[start:], text.rstrip().endswith(("?", "？")), text[start:])


def clauses_of(text: str, language: str) -> Iterator[Clause]:
    """Yield the clauses of a text."""
    joints = _joints(language)
    for sentence in sentences_of(text):
        start = 0
        for match in joints.finditer(sentence.text):
            yield Clause(sentence.start + start, sentence.text[start : match.start()], sentence.asks, sentence.text)
            start = match.end()
        yield Clause(sentence.start + start, sentence.text[start:], sentence.asks, sentence.text)


@cache
def _joints(language: str) -> re.Pattern[str]:
    words = "|".join(map(re.escape, entries(language, "clauses", "joints")))
    return re.compile(rf"{_JOINT.pattern}|\s(?:{words})\s") if words else _JOINT


def is_left_open(clause: Clause, language: str) -> bool:
    """Say whether a clause asks, supposes or restricts, and so neither affirms nor denies."""
    return clause.asks or phrases(language, "outcomes", "open").found_in(clause.text)


def denies(text: str, language: str) -> bool:
    """Say whether a text has a negation."""
    return ("n't" in text and language == "en") or phrases(language, "outcomes", "negation").found_in(text)


Sort = Literal["thing", "deed"]
"""Whether a thing is not meant whatever be done, or something is not to be done to it."""


class Denied(NamedTuple):
    """A stretch of a text whose values are not wanted."""

    sort: Sort
    start: int
    end: int
    last_start: int
    """Where the words of a value may begin at the latest."""
    cue: str
    """The words that deny it."""
    at: int
    """Where those stand."""
    verb: str = ""
    """What is not to be done, where that is said."""
    at_most: Severity = "error"

    @property
    def reaches_nothing(self) -> bool:
        """Whether it names no thing of its own: "don't cancel it yet"."""
        return self.start == self.end


class Correction(NamedTuple):
    """A stretch of a text that replaces something said before it."""

    start: int
    """Where the words that announce it begin."""
    own: int
    """Where it begins itself."""
    end: int
    cue: str


class Withdrawal(NamedTuple):
    """Words that take back what was wished before them."""

    taken_from: int
    """Where the wish begins that is taken back for sure."""
    start: int
    end: int
    cue: str
    is_last: bool
    """Whether nothing follows it."""


class _Clause(NamedTuple):
    start: int
    end: int
    ends_sentence: bool
    asks: bool


_BREAK = re.compile(r"[.,;:!?](?=[\s\"')\]]|$)|[\n()。，；：！？、…—]|\s[-–]{1,2}\s")
_ENDS = frozenset(".!?\n。！？…;；")
_ASKS = frozenset("?？")
_QUOTED = re.compile(
    r'"[^"\n]{1,2000}"|“[^”]{1,2000}”|«[^»]{1,2000}»|「[^」]{1,2000}」|(?<![\w])\'[^\'\n]{2,400}\'(?!\w)'
)
_QUOTE_SIGN = re.compile("[\"“«「']")
_WORD = re.compile(r"[\w'-]+")
_NEAR = re.compile(r"[\s#$€£¥\"'(]*\x00?")
_MOST_BETWEEN, _MOST_ASIDE = 5, 2
_FARTHEST = 240
"""Characters that a denial reaches at the most: what is farther off is another matter."""
_LONGEST_LEAD = 40
"""Characters of words that say how a clause begins or ends."""


class DenialReading:
    """What one text denies, corrects and takes back."""

    def __init__(self, raw: str) -> None:
        self.text = folded = fold(raw)
        self.raw = raw if len(raw) == len(folded) else _aligned(raw, folded)
        """The text in its own case, letter for letter beside the folded one; "" where that cannot be."""
        self.masked = _QUOTED.sub(self._mask, folded) if _QUOTE_SIGN.search(folded) else folded
        self.words = words_with_apostrophes(self.masked)
        """Its words outside of quotations, for a first look at what it may hold."""
        self.language = language_by_denials(folded)
        self.denied: list[Denied] = []
        self.corrections: list[Correction] = []
        self.withdrawals: list[Withdrawal] = []
        self.forbids_all = False
        self._conditional: dict[int, bool] = {}
        if self.language:
            self._read(cues_of(self.language))

    @cached_attribute
    def clauses(self) -> list[_Clause]:
        """Its clauses, in their order; most texts are read without them."""
        return list(_clauses(self.masked))

    @cached_attribute
    def sentences(self) -> list[tuple[int, int]]:
        """Where its sentences begin and end."""
        return list(_sentences(self.clauses))

    @cached_attribute
    def _clause_ends(self) -> list[int]:
        return [clause.end for clause in self.clauses]

    @cached_attribute
    def _sentence_ends(self) -> list[int]:
        return [end for _, end in self.sentences]

    def _mask(self, match: re.Match[str]) -> str:
        """Blot a quotation out, unless the whole text stands in quotation marks."""
        return match[0] if match.start() == 0 and 2 * len(match[0]) > len(self.text) else "\x00" * len(match[0])

    def _read(self, cues: Cues) -> None:
        self.denied += _contrasts(self, cues)
        self.denied += _left_alone(self, cues)
        self.denied += _dropping(self, cues)
        self.denied += _dropped(self, cues)
        self.denied += _deeds(self, cues)
        self.corrections += _corrections(self, cues)
        self.corrections += _meant(self, cues)
        if cues.may_withdraw(self.masked):
            self.withdrawals += _withdrawals(self, cues)
        self.forbids_all = any(
            not self.is_conditional(match.start(), cues) for match in self.found("nothing", cues.nothing, cues)
        )

    def found(self, name: str, pattern: re.Pattern[str], cues: Cues) -> Iterable[re.Match[str]]:
        """Return where a pattern of the cues finds anything outside of quotations; most find nothing."""
        return pattern.finditer(self.masked) if cues.signs[name].may_be_in(self.masked, self.words) else ()

    @property
    def is_plain(self) -> bool:
        """Whether it denies, corrects and takes back nothing."""
        return not (self.denied or self.corrections or self.withdrawals or self.forbids_all)

    def disposes_of(self, at: int) -> bool:
        """Say whether a denial, a correction or a withdrawal disposes of what stands at a place."""
        return (
            any(denied.start <= at < denied.end for denied in self.denied)
            or any(at < each.start for each in self.corrections)
            or any(each.taken_from <= at < each.start for each in self.withdrawals)
        )

    def sentence(self, at: int) -> tuple[int, int]:
        """Return where the sentence around a place begins and ends."""
        return self.sentences[min(bisect_left(self._sentence_ends, at), len(self.sentences) - 1)]

    def clause(self, at: int) -> _Clause:
        """Return the clause around a place."""
        return self.clauses[min(bisect_left(self._clause_ends, at), len(self.clauses) - 1)]

    def reach(self, at: int, cues: Cues) -> int:
        """Return where a denial ends that begins at a place: with its clause, or with a word that goes on."""
        end = min(self.clause(at).end, at + _FARTHEST)
        match = cues.ends.search(self.masked, at, end)
        return match.start() if match else max(end, at)

    def is_conditional(self, at: int, cues: Cues) -> bool:
        """Say whether the sentence around a place speaks of a case that may not be."""
        start, end = self.sentence(at)
        if start not in self._conditional:
            self._conditional[start] = cues.conditions.search(self.masked, start, end) is not None
        return self._conditional[start]

    def leaves_open(self, at: int, cues: Cues) -> bool:
        """Say whether the clause around a place asks, or its sentence speaks of a case that may not be."""
        return self.clause(at).asks or self.is_conditional(at, cues)

    def begins_clause(self, at: int, cues: Cues) -> bool:
        """Say whether nothing stands before a place in its clause but words that begin one."""
        if cues.is_continuous:
            return True
        words = self.masked[max(self.clause(at).start, at - _LONGEST_LEAD) : at].split()
        return not words or words[-1] in cues.leads


@lru_cache(maxsize=256)
def read_denials(raw: str) -> DenialReading:
    """Return the reading of a text; the last few are kept, since several rules ask for them."""
    return DenialReading(raw)


def _aligned(raw: str, folded: str) -> str:
    """Return a text with each letter as often as it has letters when folded."""
    spread = "".join(letter * len(fold(letter)) for letter in raw)
    return spread if len(spread) == len(folded) else ""


def _clauses(text: str) -> Iterator[_Clause]:
    start = 0
    for match in _BREAK.finditer(text):
        if match.start() > start or match[0] in _ENDS:
            yield _Clause(start, match.start(), match[0] in _ENDS, match[0] in _ASKS)
        start = match.end()
    if start < len(text):
        yield _Clause(start, len(text), True, False)


def _sentences(clauses: list[_Clause]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for clause in clauses:
        start = clause.start if start is None else start
        if clause.ends_sentence:
            yield start, clause.end
            start = None
    if start is not None:
        yield start, clauses[-1].end


def _contrasts(reading: DenialReading, cues: Cues) -> Iterator[Denied]:
    """Yield what is set against something else: "not Rome", "instead of the 9th"."""
    text = reading.masked
    for match in reading.found("contrasts", cues.contrasts, cues):
        end = reading.reach(match.end(), cues)
        if match[0] not in cues.bare:
            yield Denied("thing", match.end(), end, end, match[0], match.start())
            continue
        before = text[max(0, match.start() - _LONGEST_LEAD) : match.start()].rstrip(" ")
        last = before[before.rfind(" ") + 1 :]
        corrects = before.endswith(cues.correcting) if cues.correcting else False
        if last in cues.stating and not corrects:
            continue
        is_set_off = last in cues.leads or before.endswith((",", ";", "(", "—", "-", ":", ".", "，", "。"))
        near = _near(text, match.end(), end, cues, aside=_MOST_ASIDE if is_set_off else 0)
        yield Denied("thing", match.end(), end, near, match[0], match.start(), "", "warning" if corrects else "error")


def _near(text: str, start: int, end: int, cues: Cues, aside: int) -> int:
    """Return where a thing begins at the latest that stands next to a word, small words and a few others aside."""
    at = start
    between = _MOST_BETWEEN
    while True:
        match = _NEAR.match(text, at, end)
        at = match.end() if match else at
        word = _WORD.match(text, at, end)
        if word is None:
            return at
        if word[0] in cues.limits:
            return start
        if word[0] in cues.between and between:
            between -= 1
        elif aside:
            aside -= 1
        else:
            return at
        at = word.end()


def _left_alone(reading: DenialReading, cues: Cues) -> Iterator[Denied]:
    for match in reading.found("around", cues.around, cues):
        group = next(number for number, part in enumerate(match.groups(), start=1) if part is not None)
        start, end = match.span(group)
        said = f"{match[0][: start - match.start()].strip()} ... {match[0][end - match.start() :].strip()}"
        if reading.is_conditional(start, cues):
            continue
        if _names_something(match[group], cues):
            if reading.begins_clause(match.start(), cues):
                yield Denied("thing", start, end, end, said, match.start())
        else:
            first = max(reading.clause(match.start()).start, match.start() - _FARTHEST)
            refers = not cues.anaphors.isdisjoint(tokens_of(match[group]))
            sort: Sort = "deed" if refers else "thing"
            yield Denied(
                sort, first, match.start(), match.start(), said, match.start(), "", "note" if refers else "error"
            )


def _dropping(reading: DenialReading, cues: Cues) -> Iterator[Denied]:
    """Yield what is dropped by words before it: "skip Rome"."""
    text = reading.masked
    for match in reading.found("dropping", cues.dropping, cues):
        end = reading.reach(match.end(), cues)
        first = _WORD.search(text, match.end(), end)
        thing = text[match.end() : end]
        if first is None or _goes_on(match[0], first[0], cues) or _limits(thing, cues):
            continue
        is_conditional = reading.is_conditional(match.start(), cues)
        if reading.begins_clause(match.start(), cues) and _names_something(thing, cues) and not is_conditional:
            sort: Sort = "deed" if match[0] in cues.wants else "thing"
            yield Denied(sort, match.end(), end, end, match[0], match.start())


def _dropped(reading: DenialReading, cues: Cues) -> Iterator[Denied]:
    """Yield what is dropped by words after it: "the twin I don't need"."""
    for match in reading.found("dropped", cues.dropped, cues):
        start = max(reading.clause(match.start()).start, match.start() - _FARTHEST)
        if _ends_denied(reading, start, match, cues):
            yield Denied("deed", start, match.start(), match.start(), match[0], match.start())


def _ends_denied(reading: DenialReading, start: int, match: re.Match[str], cues: Cues) -> bool:
    """Say whether words at the end of a clause drop the thing that the clause begins with."""
    clause = reading.clause(match.start())
    before = reading.masked[start : match.start()]
    after = tokens_of(reading.masked[match.end() : min(clause.end, match.end() + _FARTHEST)])
    if clause.asks or not all(word in cues.trailing for word in after) or not _names_something(before, cues):
        return False
    first = _WORD.search(before)
    states = first is None or first[0] in cues.subjects
    return not states and not reading.is_conditional(match.start(), cues)


def _goes_on(cue: str, following: str, cues: Cues) -> bool:
    """Say whether a denied wish goes on with a verb, of which another cue knows: "I don't want to miss it"."""
    return f"{cue} {following}" in cues.going_on


def _names_something(stretch: str, cues: Cues) -> bool:
    tokens = tokens_of(stretch)
    return any(
        token not in cues.anaphors and token not in cues.trailing and token not in cues.fillers for token in tokens
    )


def _limits(stretch: str, cues: Cues) -> bool:
    return not cues.limits.isdisjoint(tokens_of(stretch))


def _deeds(reading: DenialReading, cues: Cues) -> Iterator[Denied]:
    """Yield what is not to be done: "don't book 12", "don't cancel it"."""
    text = reading.masked
    for match in reading.found("deeds", cues.deeds, cues):
        if not reading.begins_clause(match.start(), cues) or reading.leaves_open(match.start(), cues):
            continue
        verb = _verb(text, match.end(), reading.clause(match.start()).end, cues)
        if verb is None and not cues.is_continuous:
            continue
        at, name = (verb.end(), verb[0]) if verb else (match.end(), "")
        end = reading.reach(at, cues)
        if _is_limited(text, at, end, cues):
            continue
        if _names_something(text[at:end], cues):
            yield Denied("deed", at, end, end, f"{match[0]} {name}".strip(), match.start(), name)
        elif name:
            yield Denied("deed", at, at, at, f"{match[0]} {name}", match.start(), name)


def _is_limited(text: str, at: int, end: int, cues: Cues) -> bool:
    """Say whether what is not to be done is so within limits alone, in its own words or the next one."""
    if _limits(text[at:end], cues):
        return True
    following = _WORD.search(text, end, min(end + _LONGEST_LEAD, len(text)))
    return following is not None and following[0] in cues.limits and not cues.ends.match(following[0])


def _verb(text: str, at: int, end: int, cues: Cues) -> re.Match[str] | None:
    """Return the verb that a denial forbids; None where it forbids nothing."""
    if cues.is_continuous:
        return None
    while match := _WORD.search(text, at, end):
        if match[0] not in cues.leads and match[0] not in cues.between:
            break
        at = match.end()
    if match is None or match[0] in cues.harmless or match[0].isdigit():
        return None
    return match if not cues.verb_endings or match[0].endswith(cues.verb_endings) else None


def _corrections(reading: DenialReading, cues: Cues) -> Iterator[Correction]:
    """Yield what replaces what was said, behind words that tell so: "no, make it 3", "sorry, 39 Windmill Street"."""
    text = reading.masked
    done = -1
    for match in reading.found("corrections", cues.corrections, cues):
        if match.start() < done or not reading.begins_clause(match.start(), cues):
            continue
        own, end = match.end(), min(reading.sentence(match.end())[1], match.end() + _FARTHEST)
        if match[0] in cues.weak and not cues.joining.isdisjoint(tokens_of(text[own:end])[:1]):
            continue  # "oh, and ..." begins a further wish
        if not _says_more(text[own:end], cues) and end < len(text):
            end = min(reading.sentence(end + 1)[1], end + _FARTHEST)
        if _says_more(text[own:end], cues):
            yield Correction(match.start(), own, end, match[0])
            done = end


def _meant(reading: DenialReading, cues: Cues) -> Iterator[Correction]:
    """Yield what replaces what was said, before words that tell so: "from the hall, I mean"."""
    for match in reading.found("meant", cues.meant, cues):
        start, end = reading.sentence(match.start())
        is_late = match.start() > start > 0 and end - match.end() < _LONGEST_LEAD
        if is_late and not _says_more(reading.masked[match.end() : end], cues):
            yield Correction(start, start, match.start(), match[0])


def _says_more(stretch: str, cues: Cues) -> bool:
    tokens = tokens_of(stretch)
    return bool(tokens) and (cues.is_continuous or any(token not in cues.fillers for token in tokens))


def _withdrawals(reading: DenialReading, cues: Cues) -> Iterator[Withdrawal]:
    """Yield the runs of clauses that say no more than that a wish is taken back."""
    text, clauses = reading.masked, reading.clauses
    at = 0
    while at < len(clauses):
        stop = _end_of_asides(text, clauses, at, cues)
        if stop > at:
            start, end = clauses[at].start, clauses[stop - 1].end
            match = cues.withdrawals.search(" ".join(tokens_of(text[start:end])))
            before = clauses[at - 1] if at else None
            conditional = before is not None and reading.is_conditional(before.start, cues) and not before.ends_sentence
            if match and not conditional:
                taken = reading.sentence(max(before.end - 1, 0))[0] if before else start
                yield Withdrawal(taken, start, end, match[0], not text[end:].strip(" .!?\n)…。！"))
        at = stop + 1


def _end_of_asides(text: str, clauses: list[_Clause], at: int, cues: Cues) -> int:
    """Return the first clause from a place on that says something beside taking back; the end where all do not."""
    while at < len(clauses) and _is_aside(text, clauses[at], cues):
        at += 1
    return at


def _is_aside(text: str, clause: _Clause, cues: Cues) -> bool:
    """Say whether a clause takes back, or says nothing beside it; most have a word soon that says something else."""
    if not cues.is_continuous:
        for word in LETTERS.finditer(text, clause.start, clause.end):
            if word[0] not in cues.withdrawing:
                return False
    tokens = tokens_of(text[clause.start : clause.end])
    if cues.is_continuous:
        return bool(tokens) and not cues.withdrawals.sub("", "".join(tokens)).strip("".join(cues.fillers))
    rest = cues.withdrawals.sub(" ", " ".join(tokens))
    return all(token in cues.fillers for token in rest.split())
