"""Poles: whether an answer tells the contrary of what was done, booked for canceled and canceled for booked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.reading.clauses import clauses_of, denies, is_left_open
from generator.validation.grounding.reading.languages import entries, phrases, signs_of
from generator.validation.grounding.reading.words import fold, tokens_of, tokens_of_value
from generator.validation.grounding.successes import Claim
from generator.validation.grounding.verdicts import looks_up
from generator.validation.view import ResultView

MAKING, UNMAKING = "making", "unmaking"
_POLES = (MAKING, UNMAKING)


def reversed_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deed that an answer tells where its calls did the contrary, and only that."""
    language = answer.language
    if not language or not answer.results:
        return
    if not signs_of(language, "poles", *_POLES).may_be_in(answer.folded, answer.words):
        return
    told = [pole for pole in _POLES if phrases(language, "poles", pole).found_in(answer.folded, answer.words)]
    if len(told) != 1 or any(result.failed for result in answer.results):
        return
    if any(_is_called_so(result, told[0]) or _refuses(result) for result in answer.results):
        return
    done = [poles_of(result) for result in answer.results]
    if any(told[0] in each for each in done) or not any(done):
        return
    words = _told(answer, told[0])
    if words:
        yield Claim(words)


def _is_called_so(result: ResultView, pole: str) -> bool:
    """Say quickly whether a call is of a pole by its tool's name alone."""
    return result.call is not None and pole in _poles_of_name(result.call.name)


def _refuses(result: ResultView) -> bool:
    """Say whether a call has a flag of a deed that is false, and so does the contrary: `enable: false`."""
    arguments = result.call.arguments if result.call is not None else None
    refused = [fold(name) for name, value in (arguments or {}).items() if value is False]
    every = frozenset().union(*(_class(pole) | _class(f"{pole}_calls") for pole in _POLES)) if refused else frozenset()
    return any(name in every for name in refused)


@lru_cache(maxsize=4096)
def _poles_of_name(name: str) -> frozenset[str]:
    verbs = frozenset(tokens_of_value(name))
    return frozenset(pole for pole in (MAKING, UNMAKING) if verbs & _class(f"{pole}_calls"))


def poles_of(result: ResultView) -> frozenset[str]:
    """Return of which poles a call is, by its tool's name, its arguments and the state that its result tells."""
    call = result.call
    if call is None:
        return frozenset()
    verbs = frozenset() if looks_up(result) else frozenset(tokens_of_value(call.name))
    texts = [str(value) for value in (call.arguments or {}).values()]
    state = result.value.get("status") if isinstance(result.value, dict) else None
    words = frozenset(tokens_of(fold(" ".join([*texts, str(state)]))))
    return frozenset(
        pole
        for pole in (MAKING, UNMAKING)
        if verbs & _class(f"{pole}_calls") or words & (_class(pole) | _class(f"{pole}_calls"))
    )


@cache
def _class(name: str) -> frozenset[str]:
    return frozenset(entries("en", "poles", name))


_STATE = re.compile(r"(?<!\w)(?:is|are|was|were|it's|they're)\s(?:[a-z]{1,12}\s)?$")
"""Before the word of a state, which may be that of a thing looked up: "the museum is closed"."""


def _told(answer: Answer, pole: str) -> str:
    """Return the deed of a pole that the answer tells as done and that nothing in its turn speaks of."""
    known = phrases(answer.language, "poles", pole)
    asked = fold(answer.asked)
    results = "\n".join([fold(str(result.message.content)) for result in answer.results])
    has_looked = any(map(looks_up, answer.results))
    for clause in clauses_of(answer.folded, answer.language):
        for match in known.places_in(clause.text):
            heard = match[0] in asked or match[0] in results or _is_passed_on(match[0], answer)
            heard = heard or (has_looked and _STATE.search(clause.text[: match.start()]) is not None)
            if not (heard or denies(clause.text, answer.language) or is_left_open(clause, answer.language)):
                return clause.text.strip()[:80]
    return ""


def _is_passed_on(deed: str, answer: Answer) -> bool:
    """Say whether a text that a call passes on has a word for a deed: who sends a cancellation has cancelled."""
    beginnings = {deed[:_BEGINNING], deed.replace("ge", "", 1)[:_BEGINNING]}
    values = (
        value for each in answer.results if each.call is not None for value in (each.call.arguments or {}).values()
    )
    texts = [
        fold(value[:_LONGEST]) for value in values if isinstance(value, str) and value.count(" ") >= _FEWEST_SPACES
    ]
    return any(token[:_BEGINNING] in beginnings for text in texts for token in tokens_of(text))


_BEGINNING, _LONGEST, _FEWEST_SPACES = 5, 4000, 3
