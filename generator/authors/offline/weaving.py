"""Weaving: the placeholder noun phrases of a description give way to the values they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.authors.offline.descriptions import Chunk, Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.pairs import Pair
from generator.authors.offline.pieces import Piece, Pieces, Ref, ref
from generator.authors.offline.words import singular

GENERIC = frozenset(
    """specific specified given particular certain provided desired requested target input user-specified user-defined
    user-provided chosen selected supplied relevant designated predefined various appropriate respective custom
    defined""".split()
)
_DETERMINERS = frozenset("a an the one any some this that its their your his her each every all".split())
_CUT = frozenset(
    """using given including like such as based on by with via through per as along with than due to regarding
    as well up to""".split()
) - {"as", "to", "on", "well", "up"} | {"based on", "such as", "along with", "as well", "due to", "up to"}  # fmt: skip
_SPEAKERS = frozenset("user customer client you agent caller".split())
_NAMED = frozenset(
    """place person thing email url phone language currency month time owner repo status season choice unit title query
    text path format sort formula""".split()
)
_SYNONYMS = (
    frozenset("location place city area region town address venue destination".split()),
    frozenset("company stock firm business corporation ticker symbol".split()),
    frozenset("user customer person individual member account".split()),
    frozenset("period timeframe duration time span days years months".split()),
    frozenset("topic subject keyword query term text string phrase".split()),
    frozenset("song track title".split()),
    frozenset("expression equation formula function".split()),
    frozenset("item product".split()),
    frozenset("file path document filename".split()),
    frozenset("page url website webpage link".split()),
    frozenset("number integer value".split()),
    frozenset("movie film".split()),
    frozenset("date day".split()),
)
_GROUPS: dict[str, frozenset[int]] = {}
for _index, _group in enumerate(_SYNONYMS):
    for _word in _group:
        _GROUPS[_word] = _GROUPS.get(_word, frozenset()) | {_index}
_JOINED = re.compile(r"^(?:list|array|set|collection|series|group)\s+of\s+", re.I)


@dataclass(slots=True)
class Woven:
    """The core of a request: pieces after the verb, the fields they say, and how well it went."""

    parts: list[Piece] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    adjectives: list[str] = field(default_factory=list)
    cost: float = 0.0
    object_head: str = ""
    object_plural: bool = False
    determined: bool = False
    """Whether the object says "the" or is a bare plural: it can be asked for with "what is the"."""


def content_words(words: tuple[str, ...]) -> list[str]:
    """Return the lower-case words that carry meaning, in singular."""
    return [
        singular(low[:-2] if low.endswith("'s") else low.rstrip("'"))
        for low in [word.lower() for word in words]
        if low not in _DETERMINERS and low not in GENERIC and low not in (",", "and", "or")
    ]


def match_score(candidate: Field, words: list[str], *, generic: bool) -> float:
    """Say how well a noun phrase speaks of a field: 0 for not at all, 3 and more for surely."""
    if not words:
        return 0.0
    head = words[-1]
    names = words[:-1] if head in ("name", "id", "identifier", "number", "code", "value", "title") and len(words) > 1 else words
    subject = [singular(word) for word in candidate.subject]
    score = 0.0
    if names and subject and names[-1] == subject[-1]:
        score += 3
    elif head in candidate.heads:
        score += 2.5
    elif subject and _GROUPS.get(head, frozenset()) & _GROUPS.get(subject[-1], frozenset()):
        score += 2
    elif generic and candidate.kind == "place" and head in _SYNONYMS[0]:
        score += 2
    if not score:
        return 0.0
    others = {word[:4] for word in words[:-1]}
    score += sum(0.6 for word in subject[:-1] if word[:4] in others)
    score -= 0.5 * max(0, len(words) - 1 - len(subject)) if not generic else 0
    return score + (0.7 if generic else 0)


def weave(sentence: Sentence, fields: Mapping[str, Field], pairs: tuple[Pair, ...]) -> Woven:
    """Put the given fields into the sentence where it speaks of them; drop what it says of fields not given."""
    woven = Woven()
    open_pairs = list(pairs)
    for index, chunk in enumerate(sentence.chunks):
        last = index == len(sentence.chunks) - 1
        if _weave_pair(chunk, sentence.chunks[index + 1 :], open_pairs, woven):
            continue
        _weave_chunk(chunk, fields, pairs, woven, last=last)
    return woven


def _weave_pair(chunk: Chunk, following: tuple[Chunk, ...], open_pairs: list[Pair], woven: Woven) -> bool:
    """Weave "in a repository", "between two cities", "from one place to another"."""
    words = content_words(chunk.words)
    for pair in open_pairs:
        if pair.first.name in woven.used:
            if pair.sort == "route" and chunk.preposition == "to" and "another" in words + [w.lower() for w in chunk.words]:
                return True
            continue
        if pair.sort == "repo" and words and words[-1] in ("repository", "repo"):
            return _weave_repository(chunk, pair, woven)
        two = "two" in words or "between" == chunk.preposition
        if two and pair.sort in ("twins", "route") and chunk.preposition and not _is_span(words, pair):
            joint = " and " if chunk.preposition in ("between", "of", "for", "in", "on") else ", "
            _emit(woven, chunk.preposition, (_named(pair.first), joint, _named(pair.second)), pair.first, pair.second)
            return True
        if pair.sort == "route" and chunk.preposition == "from":
            _emit(woven, "from", (_named(pair.first), " to ", _named(pair.second)), pair.first, pair.second)
            return True
    if chunk.preposition == "to" and woven.used and ("another" in [w.lower() for w in chunk.words] or _is_spent(words, woven, open_pairs)):
        return True
    return False


def _is_span(words: list[str], pair: Pair) -> bool:
    return bool(words) and words[-1] in ("date", "time", "year") and pair.first.kind not in ("date", "time", "year")


def _is_spent(words: list[str], woven: Woven, pairs: list[Pair]) -> bool:
    """Say whether "to a destination" speaks of the second half of a pair that was said with its first half."""
    return any(
        pair.sort == "route" and pair.first.name in woven.used and match_score(pair.second, words, generic=True) >= 2
        for pair in pairs
    )


def _weave_repository(chunk: Chunk, pair: Pair, woven: Woven) -> bool:
    place = Ref(pair.first, "pair", pair.second)
    if not chunk.preposition:
        woven.object_head, woven.determined = "repository", True
        _emit(woven, "", ("the ", place, " repository") if len(chunk.words) > 1 else (place,), pair.first, pair.second)
        return True
    preposition = "in" if chunk.preposition == "for" and False else chunk.preposition
    _emit(woven, preposition, (place,), pair.first, pair.second)
    return True


def _emit(woven: Woven, preposition: str, parts: Pieces, *said: Field) -> None:
    woven.parts.append(f"{preposition} " if preposition else "")
    woven.parts.extend(parts)
    woven.parts.append(" ")
    woven.used |= {entry.name for entry in said}


def _named(entry: Field) -> Ref:
    return Ref(entry, "named") if entry.kind in ("thing", "id", "person", "choice") else ref(entry)


def best_field(words: tuple[str, ...], fields: Mapping[str, Field], used: set[str]) -> tuple[Field | None, float]:
    """Return the unused field that a noun phrase speaks of most clearly, with its score."""
    content = content_words(words)
    generic = any(word.lower() in GENERIC for word in words)
    best, best_score = None, 0.0
    for entry in fields.values():
        if entry.name in used or entry.kind in ("flag", "object", "limit", "page", "offset"):
            continue
        score = match_score(entry, content, generic=generic)
        if score > best_score:
            best, best_score = entry, score
    return (best, best_score) if best_score >= 2 else (None, 0.0)


def _weave_chunk(chunk: Chunk, fields: Mapping[str, Field], pairs: tuple[Pair, ...], woven: Woven, *, last: bool) -> None:
    phrases = _coordinated(chunk.words)
    cut = chunk.preposition in _CUT
    found = [best_field(phrase, fields, woven.used)[0] for phrase in phrases]
    if not chunk.preposition:
        _weave_object(chunk.words, fields, woven)
    elif len(phrases) > 1:
        _weave_listing(chunk, phrases, found, cut, woven)
    elif found[0] is not None:
        _weave_phrase(chunk, found[0], pairs, woven)
    elif cut or _is_placeholder(chunk, fields):
        woven.cost += 0.3
    else:
        text = _plain(chunk.words)
        woven.parts += [f"{chunk.preposition} {text} "]
        woven.cost += 0.3 if last else 0.2


def _coordinated(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    phrases: list[list[str]] = [[]]
    for word in words:
        if word.lower() in (",", "and", "or", "and/or"):
            phrases.append([])
        else:
            phrases[-1].append(word)
    return [tuple(phrase) for phrase in phrases if phrase]


def _weave_listing(chunk: Chunk, phrases: list[tuple[str, ...]], found: list[Field | None], cut: bool, woven: Woven) -> None:
    """Weave "for a city and date": the first that is named here, the others in phrases of their own."""
    if cut:
        return
    matched = [entry for entry in found if entry is not None]
    if not matched:
        generic = any(word.lower() in GENERIC for word in chunk.words)
        if generic or chunk.words[0].lower() in ("specific", "specified"):
            woven.cost += 0.5
            return
        woven.parts.append(f"{chunk.preposition} {_plain(chunk.words)} ")
        return
    for entry in matched:
        if entry.kind in _NAMED and chunk.preposition in ("for", "in", "of", "on", "at", "about") and entry.kind in ("place", "thing", "person"):
            preposition = "in" if entry.kind == "place" and chunk.preposition == "on" else chunk.preposition
            _emit(woven, preposition, (_named(entry),), entry)
            return


def _is_placeholder(chunk: Chunk, fields: Mapping[str, Field]) -> bool:
    """Say whether a phrase only stands for a value that is not given, or for the speaker."""
    low = [word.lower() for word in chunk.words]
    if any(word in GENERIC for word in low):
        return True
    content = content_words(chunk.words)
    if len(content) == 1 and content[0] in _SPEAKERS:
        return True
    return content[-1:] in (["database"], ["system"], ["parameter"], ["api"], ["criterion"], ["filter"], ["id"], ["name"], ["argument"])


def _plain(words: tuple[str, ...]) -> str:
    """Write a noun phrase that stays, its generic adjectives gone."""
    kept = [word for word in words if word.lower() not in GENERIC]
    if len(kept) < len(words) and kept and kept[0].lower() in ("a", "an"):
        kept[0] = "the"
    return re.sub(r" ,", ",", " ".join(kept))


def _weave_phrase(chunk: Chunk, entry: Field, pairs: tuple[Pair, ...], woven: Woven) -> None:
    """Weave one prepositional phrase that speaks of a field."""
    preposition = chunk.preposition
    if any(entry.name in (pair.first.name, pair.second.name) and pair.sort != "repo" for pair in pairs):
        return
    if preposition in ("by", "using", "given", "based on", "with", "via", "through", "including", "as"):
        if preposition == "by" and entry.kind == "person" and "name" not in [word.lower() for word in chunk.words]:
            _emit(woven, "by", (_named(entry),), entry)
        return
    if entry.kind in ("measure", "money", "flag", "letter", "coordinate", "moment", "object", "unit", "sort", "order", "format"):
        return
    if entry.kind == "year":
        _emit(woven, "in" if preposition in ("in", "during", "on", "of", "at") else preposition, (ref(entry),), entry)
    elif entry.kind == "date":
        _emit(woven, preposition if preposition in ("for", "from", "since", "until", "after", "before") else "on", (ref(entry),), entry)
    elif entry.kind == "duration":
        _emit(woven, preposition if preposition in ("for", "over", "within", "in", "after") else "for", (ref(entry),), entry)
    elif entry.kind == "id":
        _emit(woven, preposition, (*_identified(chunk.words, entry),), entry)
    elif entry.kind in ("list", "count"):
        if entry.kind == "list" and preposition in ("for", "of", "from", "to", "between", "in"):
            _emit(woven, preposition, (ref(entry),), entry)
    else:
        _emit(woven, preposition, (_named(entry),), entry)


def _identified(words: tuple[str, ...], entry: Field) -> Pieces:
    """Name a thing by its id: "the pending order W1"."""
    kept = [word for word in words if word.lower() not in GENERIC and word.lower() not in ("a", "an", "the", "any", "existing")]
    while len(kept) > 1 and kept[-1].lower() in ("id", "identifier", "number", "ids"):
        kept.pop()
    noun = " ".join(kept) or " ".join(entry.subject)
    return (f"{noun} ", ref(entry))


def _weave_object(words: tuple[str, ...], fields: Mapping[str, Field], woven: Woven) -> None:
    """Weave the object of the verb, which may name a field by a possessive, an id or itself."""
    if not words:
        return
    for index, word in enumerate(words):
        if word.lower().endswith(("'s", "s'")):
            entry, _ = best_field(words[: index + 1], fields, woven.used)
            rest = tuple(word for word in words[index + 1 :])
            if entry is not None and entry.kind in ("person", "thing", "place") and rest:
                woven.parts += [Ref(entry, "plain"), "'s "]
                woven.used.add(entry.name)
                words = rest
                break
            if singular(word.lower().removesuffix("'s")) in _SPEAKERS and rest:
                words = ("the", *rest)
                break
    phrases = _coordinated(words)
    content = content_words(words)
    woven.object_head = content[-1] if content else ""
    woven.object_plural = words[-1].lower() != singular(words[-1].lower())
    entry = best_field(words, fields, woven.used)[0] if len(phrases) == 1 else None
    if entry is not None and _object_is(entry, words, woven):
        return
    woven.determined = words[0].lower() in ("the", "all", "current", "latest") or woven.object_plural
    woven.parts.append(_plain(words) + " ")


def _object_is(entry: Field, words: tuple[str, ...], woven: Woven) -> bool:
    """Weave a field that the object itself speaks of; say whether it did."""
    if entry.kind == "id":
        # "the order W1", "pull request 5"
        noun = _identified(words, entry)
        _emit(woven, "", noun if isinstance(entry.description, str) and len(content_words(words)) > 1 else ("", *noun), entry)
        woven.determined = True
        return True
    if entry.kind in ("text", "formula", "query", "url", "email", "path", "list") and content_words(words)[-1:] != ["detail"]:
        _emit(woven, "", (Ref(entry, "mark") if entry.kind != "list" else ref(entry),), entry)
        return True
    if entry.kind in ("thing", "person", "place") and any(word.lower() in GENERIC for word in words):
        _emit(woven, "", (_named(entry),), entry)
        return True
    return False
