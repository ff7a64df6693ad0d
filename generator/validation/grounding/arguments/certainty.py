"""Certainty: how sure it is that a value which nothing said explains is wrong, rather than inferred.

Ids, addresses of mail and people's places are known or are not: nobody infers them. What a request or a result tells in
part (a phone number with the code of its country, a path with a said number in it) is inferred; so are colours, years
and addresses of pages, which anybody may know.

What stands in a request and no call takes up is unused. A name, a code or a path that looks like an unused one was
meant to be that one; where a name is unused, another name stands for it. Texts that are composed (queries, commands,
sentences) are no copies of anything, so that nothing is held against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain

from generator.validation.grounding.arguments.argument import (
    Leaf,
    choices_at,
    examples_at,
    given_by_name,
    given_texts,
    is_in_series,
    leaves_of,
    name_of,
    numbers_in_results,
    other_numbers,
    other_texts,
)
from generator.validation.grounding.arguments.datetimes import is_other_moment
from generator.validation.grounding.arguments.evidence import ground, is_written_moment
from generator.validation.grounding.arguments.sources import (
    Said,
    Source,
    ground_bound,
    is_computed,
    keys_of,
    source_of,
    speaks_english,
)
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import (
    MAKING,
    NOT_NAMES,
    entries,
    language_of,
    languages,
    little_words,
    other_names,
    says_another_of_its_sort,
    verb_of,
)
from generator.validation.grounding.reading.role_words import sort_of
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    STOPWORDS,
    fold,
    is_a_letter,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import RecordView, cached_on_record

_SAID_NUMBER = re.compile(r"(?<![\w.:^])\d{1,18}(?:,\d{3})*(?:\.\d{1,18})?(?!\w*\d)(?!\))")
"""A number of a request: no power (m/s^2), no minutes (22:00) and no number of its points: 1), 2)."""
_DIGITS = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_FURTHER = re.compile(r"[-/.:T]|\s*[ap]\.?m", re.ASCII | re.IGNORECASE)
"""What follows the first number of a day or a time."""
_MOMENTS = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)|(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])", re.ASCII)
_AMOUNT = re.compile(r"-?\d{1,15}(?:[.,]\d{1,15})?", re.ASCII)


def severity_of(leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> Severity:
    """Say how bad it is that nothing explains a value of a record that is read."""
    value = leaf.path[-1] if leaf.is_key else leaf.value
    if isinstance(value, bool) or value is None:
        return "note"
    if isinstance(value, str):
        is_unlikely = _is_text_unlikely(value, leaf, tool, said, record)
    else:
        is_unlikely = _is_number_unlikely(float(value), leaf, said, record) or _is_unknown_number(float(value), leaf)
    return "warning" if is_unlikely and not _is_named_before(value, leaf, tool, said, record) else "note"


def _is_named_before(
    value: str | int | float, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView
) -> bool:
    """Say whether the assistant named a value in what it said before the last word of others."""
    spoken = [
        source_of(record, message)
        for message in record.messages[: said.latest]
        if message.role == "assistant" and isinstance(message.content, str) and message.content
    ]
    return bool(spoken) and ground(value, tool, leaf.path, 0, Said(tuple(reversed(spoken)))) is not None


def _is_text_unlikely(value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> bool:
    if _is_listed(value, leaf, tool):
        return False
    if is_written_moment(value):
        amount = _AMOUNT.match(value)
        if amount is not None and not _FURTHER.match(value, amount.end()):
            return _is_number_unlikely(float(amount[0].replace(",", ".")), leaf, said, record)
        return is_other_moment(value, leaf, said, record)
    if _is_own_language(value, said):
        return False
    english = speaks_english(said)
    if other_names(value):
        return english and len(value) > 1 and says_another_of_its_sort(value, said.requests, given_texts(record))
    if _is_unknowable(value, leaf, tool, said):
        return True
    return _has_counter_evidence(value, leaf, tool, said, record, english=english)


def _is_listed(value: str, leaf: Leaf, tool: ToolView | None) -> bool:
    """Say whether the schema lists a text, as a choice or an example."""
    if tool is None:
        return False
    return value in choices_at(tool, leaf.path) or fold(value) in examples_at(tool, leaf.path)


def _is_own_language(value: str, said: Said) -> bool:
    """Say whether a value is the code of the language that a request is written in."""
    return _LANGUAGE.fullmatch(value) is not None and any(
        value[:2] == language_of(each.start) for each in said.requests
    )


_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Z]{2})?", re.ASCII)


def _is_number_unlikely(value: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a request says a number for which this one may stand: no call takes that up, or one in its place."""
    left = _unused_numbers(record, said.requests, in_words=value not in _NEUTRAL)
    if any(_may_stand_for(value, each, leaf, said, record) for each in left):
        return True
    beside = other_numbers(record, leaf)
    if not beside or is_in_series(value, beside):
        return False
    stated = {each for source in said.requests for each in numbers_in(source.start)} & beside
    return any(abs(each) >= _FEWEST_MISREAD and _resembles(value, each) for each in stated)


_FEWEST_MISREAD = 10
_NEUTRAL = (0, 1, -1)
_NEARLY_TENFOLD = 10.5
_POWERS = (10.0, 100.0)


def _may_stand_for(value: float, left: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether one number may be written by mistake for another: of its size and form, or ten times as large."""
    if value == 0:
        return abs(left) < 1 and left != 0
    if left == 0 or value / left <= 0 or _is_reckoned(value, left, leaf, said, record):
        return False
    ratio = max(value / left, left / value)
    if any(abs(ratio - power) <= 1e-6 * power for power in _POWERS):
        return True
    is_finer = value != int(value) and left == int(left)
    return not is_finer and ratio < _NEARLY_TENFOLD


def _is_reckoned(value: float, left: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a number is one that is said and what a result tells of it, together, or is in another unit."""
    results = numbers_in_results(record, leaf, said.latest)
    if any(abs(each) == abs(value - left) or each - left == value for each in results):
        return True
    return any(
        round(converted.value, digits) == value
        for source in said.requests
        for pairs in source.conversions.values()
        for converted, text in pairs
        for digits in (0, 1, 2)
        if text.startswith(f"{left:g}") and not converted.family
    )


@cached_on_record
def _unused_numbers(record: RecordView, requests: tuple[Source, ...], *, in_words: bool) -> tuple[float, ...]:
    """Return the numbers of requests, also those in words, that no call of the record takes up."""
    taken, counted = _given_numbers(record)
    left: list[float] = []
    for source in requests:
        stated = _numbers_stated(source, in_words=in_words)
        said = numbers_in(source.start) + stated
        unused = [each for each in stated if each not in taken]
        if len(unused) * len(taken) <= _MOST_COMPARED:
            unused = [each for each in unused if not _is_accounted_for(each, source, said, counted)]
        left += unused
    return tuple(left)


@cached_on_record
def _given_numbers(record: RecordView) -> tuple[frozenset[float], frozenset[float]]:
    """Return the numbers that calls give, by themselves and in texts: all, and all but those of days and times."""
    given = list(chain.from_iterable(given_by_name(record).values()))
    numbers = frozenset(float(each) for each in given if type(each) in (int, float))
    texts = " ".join(each for each in given if isinstance(each, str))
    alone = _MOMENTS.sub(" ", texts)
    return numbers.union(map(float, _DIGITS.findall(texts))), numbers.union(map(float, _DIGITS.findall(alone)))


def numbers_in(text: str) -> list[float]:
    """Return the numbers that a text says in digits."""
    return [float(match[0].replace(",", "")) for match in _SAID_NUMBER.finditer(text)]


def _numbers_stated(source: Source, *, in_words: bool) -> list[float]:
    """Return the numbers of a text that are no part of days and times, also those that it says in words."""
    found = numbers_in(_without_moments(source))
    if in_words:
        found += [each.value for each in source.quantities if each.value > 1 and each.text.isalpha()]
    return found


def _without_moments(source: Source) -> str:
    """Return a text without the words that state days and times of day, which are no numbers of anything."""
    text = source.start
    spans = [(each.start, each.end) for each in source.phrases if each.is_date]
    for start, end in (*spans, *((each.start, each.end) for each in source.clock_phrases.phrases)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_MOST_COMPARED = 2000
"""Pairs of numbers, said and given, that are compared by arithmetic; more are compared as they are."""


def _is_accounted_for(number: float, source: Source, said: list[float], taken: frozenset[float]) -> bool:
    if _is_converted(number, source, taken):
        return True
    return any(_is_made_of(other, number, said) for other in taken)


def _is_made_of(given: float, left: float, said: list[float]) -> bool:
    """Say whether a given number that is not said is computed with one that is left, rather than written for it."""
    return given not in said and not _resembles(given, left) and any(
        is_computed(given, [left, other]) for other in said[:_MOST_OPERANDS] if other != left
    )  # fmt: skip


_MOST_OPERANDS = 12


def _resembles(one: float, other: float) -> bool:
    """Say whether one number may be written for another by mistake: as many digits, most of them in their place."""
    first, second = f"{one:g}", f"{other:g}"
    alike = sum(mine == theirs for mine, theirs in zip(first, second, strict=False))
    return len(first) == len(second) and (
        len(first) == 1 or alike >= max(len(first) - 2, 1) or sorted(first) == sorted(second)
    )


def _is_converted(number: float, source: Source, taken: frozenset[float]) -> bool:
    """Say whether a call gives the number in another unit, or the one beside it that a bound means."""
    beside = [each for each in (number - 1, number + 1) if each in taken]
    if any(ground_bound(each, Said((source,))) is not None for each in beside):
        return True
    keys = {keys_of(each)[0] for each in taken}
    texts = {text for key in keys for _, text in source.conversions.get(key, ())}
    return any(number == quantity.value and f"{quantity.text} {quantity.unit}".strip() in texts
               for quantity in source.quantities)  # fmt: skip


_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_OPAQUE = re.compile(r"[+#]?[A-Za-z\d]{1,60}(?:[-_:#.][A-Za-z\d]{1,60}){0,8}", re.ASCII)
_COLOUR = re.compile(r"#[\dA-Fa-f]{3,8}", re.ASCII)
_FILE = re.compile(r".{1,200}\.[A-Za-z][A-Za-z\d]{1,4}", re.DOTALL)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_SIGNS = re.compile(r"[^A-Za-z\d]+")
_NO_DIGIT = re.compile(r"\D+")
_SHORTEST_CODE = 6
_FEWEST_DIGITS = 3
_OWN_DIGITS = 7
"""The last digits of a phone number, which are the same with any code before them."""
_MOST_TO_INFER_FROM = 1
_NUMBERED = frozenset("id ids number no nr".split())


def _is_unknowable(value: str, leaf: Leaf, tool: ToolView | None, said: Said) -> bool:
    """Say whether nobody can know a text of which nothing was said."""
    if "@" in value and any(not _is_told(match[0], said) for match in _MAIL.finditer(value[:LONGEST_TEXT])):
        return True
    return _is_opaque(value, said) or (tool is not None and _is_invented(value, leaf, tool, said))


def _is_unknown_number(value: float, leaf: Leaf) -> bool:
    """Say whether a number is an id of which nothing was said."""
    words = tokens_of_value(str(leaf.path[-1])) if leaf.path else []
    return bool(words) and words[-1] in _NUMBERED and value == int(value) and abs(value) >= 10 ** (_SHORTEST_CODE - 1)


def _is_opaque(value: str, said: Said) -> bool:
    """Say whether a text is a code with digits of which nothing tells."""
    if len(value) < _SHORTEST_CODE or _OPAQUE.fullmatch(value) is None:
        return False
    if _COLOUR.fullmatch(value) or _FILE.fullmatch(value) or _is_same_phone(value, said):
        return False
    return any(
        sum(map(str.isdigit, piece)) >= _FEWEST_DIGITS and not _YEAR.fullmatch(piece) and not _is_told(piece, said)
        for piece in _SIGNS.split(value)
    )


def _is_told(text: str, said: Said) -> bool:
    folded = fold(text)
    return any(folded in source.folded for source in said.sources)


def _is_same_phone(value: str, said: Said) -> bool:
    """Say whether the last digits of a number are said, with whatever signs between them."""
    digits = _NO_DIGIT.sub("", value)[-_OWN_DIGITS:]
    return len(digits) == _OWN_DIGITS and any(
        digits in re.sub(r"(?<=\d)[\s()./-]{1,3}(?=\d)", "", source.start) for source in said.sources
    )


def _is_invented(value: str, leaf: Leaf, tool: ToolView, said: Said) -> bool:
    """Say whether a text is the name of a place or a person where the user says nothing that tells of which."""
    if not leaf.path or not _is_name(value) or sort_of(str(leaf.path[-1])) != "words":
        return False
    if not speaks_english(said) or any(source.role == "tool" for source in said.sources):
        return False
    return not _makes(tool) and len(_telling_words(tool, said)) <= _MOST_TO_INFER_FROM


def _makes(tool: ToolView | None) -> bool:
    """Say whether a tool makes something new, by its name."""
    return tool is not None and verb_of(str(tool.function.get("name")))[1] == MAKING


def _telling_words(tool: ToolView, said: Said) -> list[str]:
    """Return the words of requests that tell something beside that the tool is wanted."""
    known = {stem(token) for key in ("name", "description") for token in tokens_of_value(str(tool.function.get(key)))}
    words = {word for source in said.requests for word in tokens_of(source.start)}
    return [word for word in words - STOPWORDS - little_words() if len(word) > 1 and stem(word) not in known]


_WORD = re.compile(r"[^\W_]+")
_SYNTAX = re.compile(r"[\n{}()<>=|\\$;*\[\]]|--| -\w|\w:\S")
_MOST_WORDS = 6
_NAMES = re.compile(r"(?<![.!?:\"'“] )(?<!^)(?<=[ (])[A-Z][^\W\d_]+")
_TITLED = re.compile(r"(?<![^\W_])[A-ZÀ-Þ][^\W\d_A-Z]{2,40}(?![^\W_])")
_CODE = re.compile(r"(?<![\w.@/-])(?=[^\s\d]{0,20}\d)[A-Za-z\d]{1,40}(?:[-_/#][A-Za-z\d]{1,40}){0,6}(?![\w@])")
_PATH = re.compile(r"[^\s/\\]{0,200}[/\\]\S{1,400}|[\w-]{1,100}\.[A-Za-z][A-Za-z\d]{1,4}")
_INFLECTIONS = frozenset("snyead")
_SHORTEST_NAME = 4
_APART = re.compile(r"[\s\"'`“”„«»(),;]+")
_MOST_CHANGED = 2
_MOST_CODES = 400


def _is_composed(value: str) -> bool:
    """Say whether a text is written for the call: a sentence, a query, a command, code."""
    return len(value) > _LONGEST_NAME or len(value.split()) > _MOST_WORDS or _SYNTAX.search(value) is not None


_LONGEST_NAME = 120


def _has_counter_evidence(
    value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView, *, english: bool
) -> bool:
    """Say whether a request says something else in place of a text that is no date, no number and no address."""
    if _resembles_code(value, said) or _resembles_path(value, leaf, tool, said, record):
        return True
    if _is_composed(value):
        return False
    given = _given_elsewhere(record, leaf)
    if _is_replaced(value, said, given, fewest=1 if english else 2):
        return True
    if not english:
        return False
    if _is_misspelt(value, said, given):
        return True
    return not _is_sort(leaf) and _is_for_another(value, said, record)


def _is_sort(leaf: Leaf) -> bool:
    """Say whether a parameter takes the sort of a thing, which who makes calls finds: "sheep" of somebody's ewes."""
    return not _classifying().isdisjoint(tokens_of_value(name_of(leaf)))


@cache
def _classifying() -> frozenset[str]:
    """Return the words of parameters that take the sort of a thing."""
    return frozenset(word for code in languages() for word in entries(code, "parameters", "classifying"))


def _given_elsewhere(record: RecordView, leaf: Leaf) -> frozenset[str]:
    """Return the folded words of everything that calls give under other names than that of a leaf."""
    own = name_of(leaf)
    values = (each for name, values in given_by_name(record).items() if name != own for each in values)
    return frozenset(word for each in values for word in _WORD.findall(fold(str(each))))


@cached_on_record
def _given_words(record: RecordView) -> frozenset[str]:
    """Return the folded words of everything that the calls of a record give."""
    return frozenset(_WORD.findall(_given_text(record)))


@cached_on_record
def _given_text(record: RecordView) -> str:
    return fold("\n".join(str(leaf.value) for call in record.calls for leaf in leaves_of(call)))


def _is_name(value: str) -> bool:
    """Say whether each word of a text that means something has a capital and goes on in small letters."""
    words = [word for word in _WORD.findall(value) if fold(word) not in STOPWORDS and not word[0].isdigit()]
    return bool(words) and all(word[0].isupper() and not word.isupper() for word in words)


def _resembles_code(value: str, said: Said) -> bool:
    """Say whether a code is nearly one that was said or told."""
    if sum(map(str.isdigit, value)) < _FEWEST_DIGITS or _CODE.fullmatch(value) is None:
        return False
    mine = value.casefold()
    return any(_are_near_codes(mine, other) for source in said.sources for other in _codes(source.start))


@lru_cache(maxsize=64)
def _codes(folded: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0] for match in _CODE.finditer(folded)))[:_MOST_CODES]


def _are_near_codes(one: str, other: str) -> bool:
    """Say whether two codes have letters, digits and signs at the same places, and differ at one or two of them."""
    if len(one) != len(other) or one == other:
        return False
    changed = [(mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine != theirs]
    return len(changed) <= _MOST_CHANGED and all(mine.isdigit() and theirs.isdigit() for mine, theirs in changed)


def _resembles_path(value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> bool:
    """Say whether a path or a file's name shares most of its words with one that is said or told and not taken up.

    One that is taken up under the same name, or that a result tells, has all of its words and not one more.
    """
    if _PATH.fullmatch(value) is None:
        return False
    mine = set(tokens_of_value(value))
    given = _given_places(record)
    beside = other_texts(record, leaf)
    is_new = _makes(tool) and _writes(record)
    for path, role in _paths_of(said):
        theirs = set(tokens_of_value(path))
        if role == "user" and path not in given:
            resembles = 2 * len(mine & theirs) >= max(len(mine), len(theirs))
        else:
            resembles = not is_new and (path in beside or path not in given) and _has_one_word_more(mine, theirs)
        if resembles:
            return True
    return False


def _has_one_word_more(mine: set[str], theirs: set[str]) -> bool:
    """Say whether one path has all words of another of several words, and a single one beside."""
    return len(theirs) > 1 and len(mine) == len(theirs) + 1 and theirs < mine


@cached_on_record
def _writes(record: RecordView) -> bool:
    """Say whether any text that calls give is composed, as the contents of new files are."""
    given = (each for values in given_by_name(record).values() for each in values)
    return any(isinstance(each, str) and _is_composed(each) for each in given)


def _paths_of(said: Said) -> Iterator[tuple[str, str]]:
    """Yield the folded paths and names of files that each text gives, with the role of who said it."""
    for source in said.sources:
        yield from ((path, source.role) for path in set(_paths(source.raw[:LONGEST_TEXT])))


def _paths(raw: str) -> Iterator[str]:
    """Yield the folded paths and names of files that a text gives, as they stand between spaces and quotes."""
    for word in _APART.split(raw) if "." in raw or "/" in raw or "\\" in raw else ():
        if _PATH.fullmatch(path := word.strip(".:!?")):
            yield fold(path)


@cached_on_record
def _given_places(record: RecordView) -> frozenset[str]:
    return frozenset(_APART.split(_given_text(record)))


def _is_misspelt(value: str, said: Said, given: frozenset[str]) -> bool:
    """Say whether a word is one letter off a name that a request has and no call takes up."""
    own = [word for word in _WORD.findall(fold(value)) if word.isalpha() and word not in said.tokens]
    if not own:
        return False
    left = _names_left(said, given)
    return any(is_a_letter(word, name) and not _is_inflected(word, name) for word in own for name in left)


def _names_left(said: Said, given: frozenset[str]) -> list[str]:
    """Return the words with a capital that requests have and no call takes up, folded."""
    names = {fold(match[0]) for source in said.requests for match in _TITLED.finditer(source.raw[:LONGEST_TEXT])}
    return [name for name in names if len(name) >= _SHORTEST_NAME and name not in given and name not in STOPWORDS]


def _is_inflected(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :] in _INFLECTIONS


def _is_replaced(value: str, said: Said, given: frozenset[str], *, fewest: int) -> bool:
    """Say whether a request has the words of a text, but for a name that no call takes up in the place of one."""
    own = list(map(fold, _WORD.findall(value)))
    if not 1 < len(own) <= _MOST_WORDS:
        return False
    for source in said.requests:
        raw = [(match[0], match.start()) for match in _WORD.finditer(source.raw[:LONGEST_TEXT])]
        for mine, at in _replaced_words(own, [fold(word) for word, _ in raw], fewest):
            theirs, start = raw[at]
            is_other = mine not in said.tokens and stem(mine) != stem(fold(theirs))
            if is_other and _is_left_name(theirs, given) and not _begins(source.raw, start):
                return True
    return False


def _replaced_words(own: list[str], words: list[str], fewest: int) -> Iterator[tuple[str, int]]:
    """Yield the one word that differs in a row of words that are else the own ones, with where the other stands."""
    for start in range(len(words) - len(own) + 1):
        odd = [at for at, mine in enumerate(own) if words[start + at] != mine]
        if len(odd) == 1 and sum(mine not in STOPWORDS for mine in own) > fewest:
            yield own[odd[0]], start + odd[0]


def _begins(raw: str, start: int) -> bool:
    """Say whether a word begins a sentence, and so has a capital in any case."""
    before = raw[max(0, start - 3) : start].rstrip(" \"'“(")
    return not before or before[-1] in ".!?:\n"


def _is_left_name(word: str, given: frozenset[str]) -> bool:
    folded = fold(word)
    return (
        bool(_TITLED.fullmatch(word)) and folded not in given and folded not in STOPWORDS | NOT_NAMES | CALENDAR_WORDS
    )


def _is_for_another(value: str, said: Said, record: RecordView) -> bool:
    """Say whether a text is a name of which nothing is said, where the latest request leaves another name."""
    if not _is_name(value) or any(token in said.tokens for token in _WORD.findall(fold(value))):
        return False
    given = _given_words(record)
    return any(_is_left_name(name, given) for name in _unused_names(said, record))


def _unused_names(said: Said, record: RecordView) -> Iterator[str]:
    """Yield the words with a capital within a sentence of the latest request that no call of the record takes up."""
    given = _given_text(record)
    for latest in said.requests[:1]:
        for match in _NAMES.finditer(latest.raw):
            if fold(match[0]) not in given and fold(match[0]) not in STOPWORDS:
                yield match[0]
