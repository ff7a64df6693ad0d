"""Weaving: the placeholder noun phrases of a description give way to the values they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.authors.offline.descriptions import Chunk, Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.pairs import Pair
from generator.authors.offline.phrasebook import ADJECTIVES
from generator.authors.offline.pieces import Piece, Pieces, Ref, ref
from generator.authors.offline.words import is_plural, is_uncounted, singular, word_set

GENERIC = word_set("""specific specified given particular certain provided desired requested target input user-specified user-defined
    user-provided chosen selected supplied relevant designated predefined various appropriate respective custom
    defined""")
_DETERMINERS = word_set("a an the one any some this that its their your my his her each every all")
_CUT = word_set("""using given including like such as based on by with via through per as along with than due to regarding
    as well up to""") - {"as", "to", "on", "well", "up"} | {"based on", "such as", "along with", "as well", "due to", "up to"}  # fmt: skip
_SPEAKERS = word_set("user customer client you agent caller")
_NAMED = word_set("""place person thing email url phone language currency month time owner repo status season choice unit title query
    text path format sort formula""")
_SYNONYMS = (
    word_set("location place city area region town address venue destination"),
    word_set("company stock firm business corporation ticker symbol"),
    word_set("user customer person individual member"),
    word_set("period timeframe duration time span days years months"),
    word_set("topic subject keyword query term text string phrase"),
    word_set("song track title"),
    word_set("expression equation formula function"),
    word_set("item product"),
    word_set("file path document filename"),
    word_set("page url website webpage link"),
    word_set("number integer value"),
    word_set("movie film"),
    word_set("date day"),
)
_GROUPS: dict[str, frozenset[int]] = {}
for _index, _group in enumerate(_SYNONYMS):
    for _word in _group:
        _GROUPS[_word] = _GROUPS.get(_word, frozenset()) | {_index}
_JOINED = re.compile(r"^(?:list|array|set|collection|series|group)\s+of\s+", re.IGNORECASE)


@dataclass(slots=True)
class Woven:
    """The core of a request: pieces after the verb, the fields they say, and how well it went."""

    parts: list[Piece] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    adjectives: list[str] = field(default_factory=list)
    cost: float = 0.0
    object_head: str = ""
    object_plural: bool = False
    kept_last: bool = True
    trailing: list[Piece] = field(default_factory=list)
    determined: bool = False
    """Whether the object says "the" or is a bare plural: it can be asked for with "what is the"."""


def content_words(words: tuple[str, ...]) -> list[str]:
    """Return the lower-case words that carry meaning, in singular."""
    return [
        singular(low[:-2] if low.endswith("'s") else low.rstrip("'"))
        for low in " ".join(words).lower().replace("-", " ").split()
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
    if candidate.name.startswith(("new", "updated", "desired")):
        score += 0.4
    elif candidate.name.startswith(("current", "old", "previous")):
        score -= 0.6
    score += sum(0.6 for word in subject[:-1] if word[:4] in others)
    score -= 0.5 * max(0, len(words) - 1 - len(subject)) if not generic else 0
    return score + (0.7 if generic else 0)


def weave(sentence: Sentence, fields: Mapping[str, Field], pairs: tuple[Pair, ...]) -> Woven:
    """Put the given fields into the sentence where it speaks of them; drop what it says of fields not given."""
    woven = Woven()
    open_pairs = list(pairs)
    for index, chunk in enumerate(sentence.chunks):
        chunk = Chunk(chunk.preposition, own_words(chunk.words))
        last = index == len(sentence.chunks) - 1
        if _weave_pair(chunk, sentence.chunks[index + 1 :], open_pairs, woven):
            continue
        if chunk.preposition == "of" and index and sentence.chunks[index - 1].preposition in _CUT and not woven.kept_last:
            continue
        before = len(woven.parts)
        of = not last and sentence.chunks[index + 1].preposition in ("of", "for")
        _weave_chunk(chunk, fields, pairs, woven, sentence.sort, sentence.verb, last=last, of=of)
        woven.kept_last = len(woven.parts) > before
    woven.parts += woven.trailing
    return woven


_OWN = {"your": "my", "you": "I", "yourself": "myself", "you're": "I'm", "user's": "my", "customer's": "my", "yours": "mine"}


def own_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Let the speaker speak: "your phone" and "the customer's account" become "my phone" and "my account"."""
    own: list[str] = []
    for word in words:
        low = word.lower()
        if low in _OWN and not (low.endswith("'s") and own and own[-1].lower() not in ("a", "an", "the")):
            if low.endswith("'s") and own:
                own.pop()
            subject = low == "you" and (not own or own[-1].lower() in ("if", "whether", "that", "when", "what", "where"))
            own.append("me" if low == "you" and not subject else _OWN[low])
        else:
            own.append(word)
    return tuple(own)


def _weave_pair(chunk: Chunk, following: tuple[Chunk, ...], open_pairs: list[Pair], woven: Woven) -> bool:
    """Weave "in a repository", "between two cities", "from one place to another"."""
    words = content_words(chunk.words)
    for pair in open_pairs:
        if pair.first.name in woven.used:
            if pair.sort == "route" and chunk.preposition == "to" and "another" in words + [w.lower() for w in chunk.words]:
                return True
            continue
        if pair.sort == "element" and words and words[-1] == "element" and pair.first.name in ("element", "startElement"):
            _emit(woven, chunk.preposition, ("the ", ref(pair.first), " (", ref(pair.second), ")"), pair.first, pair.second)
            return True
        if pair.sort == "point" and words and chunk.preposition and words[-1] in ("position", "location", "point", "coordinate"):
            _emit(woven, chunk.preposition, ("(", ref(pair.first), ", ", ref(pair.second), ")"), pair.first, pair.second)
            return True
        if pair.sort == "repo" and words and words[-1] in ("repository", "repo"):
            return _weave_repository(chunk, pair, woven)
        two = ("two" in words or "between" == chunk.preposition) and pair.first.kind not in ("measure", "money", "letter", "count")
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


def _weave_chunk(chunk: Chunk, fields: Mapping[str, Field], pairs: tuple[Pair, ...], woven: Woven, sort: str, verb: str, *, last: bool, of: bool) -> None:
    phrases = _coordinated(chunk.words)
    cut = chunk.preposition in _CUT
    found = [best_field(phrase, fields, woven.used)[0] for phrase in phrases]
    if not chunk.preposition:
        _weave_object(chunk.words, fields, woven, sort, verb, of=of)
    elif len(phrases) > 1:
        _weave_listing(chunk, phrases, found, cut, pairs, woven)
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


def _weave_listing(chunk: Chunk, phrases: list[tuple[str, ...]], found: list[Field | None], cut: bool, pairs: tuple[Pair, ...], woven: Woven) -> None:
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
        joined = next((pair for pair in pairs if pair.sort == "place" and entry in (pair.first, pair.second)), None)
        if joined is not None:
            _emit(woven, "in" if chunk.preposition == "on" else chunk.preposition, (ref(joined.first), ", ", ref(joined.second)), joined.first, joined.second)
            return
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
    joined = next((pair for pair in pairs if pair.sort == "place" and entry in (pair.first, pair.second)), None)
    if joined is not None and preposition in ("in", "for", "of", "at", "near", "from", "to"):
        _emit(woven, preposition, (ref(joined.first), ", ", ref(joined.second)), joined.first, joined.second)
        return
    if any(entry.name in (pair.first.name, pair.second.name) and pair.sort != "repo" for pair in pairs):
        return
    if preposition in ("by", "using", "given", "based on", "with", "via", "through", "including", "as"):
        if preposition == "by" and entry.kind == "person" and "name" not in [word.lower() for word in chunk.words]:
            _emit(woven, "by", (_named(entry),), entry)
        return
    if entry.kind == "number":
        if preposition in ("of", "for"):
            _emit(woven, preposition, (ref(entry),), entry)
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


def _weave_object(words: tuple[str, ...], fields: Mapping[str, Field], woven: Woven, sort: str, verb: str, *, of: bool) -> None:
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
    if verb not in ("get", "retrieve") and " ".join(words).lower() in ("the user", "the customer", "a user", "a customer"):
        if best_field(words, fields, woven.used)[0] is None:
            words = ("me",)
    phrases = _coordinated(words)
    bare = list(words)
    while len(bare) > 1 and (bare[-1].lower().endswith("ed") or bare[-1].lower() in _PARTICIPLES):
        bare.pop()
    content = content_words(tuple(bare))
    woven.object_head = content[-1] if content else ""
    woven.object_plural = is_plural(bare[-1].lower()) and not is_uncounted(bare[-1].lower())
    entry = best_field(words, fields, woven.used)[0] if len(phrases) == 1 else None
    if entry is not None and _object_is(entry, words, woven, verb, of=of):
        return
    first_word = words[0].lower()
    woven.determined = first_word in ("the", "all", "my", "current", "latest") or woven.object_plural and first_word not in ("a", "an", "any")
    plain = _plain(words).split(" ")
    clause = first_word in ("if", "whether", "that", "what", "how", "who", "when", "where")
    woven.determined &= not clause
    if sort in ("inform", "compute") and not clause and plain[0].lower() not in _DETERMINERS and not woven.object_plural:
        if (not is_uncounted(woven.object_head) or woven.object_head in _THE) and not plain[0][:1].isupper() and not plain[0].endswith("'s") and not woven.parts:
            plain.insert(0, "the")
            woven.determined = True
    woven.parts += _modified(plain, fields, woven) if len(phrases) == 1 else [" ".join(plain) + " "]


_PARTICIPLES = word_set("made taken sent given written played known held led run done owned")
_BEFORE_ADJECTIVES = word_set(
    """new nearby local upcoming top best most popular highest rated latest recent closest nearest random available all
    active current famous first last next more less available customized detailed list of"""
)


_THE = word_set("weather traffic history status humidity inventory availability")


def _modified(words: list[str], fields: Mapping[str, Field], woven: Woven) -> list[Piece]:
    """Set adjectives and a number of results before the noun: "a single room", "the 5 tallest mountains"."""
    low = [word.lower() for word in words]
    start = 1 if low[0] in _DETERMINERS else 0
    position = start
    while position < len(words) - 1 and (low[position] in _BEFORE_ADJECTIVES or low[position].endswith("est")):
        position += 1
    adjectives = [entry for entry in fields.values() if entry.name not in woven.used and _is_adjective(entry, low)][:2]
    limit = next((entry for entry in fields.values() if entry.kind == "limit" and "per" not in entry.name.lower()), None)
    counted = limit is not None and woven.object_plural and "list" not in low and "information" not in low and "details" not in low
    parts: list[Piece] = []
    if counted and limit is not None and limit.name not in woven.used:
        head = low[start] if len(words) > start + 1 else ""
        ranked = head in ("top", "first", "last", "latest", "best") or head.endswith("est") or head == "most"
        if head in ("top", "first", "last", "latest"):
            parts += [f"the {head} ", Ref(limit, "plain"), " "]
            start += 1
        else:
            parts += ["the " if ranked or low[0] == "the" else "", Ref(limit, "plain"), " "]
        woven.used.add(limit.name)
    elif start:
        parts.append(words[0] + " ")
    position = max(position, start)
    woven.used |= {adjective.name for adjective in adjectives}
    before = " ".join(words[start:position])
    for adjective in adjectives:
        parts += [Ref(adjective, "plain"), " "]
    if adjectives and before:
        parts[-2 * len(adjectives) : -2 * len(adjectives)] = [before + " "]
    return [*parts, " ".join(words[position if adjectives else start :]) + " "]


def _is_adjective(entry: Field, words: list[str]) -> bool:
    """Say whether the values of a field can stand before the noun of these words."""
    if entry.kind not in ("thing", "choice", "status") or words[-1] in ("details", "information", "data", "history", "status"):
        return False
    last = entry.noun.rsplit(" ", 1)[-1]
    if last not in ADJECTIVES:
        return False
    if last == "type":
        return entry.noun != "type" and entry.subject[-1] in [singular(word) for word in words]
    if last in ("state", "status", "severity"):
        return words[-1] != singular(words[-1])
    return last in ("genre", "cuisine", "color", "colour", "gender", "flavor") or entry.subject[-1] in words


def _object_is(entry: Field, words: tuple[str, ...], woven: Woven, verb: str, *, of: bool) -> bool:
    """Weave a field that the object itself speaks of; say whether it did."""
    if entry.kind == "id" and not (of and verb in _CHANGERS):
        if woven.object_plural:
            return False
        noun = _identified(words, entry)
        _emit(woven, "", noun, entry)
        return True
    nested = entry.kind == "list" and entry.element is not None and entry.element.kind in ("object", "list")
    if verb not in _CHANGERS and not nested and entry.kind in ("text", "formula", "query", "url", "email", "path", "list") and content_words(words)[-1:] != ["detail"]:
        _emit(woven, "", (Ref(entry, "mark") if entry.kind != "list" else ref(entry),), entry)
        return True
    if entry.kind == "number" and woven.object_head in ("number", "integer", "value"):
        _emit(woven, "", (ref(entry),), entry)
        return True
    if entry.kind in ("thing", "person", "place") and any(word.lower() in GENERIC for word in words):
        noun = " ".join(content_words(words))
        named = entry.kind == "thing" and noun not in ("entity", "item", "object", "name", "company", "key")
        _emit(woven, "", (f"the {noun} ", ref(entry)) if named else (_named(entry),), entry)
        return True
    simple = words[0].lower() in ("a", "an") and len(words) == 2 and content_words(words) == [singular(word) for word in entry.subject]
    if simple and verb not in _MAKERS and entry.kind in ("thing", "person", "place"):
        noun = (f"the {words[-1]} ",) if entry.kind == "thing" and words[-1] != "key" else ()
        _emit(woven, "", (*noun, ref(entry)), entry)
        return True
    if verb in _CHANGERS and entry.kind not in ("flag", "object", "path", "person"):
        noun = " ".join(word for word in words if word.lower() not in GENERIC and word.lower() not in _DETERMINERS)
        woven.parts.append(("my " if words[0].lower() == "my" else "the ") + noun + " ")
        woven.trailing += ["to ", ref(entry), " "]
        woven.used.add(entry.name)
        return True
    return False


_MAKERS = word_set("create add make generate open book build design order draft compose write post schedule")
_CHANGERS = word_set("update change modify set edit rename replace adjust reset switch")
