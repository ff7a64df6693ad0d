"""Wordings: texts that calls take over from what was said, and that are exactly what was said.

Who quotes a text gives it word for word; a word changed, left out at the end or added makes it another text. What is
said without marks may be put in other words, so that only one that goes along with the request word for word and
then has a word that was never said is held against it. Letters keep their case in codes, in files and in quotes; a
word may get a capital, since sentences, titles and places have one, and a code that was typed in small letters all
of its capitals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from generator.jsontext import pointer
from generator.validation.grounding.arguments.argument import (
    Leaf,
    Path,
    choices_at,
    examples_at,
    ground_in_schema,
    leaves_of,
    lists_values,
    place_in_schema,
    texts_below,
)
from generator.validation.grounding.arguments.sources import CallTurn, Source, call_turns, forms_of
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import (
    is_english,
    is_harmless,
    little_words,
    other_names,
    words_for,
)
from generator.validation.grounding.reading.words import (
    STOPWORDS,
    find_literal,
    fold,
    has_marks,
    is_a_letter,
    is_inside,
    quotes_of,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_FILE = re.compile(r"\S*[^\W_]\.[a-z]{1,5}|\S*[/\\]\S*|\S*_\S*", re.IGNORECASE)
_MOST_PLACES = 16
_FEWEST_EXACT = 2
"""Words of a quotation from which on only the first may get another capital."""
_LONGEST_ACRONYM = 5


def other_case(value: str, sources: Sequence[Source], quoted: Sequence[str]) -> tuple[str, Severity] | None:
    """Tell that a text is said in another case everywhere, and in one that is not free."""
    written = list(_places(value, sources))
    if not written:
        return _shouted(value, sources)
    in_quotes = any(each in quote for each, _ in written for quote in quoted)
    if any(is_free(value, each, starts) for each, starts in written):
        if in_quotes and _differs_within(value, written):
            return f"has other capitals than the quotation {brief(written[0][0])}", "warning"
        return None
    said = written[0][0]
    severity: Severity = "error" if in_quotes or _is_exact(said) else _degree(value, said)
    return f"is said as {brief(said)}: capitals and small letters are not the same there", severity


def _differs_within(value: str, written: list[tuple[str, bool]]) -> bool:
    """Say whether a text of several words has other capitals, after its first letter, wherever it is said."""
    return len(value.split()) >= _FEWEST_EXACT and all(value[1:] != each[1:] for each, _ in written)


def _places(value: str, sources: Sequence[Source]) -> Iterator[tuple[str, bool]]:
    """Yield how a text is written where it is said, and whether a sentence begins with it."""
    folded = fold(value)
    pattern = None
    for source in sources:
        if source.role == "system" or find_literal(source.folded, folded) < 0:
            continue
        if len(value) > _LONGEST_PATTERN:
            yield from _place_of_a_long_one(value, source)
            continue
        pattern = pattern or re.compile(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", re.IGNORECASE)
        for match in islice(pattern.finditer(source.raw), _MOST_PLACES):
            yield match[0], _begins_sentence(source.raw, match.start())


def _place_of_a_long_one(value: str, source: Source) -> Iterator[tuple[str, bool]]:
    lowered, wanted = source.raw.lower(), value.lower()
    at = lowered.find(wanted) if len(lowered) == len(source.raw) and len(wanted) == len(value) else -1
    if at >= 0:
        yield source.raw[at : at + len(value)], _begins_sentence(source.raw, at)


_LONGEST_PATTERN = 500


def _shouted(value: str, sources: Sequence[Source]) -> tuple[str, Severity] | None:
    """Tell that a text of several words is all in capitals, none of which anybody wrote so."""
    words = [word for word in _WORD.findall(value) if len(word) > _SHORTEST_SHOUT] if value.isupper() else []
    if len(words) < _FEWEST_SHOUTED:
        return None
    if any(word in source.raw for word in words for source in sources):
        return None
    return "is all in capitals, which nobody wrote so", "warning"


_SHORTEST_SHOUT = 3
_FEWEST_SHOUTED = 2


def _begins_sentence(raw: str, at: int) -> bool:
    before = raw[:at].rstrip(" \"'“„«(*")
    return not before or before[-1] in ".!?:\n"


def is_free(value: str, said: str, starts: bool) -> bool:
    """Say whether a text may be written so where it was said otherwise: names get capitals, sentences lose theirs."""
    given, heard = _WORD.findall(value), _WORD.findall(said)
    if len(given) != len(heard) or _is_exact(said):
        return _may_be_code(value, said)
    pairs = list(zip(given, heard, strict=True))
    return all(
        _is_free_word(mine, theirs, first=starts and not at) for at, (mine, theirs) in enumerate(pairs)
    ) or _may_be_code(value, said)


def _is_free_word(given: str, said: str, *, first: bool) -> bool:
    if given == said or given == said[0].upper() + said[1:]:
        return True
    if first and given == said[0].lower() + said[1:]:
        return True
    return len(said) > 1 and said.isupper() and not given.isupper() and len(said) > _LONGEST_ACRONYM


def _may_be_code(value: str, said: str) -> bool:
    """Say whether a code that was typed in small letters is given in capitals: lh430, usd."""
    return said.islower() and value.isupper() and (" " not in value) and (
        len(value) <= _LONGEST_ACRONYM or (_is_code(value) and not _FILE.fullmatch(said)))  # fmt: skip


def _is_exact(said: str) -> bool:
    """Say whether capitals mean something in a text: in codes, paths and names of files."""
    return " " not in said and (_is_code(said) or _FILE.fullmatch(said) is not None)


def _is_code(text: str) -> bool:
    return _DIGIT.search(text) is not None and _LETTER.search(text) is not None


def _degree(value: str, said: str) -> Severity:
    """Say how bad it is: a single word may well be meant in small letters, as a thing and not a name."""
    if len(_WORD.findall(said)) > 1 or (value.isupper() and len(said) > _LONGEST_ACRONYM):
        return "warning"
    return "note"


_FEWEST_COMMON = 3
"""Words in common from which on a text goes along with another."""
_SHARE_IN_COMMON = 0.6
_MOST_CHANGED = 3


class Change(NamedTuple):
    """What a text says in a place, and what the other says there."""

    given: tuple[str, ...]
    said: tuple[str, ...]
    is_inside: bool
    """Whether the two go along again after it."""


def change_in(tokens: tuple[str, ...], spaced: str) -> Change | None:
    """Return the one place in which words differ from a run of words in a text (` word word `); None for none."""
    before = _longest(tokens, spaced, first=True)
    after = _longest(tokens[before:], spaced, first=False)
    given = tokens[before : len(tokens) - after]
    if not given or len(given) > _MOST_CHANGED or before + after < max(_FEWEST_COMMON, _SHARE_IN_COMMON * len(tokens)):
        return None
    beginning, ending = tokens[:before], tokens[len(tokens) - after :]
    if beginning and ending:
        said = _between(" ".join(beginning), " ".join(ending), spaced)
        return None if said is None else Change(given, said, True)
    return Change(given, _beside(beginning, ending, len(given), spaced), False)


def _longest(tokens: tuple[str, ...], spaced: str, *, first: bool) -> int:
    """Return how many of the first, or last, words stand together in a text; found by halving."""
    least, most = 0, len(tokens)
    while least < most:
        middle = (least + most + 1) // 2
        part = tokens[:middle] if first else tokens[len(tokens) - middle :]
        if f" {' '.join(part)} " in spaced:
            least = middle
        else:
            most = middle - 1
    return least


def _between(beginning: str, ending: str, spaced: str) -> tuple[str, ...] | None:
    """Return the few words between two runs; None where they lie apart."""
    at = spaced.find(f" {beginning} ")
    for _ in range(_MOST_PLACES):
        if at < 0:
            return None
        end = at + len(beginning) + 1
        following = spaced.find(f" {ending} ", end)
        if following < 0:
            return None
        said = tuple(spaced[end:following].split())
        if len(said) <= _MOST_CHANGED:
            return said
        at = spaced.find(f" {beginning} ", at + 1)
    return None


def _beside(beginning: tuple[str, ...], ending: tuple[str, ...], count: int, spaced: str) -> tuple[str, ...]:
    """Return the words that follow a run in a text, or that come before it."""
    run = f" {' '.join(beginning or ending)} "
    at = spaced.find(run)
    if beginning:
        return tuple(spaced[at + len(run) : at + len(run) + 40 * count].split()[:count])
    return tuple(spaced[max(0, at - 40 * count) : at].split()[-count:])


def is_other_wording(change: Change) -> bool:
    """Say whether the words of a change may be put so: small words, or the same ones in another form."""
    if all(token in STOPWORDS for token in change.given):
        return True
    if change.said and all(token in STOPWORDS for token in change.said) and change.is_inside:
        return True
    said = {stem(token) for token in change.said}
    return all(token in STOPWORDS or _is_form_of(token, change.said, said) for token in change.given)


_SHORTEST = 3


def _is_form_of(token: str, said: tuple[str, ...], stems: set[str]) -> bool:
    return stem(token) in stems or any(
        len(each) >= _SHORTEST and len(token) >= _SHORTEST and (token.startswith(each) or each.startswith(token))
        for each in said
    )


_NEAR = 0.6
"""The share of its words that a text must have in common with a quotation to be taken from it."""
_FEWEST_QUOTED = 2
_FEWEST_SAID = 4
_ENDS = " .,;:!?…\n\t"
_SYNTAX = frozenset("=<>{}()[]*|\\/^$%+@#_")

_Fault = tuple[str, Severity]


class _Text(NamedTuple):
    """A text that a call gives."""

    call: CallView
    leaf: Leaf
    value: str
    tokens: tuple[str, ...]

    @property
    def pointer(self) -> str:
        """JSON pointer of the text."""
        return self.call.arguments_pointer + pointer(self.leaf.path)


class _Given:
    """All texts that the calls of a turn give, and how many of them have each word: counted when first asked for."""

    def __init__(self, calls: Iterable[CallView]) -> None:
        self._calls = tuple(calls)

    def values(self) -> Iterator[str]:
        """Yield the texts as they are given."""
        return (str(leaf.value) for call in self._calls for leaf in _strings(call))

    @cached_property
    def _wholes(self) -> Counter[tuple[str, ...]]:
        return Counter(map(_tokens, self.values()))

    @cached_property
    def _words(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for tokens, times in self._wholes.items():
            found.update(dict.fromkeys(tokens, times))
        return found

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(form for call in self._calls for form in _numbers(call))

    def is_whole(self, tokens: tuple[str, ...], beside: _Text) -> bool:
        """Say whether another text has exactly these words."""
        return self._wholes[tokens] > (beside.tokens == tokens)

    def is_word(self, token: str, beside: _Text) -> bool:
        """Say whether another text has a word."""
        return self._words[token] > (token in beside.tokens)

    def is_number(self, token: str) -> bool:
        """Say whether a call gives a number that is written so."""
        return token in self._numbers


class _Quotation(NamedTuple):
    """A text that a request quotes."""

    value: str
    tokens: tuple[str, ...]


def rewordings(record: RecordView) -> Iterator[Finding]:
    """Yield the texts of calls that are nearly what was said, and not it."""
    for heard in call_turns(record):
        doubtful = (
            (call, leaf) for call, leaf in _doubtful(heard) if not _is_listed(str(leaf.value), call.tool, leaf.path)
        )
        first = next(doubtful, None)
        if first is not None:
            yield from _faults(chain([first], doubtful), heard, record)


def _faults(doubtful: Iterable[tuple[CallView, Leaf]], heard: CallTurn, record: RecordView) -> Iterator[Finding]:
    """Yield what is wrong with the texts that a turn of calls gives."""
    given = _Given(heard.calls)
    quotations = _quotations(heard)
    joined = "\0".join(given.values()) if quotations else ""
    free = [each for each in quotations if each.value not in joined]
    for call, leaf in doubtful:
        text = _text(call, leaf)
        fault = _fault(text, given, quotations, free, heard)
        if fault is not None and not record.generated and _is_free(text, fault, bool(quotations), heard):
            fault = (fault[0], "note")
        if fault is not None:
            yield Finding(text.pointer, *fault)


def _doubtful(heard: CallTurn) -> Iterator[tuple[CallView, Leaf]]:
    """Yield the texts that are not said to the letter, or may be parts of longer ones."""
    for call in heard.calls:
        for leaf in _strings(call):
            if not _is_plain(str(leaf.value), heard):
                yield call, leaf


def _strings(call: CallView) -> Iterator[Leaf]:
    """Yield the texts of a call's arguments."""
    for name, value in (call.arguments or {}).items():
        yield from texts_below((name,), value)


def _text(call: CallView, leaf: Leaf) -> _Text:
    value = str(leaf.value)
    return _Text(call, leaf, value, _tokens(value))


_PIECE = re.compile("[\u2e80-\uffff]|[^\\W\\d_\u2e80-\uffff]+|\\d+(?:\\.\\d+)?")


def _tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, and the signs of scripts that do not write words apart."""
    folded = fold(text)
    return tuple(tokens_of(folded) if folded.isascii() else _PIECE.findall(folded))


def _is_plain(value: str, heard: CallTurn) -> bool:
    """Say at first glance whether a text is said to the letter, and no part of a longer one."""
    at = heard.asked.find(value)
    if at < 0 and not (first := value[0]).islower():
        at = heard.asked.find(first.lower() + value[1:])
    if at >= 0:
        return _stands_whole(value, at, heard)
    return _WRITTEN_OTHERWISE.fullmatch(value) is not None or value in heard.told


_WRITTEN_OTHERWISE = re.compile(r"[\d:./TZ +-]{1,40}")
"""Days and times, which are written otherwise than they are said."""
_AFTER = frozenset(["", *".,;:!?)]'’\n\"”“»"])
"""What stands after a text that ends there: a sign, or nothing."""


def _stands_whole(value: str, at: int, heard: CallTurn) -> bool:
    """Say whether a text is a whole quotation, or outside of any, and does not break off within a name."""
    end, text = at + len(value), heard.asked
    after = text[end : end + 1]
    if heard.quotes:
        before = text[at - 1 : at]
        if before and after and before in _OPENING and after in _AFTER:
            return True
        if is_inside(at, text):
            return False
    if after in _AFTER:
        return True
    return text[end + 1 : end + 2].islower() and value.rpartition(" ")[2] not in words_for("exact", "dangling")


_OPENING = "\"“„«'‘「『`"


def _is_listed(value: str, tool: ToolView | None, path: Path) -> bool:
    """Say whether a schema lists a text, as a choice or an example, or gives it: then it is written as there."""
    if tool is None:
        return False
    place = place_in_schema(tool, path)
    if not lists_values(tool, place):
        return False
    if value in choices_at(tool, place) or fold(value) in examples_at(tool, place):
        return True
    return ground_in_schema(value, tool, path, 0) is not None


def _quotations(heard: CallTurn) -> list[_Quotation]:
    return [
        _Quotation(quote.text, _tokens(quote.text))
        for source in heard.requests
        if has_marks(source.raw)
        for quote in quotes_of(source.raw)
    ]


def _fault(
    text: _Text, given: _Given, quotations: list[_Quotation], free: list[_Quotation], heard: CallTurn
) -> _Fault | None:
    """Return what is wrong with a text, where some quotations are `free`: no text gives them."""
    if any(text.value in source.raw for source in heard.sources):
        return _cut(text, given, free) or _broken_off(text, given, heard)
    return other_case(text.value, heard.sources, [each.value for each in quotations]) or (
        _misquoted(text, given, free) or _reworded(text, heard)
    )


def _is_free(text: _Text, fault: _Fault, is_quoted: bool, heard: CallTurn) -> bool:
    """Say whether a text may be put so in what others wrote: a search, a place told in full, a title of its own."""
    if is_quoted or fault[1] == "error":
        return False
    if _ends_in_other_name(text):
        return True
    is_lowered = text.value.islower() and len(text.tokens) > 1
    if is_harmless(text.call.name) and (is_lowered or _adds_at_end(text, heard)):
        return True
    return text.value[:1].isupper() and not any(
        text.value[: text.value.find(" ")] in each.raw for each in heard.requests
    )


def _ends_in_other_name(text: _Text) -> bool:
    """Say whether the last of several parts is a name that a place or a country has besides: "Chicago, IL"."""
    _, comma, last = text.value.rpartition(",")
    return bool(comma and text.tokens and other_names(last.strip()))


def _adds_at_end(text: _Text, heard: CallTurn) -> bool:
    """Say whether what a text says beyond a request stands at its end."""
    changes = [change_in(text.tokens, source.words.spaced) for source in heard.requests]
    return any(each is not None and not each.is_inside for each in changes)


def _cut(text: _Text, given: _Given, quotations: list[_Quotation]) -> _Fault | None:
    """Tell that a text is a quotation without its end, or its beginning, which no other text takes up."""
    if any(text.tokens == quoted.tokens for quoted in quotations):
        return None
    for quoted in quotations:
        left = _left_out(text.tokens, quoted.tokens)
        if left and len(text.tokens) >= _FEWEST_QUOTED and _is_lost(left, text, given, quoted):
            return f"leaves out {brief(' '.join(left))} of the quotation {brief(quoted.value)}", "error"
    return None


def _broken_off(text: _Text, given: _Given, heard: CallTurn) -> _Fault | None:
    """Tell that a text ends within a name, or with a word that another must follow, wherever it is said."""
    words = text.value.split()
    if len(words) < _FEWEST_QUOTED or not heard.requests or not is_english(heard.requests[0].words):
        return None
    following = _words_behind(text, heard)
    if not following:
        return None
    if words[-1] in words_for("exact", "dangling"):
        return f"breaks off before {brief(following[0])}", "warning"
    if words[-1][0].isupper() and words[-1][-1].isalnum() and all(_goes_on(each, text, given) for each in following):
        return f"breaks off before {brief(following[0])}, which goes on with a capital", "warning"
    return None


def _words_behind(text: _Text, heard: CallTurn) -> list[str]:
    """Return the words that follow a text in the requests that have it; none where one of these ends with it."""
    following = [_following(text.value, source.raw) for source in heard.requests if text.value in source.raw]
    return following if all(following) else []


def _following(value: str, raw: str) -> str:
    """Return the word that follows a text where it stands in another; "" where a sign or nothing does."""
    at = raw.find(value)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        end = at + len(value)
        word = raw[end : end + 40].split(" ", 2)
        if not raw[end : end + 1].isspace() or len(word) < 2 or not word[1][:1].isalpha():
            return ""
        at = raw.find(value, end)
        if at < 0:
            return word[1].strip(_ENDS)
    return ""


def _goes_on(word: str, text: _Text, given: _Given) -> bool:
    """Say whether a word goes on a name: it has a capital, and is no day, no code and no value of its own."""
    tokens = tokens_of(fold(word))
    if not word[0].isupper() or word.isupper() or not tokens or word == "I":
        return False
    if tokens[0] in CALENDAR_WORDS or given.is_word(tokens[0], text):
        return False
    return all(tokens[0] not in tokens_of_value(str(step)) for step in text.leaf.path)


def _left_out(given: tuple[str, ...], quoted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rest of a quotation that a text begins or ends like; () where it does not, or is not half of it."""
    if not len(quoted) / 2 <= len(given) < len(quoted):
        return ()
    if quoted[: len(given)] == given:
        return quoted[len(given) :]
    return quoted[: -len(given)] if quoted[-len(given) :] == given else ()


def _is_lost(left: tuple[str, ...], text: _Text, given: _Given, quoted: _Quotation) -> bool:
    """Say whether no text of the turn gives the words that are left out, nor the whole quotation."""
    if given.is_whole(quoted.tokens, text):
        return False
    return any(not given.is_word(token, text) and not given.is_number(token) for token in left)


def _numbers(call: CallView) -> Iterator[str]:
    for leaf in leaves_of(call):
        if isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool):
            yield from forms_of(leaf.value)


def _misquoted(text: _Text, given: _Given, quotations: list[_Quotation]) -> _Fault | None:
    """Tell that a text is nearly a quotation that no text of the turn gives."""
    if not quotations or len(text.tokens) < _FEWEST_QUOTED or not _SYNTAX.isdisjoint(text.value):
        return None
    for quoted in quotations:
        if len(quoted.tokens) < _FEWEST_QUOTED:
            continue
        if text.tokens == quoted.tokens:
            return _punctuated(text.value, quoted.value)
        if _are_near(text.tokens, quoted.tokens) and not _is_pieced_together(text, given, quoted):
            sure: Severity = "note" if _mends_a_slip(text.tokens, quoted.tokens) else "error"
            return f"is not the quotation {brief(quoted.value)} word for word", sure
    return None


def _punctuated(value: str, quoted: str) -> _Fault | None:
    """Tell that a text has the words of a quotation and other signs between them; those at its ends are free."""
    one, other = (" ".join(each.split()).strip(_ENDS) for each in (value, quoted))
    plain = fold(one) == fold(other)
    return None if plain else (f"has other signs than the quotation {brief(quoted)}", "note")


def _are_near(given: tuple[str, ...], quoted: tuple[str, ...]) -> bool:
    """Say whether two texts have most words in common, and their beginnings or ends or most of all in order."""
    longer = max(len(given), len(quoted))
    common = sum((Counter(given) & Counter(quoted)).values())
    edges = _common(given, quoted) + _common(given[::-1], quoted[::-1])
    return common >= _NEAR * longer and (edges >= _NEAR * longer or common >= _FEWEST_SAID)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
                min(len(one), len(other)))  # fmt: skip


def _is_pieced_together(text: _Text, given: _Given, quoted: _Quotation) -> bool:
    """Say whether a text gives a part of a quotation of which other texts give the rest, and adds nothing."""
    left = tuple((Counter(quoted.tokens) - Counter(text.tokens)).elements())
    added = Counter(text.tokens) - Counter(quoted.tokens)
    return not added and not _is_lost(left, text, given, quoted)


def _reworded(text: _Text, heard: CallTurn) -> _Fault | None:
    """Tell that a text goes along with a request word for word, but for a word that nobody said."""
    if len(text.tokens) < _FEWEST_SAID or not _SYNTAX.isdisjoint(text.value):
        return None
    for source in heard.requests:
        change = change_in(text.tokens, source.words.spaced)
        if change is None or is_other_wording(change):
            continue
        new = _words_nobody_said(change.given, heard)
        if new:
            said = f", where the request says {brief(' '.join(change.said))}" if change.said else ""
            return f"says {brief(' '.join(new))}{said}", "warning"
    return None


def _words_nobody_said(tokens: tuple[str, ...], heard: CallTurn) -> list[str]:
    return [token for token in tokens if token not in STOPWORDS and not _is_said(token, heard)]


def _is_said(token: str, heard: CallTurn) -> bool:
    return any(token in source.words.tokens_set for source in heard.sources) or (token[0].isdigit() and any(
        token in source.folded for source in heard.sources))  # fmt: skip


def _mends_a_slip(given: tuple[str, ...], quoted: tuple[str, ...]) -> bool:
    """Say whether a text differs by one word, a little word of a language where the quotation has none by a letter."""
    if len(given) != len(quoted):
        return False
    changed = [(own, other) for own, other in zip(given, quoted, strict=True) if own != other]
    if len(changed) != 1:
        return False
    own, other = changed[0]
    return own in little_words() and other not in little_words() and is_a_letter(own, other)
