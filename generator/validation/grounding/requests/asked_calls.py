"""Asked calls: whether each call was asked for: by a tool that fits, after the consent that was wished, and once.

The words of a tool's name that no called tool has in its name, its description or its parameters tell what it alone
does. A clause with such words, of which no call, no result and no answer takes up anything, asks for what was left
undone; a call of a tool none of whose own words was said, beside one whose own words were, is the wrong one. So is one
that deletes or copies, where nobody asked for that in any of its words and a tool of another sort is shown for the same
thing ("get_loans" beside "delete_loans"). "Ask me before you book it" is heeded where the assistant asks and the user
answers before anything is done; what only looks something up may be called before that. A demand with a condition ("if
it costs more than 50, ask me first") may not apply, and is noted at the most. A call repeats an earlier one where its
arguments are the same, that one was answered, and nothing has changed since.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from generator.validation.grounding.arguments.sources import CallTurn, call_turns
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.denial_words import cues_of
from generator.validation.grounding.reading.denials import Clause, clauses_of, denies, read_denials, sentences_of
from generator.validation.grounding.reading.languages import (
    CHANGING,
    COPYING,
    LANGUAGES,
    LOOKING,
    MAKING,
    UNMAKING,
    english,
    entries,
    is_harmless,
    language_of,
    phrases,
    table,
    verb_of,
)
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.requests.wishes import results_by_call
from generator.validation.grounding.result_status import leaves
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, MessageView, RecordView, ResultView

_MOST_TOOLS, _MOST_LEAVES = 64, 200
_SHORTEST = 4
_FEWEST = 3
"""Words of the shortest clause that asks for something."""
_Words = frozenset[str]


def left_undone(record: RecordView) -> Iterator[Finding]:
    """Yield the clauses of requests that name what a shown tool does, where it is not called nor told of."""
    for heard in _turns(record):
        idle = _idle_words(record)
        if idle.keys().isdisjoint(_stems(heard.folded)):
            continue
        taken = _taken_up(heard, record)
        latest = heard.requests[0]
        language = language_of(latest.folded) or "en"
        for clause in clauses_of(latest.folded, language):
            words = _stems(clause.text)
            naming = sorted(words & idle.keys())
            if naming and len(words) >= _FEWEST and not words & taken and not _is_no_wish(clause, language):
                message = f"asks for what {idle[naming[0]]} does: {brief(clause.text.strip())}, and nobody takes it up"
                yield Finding(f"/messages/{latest.index}/content", message, "warning")


def wrong_tools(record: RecordView) -> Iterator[Finding]:
    """Yield the calls of tools of which nothing was said, where another one that was not called was spoken of."""
    for heard in _turns(record):
        idle = _idle_words(record)
        said = _stems(heard.folded)
        if len(heard.requests) > 1 or idle.keys().isdisjoint(said):
            continue
        for call in heard.calls:
            better = _tool_spoken_of(call, idle, said, heard, record)
            if better:
                yield Finding(call.pointer, f"is called, while the request speaks of what {better} does", "warning")


def _tool_spoken_of(call: CallView, idle: dict[str, str], said: _Words, heard: CallTurn, record: RecordView) -> str:
    """Return the tool that the request speaks of in place of the one that is called; "" where there is none."""
    if call.tool is None or not call.arguments or _is_denied(heard.folded, language_of(heard.folded) or "en"):
        return ""
    for word in sorted(idle.keys() & said - _stems(fold(call.text))):
        tool = record.tools_by_name[idle[word]]
        if said & (_own_words(call.tool) - _own_words(tool)):
            continue
        if is_harmless(call.name) == is_harmless(tool.name) and (call.arguments or {}).keys() <= {*tool.property_names}:
            return tool.name
    return ""


def _is_denied(folded: str, language: str) -> bool:
    """Say whether a text has any words that deny or drop a wish."""
    cues = cues_of(language)
    return any(pattern.search(folded) for pattern in (cues.contrasts, cues.deeds, cues.dropping, cues.nothing))


def _turns(record: RecordView) -> Iterator[CallTurn]:
    """Yield the first turn of calls after each thing a user says, where there are tools that nobody calls."""
    if not record.calls or not 1 < len(record.tools_by_name) <= _MOST_TOOLS:
        return
    if len({call.name for call in record.calls}) == len(record.tools_by_name):
        return
    last = ""
    for heard in call_turns(record):
        if heard.asked != last and len(heard.asked) <= LONGEST_TEXT:
            last = heard.asked
            yield heard


def _idle_words(record: RecordView) -> dict[str, str]:
    """Return the words of tools' names that tell what they alone do, of tools that nobody calls, with their names."""
    called = {call.name for call in record.calls}
    known = frozenset().union(*(_own_words(tool) for name, tool in record.tools_by_name.items() if name in called))
    return {
        word: name
        for name, tool in record.tools_by_name.items()
        if name not in called
        for word in _name_words(name) - known
    }


@lru_cache(maxsize=4096)
def _name_words(name: str) -> _Words:
    tokens = [token for token in tokens_of_value(name) if len(token) >= _SHORTEST and token not in STOPWORDS]
    return frozenset(stem(token) for token in tokens if verb_of(token)[1] != LOOKING)


@lru_cache(maxsize=4096)
def _own_words(tool: ToolView) -> _Words:
    """Return the words of a tool's name, of its description and of its parameters' names."""
    description = tool.function.get("description")
    texts = [tool.name, description[:1000] if isinstance(description, str) else "", *tool.property_names[:60]]
    tokens = [token for text in texts for token in tokens_of_value(text)]
    return frozenset(stem(token) for token in tokens if token not in STOPWORDS)


@lru_cache(maxsize=1024)
def _stems(folded: str) -> _Words:
    return frozenset(stem(token) for token in tokens_of(folded) if token not in STOPWORDS)


def _taken_up(heard: CallTurn, record: RecordView) -> _Words:
    """Return the words of all that was called, brought and answered from this turn on, and of the tools called."""
    turn = heard.calls[0].turn
    found: set[str] = set()
    for call in record.calls:
        if call.turn >= turn:
            found |= _own_words(call.tool) if call.tool is not None else set()
            for leaf in leaves(call.arguments, _MOST_LEAVES):
                found |= _stems(fold(str(leaf)))
    for message in record.messages[turn:]:
        if message.role in ("assistant", "tool") and isinstance(message.content, str):
            found |= _stems(fold(message.content[:LONGEST_TEXT]))
    return frozenset(found)


def _is_no_wish(clause: Clause, language: str) -> bool:
    """Say whether a clause denies, supposes, tells what was done, or when: days are written otherwise than said."""
    if phrases(language, "claims", "perfect").begins(clause.text.strip()):
        return True
    if not CALENDAR_WORDS.isdisjoint(tokens_of(clause.text)):
        return True
    if denies(clause.text, language):  # "cancel nothing"
        return True
    return _is_denied(clause.text, language) or cues_of(language).conditions.search(clause.text) is not None


_RISKY = frozenset({UNMAKING, COPYING})


def unasked_deeds(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that take away or copy, where nobody has asked for that."""
    for call in record.calls:
        verb, sort = verb_of(call.name)
        if sort not in _RISKY:
            continue
        twin = _contrary_call(call, record)
        others, does = ([twin], "called") if twin else (list(_other_tools(call, sort, record)), "shown")
        if others and not _names_it(verb, call, record) and (twin or not _is_asked(sort, call, record)):
            message = f"nobody asks to {verb} anything, and {others[0]} is {does} for the same thing"
            yield Finding(call.pointer, message, "warning" if twin or _takes(others, call, record) else "note")


def _contrary_call(call: CallView, record: RecordView) -> str:
    """Return the tool of a call that makes or changes what this one takes away; "" where there is none."""
    own = thing_of(call.name)
    same = [each for each in record.calls if each.arguments == call.arguments and each.name != call.name]
    for other in same if call.arguments else ():
        if thing_of(other.name) == own and verb_of(other.name)[1] in (MAKING, CHANGING):
            return other.name
    return ""


def _takes(names: list[str], call: CallView, record: RecordView) -> bool:
    """Say whether any of some tools takes the arguments of a call as well."""
    return bool(call.arguments) and any(record.tools_by_name[name].takes(call.arguments or {}) for name in names)


def _other_tools(call: CallView, sort: str, record: RecordView) -> Iterator[str]:
    """Yield the names of the tools of another sort that are shown for the same thing."""
    own = thing_of(call.name)
    for name in record.tools_by_name:
        other = verb_of(name)[1]
        if other and other != sort and own and own == thing_of(name):
            yield name


@lru_cache(maxsize=4096)
def thing_of(name: str) -> frozenset[str]:
    """Return the stems of the words of a tool's name beside its verb: what it does something to."""
    verb = verb_of(name)[0]
    return frozenset(stem(token) for token in tokens_of_value(name) if token != verb)


def _names_it(verb: str, call: CallView, record: RecordView) -> bool:
    """Say whether anybody names the tool's own verb before a call."""
    said = (each.content for each in record.messages[: call.turn] if each.role == "user")
    if any(verb in text for text in said if isinstance(text, str)):
        return True  # a first look
    root = stem(verb)
    return any(root in map(stem, tokens_of(folded)) for _, folded in _said_before(call, record))


def _is_asked(sort: str, call: CallView, record: RecordView) -> bool:
    """Say whether anything that was said before a call may ask for a deed of its sort."""
    return any(_may_ask(folded, sort) for role, folded in _said_before(call, record) if role != "system")


def _said_before(call: CallView, record: RecordView) -> Iterator[tuple[str, str]]:
    """Yield what the user and the system message say before a call, and what the assistant asks."""
    for message in record.messages[: call.turn]:
        text = message.content
        if isinstance(text, str) and text and (message.role in ("user", "system") or _is_question(message)):
            yield message.role, fold(text[:LONGEST_TEXT])


def _is_question(message: MessageView) -> bool:
    return message.role == "assistant" and ("?" in message.content or "？" in message.content)


def _may_ask(folded: str, sort: str) -> bool:
    spoken = language_of(folded)
    for language in (spoken,) if entries(spoken, "asking", sort) else LANGUAGES:
        if phrases(language, "asking", sort).found_in(folded):
            return True
        if sort == UNMAKING and any(_denies(each.text, language) for each in sentences_of(folded) if not each.asks):
            return True
    return False


def _denies(sentence: str, language: str) -> bool:
    """Say whether a sentence denies something, and not in a case that may not be: what is not needed may be deleted."""
    if not phrases(language, "asking", "negating").found_in(sentence):
        return False
    return cues_of(language).conditions.search(sentence) is None


class _Demand(NamedTuple):
    """Words with which a message asks for a question before any deed."""

    words: str
    sentence: str
    at_most: Severity


def without_consent(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that are made at once although a message asks to be asked first."""
    said = ""
    calls: list[CallView] = []
    for message in [*record.messages, None]:
        if message is not None and message.role != "user":
            calls += message.calls
            continue
        if calls and said and _may_demand(said):
            yield from _unasked(said, calls)
        said = message.content if message is not None and isinstance(message.content, str) else ""
        calls = []


def _unasked(said: str, calls: list[CallView]) -> Iterator[Finding]:
    demand = _demand_in(fold(said[:LONGEST_TEXT]))
    if demand is None:
        return
    wished = [call for call in calls if not is_harmless(call.name)]
    about = frozenset(map(stem, tokens_of(demand.sentence)))
    named = [call for call in wished if _most_of_its_name(call, about)]
    for call in named if named and len(named) < len(wished) else wished:
        why = f"is called at once, and the user wants to be asked first: {brief(demand.words)}"
        yield Finding(call.pointer, why, demand.at_most)


def _most_of_its_name(call: CallView, about: frozenset[str]) -> bool:
    """Say whether the sentence of a demand speaks of a call by the words of its tool's name."""
    own = [stem(token) for token in tokens_of_value(call.name)]
    return 2 * sum(each in about for each in own) > len(own)


def _demand_in(folded: str) -> _Demand | None:
    """Return the demand that a message makes; None where it makes none, or waives it."""
    language = language_of(folded)
    found = _first_demand(folded, language) if entries(language, "consent", "demands") else None
    if found is None:
        return None
    waivers = list(phrases(language, "consent", "waived").places_in(folded))
    if any(each.start() <= found.start() < each.end() for each in waivers) or _is_quoted(found, folded):
        return None
    sentence = _sentence_around(found, folded)
    limited = phrases(language, "consent", "limits").found_in(sentence.replace(found[0], " "))
    apart = any(each.start() >= found.end() or each.end() <= found.start() for each in waivers)
    return _Demand(found[0], sentence, "note" if limited or apart else "warning")


def _sentence_around(found: re.Match[str], folded: str) -> str:
    start = max(folded.rfind(sign, 0, found.start()) for sign in _ENDS) + 1
    ends = [at for sign in _ENDS if (at := folded.find(sign, found.end())) >= 0]
    return folded[start : min(ends, default=len(folded))]


def _is_quoted(found: re.Match[str], folded: str) -> bool:
    """Say whether the words stand in a quotation: somebody else is to be told them."""
    return (
        _QUOTE_SIGNS.search(folded) is not None and "\x00" in read_denials(folded).masked[found.start() : found.end()]
    )


_QUOTE_SIGNS = re.compile("[\"“«「']")
_ENDS = (".", "!", "?", "\n", "。", "！", "？")
_GAP = r"[,;:]?(?:\s[^\s.!?]{1,40}){0,8}?\s"


def _first_demand(folded: str, language: str) -> re.Match[str] | None:
    """Return the first demand of a text."""
    by_word = _demands(language)
    if language == "zh":
        return by_word[""].search(folded)
    for word in _WORD.finditer(folded):
        forms = by_word.get(word[0])
        found = forms.match(folded, word.start()) if forms is not None else None
        if found is not None:
            return found
    return None


_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@cache
def _demands(language: str) -> dict[str, re.Pattern[str]]:
    """Return what finds the demands of a language, by the words that they begin with where words have spaces."""
    classes = {name: _any(entries(language, "consent", name), language) for name in ("yes", "agree")}
    forms: dict[str, list[str]] = {}
    for entry in entries(language, "consent", "demands"):
        first = "" if language == "zh" else entry.split()[0].rstrip(",")
        forms.setdefault(first, []).append(_written(entry, classes, language))
    return {first: re.compile("|".join(written)) for first, written in forms.items()}


def _any(words: tuple[str, ...], language: str) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(_written(word, {}, language) for word in longest_first)})"


def _written(entry: str, classes: dict[str, str], language: str) -> str:
    form = re.escape(entry)
    form = form.replace(r"\ \*\ ", _GAP).replace(r"\ ", r"[,;:]?\s").replace(r"\*", r"\w{0,16}")
    for name, words in classes.items():
        form = form.replace(rf"\{{{name}\}}", words)
    return form if language == "zh" else rf"{form}(?!\w)"


def _may_demand(text: str) -> bool:
    """Say, after a first look, whether a text may ask for a question."""
    lower = text.lower()
    words, ideographs = _hints()
    if not words.isdisjoint(lower.split()):
        return True
    return not lower.isascii() and any(map(lower.__contains__, ideographs))


_AFTER = ("", ",", ".", "!", "?", ":", ";", ")", "-", '"', "'")
_BEFORE = ("", "(", '"', "¡", "¿", "'")


@cache
def _hints() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words that texts with a demand have, as they stand between others, and letters for the rest."""
    found = table("en", "consent")["hints"].replace("|", " ").split()
    words = frozenset(f"{before}{word}{after}" for word in found for before in _BEFORE for after in _AFTER)
    return words, tuple(hint for hint in found if hint >= _IDEOGRAPHS)


_IDEOGRAPHS = "\u4e00"


def repeated_calls(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that only repeat an earlier one of the same turn of the user, which was answered."""
    if len(record.calls) < len(_PAIR):
        return
    results = results_by_call(record)
    for begun, calls in groupby(record.calls, lambda call: _last_request(record, call.turn)):
        yield from _repeated(calls, begun, results, record)


def _repeated(
    calls: Iterable[CallView], begun: int, results: dict[str, ResultView], record: RecordView
) -> Iterator[Finding]:
    """Yield the calls that repeat one of the calls before them, all of which follow one message of the user."""
    known: dict[tuple[str, str], CallView] = {}
    changed = -1
    for call in calls:
        first = known.setdefault((call.name, call.text), call)
        if first is not call:
            at_most = _sureness(first, call, results, record, begun)
            is_tried_again = at_most == "note" and changed > first.turn  # the tests again, after a change
            if at_most is not None and not is_tried_again:
                yield Finding(call.pointer, f"is made as at {first.pointer}, which was answered", at_most)
        if not is_harmless(call.name):
            if first is call:
                changed = call.turn
            known = {key: each for key, each in known.items() if not is_harmless(each.name)}


_PAIR = ("first", "second")


def _last_request(record: RecordView, turn: int) -> int:
    """Return the place of the user's last message before a turn of calls."""
    return next((at for at in range(turn - 1, -1, -1) if record.messages[at].role == "user"), -1)


def _sureness(
    first: CallView, call: CallView, results: dict[str, ResultView], record: RecordView, begun: int
) -> Severity | None:
    """Return how sure it is that a call is made once too often; None where it may be meant."""
    one, other = results.get(first.pointer), results.get(call.pointer)
    is_over = first.turn < call.turn
    if one is None or not _is_done(one) or _never_the_same(call):
        return None
    if begun >= 0 and _asks_again(record.messages[begun].content):
        return None
    if other is not None and not other.failed and one.message.content != other.message.content:
        return "note" if is_over else None
    return "warning"


def _is_done(result: ResultView) -> bool:
    """Say whether a result says neither that it failed, nor that something goes on or is to be tried again."""
    if result.failed:
        return False
    return not phrases("en", "repeating", "under_way").found_in(fold(result.message.text[:LONGEST_TEXT]))


def _never_the_same(call: CallView) -> bool:
    """Say whether a tool is called for something else each time, by its name: it rolls dice, or turns pages."""
    return not english("repeating", "of_chance").isdisjoint(tokens_of_value(call.name))


def _asks_again(content: object) -> bool:
    """Say whether a message asks for something more than once."""
    if not isinstance(content, str):
        return True
    folded = fold(content[:LONGEST_TEXT])
    spoken = language_of(folded)
    languages = (spoken,) if entries(spoken, "repeating", "again") else LANGUAGES
    return any(phrases(language, "repeating", "again").found_in(folded) for language in languages)
