"""States: whether an answer says of flags, states, arguments and order (cheapest, cheaper) what the results say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.arguments.argument import choices_at
from generator.validation.grounding.arguments.evidence import is_code
from generator.validation.grounding.reading.denials import Clause, clauses_of, denies, is_left_open, sentences_of
from generator.validation.grounding.reading.languages import at_beginning, english, entries, pairs, phrases, table
from generator.validation.grounding.reading.words import (
    STOPWORDS,
    find_literal,
    find_number,
    fold,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.result_numbers import stems_of_key
from generator.validation.grounding.result_status import is_empty
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import ResultView

_MOST_FLAGS = 40
_SHORTEST = 3


class _Flag(NamedTuple):
    """A boolean of a result."""

    name: str
    value: bool
    holder: JsonObject
    """The object that it stands in, whose other values tell which thing it is said of."""


def misstated_flags(answer: Answer) -> Iterator[Claim]:
    """Yield the flags of which an answer says the opposite."""
    if not _may_tell_flags(answer):
        return
    flags = _flags_of(answer.results)
    told = [flag for flag in flags if _may_be_told(flag.name, answer)]
    clauses = _with_stems(answer) if told else []
    for flag in told:
        said = _said_of(flag, flags, clauses, answer)
        if said and all(_contradicts(clause, flag) for clause in said):
            yield Claim(f"{flag.name}: {str(flag.value).lower()}", _sureness(_words_of_name(flag.name), said))


def _said_of(
    flag: _Flag, flags: list[_Flag], clauses: list[tuple[Clause, frozenset[str]]], answer: Answer
) -> list[Clause]:
    """Return the clauses that have all words of a flag and can mean no other one of its name."""
    words = _words_of_name(flag.name)
    same = [each for each in flags if each.name == flag.name]
    alone = _is_told_alone(flag, same, words, answer)
    return [clause for clause, stems in clauses if words <= stems and (alone or _names(clause, flag, same))]


def _may_tell_flags(answer: Answer) -> bool:
    """Say quickly whether an answer may tell a flag; the words by which fields are known are English."""
    if answer.language != "en":
        return False
    return any(_may_be_told(name, answer) for name in answer.contents.flags) and any(
        map(_may_have_flags, answer.results)
    )


def _with_stems(answer: Answer) -> list[tuple[Clause, frozenset[str]]]:
    """Return the clauses of an answer, each with the stems of its words."""
    clauses = clauses_of(answer.folded, answer.language)
    return [(each, frozenset(map(stem, tokens_of(each.text)))) for each in clauses]


def _may_be_told(name: str, answer: Answer) -> bool:
    """Say quickly whether an answer may have the words of the name of a flag."""
    beginnings = _beginnings(name)
    return bool(beginnings) and all(word in answer.folded for word in beginnings)


def _may_have_flags(result: ResultView) -> bool:
    content = result.message.content
    return isinstance(content, str) and ("true" in content or "false" in content)


def _flags_of(results: list[ResultView]) -> list[_Flag]:
    """Return the booleans of results; none where they are too many to be told one by one."""
    found = [flag for result in results if not result.failed for flag in _flags_in(result.value)]
    return found if len(found) <= _MOST_FLAGS else []


def _flags_in(root: JsonValue) -> Iterator[_Flag]:
    """Yield the booleans in a value, those of the entries of its lists included."""
    waiting: list[JsonValue] = [root]
    for value in waiting:
        if isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, dict))
        elif isinstance(value, dict):
            yield from (_Flag(name, inner, value) for name, inner in value.items() if isinstance(inner, bool))
            waiting.extend(each for each in value.values() if isinstance(each, list | dict))


_NO_SENSE = frozenset("is has have was are can be should will now currently flag status allowed required".split())


_AT_HAND = frozenset("included available enabled offered provided supported possible active".split())
"""What a thing that is there is, and what need not be said of it: "with breakfast"."""


@cache
def _words_of_name(name: str) -> frozenset[str]:
    """Return the stems by which a flag is known: those of its name that say something."""
    tokens = [token for token in tokens_of_value(name) if len(token) >= _SHORTEST and token not in STOPWORDS]
    told = [token for token in tokens if token not in _NO_SENSE]
    return frozenset(map(stem, [token for token in told if token not in _AT_HAND] or told))


@lru_cache(maxsize=4096)
def _beginnings(name: str) -> tuple[str, ...]:
    """Return how the words begin by which a flag is known."""
    return tuple([word[:4] for word in _words_of_name(name)])


def _is_told_alone(flag: _Flag, same: list[_Flag], words: frozenset[str], answer: Answer) -> bool:
    """Say whether nothing else can be meant by a flag's words: no other result, or none that has them, nor the user.

    What is said of a call that failed says nothing of a flag: it may be denied in the words of its tool.
    """
    if any(result.failed for result in answer.results):
        return False
    if len(answer.results) == 1 and flag.holder is answer.results[0].value:
        return True
    return len(same) == 1 and all(answer.turn.count(word) == 1 for word in words)


def _names(clause: Clause, flag: _Flag, same: list[_Flag]) -> bool:
    """Say whether the sentence of a clause names the thing that has a flag, and no other thing that has it."""
    others = [each for each in same if each is not flag]
    return any(_tells(clause, value) for value in _own_texts(flag, same)) and not any(
        _tells(clause, value) for other in others for value in _own_texts(other, same)
    )


def _own_texts(flag: _Flag, same: list[_Flag]) -> Iterator[str]:
    """Yield the texts that stand beside a flag and beside no other of its name."""
    for value in flag.holder.values():
        if isinstance(value, str) and sum(value in other.holder.values() for other in same) == 1:
            yield value


def _tells(clause: Clause, value: str) -> bool:
    return len(value) >= _SHORTEST and find_literal(clause.sentence, fold(value)) >= 0


def _contradicts(clause: Clause, flag: _Flag) -> bool:
    return not is_left_open(clause, "en") and denies(clause.text, "en") == flag.value


def _sureness(words: frozenset[str], said: list[Clause]) -> Severity:
    """Return how sure a contradiction is: short clauses that say little else are plain."""
    return "error" if all(len(tokens_of(clause.text)) <= 8 + len(words) for clause in said) else "warning"


def wrong_yes_or_no(answer: Answer) -> Iterator[Claim]:
    """Yield the yes or no that is the opposite of the one flag of the one result that was asked about."""
    said_yes = _yes_or_no(answer)
    if said_yes is None:
        return
    asked = fold(answer.asked)
    if denies(asked, answer.language):
        return
    if answer.language == "en" and _contradicts_itself(asked, said_yes, answer.folded):
        yield Claim("what follows says the opposite")
    if len(answer.results) == 1 and answer.asked.rstrip().endswith(("?", "？")):
        yield from _against_the_result(answer, asked, said_yes)


def _yes_or_no(answer: Answer) -> bool | None:
    """Return whether what answers a question begins with yes; None where it begins with neither yes nor no."""
    if not answer.language or not ("?" in answer.asked or "？" in answer.asked):
        return None
    if phrases(answer.language, "outcomes", "yes").begins(answer.folded):
        return True
    return False if phrases(answer.language, "outcomes", "no").begins(answer.folded) else None


def _against_the_result(answer: Answer, asked: str, said_yes: bool) -> Iterator[Claim]:
    """Yield what the only result says against a yes or no: that there is nothing, that there is some, or by a flag."""
    result = answer.results[0]
    if said_yes and not result.failed and is_empty(result.value) and not _is_of_emptiness(answer):
        yield Claim("nothing was found", "warning")
    if not said_yes and _passes_on_entries(answer):
        yield Claim("there are some", "warning")
    flags = _flags_of(answer.results)
    if len(flags) == 1 and flags[0].value != said_yes:
        yield from _of_the_flag(flags[0], answer, asked)


def _is_of_emptiness(answer: Answer) -> bool:
    """Say whether nothing is just what was asked for or told: "am I free?", "yes, the day is still empty"."""
    after = answer.folded.partition(" ")[2]
    vacant = phrases(answer.language, "outcomes", "vacant")
    return denies(after, answer.language) or vacant.found_in(after) or vacant.found_in(fold(answer.asked))


def _contradicts_itself(asked: str, said_yes: bool, told: str) -> bool:
    """Say whether a yes or no is followed by all the words of the question, denied after yes or affirmed after no."""
    question = next((each.text for each in sentences_of(asked) if each.asks), "")
    words = frozenset(map(stem, tokens_of(question.rpartition(",")[2]))) - _filling()
    if len(words) < _FEWEST_WORDS:
        return False
    answered = told.partition(" ")[2]
    clause = next(clauses_of(answered, "en"), None)
    if clause is None or not words <= frozenset(map(stem, tokens_of(clause.text))):
        return False
    return denies(clause.text, "en") == said_yes and not is_left_open(clause, "en")


_FEWEST_WORDS = 2


@cache
def _filling() -> frozenset[str]:
    return frozenset(stem(word) for word in " ".join(entries("en", "questions", "filling")).split())


def _passes_on_entries(answer: Answer) -> bool:
    """Say whether what follows a no tells the entries of the result's only list, and denies and restricts nothing."""
    asked = frozenset(map(stem, tokens_of(fold(answer.asked))))
    entries = [
        each.entries
        for each in answer.lists
        if each.entries and isinstance(each.entries[0], dict) and stems_of_key(each.key) & asked
    ]
    after = answer.folded.partition(" ")[2]
    if len(entries) != 1 or denies(after, answer.language):
        return False
    if phrases(answer.language, "outcomes", "open").found_in(after):
        return False
    return any(_tells_text(after, value) for value in entries[0][0].values())


def _tells_text(text: str, value: JsonValue) -> bool:
    return isinstance(value, str) and len(value) > _SHORTEST and find_literal(text, fold(value)) >= 0


def _of_the_flag(flag: _Flag, answer: Answer, asked: str) -> Iterator[Claim]:
    """Yield what the flag says where it is what was asked: by its words, or by those of the tool's name."""
    words = _words_of_name(flag.name)
    call = answer.results[0].call
    told = f"{flag.name}: {str(flag.value).lower()}"
    if words and words <= frozenset(map(stem, tokens_of(asked))):
        yield Claim(told)
    elif words and call is not None and {word[:5] for word in words} & _roots(call.name):
        yield Claim(told, "warning")


@cache
def _roots(name: str) -> frozenset[str]:
    return frozenset(token[:5] for token in tokens_of_value(name))


def wrong_states(answer: Answer) -> Iterator[Claim]:
    """Yield the states that an answer tells where the result has another choice of the same parameter."""
    for result in answer.results:
        for name, own, choices in _states_in(result):
            if own not in answer.folded and _tells_another(own, choices, answer):
                yield Claim(f"{name}: {own}", "error" if len(answer.results) == 1 else "warning")


def _states_in(result: ResultView) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the fields of a result that have a choice of the parameter of their name: name, choice, all choices."""
    call, value = result.call, result.value
    if call is None or call.tool is None or result.failed or not isinstance(value, dict):
        return
    for name, choices in _choices_in_words(call.tool):
        own = value.get(name)
        if isinstance(own, str) and own in choices:
            yield name, own, choices


def _tells_another(own: str, choices: list[str], answer: Answer) -> bool:
    """Say whether an answer tells just one other choice, which nothing before it says, and not the result's own."""
    others = [each for each in choices if each != own and _is_state(each, answer)]
    return len(others) == 1 and not _is_told(own, answer) and not _is_held(others[0], answer)


@lru_cache(maxsize=4096)
def _choices_in_words(tool: ToolView) -> tuple[tuple[str, list[str]], ...]:
    """Return the parameters of a tool that have a list of choices in words, each with it."""
    return tuple(_choices_of(tool.function.get("parameters")))


def _choices_of(parameters: JsonValue) -> Iterator[tuple[str, list[str]]]:
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        choices = schema.get("enum") if isinstance(schema, dict) else None
        if isinstance(choices, list) and len(choices) <= _MOST_FLAGS and all(isinstance(each, str) for each in choices):
            yield name, choices


def _is_told(choice: str, answer: Answer) -> bool:
    """Say whether an answer has relatives of the words of a choice."""
    return all(token[:4] in answer.beginnings for token in tokens_of_value(choice))


def _is_state(choice: str, answer: Answer) -> bool:
    words = _words_of_choice(choice)
    return words != "" and words in answer.folded and find_literal(answer.folded, words) >= 0


@lru_cache(maxsize=4096)
def _words_of_choice(choice: str) -> str:
    """Return the words of a choice; none where they are too short, or of a script, to be looked for."""
    words = " ".join(tokens_of_value(choice))
    return words if len(words) > _SHORTEST and words.isascii() else ""


def _is_held(choice: str, answer: Answer) -> bool:
    """Say whether anything that was said before has the words of a choice."""
    beginnings = {token[:4] for token in tokens_of(answer.evidence)}
    return all(token[:4] in beginnings for token in tokens_of_value(choice))


_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_NAME = re.compile(r"[A-Z][^\W\d_A-Z]{2,40}(?: [A-Z][^\W\d_A-Z]{2,40}){0,4}")


_RECKONED = frozenset("value amount result total text content output data message".split())
"""Names under which a tool gives back what it made of what it was given."""


def arguments_told_as_results(answer: Answer) -> Iterator[Claim]:
    """Yield what an answer tells as its call asked, where the result tells another thing."""
    for result in answer.results:
        for name, mine, theirs in _brought_otherwise(result):
            if _tells_value(answer, mine) and not _tells_value(answer, theirs) and not _is_elsewhere(answer, mine):
                yield Claim(f"{name}: {theirs}, not {mine}", "warning")
                return


def _brought_otherwise(result: ResultView) -> Iterator[tuple[str, JsonValue, JsonValue]]:
    """Yield the arguments for which a result brings something else: name, argument, what it brings."""
    call, told = result.call, result.value
    if call is None or not call.arguments or not isinstance(told, dict) or result.failed:
        return
    for name, mine in call.arguments.items():
        theirs = told.get(name, mine)
        if mine != theirs and name not in _RECKONED and _are_two(mine, theirs, call.tool, name):
            yield name, mine, theirs


def _are_two(mine: JsonValue, theirs: JsonValue, tool: ToolView | None, name: str) -> bool:
    """Say whether two values of one name are two things, and not one in two forms."""
    if _are_numbers([mine, theirs]):
        return bool(min(mine, theirs) >= _SMALLEST and abs(mine - theirs) >= 1)
    if not isinstance(mine, str) or not isinstance(theirs, str):
        return False
    for form in (_DAY, _TIME):
        if form.fullmatch(mine):
            return form.fullmatch(theirs) is not None
    return _are_two_texts(mine, theirs, choices_at(tool, (name,)) if tool is not None else ())


def _are_two_texts(mine: str, theirs: str, choices: tuple[str, ...]) -> bool:
    """Say whether two texts, neither of them a part of the other, are two choices, two codes or two names."""
    first, second = fold(mine), fold(theirs)
    if first in second or second in first:
        return False
    if (mine in choices and theirs in choices) or (is_code(mine) and is_code(theirs)):
        return True
    named = _NAME.fullmatch(mine) is not None and _NAME.fullmatch(theirs) is not None
    return named and first[0] != second[0] and not {*tokens_of_value(mine)} & {*tokens_of_value(theirs)}


_SMALLEST = 5


def _tells_value(answer: Answer, value: JsonValue) -> bool:
    """Say whether an answer tells a value."""
    if not isinstance(value, str):
        return find_number(answer.folded.replace(",", ""), f"{value:g}") >= 0
    if day := _DAY.fullmatch(value):
        return answer.tells_day(int(day[1]), int(day[2])) or value in answer.text
    if time := _TIME.fullmatch(value):
        return answer.tells_clock(int(time[1]), int(time[2]))
    words = " ".join(tokens_of_value(value)) if "_" in value else fold(value)
    return len(words) > 2 and find_literal(answer.folded, words) >= 0


def _is_elsewhere(answer: Answer, value: JsonValue) -> bool:
    """Say whether a result of the turn has the value all the same, so that it may be told of something else."""
    text = str(value)
    return any(text in str(result.message.content) for result in answer.results)


class _Comparison(NamedTuple):
    """A word that compares: of which field it speaks, and whether of more or less of it."""

    field: str
    is_more: bool


def wrong_comparisons(answer: Answer) -> Iterator[Claim]:
    """Yield the comparisons of an answer that are not those of the results."""
    if not _may_compare(answer):
        return
    groups = answer.things
    for sentence in sentences_of(answer.folded) if groups else ():
        if sentence.asks or not _compares(sentence, answer.language) or is_left_open(sentence, answer.language):
            continue
        than = table(answer.language, "comparisons").get("than", "")
        for group in groups:
            yield from _extremes(sentence, group, answer.language)
            if than and than in sentence.text:
                yield from _against_each_other(sentence, group, answer.language)
                yield from _more_or_less(sentence, group, answer.language)


def _may_compare(answer: Answer) -> bool:
    than = table(answer.language, "comparisons").get("than", "")
    if than and than in answer.folded:
        return True
    first = _first_words(answer.language)
    return (not first or not first.isdisjoint(answer.words)) and (
        _superlatives(answer.language).search(answer.folded) is not None
    )


def _compares(sentence: Clause, language: str) -> bool:
    """Say whether a sentence may have any of the words that compare."""
    than = table(language, "comparisons").get("than", "")
    return than in sentence.text or _superlatives(language).search(sentence.text) is not None


@cache
def _first_words(language: str) -> frozenset[str]:
    """Return the words that superlatives begin with; none where that tells nothing."""
    known = _known(language, "superlatives")
    starts = [re.split(r"[\s-]", phrase)[0] for phrase in known]
    return frozenset(starts) if language == "en" else frozenset()


@cache
def _superlatives(language: str) -> re.Pattern[str]:
    return _pattern(tuple(_known(language, "superlatives")), language)


@cache
def _comparatives(language: str) -> re.Pattern[str]:
    return _pattern(tuple(_known(language, "comparatives")), language)


def _pattern(words: tuple[str, ...], language: str) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    forms = [(word, re.escape(word).replace(r"\*", r"\w{0,4}")) for word in longest_first]
    if language != "zh":
        forms = [(word, at_beginning(form, word)) for word, form in forms]
    return re.compile("|".join([form for _, form in forms]) or r"(?!)")


@cache
def _known(language: str, name: str) -> dict[str, _Comparison]:
    found = {}
    for words, sign in pairs(language, "comparisons", name).items():
        phrase, _, field = words.rpartition(" ")
        found[phrase] = _Comparison(field, sign == ">")
    return found


def _meaning(written: str, language: str, name: str) -> _Comparison:
    known = _known(language, name)
    if written in known:
        return known[written]
    return next(meaning for phrase, meaning in known.items() if written.startswith(phrase.rstrip("*")))


_FILLING = frozenset("is one option of at was are choice the from in by , : comes would overall".split())


def _extremes(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the things that are called the most of something and are not."""
    for match in _superlatives(language).finditer(sentence.text):
        meaning = _meaning(match[0], language, "superlatives")
        if next(_fields(group, meaning.field), None) is None:
            continue
        named = _named_in(sentence.text, group)
        if len(named) != 1 or denies(sentence.text, language):
            continue
        ranks = list(_ranks(named[0], group, meaning))
        if ranks and not any(ranks):
            plain = _is_of_all(sentence.text[match.end() :], group)
            yield Claim(f"{match[0]!r}, which it is not", "error" if plain else "warning")


def _is_of_all(after: str, group: list[JsonObject]) -> bool:
    """Say whether what follows a superlative narrows it to no sort: "the cheapest option", not "the cheapest sedan"."""
    following = tokens_of(after)[:1]
    return not following or following[0] in _FILLING or stem(following[0]) in _kinds(group)


def _kinds(group: list[JsonObject]) -> frozenset[str]:
    return frozenset(stem(token) for key in group[0] for token in tokens_of_value(key))


def _ranks(thing: JsonObject, group: list[JsonObject], meaning: _Comparison) -> Iterator[bool]:
    """Yield for each field that may be meant whether nothing in the group has more, or less, of it."""
    for key, values in _fields(group, meaning.field):
        own = thing[key]
        yield own == (max(values) if meaning.is_more else min(values))


def _fields(group: list[JsonObject], field: str) -> Iterator[tuple[str, list[JsonValue]]]:
    """Yield the fields of things that may be meant by a word that compares, each with its values."""
    words = english("comparisons_fields", field)
    for key in group[0]:
        if not words.isdisjoint(_words_of_key(key)) and all(key in each for each in group):
            values = [each[key] for each in group]
            if _are_numbers(values) or (field == "time" and _are_moments(values)):
                yield key, values


def _are_numbers(values: list[JsonValue]) -> bool:
    return all(type(value) in (int, float) for value in values)


def _are_moments(values: list[JsonValue]) -> bool:
    return all(isinstance(value, str) and _MOMENT.match(value) for value in values)


@lru_cache(maxsize=4096)
def _words_of_key(key: str) -> frozenset[str]:
    return frozenset(tokens_of_value(key))


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d|[012]\d:\d\d")


def _named_in(text: str, group: list[JsonObject]) -> list[JsonObject]:
    """Return the things of a group that a text names by a value which no other of them has."""
    return [
        thing
        for thing in group
        if any(_has(text, value) and sum(value in each.values() for each in group) == 1 for value in thing.values())
    ]


def _has(text: str, value: JsonValue) -> bool:
    return isinstance(value, str) and len(value) > _SHORT and find_literal(text, fold(value)) >= 0


_SHORT = 2
"""Characters of a text that names nothing."""


class _Pair(NamedTuple):
    """Two things of which one is told to be more than the other."""

    more: JsonObject
    less: JsonObject


def _pair_in(before: str, after: str, group: list[JsonObject]) -> _Pair | None:
    """Return the one thing named before a "than" and the one behind it; None where there are not two such."""
    less, more = _named_in(after, group), _named_in(before, group)
    return _Pair(more[0], less[0]) if len(less) == len(more) == 1 and less[0] is not more[0] else None


def _against_each_other(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the pairs of which one is called more of something than the other, and is not."""
    than = table(language, "comparisons")["than"]
    for match in _comparatives(language).finditer(sentence.text):
        after = sentence.text[match.end() :]
        at = find_literal(after, than)
        if not 0 <= at <= _FAR or denies(sentence.text, language):
            continue
        pair = _pair_in(sentence.text[: match.start()], after[at:], group)
        if pair is not None:
            more, less = pair
            meaning = _meaning(match[0], language, "comparatives")
            signs = [(more[key] > less[key]) == meaning.is_more and more[key] != less[key]
                     for key, _ in _fields(group, meaning.field)]  # fmt: skip
            if signs and not any(signs):
                yield Claim(f"{match[0]!r} where it is the other way round")


def _more_or_less(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the pairs of which one is told to be more than the other, whatever of, and is less of everything."""
    than = table(language, "comparisons")["than"]
    for match in _generic(language).finditer(sentence.text):
        at = find_literal(sentence.text[match.end() :], than)
        if not 0 <= at <= _FARTHER or denies(sentence.text, language):
            continue
        place = match.end() + at
        pair = _pair_in(sentence.text[:place], sentence.text[place:], group)
        if pair is not None:
            more, less = pair
            is_more = pairs(language, "comparisons", "generic")[match[0]] == ">"
            signs = [(more[key] > less[key]) == is_more for key in _numeric(more, less)]
            if signs and not any(signs):
                yield Claim(f"{match[0]!r} where it is the other way round", "error" if len(signs) == 1 else "warning")


@cache
def _generic(language: str) -> re.Pattern[str]:
    return _pattern(tuple(pairs(language, "comparisons", "generic")), language)


def _numeric(one: JsonObject, other: JsonObject) -> list[str]:
    """Return the fields in which two things have different numbers."""
    return [
        key
        for key, value in one.items()
        if type(value) in (int, float) and type(other.get(key)) in (int, float) and value != other[key]
    ]


_FARTHER = 60
_FAR = 24
"""Characters between a comparing word and its "than"."""
