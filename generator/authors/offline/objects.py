"""Objects: what the verb of a request is done to, with the values that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.authors.offline.descriptions import Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.matching import DETERMINERS, GENERIC, best_field, content_words, is_generic
from generator.authors.offline.phrasebook import ADJECTIVES
from generator.authors.offline.pieces import Piece, Ref, identified, named, ref
from generator.authors.offline.words import is_plural, is_uncounted, singular, word_set

_NAMEABLE = word_set("thing person place")
_WHOLE = word_set("text formula query url email path list")
"""Classes whose value can be the object itself: "translate "Good morning"", "open https://..."."""
_PARTICIPLES = word_set("made taken sent given written played known held led run done owned")
_BEFORE_ADJECTIVES = word_set(
    """new nearby local upcoming top best most popular highest rated latest recent closest nearest random available
    all active current famous first last next more less customized detailed list of"""
)
_THE = word_set("weather traffic history status humidity inventory availability")
_MAKERS = word_set("create add make generate open book build design order draft compose write post schedule")
_CHANGERS = word_set("update change modify set edit rename adjust reset switch")
_CLAUSES = word_set("if whether that what how who when where")
_UNMODIFIED = word_set("details information data history status")
_AS_WRITTEN = {"ON": "on", "OFF": "off", "id": "ID", "ids": "IDs", "url": "URL"}
_SUMS = word_set("amount money fund sum value")
_BARE_NAMES = word_set("entity item object name company key")


@dataclass(slots=True)
class Object:
    """The object as pieces; `trailing` pieces close the core ("to closed")."""

    parts: list[Piece] = field(default_factory=list)
    trailing: list[Piece] = field(default_factory=list)
    head: str = ""
    plural: bool = False
    listed: bool = False
    """Whether a list stands in its place."""
    determined: bool = False
    """Whether it says "the" or is a bare plural: it can be asked for with "what is the"."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an object stands: its sentence, the words of it, the fields of the call and those already said."""

    sentence: Sentence
    words: tuple[str, ...]
    fields: Mapping[str, Field]
    used: set[str]
    of: bool
    """Whether a phrase with "of" or "for" follows."""

    @property
    def verb(self) -> str:
        return self.sentence.verb


def weave_object(
    sentence: Sentence, words: tuple[str, ...], fields: Mapping[str, Field], used: set[str], *, of: bool
) -> Object:
    """Weave the object of the verb, which may speak of a field by a possessive, by an id or by its own noun.

    The names of the fields it says are added to `used`.
    """
    result = Object()
    if not words:
        return result
    words = _own_possessive(words, fields, used, result)
    if len(words) > 2 and words[-1].lower().endswith("ly"):
        result.trailing.append(words[-1] + " ")
        words = words[:-1]
    if sentence.sort == "act" and words[-1].lower() in ("user", "customer") and len(words) == 2:
        words = words if best_field(words, fields, used) else ("me",)
    place = _Place(sentence, words, fields, used, of)
    _describe(words, result)
    single = not any(word.lower() in (",", "and", "or") for word in words)
    entry = best_field(words, fields, used) if single else None
    if entry is not None and _names_object(entry, place, result):
        used.add(entry.name)
        return result
    plain = _determined(place, result)
    result.parts += _modified(plain, place, result) if single else [" ".join(plain).replace(" ,", ",") + " "]
    return result


def _own_possessive(
    words: tuple[str, ...], fields: Mapping[str, Field], used: set[str], result: Object
) -> tuple[str, ...]:
    """Replace "a company's" before a noun by "Apple's"; return the words that remain."""
    for index, word in enumerate(words[:-1]):
        if word.lower().endswith(("'s", "s'")):
            entry = best_field(words[: index + 1], fields, used)
            if entry is not None and entry.kind in _NAMEABLE:
                result.parts += [Ref(entry, "plain"), "'s "]
                used.add(entry.name)
                return words[index + 1 :]
    return words


def _describe(words: tuple[str, ...], result: Object) -> None:
    """Note the head noun and its number, participles after it left aside: "all referrals made"."""
    bare = list(words[: words.index("of")] if "of" in words[1:] else words)
    while len(bare) > 1 and (bare[-1].lower().endswith("ed") or bare[-1].lower() in _PARTICIPLES):
        bare.pop()
    content = content_words(tuple(bare))
    last = bare[-1].lower()
    result.head = content[-1] if content else ""
    result.plural = is_plural(last) and not is_uncounted(last)


def _determined(place: _Place, result: Object) -> list[str]:
    """Return the object's words, with "the" where a person would say it."""
    first = place.words[0].lower()
    plain = plain_phrase(place.words).split(" ")
    if first in _CLAUSES:
        return plain
    bare_plural = result.plural and first not in ("a", "an", "any")
    result.determined = bool(result.parts) or bare_plural or first in ("the", "all", "my", "current", "latest")
    named_thing = plain[0][:1].isupper() or plain[0].endswith("'s") or bool(result.parts)
    countable = not is_uncounted(result.head) or result.head in _THE
    asks = place.sentence.sort in ("inform", "compute")
    if asks and countable and not named_thing and not result.plural and plain[0].lower() not in DETERMINERS:
        result.determined = True
        return ["the", *plain]
    return plain


def plain_phrase(words: tuple[str, ...]) -> str:
    """Write a noun phrase that stays, its generic adjectives gone."""
    kept = [_AS_WRITTEN.get(word, word) for word in words if word.lower() not in GENERIC]
    if len(kept) < len(words) and kept and kept[0].lower() in ("a", "an"):
        kept[0] = "the"
    return " ".join(kept).replace(" ,", ",")


def _names_object(entry: Field, place: _Place, result: Object) -> bool:
    """Weave a field that the object itself speaks of; say whether it did."""
    changes = place.verb in _CHANGERS
    if entry.kind == "id" and not (place.of and changes):
        result.parts += [] if result.plural else [*identified(place.words, entry), " "]
        return not result.plural
    if changes:
        return _says_change(entry, place, result)
    if entry.kind in _WHOLE and result.head != "detail":
        nested = entry.element is not None and entry.element.kind in ("object", "list")
        result.parts += [] if nested else [ref(entry), " "]
        result.listed = entry.kind == "list" and not nested
        return not nested
    if _is_whole(entry, place, result):
        result.parts += [ref(entry), " "]
        return True
    return entry.kind in _NAMEABLE and _says_name(entry, place, result)


def _is_whole(entry: Field, place: _Place, result: Object) -> bool:
    """Say whether a number is the object itself: "convert 200", "factor 60"."""
    if entry.kind == "number":
        return result.head in ("number", "integer", "value", "amount")
    return place.sentence.sort == "act" and entry.kind in ("money", "measure") and result.head in _SUMS


def _says_change(entry: Field, place: _Place, result: Object) -> bool:
    """Say "change the title ... to X"."""
    nested = entry.element is not None and entry.element.kind in ("object", "list")
    surely = result.head in entry.heads or singular(entry.subject[-1]) == result.head
    if nested or not surely or entry.kind in ("flag", "object", "path", "person"):
        return False
    noun = [word for word in place.words if word.lower() not in GENERIC and word.lower() not in DETERMINERS]
    owner = "my" if place.words[0].lower() == "my" else "the"
    result.parts.append(f"{owner} {' '.join(noun)} ")
    result.trailing += ["to ", ref(entry), " "]
    return True


def _says_name(entry: Field, place: _Place, result: Object) -> bool:
    """Say "the label bug" for "a specific label", "Ada" for "a contact"."""
    if entry.name.lower().endswith(("type", "category", "kind", "status")):
        return False
    noun = " ".join(content_words(place.words))
    simple = len(place.words) == 2 and place.words[0].lower() in ("a", "an")
    own_noun = noun.split() == [singular(word) for word in entry.subject]
    if not is_generic(place.words) and not (simple and own_noun and place.verb not in _MAKERS):
        return False
    with_noun = entry.kind == "thing" and noun not in _BARE_NAMES
    result.parts += [f"the {noun} ", ref(entry), " "] if with_noun else [named(entry), " "]
    return True


def _modified(words: list[str], place: _Place, result: Object) -> list[Piece]:
    """Set adjectives and a number of results before the noun: "a single room", "the 5 tallest mountains"."""
    low = [word.lower() for word in words]
    start = 1 if low[0] in DETERMINERS else 0
    parts: list[Piece] = [words[0] + " "] if start else []
    limit = _countable(low, place, result)
    if limit is not None:
        place.used.add(limit.name)
        parts, start = _counted(low, start, limit)
    owned = any(word.endswith(("'s", "s'")) for word in low)
    open_fields = [entry for entry in place.fields.values() if entry.name not in place.used and not owned]
    adjectives = [entry for entry in open_fields if _is_adjective(entry, low)][:2]
    if not adjectives:
        return [*parts, " ".join(words[start:]) + " "]
    place.used.update(entry.name for entry in adjectives)
    words = [*words[:start], *without_type(words[start:])]
    position = start
    while position < len(words) - 1 and (low[position] in _BEFORE_ADJECTIVES or low[position].endswith("est")):
        position += 1
    if position > start:
        parts.append(" ".join(words[start:position]) + " ")
    for entry in adjectives:
        parts += [Ref(entry, "plain"), " "]
    return [*parts, " ".join(words[position:]) + " "]


def without_type(words: list[str]) -> list[str]:
    """Return "hotel room" for "type of hotel room": the value tells the type."""
    return words[2:] if len(words) > 2 and words[0].lower() in ("type", "kind") and words[1].lower() == "of" else words


def _countable(words: list[str], place: _Place, result: Object) -> Field | None:
    """Return the field that limits the number of results, where the object can be counted."""
    if not result.plural or "list" in words or words[-1] in _UNMODIFIED:
        return None
    limits = (entry for entry in place.fields.values() if entry.kind == "limit" and "per" not in entry.name.lower())
    return next(limits, None)


def _counted(words: list[str], start: int, limit: Field) -> tuple[list[Piece], int]:
    """Return the pieces that say the number, and where the words after them begin."""
    head = words[start] if len(words) > start + 1 else ""
    if head in ("top", "first", "last", "latest"):
        return [f"the {head} ", Ref(limit, "plain"), " "], start + 1
    ranked = head in ("best", "most") or head.endswith("est") or words[0] == "the"
    return ["the " if ranked else "", Ref(limit, "plain"), " "], start


def _is_adjective(entry: Field, words: list[str]) -> bool:
    """Say whether the values of a field can stand before the noun of these words."""
    last = entry.noun.rsplit(" ", 1)[-1]
    if entry.kind not in ("thing", "choice", "status") or last not in ADJECTIVES or words[-1] in _UNMODIFIED:
        return False
    if last == "type":
        return entry.noun != "type" and entry.subject[-1] in [singular(word) for word in words]
    if last in ("state", "status", "severity"):
        return words[-1] != singular(words[-1])
    return last in ("genre", "cuisine", "color", "colour", "gender", "flavor") or entry.subject[-1] in words
