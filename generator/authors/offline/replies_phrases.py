"""Phrases for the facts of a result: "45% humidity", "rated 4.5", "published on March 4"."""

from __future__ import annotations

from generator.authors.offline.replies_facts import Fact
from generator.authors.offline.replies_values import is_literal, is_money, key_words, noun_of, raw_words, unit_of
from generator.authors.offline.words import (
    is_plural,
    is_uncounted,
    join_and,
    plural,
    singular,
    spoken,
    with_article,
    word_set,
)

_MAKERS: dict[tuple[str, ...], str] = {
    **dict.fromkeys([("artist",), ("author",), ("owner",), ("creator",), ("director",), ("composer",)], "by"),
    **dict.fromkeys([("year",), ("publisher",), ("sender",)], "from"),
    ("amount",): "for",
    ("material",): "made of",
}


def with_facts(facts: list[Fact]) -> str:
    """Say facts as they follow a thing: "by Ana, published on March 4, with a price of $20"."""
    phrases = {fact.key: fact_phrase(fact) for fact in facts}
    nouns = [phrase for key, phrase in phrases.items() if not _follows(key, phrase)]
    following = [phrase for key, phrase in phrases.items() if _follows(key, phrase)]
    return ", ".join([*following, *([f"with {join_and(nouns)}"] if nouns else [])])


_HAPPENING = {"expires": "expiring", "starts": "starting", "ends": "ending", "begins": "beginning"}
_HAPPENED = word_set("sent paid made due held sold bought born won lost met taken written built")


def follows(fact: Fact) -> bool:
    """Say whether a fact can follow "it is": "from 1995", "by Ana", "rated 4.5"."""
    return _follows(fact.key, fact_phrase(fact))


def _follows(key: str, phrase: str) -> bool:
    """Say whether a phrase needs no "with" before it: "by Ana", "published on March 4"."""
    words = raw_words(key)
    return (
        (words in _MAKERS and phrase.startswith(_MAKERS[words]))
        or phrase.startswith("rated ")
        or (
            len(words) > 1
            and words[-1] in ("at", "on")
            and (words[0].endswith("ed") or words[0] in _HAPPENED or words[0] in _HAPPENING)
        )
    )


def fact_phrase(fact: Fact) -> str:
    """Say a fact as a noun phrase that may follow "with": "a price of $20", "45% humidity", "no discount"."""
    noun = noun_of(fact.key) if not isinstance(fact.value, str) else spoken(key_words(fact.key))
    if isinstance(fact.value, bool):
        return flag_phrase(fact)
    if not noun:
        return fact.said
    words = noun.split()
    if raw_words(fact.key) in _MAKERS and (fact.key != "amount" or not fact.said[0].isdigit()):
        return f"{_MAKERS[raw_words(fact.key)]} {fact.said}"
    if isinstance(fact.value, int) and words == ["number"]:
        return f"#{fact.said}"
    if isinstance(fact.value, int | float) and words == ["rating"]:
        return f"rated {fact.said}"
    if isinstance(fact.value, str) and words[-1] in ("severity", "priority", "quality") and " " not in fact.said:
        return f"{fact.said} {noun}"
    if isinstance(fact.value, int | float) and not is_literal(fact.key) and words[-1] != "year":
        return _number_phrase(fact, noun, words)
    if len(words) > 1 and words[-1] in ("at", "on"):
        if len(words) > 2 and words[-2] in _HAPPENING:
            return f"the {' '.join([*words[:-2], _HAPPENING[words[-2]]])} on {fact.said}"
        return f"{_HAPPENING.get(words[0], ' '.join(words[:-1]))} on {fact.said}"
    return f"{noun} {fact.said}"


def _number_phrase(fact: Fact, noun: str, words: list[str]) -> str:
    if raw_words(fact.key)[-1] in ("percent", "percentage") and is_uncounted(words[-1]):
        return f"{fact.said} {noun}"
    if words[-1] in ("used", "left", "remaining", "spent", "earned", "paid", "saved"):
        return f"{fact.said} {noun}"
    if _counts(fact, words):
        return f"{fact.said} {noun if fact.value != 1 else _one(noun)}"
    if isinstance(fact.value, int) and words[-1] == "count" and len(words) > 1:
        counted = [*words[:-2], plural(words[-2]) if fact.value != 1 else words[-2]]
        return f"{fact.said} {' '.join(counted)}"
    bare = is_plural(words[-1]) or is_uncounted(words[-1]) or words[-1] == "pressure"
    return f"{noun if bare else with_article(noun)} of {fact.said}"


def _counts(fact: Fact, words: list[str]) -> bool:
    """Say whether a fact counts things: `wins`, `games_played`."""
    if not isinstance(fact.value, int) or is_money(fact.key) or unit_of(fact.key):
        return False
    return is_plural(words[-1]) or (len(words) == 2 and is_plural(words[0]))


def _one(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    return f"{head} {singular(last)}".strip()


def flag_phrase(fact: Fact) -> str:
    """Say a flag: "free cancellation", "no free cancellation"."""
    noun = noun_of(fact.key)
    for lead in ("is ", "has ", "are "):
        noun = noun.removeprefix(lead)
    return noun if fact.value else f"no {noun}"


def statement(fact: Fact) -> str:
    """Say a fact as a sentence of its own, without its full stop."""
    noun = noun_of(fact.key)
    words = noun.split()
    if isinstance(fact.value, bool):
        return _flag_statement(noun, fact.value)
    if not words:
        return f"it is {fact.said}"
    if len(words) > 1 and words[-1] in ("at", "on"):
        happens = words[0] in _HAPPENING
        return f"it {'' if happens else 'was '}{' '.join(words[:-1])} on {fact.said}"
    if isinstance(fact.value, str) and " " in fact.said and fact.said[-1] in ".!?":
        return f'the {noun} reads "{fact.said.rstrip(".")}"'
    if noun in ("name", "title") and isinstance(fact.value, str):
        return f'it is called "{fact.said}"'
    if _counts(fact, words) and words[0] != "total":
        return f"there are {fact.said} {noun}" if fact.value != 1 else f"there is 1 {_one(noun)}"
    return f"the {noun} {'are' if is_plural(words[-1]) else 'is'} {fact.said}"


_VERBS = {"is": ("is", "is not"), "has": ("has", "does not have"), "can": ("can", "cannot"), "was": ("was", "was not")}


def _flag_statement(noun: str, value: bool) -> str:
    lead, _, rest = noun.partition(" ")
    if lead in _VERBS and rest:
        return f"it {_VERBS[lead][not value]} {rest}"
    if noun.endswith("ed"):
        return f"it is {noun}" if value else f"it is not {noun}"
    return f"it comes with {noun}" if value else f"it comes without {noun}"
