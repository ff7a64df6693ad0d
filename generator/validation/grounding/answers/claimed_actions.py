"""Claimed actions: deeds that an answer claims and that no call has done.

Where no call was made, a deed is known by a verb that the name of a shown tool has, or that the user asked for; what is
done in words alone, such as a translation, needs no call. A settled word ("all taken care of"), a verb of a deed, or
several things that nobody said, told where a shown tool is spoken of, come from nowhere. Beside calls, a deed is known
by a verb that does something outside of the conversation, told in the first person or of what "has been" done; it is
backed where a tool that was called, its arguments or its result speak of it, by the verb or by what it was done to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.answers.text_replies import TextReply, purpose_of, text_replies
from generator.validation.grounding.answers.unsupported import (
    ungrounded_addresses,
    ungrounded_days,
    ungrounded_names,
    ungrounded_numbers,
)
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.denials import Clause, clauses_of, denies, is_left_open, sentences_of
from generator.validation.grounding.reading.languages import Phrases, english, entries, language_among, phrases
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.result_status import forms_of_verb, verbs_of
from generator.validation.verdict import Severity
from generator.validation.view import MessageView, RecordView, cached_attribute


class ClaimedDeed(NamedTuple):
    """A deed that an answer claims."""

    pointer: str
    words: str
    at_most: Severity = "error"


class _Turn(NamedTuple):
    """A text of the assistant in a turn without calls."""

    message: MessageView
    asked: str
    """What the user said last, folded."""
    language: str
    record: RecordView
    has_called: bool
    """Whether any earlier turn has calls."""

    @property
    def verbs(self) -> frozenset[str]:
        """The stems of verbs that ask for a deed: those of the shown tools, and what no words alone can do.

        The tools that were called before are left out: the deed may be theirs.
        """
        return _verbs(self.record, self.message) | (_outward() & self.wished if not self.has_called else frozenset())

    @property
    def wished(self) -> frozenset[str]:
        """The stems of the user's words."""
        return frozenset(map(stem, tokens_of(self.asked)))


def claimed_deeds(record: RecordView) -> Iterator[ClaimedDeed]:
    """Yield the deeds that are claimed in turns without calls."""
    for turn in _turns(record):
        folded = fold(turn.message.content)
        deed = _completed(folded, turn) or _told(folded, turn) or _code(turn, record)
        if deed is None and not record.generated:
            deed = _from_nowhere(folded, turn, record)
        if deed is not None:
            yield deed


def _turns(record: RecordView) -> Iterator[_Turn]:
    asked, called, has_called = "", False, False
    for message in record.messages:
        if message.role == "user":
            asked, called = message.content if isinstance(message.content, str) else "", False
        elif message.calls:
            called = has_called = True
        elif message.role == "assistant" and not called and asked and isinstance(message.content, str):
            folded = fold(asked)
            language = language_among(fold(message.content), folded)
            yield _Turn(message, folded, language, record, has_called)


@cache
def _outward() -> frozenset[str]:
    return frozenset(map(stem, entries("en", "claims", "outward")))


def _verbs(record: RecordView, message: MessageView) -> frozenset[str]:
    called = frozenset(stem for call in record.calls if call.turn < message.index for stem in verbs_of(call.name))
    return frozenset(stem for tool in record.tools for stem in verbs_of(tool.name)) - called


def _completed(folded: str, turn: _Turn) -> ClaimedDeed | None:
    """Return the word that says of all that was asked that it is done."""
    words = phrases(turn.language, "claims", "completed")
    if not turn.language or not words.begins(folded) or not _is_wish(turn):
        return None
    said = _first_statement(folded, turn.language)
    if not words.begins(said) or len(tokens_of(said)) > _MOST_WORDS or denies(said, turn.language):
        return None
    return ClaimedDeed(turn.message.pointer, said, "warning" if turn.has_called or _is_in_words(turn) else "error")


_MOST_WORDS = 6


def _first_statement(folded: str, language: str) -> str:
    """Return the first clause of a text; "" where it asks."""
    first = next(clauses_of(folded, language), None)
    return first.text.strip(" !.") if first is not None and not first.asks else ""


def _is_wish(turn: _Turn) -> bool:
    """Say whether what the user said last may be a wish for a deed, and no thanks or goodbye."""
    return bool(turn.verbs & turn.wished) or turn.language != "en"


def _is_in_words(turn: _Turn) -> bool:
    """Say whether what is asked may be done in words alone."""
    return phrases(turn.language, "claims", "in_words").found_in(turn.asked)


def _told(folded: str, turn: _Turn) -> ClaimedDeed | None:
    """Return the deed that a clause tells as done."""
    if not turn.language or _claims(turn.language).search(folded) is None:
        return None
    english = turn.language == "en"
    for sentence in sentences_of(folded) if english else clauses_of(folded, turn.language):
        if not english and is_left_open(sentence, turn.language):
            continue
        for match in _claims(turn.language).finditer(sentence.text):
            if _is_plain(match, sentence, turn):
                sureness = _sureness(match, turn)
                if sureness is not None:
                    return ClaimedDeed(turn.message.pointer, match[0].strip(), sureness)
    return None


def _is_plain(match: re.Match[str], sentence: Clause, turn: _Turn) -> bool:
    """Say whether what is told as done is neither denied nor supposed nor asked."""
    before = sentence.text[: match.start()]
    supposed = phrases(turn.language, "claims", "supposing").found_in(before)
    asks = turn.message.content.rstrip().endswith(("?", "？"))
    if match["state"] and (asks or denies(sentence.text, turn.language)):
        return False
    return not (sentence.asks or supposed or denies(match[0], turn.language))


def _sureness(match: re.Match[str], turn: _Turn) -> Severity | None:
    """Return how sure it is that a verb tells a deed that needs a call; None where it does not."""
    if _in_words(turn.language).begins(match["verb"]):
        return None
    if turn.language == "en":
        return _sureness_in_english(match, turn)
    return "note" if turn.has_called else "warning"


def _sureness_in_english(match: re.Match[str], turn: _Turn) -> Severity | None:
    """Return the same in English, whose verbs are known by their stems; a state is told of nobody."""
    verb, stems = match["verb"], forms_of_verb(match["verb"])
    verbs, wished = turn.verbs, turn.wished
    is_of_a_tool, is_asked = not stems.isdisjoint(verbs), not stems.isdisjoint(wished)
    if match["state"]:
        return "warning" if is_of_a_tool and is_asked and verb not in tokens_of(turn.asked) else None
    if is_of_a_tool:
        return "error"
    if turn.has_called or match["own"] not in english("claims", "perfect"):
        return None
    return "warning" if is_asked or not verbs.isdisjoint(wished) else None


def _from_nowhere(folded: str, turn: _Turn, record: RecordView) -> ClaimedDeed | None:
    """Return a date, time or measure that nobody said, where what was asked for is what a shown tool tells."""
    if not _DIGIT.search(folded) or not turn.language or folded.rstrip().endswith(("?", "？")):
        return None
    wished = turn.wished
    if not any(wished & _things_of(tool.name) for tool in record.tools):
        return None
    if phrases(turn.language, "claims", "hedges").found_in(folded):
        return None
    before = record.messages[: turn.message.index]
    answer = Answer(turn.message, before, [], record.tools, record.metadata.get("reference_date"))
    told = [*ungrounded_days(answer), *(number for number in ungrounded_numbers(answer) if _is_measure(number, answer))]
    return ClaimedDeed(turn.message.pointer, told[0], "warning") if told else None


_DIGIT = re.compile(r"\d")


def _is_measure(number: str, answer: Answer) -> bool:
    """Say whether a number of an answer is told with a unit, a currency or a fraction."""
    value = abs(float(number.replace(",", "")))
    return any(
        abs(each.value - value) <= each.near and (each.unit or each.currencies or value != int(value))
        for each in answer.stated_numbers
    )


@cache
def _things_of(name: str) -> frozenset[str]:
    """Return the stems of the words of a tool's name that say what it is about."""
    looking = english("results", "looking")
    return frozenset(stem(token) for token in tokens_of_value(name) if token not in looking and len(token) > 2)


_CODE = re.compile(r"(?<![\w./@-])[A-Z]{1,5}-?\d{4,12}(?![\w@]|\.\w)")


def _code(turn: _Turn, record: RecordView) -> ClaimedDeed | None:
    """Return an id that nobody said, where what was asked for is what a shown tool does."""
    if _CODE.search(turn.message.content) is None or not turn.verbs & turn.wished:
        return None
    before = [each.content for each in record.messages[: turn.message.index] if isinstance(each.content, str)]
    said = "\n".join([*before, *(call.text for call in record.calls), *(str(tool.function) for tool in record.tools)])
    found = (match[0] for match in _CODE.finditer(turn.message.content) if match[0] not in said)
    code = next(found, None)
    return ClaimedDeed(turn.message.pointer, code, "warning") if code is not None else None


def _in_words(language: str) -> Phrases:
    return phrases(language, "claims", "in_words")


@cache
def _claims(language: str) -> re.Pattern[str]:
    """Return what finds a deed told as done: who did it or that it was done, and its verb."""
    own = _any(entries(language, "claims", "openers"))
    was = _any(entries(language, "claims", "was"))
    state = _any(entries(language, "claims", "states"))
    verb = _any((*entries(language, "claims", "participles"), *_irregular(language)))
    if language == "zh":
        return re.compile(rf"(?:(?P<own>{own})|{was}|(?P<state>{state}))(?P<verb>[\u4e00-\u9fff]{{2}})")
    gap = rf"(?:{_any(entries(language, 'claims', 'between'))})\s" if language == "en" else r"[^\s.!?]{1,40}\s"
    most = 3 if language == "en" else 10
    return re.compile(
        rf"(?<![\w'])(?:(?P<own>{own})|{was}|(?P<state>{state}))\s(?:{gap}){{0,{most}}}?(?P<verb>{verb})(?!\w)"
    )


def _irregular(language: str) -> tuple[str, ...]:
    return tuple(entry.split()[0] for entry in entries(language, "claims", "irregular"))


def _any(forms: tuple[str, ...]) -> str:
    longest_first = sorted(forms, key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\*", r"\w{1,24}") for form in longest_first) or r"(?!)"


def unbacked_claims(record: RecordView) -> Iterator[ClaimedDeed]:
    """Yield what is told as done or found out before anything was called."""
    if record.tools:
        for reply in text_replies(record):
            if not reply.language:
                continue
            deed = _undone(reply) if reply.has_called else _settled(reply) or _news(reply)
            if deed is not None:
                yield deed


def _undone(reply: TextReply) -> ClaimedDeed | None:
    """Return a deed that is told in a turn without calls, and that no call of an earlier turn has done."""
    claim = next(_undone_deeds(_answer(reply)), None)
    return ClaimedDeed(reply.message.pointer, claim.message, claim.at_most) if claim is not None else None


def _answer(reply: TextReply) -> Answer:
    record = reply.record
    before = record.messages[: reply.message.index]
    return Answer(reply.message, before, [], record.tools, record.metadata.get("reference_date"))


def _settled(reply: TextReply) -> ClaimedDeed | None:
    """Return the words by which all that was asked is told as settled, in an answer that says little else."""
    if reply.folded.count(" ") > _MOST_SPACES or not _may_wish(reply) or not _may_settle(reply):
        return None
    for clause in clauses_of(reply.folded, reply.language):
        if clause.asks or _is_supposed(clause, reply):
            continue
        sureness = _sureness_of_settled(clause, reply)
        if sureness is not None:
            return ClaimedDeed(reply.message.pointer, clause.text.strip()[:80], sureness)
    return None


def _may_settle(reply: TextReply) -> bool:
    """Say quickly whether any clause of a text may tell something as settled."""
    classes = (("claims", "settled"), ("outcomes", "denial"), ("claims", "fresh"))
    if any(phrases(reply.language, *each).found_in(reply.folded, reply.words) for each in classes):
        return True
    begins = _DEED.match(reply.folded)
    return begins is not None and begins[0] in _deed_words()


def _sureness_of_settled(clause: Clause, reply: TextReply) -> Severity | None:
    """Return how sure it is that a clause tells something as settled: as tried in vain, found out just now, or done."""
    tried, fresh = phrases(reply.language, "outcomes", "denial"), phrases(reply.language, "claims", "fresh")
    if tried.found_in(clause.text) and any(map(reply.shared_with, reply.nearest_tools)):
        return "note"
    if denies(clause.text, reply.language):
        return None
    if fresh.found_in(clause.text):
        return _certainty(reply) if any(map(reply.names, reply.nearest_tools)) else "note"
    is_settled = phrases(reply.language, "claims", "settled").found_in(clause.text) or _is_bare_deed(clause, reply)
    return _certainty(reply) if is_settled else None


_MOST_SPACES = 40
_DEED = re.compile(r"[a-z]{3,14}")


def _certainty(reply: TextReply) -> Severity:
    """Return how sure a claim is: what is asked for with such a verb first may be done in words alone."""
    beginning = " ".join(tokens_of(reply.asked_folded)[:_FIRST])
    return "note" if phrases(reply.language, "claims", "in_words").found_in(beginning) else "warning"


_FIRST = 4


def _may_wish(reply: TextReply) -> bool:
    """Say whether the user asks or wishes: a remark on oneself and thanks are answered by what is but polite."""
    return "?" in reply.asked or not phrases(reply.language, "claims", "remarks").begins(reply.asked_folded)


def _is_supposed(clause: Clause, reply: TextReply) -> bool:
    return phrases(reply.language, "claims", "supposing").found_in(clause.sentence)


def _is_bare_deed(clause: Clause, reply: TextReply) -> bool:
    """Say whether a clause begins a text with the word of a deed alone: "Saved!", "Booked: table for two"."""
    words = tokens_of(clause.text)
    if clause.start or not words or len(words) > _FEW or reply.language != "en":
        return False
    return words[0] in _deed_words() and words[0] not in tokens_of(reply.asked_folded)


_FEW = 3


@cache
def _deed_words() -> frozenset[str]:
    return frozenset(
        (*entries("en", "poles", "making"), *entries("en", "poles", "unmaking"), *entries("en", "claims", "bare"))
    )


def _news(reply: TextReply) -> ClaimedDeed | None:
    """Return what nobody said, in an answer to a question that a shown tool answers."""
    text = reply.folded.rstrip()
    if text.endswith(("?", "？")) or not _STANDS_OUT.search(reply.message.content):
        return None
    if phrases(reply.language, "declining", "unable").found_in(text) or not _may_wish(reply):
        return None
    nearest = reply.nearest_tools[:1]
    if not any(map(reply.shared_with, nearest)):
        return None
    answer = _answer(reply)
    if phrases(reply.language, "claims", "hedges").found_in(answer.without_moments):
        return None
    told = _ungrounded(answer, reply.language)
    if not told:
        return None
    is_named = any(map(reply.names, nearest))
    return ClaimedDeed(reply.message.pointer, told[0], "warning" if is_named and len(told) > 1 else "note")


def _ungrounded(answer: Answer, language: str) -> list[str]:
    """Return the numbers, days, names and addresses that nothing said before holds."""
    found = [*ungrounded_days(answer), *ungrounded_numbers(answer), *ungrounded_addresses(answer)]
    if language in _CAPITALS_ARE_NAMES:
        found += ungrounded_names(answer)
    return list(dict.fromkeys(map(fold, found)))


_STANDS_OUT = re.compile(r"\d|@|(?<=[a-z,] )[^\W\d_a-z]")
"""What a text has that tells a number, an address or a name."""
_CAPITALS_ARE_NAMES = frozenset({"en", "es", "fr"})


class _ToldDeed(NamedTuple):
    """A deed that a sentence tells."""

    verb: str
    start: int
    """Where who did it stands in the sentence."""
    end: int
    """Where the verb ends."""
    sentence: Clause
    is_passive: bool

    @property
    def part(self) -> str:
        """The deed with the rest of its clause."""
        return _CLAUSE_END.split(self.sentence.text[self.start :], maxsplit=1)[0][:_LONGEST_PART]

    @property
    def things(self) -> list[str]:
        """The stems of the words that say what it was done to."""
        text = self.sentence.text if self.is_passive else self.part
        return [stem(token) for token in tokens_of(text) if _tells(token, self.verb)]


_CLAUSE_END = re.compile(r"[;!?\n]|\.(?!\d)")
_LONGEST_PART = 200


def additional_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deeds that no call has done, of an answer to results."""
    if answer.results:
        yield from _undone_deeds(answer)


def _undone_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deeds that no call before an answer has done."""
    if answer.language not in _READ or len(answer.text) > _LONGEST:
        return
    called = _CallHistory(answer)
    for told in _told_deeds(answer, _uncalled_verbs(answer)):
        if _is_told_as_done(told, answer) and _is_unbacked(told, answer, called):
            yield Claim(told.part.strip()[:80], "warning")
            return


_READ, _LONGEST = frozenset({"en"}), 8000


def _uncalled_verbs(answer: Answer) -> frozenset[str]:
    """Return the verbs of deeds in an answer by which no tool is named that was called before it."""
    verbs = english("claims", "deeds") & answer.words
    if not verbs or not _may_lead(answer.folded):
        return frozenset()
    called_so = [verbs_of(call.name) for message in answer.before for call in message.calls]
    return frozenset([verb for verb in verbs if all(map(forms_of_verb(verb).isdisjoint, called_so))])


def _may_lead(folded: str) -> bool:
    return any(map(folded.__contains__, ("i ", "i've ", "we ", "we've ", " been ", " being ", "and ")))


def _told_deeds(answer: Answer, verbs: frozenset[str]) -> Iterator[_ToldDeed]:
    """Yield the deeds that an answer tells, each with its sentence."""
    text = answer.folded
    for verb in sorted(verbs):
        for place in islice(_as_word(verb).finditer(text), _MOST):
            before = text[max(0, place.start() - _REACH) : place.start()]
            if (before.split() or [""])[-1] not in _last_words():
                continue
            lead = _lead(answer.language).search(before)
            if lead is not None:
                start = place.start() - len(before) + lead.start()
                sentence = next(each for each in sentences_of(text) if each.start + len(each.text) > place.start())
                at = sentence.start
                yield _ToldDeed(verb, max(0, start - at), place.end() - at, sentence, lead["passive"] is not None)


_MOST, _REACH = 20, 60


@cache
def _as_word(verb: str) -> re.Pattern[str]:
    """Return what finds a verb of the class as a word of its own, by its first letter."""
    first = re.escape(verb[0])
    return re.compile(rf"{first}(?<![\w'-]{first}){re.escape(verb[1:])}(?![\w'])")


@cache
def _last_words() -> frozenset[str]:
    names = ("openers", "was", "passive", "between", "besides", "and")
    return frozenset(entry.split()[-1] for name in names for entry in entries("en", "claims", name))


@cache
def _lead(language: str) -> re.Pattern[str]:
    """Return what stands right before the verb of a deed: who did it, or that it was done."""
    openers = _either((*entries(language, "claims", "openers"), *entries(language, "claims", "and")))
    passive = _either((*entries(language, "claims", "was"), *entries(language, "claims", "passive")))
    gap = _either((*entries(language, "claims", "between"), *entries(language, "claims", "besides")))
    return re.compile(rf"(?<![\w'])(?:(?:{openers})|(?P<passive>{passive}))\s(?:(?:{gap})\s){{0,2}}$")


def _either(forms: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))


def _is_told_as_done(told: _ToldDeed, answer: Answer) -> bool:
    """Say whether a deed is told as done, and neither asked nor supposed nor denied."""
    text = told.sentence.text
    before = text[: told.start]
    if told.sentence.asks or before.count('"') % 2 or denies(text[told.start : told.end], answer.language):
        return False
    return not phrases(answer.language, "claims", "supposing").found_in(before)


def _is_unbacked(told: _ToldDeed, answer: Answer, called: _CallHistory) -> bool:
    """Say whether neither the verb nor what it was done to is known from the calls."""
    if any(map(called.speaks_of, forms_of_verb(told.verb))):
        return False
    if told.verb in english("claims", "passing_on") and not any(map(called.speaks_of, _stems("passed_on"))):
        return True
    besides = phrases(answer.language, "claims", "besides").found_in(told.sentence.text)
    if told.verb in english("claims", "light_deeds") and not besides:
        return False
    things = told.things
    foreign = [thing for thing in things if not called.speaks_of(thing)]
    return bool(foreign) and (besides or len(foreign) == len(things))


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, english("claims", name)))


def _tells(token: str, verb: str) -> bool:
    if len(token) < _SHORTEST or not token.isalpha() or token == verb:
        return False
    return token not in STOPWORDS and token not in _idle() and token not in CALENDAR_WORDS


_SHORTEST = 3


@cache
def _idle() -> frozenset[str]:
    names = ("besides", "between", "openers", "was", "passive", "aside")
    return frozenset(token for name in names for entry in entries("en", "claims", name) for token in tokens_of(entry))


class _CallHistory:
    """What was called before an answer: tools, arguments and results."""

    def __init__(self, answer: Answer) -> None:
        self._before = answer.before

    @cached_attribute
    def _described(self) -> frozenset[str]:
        """The stems of the words of the tools that were called."""
        found: set[str] = set()
        for message in self._before:
            for call in message.calls:
                found |= purpose_of(call.tool).described if call.tool is not None else set()
                found.update(map(stem, tokens_of_value(call.name)))
        return frozenset(found)

    @cached_attribute
    def _text(self) -> str:
        """The arguments and the results, folded."""
        texts = [call.text for message in self._before for call in message.calls]
        texts += [each.content for each in self._before if each.role == "tool" and isinstance(each.content, str)]
        return fold("\n".join(texts))

    def speaks_of(self, stemmed: str) -> bool:
        """Say whether any of it has a word that begins so."""
        return stemmed in self._described or stemmed in self._text
