"""What a tool does, read from its name and description: a family of operations, a verb and the thing it acts on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_VERBS: dict[str, str] = {
    "get": "get retrieve fetch read show view describe lookup access obtain display provide tell pull open "
    "determine identify recognize detect extract locate inspect monitor track whois details info cat "
    "tail head blame",
    "search": "search find list browse query discover recommend suggest filter finder explore scan grep ls enumerate",
    "compute": "calculate compute calc evaluate estimate solve sum average integrate differentiate derive count "
    "measure quantify subtract multiply divide sqrt round calculator calculation simplify factor "
    "factorize solver estimator",
    "predict": "predict project simulate prediction simulation extrapolate model",
    "convert": "convert conversion converter transform translate transpose encode decode",
    "analyze": "analyze analyse analysis analyzer classify assess compare diagnose summarize parse interpret "
    "analyser evaluator classifier comparison",
    "create": "create add insert register new make post publish write save upload store record build append log "
    "draft train compose fork design enroll watch bookmark pin attach import init mkdir touch upsert",
    "generate": "generate generator produce draw plot render synthesize paint shuffle roll deal random mix sketch "
    "brainstorm randomize",
    "update": "update edit modify change set replace rename move patch adjust assign merge mark reset configure "
    "customize resize tune put reprioritize manage approve reject dismiss upgrade rotate extend mv cp "
    "copy reassign checkout resolve exchange return star unstar follow unfollow subscribe unsubscribe waive "
    "freeze unfreeze block unblock deny unresolve reopen reseat ignore restart dim",
    "delete": "delete remove cancel clear drop revoke erase purge destroy terminate rm rmdir unpin unassign "
    "uninstall void",
    "send": "send notify email message reply forward mention retweet tweet invite share alert broadcast ping "
    "contact sms",
    "check": "check verify validate is has can confirm ensure exists audit",
    "book": "book reserve booking reservation",
    "order": "order buy purchase trade sell invest place",
    "pay": "pay transfer deposit withdraw refund charge donate fund transact refuel",
    "schedule": "schedule reschedule plan remind appoint",
    "play": "play stream listen resume pause skip",
    "session": "login logout authenticate authorize signin signout connect disconnect sign",
    "toggle": "toggle activate deactivate enable disable turn lock unlock start stop switch power press release "
    "grant reboot suspend mute unmute control",
    "run": "run execute call invoke trigger submit apply perform process request click navigate hover drag "
    "type select wait deploy install take file give initiate print close handle scroll fill exec echo highlight "
    "annotate emulate",
}
FAMILIES: tuple[str, ...] = tuple(_VERBS)
"""Every family of operations."""

_FAMILY_OF: dict[str, str] = {verb: family for family, verbs in _VERBS.items() for verb in verbs.split()}

_NOUN_TOO = frozenset(
    "contact book order file list record play issue comment review test model project text message email log schedule "
    "plan post draft share charge trade head show view request process type power time match alert count measure "
    "average sum factor estimate info details reservation booking prediction simulation calculation analysis "
    "comparison new design control watch query search store paint mix can is has fund access take track plot "
    "press start add drop save transfer switch stream place release lock forward deposit call tail pin deal roll "
    "position print display fork close conversion random train block follow exchange return star invest run set "
    "refund donate pull blame highlight".split()
)
"""Words that are as often the thing as the deed: verbs only where they stand first in a name or its last part."""

_ASPECTS = frozenset(
    "info information details detail data tool api function service by for of from in with to the a an all and on "
    "at based using via near specific given id new my current custom single simple detailed comprehensive v1 v2 "
    "or engine helper prediction simulation calculation estimate analysis comparison lookup process result "
    "results value values write read method get nearby nearest closest latest best top most popular upcoming "
    "search conversion up".split()
)
_LINK = frozenset(
    "by for of from in with to on at based using via near per between given under into as during after before".split()
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IRREGULAR = {
    "calories": "calorie",
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "feet": "foot",
    "indices": "index", "matrices": "matrix", "vertices": "vertex", "analyses": "analysis", "criteria": "criterion",
    "movies": "movie", "cookies": "cookie", "species": "species", "series": "series", "news": "news",
    "statistics": "statistics", "stats": "statistics", "physics": "physics", "theaters": "theater",
    "timezones": "timezone", "address": "address", "status": "status", "progress": "progress", "gas": "gas",
    "lyrics": "lyrics", "dice": "dice", "process": "process", "mass": "mass", "class": "class", "access": "access",
    "business": "business", "analysis": "analysis", "basis": "basis", "bus": "bus", "tennis": "tennis",
    "glass": "glass", "loss": "loss", "virus": "virus", "chess": "chess", "odds": "odds", "lens": "lens",
    "directions": "directions", "hours": "hours", "earnings": "earnings", "campus": "campus", "atlas": "atlas",
    "details": "details", "credentials": "credentials", "thermodynamics": "thermodynamics", "gps": "gps",
    "kinematics": "kinematics", "sales": "sales", "sports": "sports", "mathematics": "mathematics", "us": "us",
    "savings": "savings", "genetics": "genetics", "synthesis": "synthesis", "this": "this",
    "is": "is", "has": "has", "was": "was", "its": "its", "museums": "museum", "radius": "radius", "census": "census",
    "apparatus": "apparatus", "corpus": "corpus", "focus": "focus", "bonus": "bonus", "menus": "menu",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operation:
    """What a tool does. `things` are the singular words of what it acts on, the head last: ("pull", "request")."""

    family: str
    verb: str
    things: tuple[str, ...]
    many: bool
    """Whether the tool answers with several things."""
    words: tuple[str, ...]
    """Every word of the name, lower case, as written."""

    @property
    def thing(self) -> str:
        """The thing in words, e.g. `pull request`; `request` where the name tells none."""
        return " ".join(self.things) or "request"


def is_verb(word: str) -> bool:
    """Say whether a word is one of the verbs that tools are named by."""
    return word in _FAMILY_OF


def name_words(name: str) -> list[str]:
    """Split a name at dots, dashes, underscores and capitals: `getUserByID2` gives get, user, by, id, 2."""
    return [word.lower() for word in _WORD.findall(name)]


@lru_cache(maxsize=8192)
def snake(name: str) -> str:
    """Write a name in snake case: `maxResults` gives max_results; names without letters come back as they are."""
    return "_".join(name_words(name)) or name


def singular(word: str) -> str:
    """Return the singular of an English noun; words that are no plural come back as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses", "zzes")) else word[:-1]


def plural(word: str) -> str:
    """Return the plural of an English noun, as the key of a list is named."""
    if word in _IRREGULAR.values() and word.endswith("s") and singular(word) == word:
        return word if word.endswith(("ics", "ies", "ws", "urs")) else word + "es"
    for many, one in _IRREGULAR.items():
        if one == word and many != word:
            return many
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


_PAST = {
    "unfreeze": "unfrozen", "login": "logged_in", "logout": "logged_out", "train": "trained",
    "sign": "signed_in", "signin": "signed_in", "signout": "signed_out", "grant": "granted", "pause": "paused",
    "set": "set", "put": "put", "send": "sent", "pay": "paid", "cancel": "cancelled", "submit": "submitted",
    "withdraw": "withdrawn", "transfer": "transferred", "drop": "dropped", "stop": "stopped", "write": "written",
    "run": "completed", "make": "made", "give": "given", "take": "taken", "reset": "reset", "edit": "edited",
    "rm": "removed", "rmdir": "removed", "mv": "moved", "cp": "copied", "pin": "pinned", "sell": "sold",
    "buy": "bought", "unpin": "unpinned", "freeze": "frozen", "swap": "swapped", "patch": "updated", "put_in": "put",
    "find": "found", "read": "read", "hold": "held", "begin": "started", "keep": "kept", "leave": "left",
    "reseat": "reseated", "deny": "denied", "upload": "uploaded", "ignore": "ignored", "exec": "executed",
    "rerun": "queued",
    "modify": "updated", "change": "updated", "star": "starred", "unstar": "unstarred", "rebuild": "rebuilt",
}  # fmt: skip


_DOUBLING = re.compile(r"[^aeiou]+[aeiou][^aeiouwxy]")
"""Verbs of one short syllable, which double their last letter: drag, tag, plan."""


def past(verb: str) -> str:
    """Return the participle of a verb, as a status tells it: cancel gives cancelled, merge gives merged."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if _DOUBLING.fullmatch(verb):
        return verb + verb[-1] + "ed"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou") else verb + "ed"


def description_sentence(description: str) -> str:
    """Return the sentence of a description that says what the tool does, without a preamble about its family."""
    text = " ".join(description.split())
    _, mark, told = text.partition("Tool description: ")
    text = told if mark else text
    return re.split(r"(?<=[.;])\s", text, maxsplit=1)[0][:300]


def _base_verb(word: str) -> str:
    """Return the verb of a third person (`retrieves`, `fetches`, `classifies`); other words as they are."""
    if word in _FAMILY_OF or not word.endswith("s"):
        return word
    forms = (word[:-1], word[:-2], word[:-3] + "y") if len(word) > 3 else (word,)
    return next((form for form in forms if form in _FAMILY_OF), word)


def _named_verb(parts: list[list[str]]) -> str | None:
    """Find the verb that a name states without doubt: first in its last part, first of all, or last of all."""
    last = parts[-1]
    for word in (last[0], parts[0][0]):
        if word in _FAMILY_OF and (word not in _NOUN_TOO or (len(last) > 1 and word == last[0])):
            return word
    for word in (*reversed(last), *(word for part in parts[:-1] for word in part)):
        if word in _FAMILY_OF and word not in _NOUN_TOO:
            return word
    return None


_TELLING = frozenset(("return", "returns", "gives", "outputs", "tells"))


def _find_verb(parts: list[list[str]], told: list[str]) -> str:
    if told[:1] and told[0] in _TELLING:
        told = ["get"]
    spoken = next((verb for verb in map(_base_verb, told[:1]) if verb in _FAMILY_OF), None)
    named = _named_verb(parts)
    if named is not None and (spoken is None or named not in _NOUN_TOO):
        return named
    if spoken is not None:
        return spoken
    first = parts[-1][0]
    return named or (first if first in _FAMILY_OF else "get")


def _things(words: list[str], verb: str) -> tuple[str, ...]:
    """Return the noun phrase of a name: the words that are neither the verb, digits nor about the tool."""
    kept: list[str] = []
    for number, word in enumerate(words):
        if word in _LINK and number:
            break
        named = word not in _FAMILY_OF or word in _NOUN_TOO
        if named and word not in _ASPECTS and word != verb and not word.isdigit():
            kept.append(singular(word))
    return tuple(dict.fromkeys(kept))


_ONE = re.compile(
    r"\b(?:closest|nearest|best|most|largest|highest|lowest|latest|last|a specific|the details|details of|single|"
    r"the name of|the price|the value|the current|the number|the total|information about a)\b"
    r"|^(?:find|locate|search|retrieve|get|return|fetch|provide)(?:s|es)? the (?!list|nearby|top|most|available|\w+s\b)"
)
_MANY = re.compile(r"\b(?:list of|lists|all |several|multiple|nearby|upcoming|available|top \w+s\b|history of)")
_MANY_WORDS = frozenset("news nearby all list search history upcoming transactions ls top available".split())
_NOT_MANY = frozenset(
    "calories details stats count contents melting boiling closest nearest best most latest last single highest lowest "
    "statistics directions hours".split()
)


def _is_many(family: str, words: Sequence[str], told: str) -> bool:
    """Say whether the tool answers with several things."""
    if family not in ("get", "search"):
        return False
    if not _NOT_MANY.isdisjoint(words):
        return False
    cut = next((number for number, word in enumerate(words) if word in _LINK and number), len(words))
    head = next((word for word in reversed(words[:cut]) if word not in _ASPECTS and not word.isdigit()), "")
    if singular(head) != head or not _MANY_WORDS.isdisjoint(words):
        return True
    if _ONE.search(told.lower()):
        return False
    return family == "search" or _MANY.search(told.lower()) is not None


_PLAYED = frozenset(
    "song music playlist track video album movie playback podcast station player audio radio film show game media "
    "audiobook spotify".split()
)
_OPENED = frozenset("account ticket case dispute issue position store".split())


def _sense(verb: str, words: Sequence[str], things: tuple[str, ...]) -> str:
    """Return the family of a verb that says different things of different things; "" where it says one."""
    if verb == "transfer" and "human" in words:
        return "run"
    if verb in ("resume", "pause") and things and _PLAYED.isdisjoint(things):
        return "toggle"
    return "create" if verb == "open" and not _OPENED.isdisjoint(things[-1:]) else ""


@lru_cache(maxsize=8192)
def read_operation(name: str, description: str) -> Operation:
    """Read what a tool does from its name and description; total for any text.

    Returns:
        The operation; family `get` and no things where nothing can be told.
    """
    parts = [words for words in map(name_words, re.split(r"[.:/]", name)) if words] or [["get"]]
    words = [word for part in parts for word in part]
    sentence = description_sentence(description)
    told = [word.lower() for word in re.findall(r"[A-Za-z]+", sentence)[:12]]
    verb = _find_verb(parts, told)
    things = _things(parts[-1], verb) or _things(words, verb)
    family = _sense(verb, words, things) or _FAMILY_OF.get(verb, "get")
    return Operation(
        family, verb, things, _is_many(family, parts[-1] if len(parts[-1]) > 1 else words, sentence), tuple(words)
    )
