"""Weaving: the placeholder noun phrases of a description give way to the values they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.authors.offline.descriptions import Chunk, Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.matching import best_field, content_words, is_generic, match_score
from generator.authors.offline.objects import Object, plain_phrase, weave_object, without_type
from generator.authors.offline.pairs import Pair
from generator.authors.offline.pieces import Piece, Pieces, Ref, identified, named, ref
from generator.authors.offline.words import word_set

_CUT = word_set("using given including like by with via through per along than regarding") | {
    "based on",
    "such as",
    "along with",
    "as well",
    "due to",
    "up to",
}
"""Prepositions whose phrases list the inputs: cut, their values are said in phrases of their own."""
_MEANS = _CUT - {"per", "than"} | {"as"}
_SPEAKERS = word_set("user customer client you agent caller")
_PLUMBING = word_set("database system parameter api criterion filter id name argument")
_TIMELY = word_set("date time year")
_UNSAID_HERE = word_set("measure money flag letter coordinate moment object unit sort order format count")
_QUALITIES = ("type", "category", "kind", "genre", "style", "color", "condition")
_OWN = {"your": "my", "yourself": "myself", "you're": "I'm", "user's": "my", "customer's": "my", "yours": "mine"}
_BEFORE_SUBJECT = word_set("if whether that when what where")
_ALLOWED: dict[str, tuple[frozenset[str], str]] = {
    "year": (word_set("for since until after before from by through"), "in"),
    "date": (word_set("for from since until after before"), "on"),
    "duration": (word_set("for over within in after"), "for"),
}
"""Prepositions that a value of a class keeps, and the one it takes instead of any other."""
_ONLY_AFTER = {"number": word_set("of for"), "list": word_set("for of from to between in")}
"""Prepositions after which alone a value of a class replaces the phrase."""


@dataclass(slots=True)
class Woven:
    """The core of a request: pieces after the verb, the fields they say, and how well it went."""

    parts: list[Piece] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    cost: float = 0.0
    object: Object = field(default_factory=Object)
    last: Field | None = None
    """The field said last: "in a field of law" says "law" but once."""

    def say(self, preposition: str, parts: Pieces, *said: Field) -> None:
        """Add a phrase that says these fields."""
        self.parts += [f"{preposition} " if preposition else "", *parts, " "]
        self.used |= {entry.name for entry in said}
        self.last = said[-1]


def weave(sentence: Sentence, fields: Mapping[str, Field], pairs: tuple[Pair, ...]) -> Woven:
    """Put the given fields into the sentence where it speaks of them; drop what it says of fields not given."""
    woven = Woven()
    dropped = False
    for index, raw in enumerate(sentence.chunks):
        chunk = Chunk(raw.preposition, own_words(raw.words, raw.preposition))
        following = sentence.chunks[index + 1].preposition if index + 1 < len(sentence.chunks) else ""
        listing = woven.object.listed and content_words(chunk.words)[-1:] in (["list"], ["array"], ["set"], ["series"])
        repeated = woven.last is not None and content_words(chunk.words)[-1:] == list(woven.last.subject[-1:])
        if chunk.preposition == "of" and (dropped or listing or repeated):
            continue
        if chunk.preposition == "to" and woven.object.trailing:
            dropped = True
            continue
        before = len(woven.parts)
        if not _weave_pair(chunk, pairs, woven):
            if chunk.preposition:
                _weave_chunk(chunk, fields, pairs, woven)
            else:
                woven.object = weave_object(sentence, chunk.words, fields, woven.used, of=following in ("of", "for"))
                woven.parts += woven.object.parts
        dropped = chunk.preposition in _CUT and len(woven.parts) == before
    woven.parts += woven.object.trailing
    return woven


def own_words(words: tuple[str, ...], preposition: str = "") -> tuple[str, ...]:
    """Let the speaker speak: "your phone" and "the customer's account" become "my phone" and "my account"."""
    own: list[str] = []
    for word in words:
        low = word.lower()
        if low == "you":
            subject = own[-1].lower() in _BEFORE_SUBJECT if own else not preposition
            own.append("I" if subject else "me")
        elif low in _OWN and not low.endswith("'s"):
            own.append(_OWN[low])
        elif low in _OWN and (not own or own[-1].lower() in ("a", "an", "the")):
            own = [*own[:-1], _OWN[low]]
        else:
            own.append(word)
    return tuple(own)


def _weave_pair(chunk: Chunk, pairs: tuple[Pair, ...], woven: Woven) -> bool:
    """Weave what people say together: "in a repository", "between two cities", "from one place to another"."""
    words = content_words(chunk.words)
    head = words[-1] if words else ""
    for pair in pairs:
        if pair.first.name in woven.used or pair.second.name in woven.used:
            continue
        if pair.sort == "repo" and head in ("repository", "repo"):
            _say_repository(chunk, pair, woven)
            return True
        parts = _pair_parts(pair, chunk, words, head)
        if parts:
            woven.say(chunk.preposition, parts, pair.first, pair.second)
            return True
    return chunk.preposition == "to" and bool(woven.used) and _is_spent(chunk, words, woven, pairs)


def _pair_parts(pair: Pair, chunk: Chunk, words: list[str], head: str) -> Pieces:
    """Return how the chunk says a pair, empty where it does not speak of it."""
    first, second = pair.first, pair.second
    if pair.sort == "element" and head == "element" and first.name in ("element", "startElement"):
        return ("the ", ref(first), " (", ref(second), ")")
    if pair.sort == "point" and chunk.preposition and head in ("position", "location", "point", "coordinate"):
        return ("(", ref(first), ", ", ref(second), ")")
    if pair.sort == "route" and chunk.preposition == "from":
        return (named(first), " to ", named(second))
    two = "two" in words or chunk.preposition == "between"
    if not two or pair.sort not in ("twins", "route") or not chunk.preposition:
        return ()
    numeric = first.kind in ("measure", "money", "letter", "count") and head not in ("number", "integer", "value")
    if numeric or (head in _TIMELY and first.kind not in _TIMELY):
        return ()
    joint = " and " if chunk.preposition in ("between", "of", "for", "in", "on") else ", "
    return (named(first), joint, named(second))


def _is_spent(chunk: Chunk, words: list[str], woven: Woven, pairs: tuple[Pair, ...]) -> bool:
    """Say whether "to a destination" speaks of the second half of a pair that was said with its first half."""
    another = any(word.lower() == "another" for word in chunk.words)
    return any(
        pair.sort == "route"
        and pair.first.name in woven.used
        and (another or match_score(pair.second, words, generic=True) >= 2)
        for pair in pairs
    )


def _say_repository(chunk: Chunk, pair: Pair, woven: Woven) -> None:
    place = Ref(pair.first, "pair", pair.second)
    if chunk.preposition:
        woven.say(chunk.preposition, (place,), pair.first, pair.second)
        return
    woven.object = Object(head="repository", determined=True)
    woven.say("", ("the ", place, " repository") if len(chunk.words) > 1 else (place,), pair.first, pair.second)


def _weave_chunk(chunk: Chunk, fields: Mapping[str, Field], pairs: tuple[Pair, ...], woven: Woven) -> None:
    """Weave, keep or drop one prepositional phrase."""
    phrases = coordinated(chunk.words)
    found = [best_field(phrase, fields, woven.used) for phrase in phrases]
    if len(phrases) > 1:
        _weave_listing(chunk, [entry for entry in found if entry is not None], pairs, woven)
    elif found and found[0] is not None:
        _weave_phrase(chunk, found[0], pairs, woven)
    elif woven.parts and (chunk.preposition in _CUT or _is_placeholder(chunk)):
        woven.cost += 0.3
    else:
        woven.parts.append(f"{chunk.preposition} {plain_phrase(chunk.words)} ")
        woven.cost += 0.2


def coordinated(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Split "a city, date and time" into its noun phrases."""
    phrases: list[list[str]] = [[]]
    for word in words:
        if word.lower() in (",", "and", "or", "and/or"):
            phrases.append([])
        else:
            phrases[-1].append(word)
    return [tuple(phrase) for phrase in phrases if phrase]


def _weave_listing(chunk: Chunk, matched: list[Field], pairs: tuple[Pair, ...], woven: Woven) -> None:
    """Weave "for a city and date": the first that is named here, the others in phrases of their own."""
    if chunk.preposition in _CUT:
        return
    if not matched:
        if is_generic(chunk.words):
            woven.cost += 0.5
        else:
            woven.parts.append(f"{chunk.preposition} {plain_phrase(chunk.words)} ")
        return
    for entry in matched:
        if entry.kind in ("place", "thing", "person") and chunk.preposition in ("for", "in", "of", "on", "at", "about"):
            if not _say_place(chunk.preposition, entry, pairs, woven):
                woven.say(_for_place(chunk.preposition, entry), (named(entry),), entry)
            return


def _say_place(preposition: str, entry: Field, pairs: tuple[Pair, ...], woven: Woven) -> bool:
    """Say a city with its country; say whether the field is part of such a pair."""
    for pair in pairs:
        if pair.sort == "place" and entry in (pair.first, pair.second):
            place = (ref(pair.first), ", ", ref(pair.second))
            woven.say(_for_place(preposition, pair.first), place, pair.first, pair.second)
            return True
    return False


def _for_place(preposition: str, entry: Field) -> str:
    return "in" if entry.kind == "place" and preposition == "on" else preposition


def _is_placeholder(chunk: Chunk) -> bool:
    """Say whether a phrase only stands for a value that is not given, or for the speaker, or for plumbing."""
    content = content_words(chunk.words)
    if is_generic(chunk.words) or not content:
        return True
    speaker = len(content) == 1 and content[0] in _SPEAKERS and chunk.words[-1].lower() == content[0]
    return speaker or content[-1] in _PLUMBING or any(":" in word or "`" in word for word in chunk.words)


def _say_quality(chunk: Chunk, entry: Field, woven: Woven) -> None:
    """Say "for a used instrument" where the field is a quality of what the phrase names."""
    words = plain_phrase(chunk.words).split(" ")
    article = f"{words[0]} " if words[0].lower() in ("a", "an", "the", "all") else ""
    thing = without_type(words[1:] if article else words)
    woven.say(chunk.preposition, (article, Ref(entry, "plain"), f" {' '.join(thing)}"), entry)


def _weave_phrase(chunk: Chunk, entry: Field, pairs: tuple[Pair, ...], woven: Woven) -> None:
    """Weave one prepositional phrase that speaks of a field."""
    preposition = chunk.preposition
    if preposition in ("in", "for", "of", "at", "near", "from", "to") and _say_place(preposition, entry, pairs, woven):
        return
    if any(entry in (pair.first, pair.second) and pair.sort != "repo" for pair in pairs):
        return
    if preposition in _MEANS:
        if preposition == "by" and entry.kind == "person" and not any(word.lower() == "name" for word in chunk.words):
            woven.say("by", (named(entry),), entry)
    elif entry.kind in _ALLOWED:
        kept, usual = _ALLOWED[entry.kind]
        woven.say(preposition if preposition in kept else usual, (ref(entry),), entry)
    elif entry.kind == "id":
        woven.say(preposition, identified(chunk.words, entry), entry)
    elif entry.kind in _ONLY_AFTER:
        if preposition in _ONLY_AFTER[entry.kind]:
            woven.say(preposition, (ref(entry),), entry)
    elif entry.name.lower().endswith(_QUALITIES) and content_words(chunk.words)[-1:] != ["type"]:
        _say_quality(chunk, entry, woven)
    elif entry.kind not in _UNSAID_HERE:
        woven.say(preposition, (named(entry),), entry)
