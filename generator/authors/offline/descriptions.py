"""Descriptions read as sentences: the verb, its object, and the phrases that follow, one chunk per preposition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.authors.offline.verbs import base_form, is_third_person, sort_of
from generator.authors.offline.words import lower_first, split_identifier, word_set

PREPOSITIONS = word_set(
    """for in on at of from to between with by within during over against about into under near around via through
    per as using given including since until after before among across onto inside regarding concerning like
    throughout behind than without towards toward involving containing featuring matching"""
)
_TWO_WORDS = {
    ("based", "on"): "based on", ("according", "to"): "based on", ("related", "to"): "about",
    ("such", "as"): "such as", ("depending", "on"): "based on", ("associated", "with"): "for",
    ("located", "in"): "in", ("due", "to"): "due to", ("out", "of"): "from", ("as", "well"): "as well",
    ("in", "terms"): "cut", ("belonging", "to"): "of", ("along", "with"): "along with",
    ("filtered", "by"): "based on", ("starting", "from"): "from", ("up", "to"): "up to",
    ("specified", "by"): "based on", ("identified", "by"): "based on", ("defined", "by"): "based on",
    ("provided", "by"): "based on", ("depending", "upon"): "based on", ("with", "respect"): "cut",
    ("for", "example"): "cut",
}  # fmt: skip
_JOINERS = word_set("number list array set series type amount kind pair collection range group quantity level")
_STOPPERS = word_set(
    """why that which who whose where when if unless because so then while whether either e.g i.e e.g. i.e. optionally
    only depending assuming specifying ensuring allowing considering returning applying following specified"""
) - {"following", "specified"}  # fmt: skip
_NEW_OR_EXISTING = re.compile(r"^(\w+) (?:an? )?new or \w+ (?:an? )?existing ", re.IGNORECASE)
_READ = 1_500
"""Characters of a description that are read."""
_SENTENCES = 4
_ON_OR_OFF = re.compile(r"^(toggles?) (.+?) (?:on or off|on/off|on and off)\b", re.IGNORECASE)
_OR_EXISTING = re.compile(r" or (?:\w+ly )?\w+ (?:an |the )?existing \w+", re.IGNORECASE)
_COUNTS = re.compile(r"\b(?:one or (?:more|multiple|several)|single or multiple|one or many) ", re.IGNORECASE)
_AND_OR = re.compile(r" and/or (?:an? )?\w+")
_ASIDES = word_set("this it use note you see most sorted ordered prefer ideal useful")
_TAKES_INFINITIVE = word_set(
    "needed required takes take have used allowed able going mix order ability time way likely"
)
_NO_VERBS = PREPOSITIONS | {"all", "both", "half", "the", "a", "an", "this", "only", "not"}
_LEAD = re.compile(
    r"^(?:\[[^\]]*\]\s*)?(?:(?:this|the|a|an)\s+)?"
    r"(?:(?:function|tool|api|endpoint|method|command|utility|operation|service)s?\s+)?"
    r"(?:(?:is |can be |are )?(?:used|useful|designed)\s+(?:to|for)\s+"
    r"|(?:that |which )?(?:allows?|enables?|lets?|helps?)\s+(?:(?:you|users?|the user|to)\s+)?(?:to\s+)?"
    r"|(?:that|which|for|to|will|can)\s+"
    r"|provides? (?:the |an? )?(?:ability|way|functionality) to )?",
    re.IGNORECASE,
)
_TOOL_LEAD = re.compile(
    r"^(?:use (?:this|it|the) (?:\w+ )?(?:to|for|when)|utilize to|simple|tool for|tools for|tool to|function to)\s+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<![ .][A-Z])[.!?](?=\s|$)|\n\s*\n|\n\s*[-*•]|;\s|:\s|\s[-–—]\s|\s\*\*"
)
_BRACKETS = re.compile(r"\s*\([^()]*\)|\s*\[[^\[\]]*\]|[`*]")
_TOKEN = re.compile(r"[^\s,]+|,")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A preposition ("" for the object of the verb) and the words of its noun phrase."""

    preposition: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a description says the tool does: a verb in its base form and what follows it."""

    verb: str
    sort: str
    """`inform`, `compute`, `search` or `act`."""
    chunks: tuple[Chunk, ...]
    from_name: bool = False


def read_description(name: str, description: str) -> Sentence:
    """Read what a description says the tool does; where it says nothing, read the tool's name."""
    text = _BRACKETS.sub("", description[:_READ].strip())
    _, told, rest = text.partition("description:")
    length = 0
    for part in _SENTENCE_END.split(_AND_OR.sub("", rest if told else text))[:_SENTENCES]:
        plain = _NEW_OR_EXISTING.sub(r"\1 a new ", " ".join(part.split()).rstrip(".!?: "))
        plain = _OR_EXISTING.sub("", plain)
        plain = _COUNTS.sub("", _ON_OR_OFF.sub(r"\1 \2", plain))
        tokens = _TOKEN.findall(_strip_lead(plain))
        length = length or len(tokens)
        if len(tokens) > 1 and not (tokens[0].lower() in ("this", "it", "note") or len(part) < 9):
            sentence = _read_tokens(tokens, name)
            if sentence is not None:
                return sentence
            break
    return _read_name(name, length)


def _strip_lead(text: str) -> str:
    """Cut "This function is used to" and its like."""
    for lead in (_TOOL_LEAD, _LEAD):
        match = lead.match(text)
        if match and match.end() and base_form(text[match.end() :].split(" ", 1)[0].strip(",")):
            return text[match.end() :]
    return text


def _read_tokens(tokens: list[str], name: str) -> Sentence | None:
    if len(tokens) > 2 and tokens[0].lower().endswith("ly") and base_form(tokens[1]):
        tokens = [*tokens[1:], tokens[0].lower()] if len(tokens) < 6 else tokens[1:]
    first = base_form(tokens[0])
    if tokens[0].lower() == "return" and split_identifier(name)[:1] == ("return",):
        return Sentence("return", "act", _chunk(tokens[1:]))
    if not first:
        if (
            len(tokens) > 2
            and tokens[1].lower() in ("a", "an", "the", "all", "one", "your")
            and tokens[0].lower() not in _NO_VERBS
        ):
            return (
                _unknown_verb(tokens)
                if _looks_verbal(tokens[0])
                else Sentence(tokens[0].lower(), "act", _chunk(tokens[1:]))
            )
        if any(base_form(word) == word for word in split_identifier(name.rsplit(".", 1)[-1])[:2]) and tokens[
            0
        ].lower() not in ("the", "a", "an"):
            return None
        if tokens[0].lower() in ("the", "a", "an", "current", "latest", "all") or len(tokens) > 2:
            return (
                Sentence("get", "inform", _chunk([lower_first(tokens[0]), *tokens[1:]]))
                if not _looks_verbal(tokens[0])
                else _unknown_verb(tokens)
            )
        return None
    position = 1
    while position + 1 < len(tokens) and tokens[position].lower() in (",", "and", "or", "/", "and/or"):
        step = 2 if tokens[position] == "," and tokens[position + 1].lower() in ("and", "or") else 1
        verb = base_form(tokens[position + step]) if position + step < len(tokens) else ""
        if not verb:
            break
        position += step + 1
    if tokens[position : position + 1] == ["up"] and first == "look":
        first, position = "lookup", position + 1
    return Sentence(first, sort_of(first), _chunk(tokens[position:]))


def _looks_verbal(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss") and word[0].isupper()


def _unknown_verb(tokens: list[str]) -> Sentence:
    word = tokens[0].lower()
    verb = word[:-2] if word.endswith(("ches", "shes", "sses", "xes")) else word[:-1]
    verb = word[:-3] + "y" if word.endswith("ies") else verb
    return Sentence(verb, "act", _chunk(tokens[1:]))


def _read_name(name: str, tokens: int = 0) -> Sentence:
    words = [word for word in split_identifier(name.rsplit(".", 1)[-1]) if not word.isdigit()]
    position = next((index for index, word in enumerate(words) if base_form(word)), None)
    if position is None:
        verb = words[0] if len(words) == 1 and tokens < 3 else "get"
        return Sentence(verb, "inform", (Chunk("", ("the", *words)),), from_name=True)
    rest = words[position + 1 :] or words[:position]
    verb = base_form(words[position])
    return Sentence(verb, sort_of(verb), _chunk(["the", *rest] if rest else []), from_name=True)


def _chunk(tokens: list[str]) -> tuple[Chunk, ...]:
    """Split what follows the verb at its prepositions; stop at a relative clause or a second predicate."""
    if tokens and tokens[0].lower() in ("if", "whether"):
        end = next((index for index, token in enumerate(tokens) if token in (",", "and") and index > 3), len(tokens))
        return (Chunk("", tuple(tokens[:end])),)
    chunks: list[Chunk] = []
    preposition, words = "", list[str]()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        low = token.lower()
        pair = _TWO_WORDS.get((low, _word_at(tokens, position + 1)))
        if pair == "cut" or _stops(tokens, position):
            break
        before = words[-1].lower() if words else ""
        infinitive = low == "to" and before in _TAKES_INFINITIVE and base_form(_word_at(tokens, position + 1))
        joined = bool(infinitive) or (low == "of" and before.rstrip("s") in _JOINERS)
        adjective = low == "given" and before in ("", "a", "an", "the", "any", "some", "two", "three", "each")
        if pair or (low in PREPOSITIONS and not joined and not adjective):
            chunks.append(Chunk(preposition, _clean(words)))
            preposition, words = pair or low, []
            position += 2 if pair else 1
            continue
        words.append(token)
        position += 1
    chunks.append(Chunk(preposition, _clean(words)))
    return tuple(chunk for index, chunk in enumerate(chunks) if chunk.words or index == 0)


def _word_at(tokens: list[str], position: int) -> str:
    return tokens[position].lower() if position < len(tokens) else ""


def _stops(tokens: list[str], position: int) -> bool:
    """Say whether the sentence's useful part ends before this token."""
    low = tokens[position].lower()
    following = _word_at(tokens, position + 1)
    if low == "the" and following in ("user", "agent", "customer", "caller") and position > 0:
        before = tokens[position - 1].lower()
        if before not in PREPOSITIONS and before not in (",", "and", "or", "with"):
            return True
    if low in _STOPPERS:
        return position > 0 or low not in ("if", "whether", "who", "when", "where")
    if low == "," and (following in _ASIDES or following.endswith(("ful", "able"))):
        return True
    if low in ("and", ",") and following:
        return (is_third_person(following) and base_form(following) != "") or (following.endswith("ing") and low == ",")
    if low == "to" and base_form(following) and not following.endswith("s"):
        return position > 0 and tokens[position - 1].lower() not in _TAKES_INFINITIVE
    return False


def _clean(words: list[str]) -> tuple[str, ...]:
    while words and words[-1].lower() in (",", "and", "or", "the", "a", "an", "its", "their"):
        words = words[:-1]
    return tuple(words)
