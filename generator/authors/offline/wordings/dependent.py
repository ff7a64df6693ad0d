"""Wording of dependent calls: what the first call will bring to light is spoken of, never said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.clauses import clauses_for
from generator.authors.offline.composing import repeat_phrases
from generator.authors.offline.descriptions import PREPOSITIONS
from generator.authors.offline.fields import Field
from generator.authors.offline.pairs import find_pairs
from generator.authors.offline.plans import BOOK
from generator.authors.offline.referring import Phrase
from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import RULE, write_call_request
from generator.authors.offline.saying import Unsayable, draw_voice
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import lower_first, singular, spoken, word_set
from generator.jsontext import JsonObject
from generator.records.calls import Exchange
from generator.scenarios.links import linked_value
from generator.scenarios.scenario import Best, Link, PlannedCall, Scenario
from generator.streams import stream
from generator.tools.operations import is_verb, name_words, read_operation

_THEN = (
    "{first} Then {then}", "{first} After that, {then}", "{first} And then {then}", "{first} Next, {then}",
    "{first} Once you have that, {then}", "{first} When that's done, {then}", "{first} Afterwards, {then}",
    "I have two things for you. {first} Then {then}", "{first} As soon as you know, {then}",
)  # fmt: skip
_LEADING = (PREPOSITIONS - {"as", "like"}) | word_set(
    "me us is are was did has have will can may and or than only called if where how whether far love out up check"
)
_APART = "{first} {whole}"
_SITUATION = word_set("my our i i'm i've i'd we we're we've there before it's after today's any it nobody somebody")
"""First words that a sentence does not begin with after "then"."""
_SUMS = (
    "Then convert {sum} to {to}.", "And how much is {sum} in {to}?", "After that, tell me what {sum} comes to in {to}.",
    "What would {sum} be in {to}?", "Please also convert {sum} into {to}.", "Then I need {sum} in {to}.",
)  # fmt: skip
"""How the sum that the first call tells is wanted in another currency."""
_QUESTIONS = ("what", "where", "how", "which", "who", "when", "is ", "are ", "does ", "do ", "will ")

_BEST: dict[tuple[str, bool], tuple[str, ...]] = {
    ("price", False): ("cheapest", "least expensive"), ("price", True): ("most expensive",),
    ("rating", True): ("best-rated", "highest-rated"), ("score", True): ("highest-scoring",),
    ("stars", True): ("most starred", "most popular"), ("distance", False): ("closest", "nearest"),
    ("center", False): ("most central",), ("duration", False): ("shortest",),
    ("date", True): ("latest", "most recent", "newest"),
    ("date", False): ("oldest", "earliest"), ("due", False): ("most urgent", "next due"),
    ("departure", False): ("earliest",), ("followers", True): ("most followed",), ("members", True): ("largest",),
    ("amount", True): ("largest", "biggest"), ("amount", False): ("smallest",),
    ("opened", True): ("latest", "most recent"), ("downloads", True): ("most downloaded",),
}  # fmt: skip
"""What an entry is called that has the least (False) or the most (True) of something."""
_NUMBERED = frozenset(("tracking", "confirmation", "reference", "serial"))
"""What is numbered for the sake of something else."""
_MEANS = {
    "total_price": "price", "price_per_night": "price", "ticket_price": "price", "distance_km": "distance",
    "distance_to_center_km": "center", "duration_minutes": "duration", "created_at": "date", "due_date": "due",
    "departure_time": "departure", "opened_on": "opened",
}  # fmt: skip
_SUM_NOUNS = {"price per night": "nightly price", "revenue": "revenue", "balance": "balance"}
_CURRENCIES = frozenset(("from_currency", "base_currency", "source_currency", "from"))
_OWNERS = frozenset(("owner",)) | _CURRENCIES
"""Parameters that go along with another one and are not spoken of."""


def _sequential(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask for both things at once; the second speaks of what the first will find."""
    step = scenario.steps[len(history)]
    first, second = step.calls[0], step.about[0]
    random = stream(scenario.seed, "chain")
    asked = write_call_request(scenario, first)
    if _is_sum(second):
        return f"{asked} {_sum(first, second, random)}"
    phrases = {name: _that(first, second, name, random) for name in _told(second)}
    then = _go_on(scenario, first, second, phrases)
    if any(then.lower().startswith(phrase.text.lower()) for phrase in phrases.values()):
        raise NoDraft(RULE, f"'{second.tool.name}': '{then[:80]}' asks for nothing")
    form = random.choice(_THEN)
    if then.lower().startswith(_QUESTIONS):
        form = "{first} And {then}"
    if then.split(" ", 1)[0].rstrip(",").lower() in _SITUATION:
        form = _APART
    return form.format(first=asked, then=lower_first(then), whole=then)


def _is_sum(second: PlannedCall) -> bool:
    """Say whether the second call takes a sum of money on, with its currency."""
    return any(link.parameter in _CURRENCIES for link in second.links)


def _sum(first: PlannedCall, second: PlannedCall, random: Random) -> str:
    """Ask for the sum that the first call tells in another currency."""
    link = next(link for link in second.links if link.parameter not in _CURRENCIES)
    wanted = [value for value in second.arguments.values() if isinstance(value, str)]
    if len(wanted) != len(second.arguments) or len(wanted) != 1:
        raise NoDraft(RULE, f"'{second.tool.name}' takes more than a sum and a currency")
    noun = " ".join(word for word in name_words(str(link.path[-1])) if word not in ("ticket", "total"))
    noun = _SUM_NOUNS.get(noun, noun)
    chosen = next((key for key in link.path if not isinstance(key, str)), None)
    whole = f"the {noun}" if chosen is None else f"the {noun} of {_that_entry(first, link, chosen, random)}"
    return random.choice(_SUMS).format(sum=whole, to=wanted[0])


def _nested(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask for the last thing alone; what must be looked up for it is described, not asked for."""
    step = scenario.steps[len(history)]
    first, second = step.calls[0], step.about[0]
    random = stream(scenario.seed, "chain")
    told = _told(second)
    if len(told) != 1:
        raise NoDraft(RULE, f"'{second.tool.name}' needs several values that nobody can describe at once")
    unsaid = {name: value for name, value in first.arguments.items() if second.arguments.get(name) != value}
    takes = _label(second, told[0])[1]
    try:
        described = _described(scenario, replace(first, arguments=unsaid), second, told[0], random)
        return _worded(scenario, second, second.arguments, {told[0]: Phrase(described, takes=takes)})
    except NoDraft:
        described = _described(scenario, first, second, told[0], random)
        return _worded(scenario, second, _anew(first, second), {told[0]: Phrase(described, takes=takes)})


def _go_on(scenario: Scenario, first: PlannedCall, second: PlannedCall, phrases: Mapping[str, Phrase]) -> str:
    """Write the second wish, without what the first has said already where it reads well without."""
    try:
        return _worded(scenario, second, _anew(first, second), phrases)
    except NoDraft:
        return _worded(scenario, second, second.arguments, phrases)


def _anew(first: PlannedCall, second: PlannedCall) -> JsonObject:
    """Return the arguments of the second call that the first has not."""
    return {name: value for name, value in second.arguments.items() if first.arguments.get(name) != value}


def _worded(scenario: Scenario, second: PlannedCall, arguments: JsonObject, phrases: Mapping[str, Phrase]) -> str:
    """Write the second wish with these arguments, and phrases for what is not known yet."""
    marked = replace(second, arguments={**arguments, **dict.fromkeys(phrases, "0")})
    text = write_call_request(scenario, marked, 1, phrases)
    text = _itself(text, second, phrases)
    for phrase in phrases.values():
        if not _follows_well(text, phrase.text):
            raise NoDraft(RULE, f"'{second.tool.name}': '{phrase.text}' does not stand well in '{text[:80]}'")
    return text


def _itself(text: str, second: PlannedCall, phrases: Mapping[str, Phrase]) -> str:
    """Let the deed be done to the thing itself: "star a repository in the first one" is "star the first one"."""
    things = read_operation(second.tool.name, second.tool.description).things
    for phrase in phrases.values() if things else ():
        text = _without_place(text, things[-1], phrase.text)
    return text


def _without_place(text: str, thing: str, phrase: str) -> str:
    """Leave the noun of a thing out where the phrase that follows already says it."""
    return _place(thing).sub(lambda found: "" if text.startswith(phrase, found.end()) else found[0], text)


@lru_cache(maxsize=1024)
def _place(thing: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:an?|the) (?:\w+ )?{re.escape(thing)} (?:in|for|of|from|with) ")


def _follows_well(text: str, phrase: str) -> bool:
    """Say whether a phrase follows a preposition or a verb, not the name of something."""
    before = text.partition(phrase)[0].lower().split()[-1:]
    if before and before[0].rstrip(",:") in phrase.lower().split():
        return False
    return not before or before[0] in _LEADING or is_verb(before[0]) or before[0][-1] in ".,:;"


def _told(second: PlannedCall) -> list[str]:
    """Return the parameters whose values are spoken of: an owner goes along with its repository."""
    names = [link.parameter for link in second.links]
    return [name for name in names if name not in _OWNERS] or names


def _that(first: PlannedCall, second: PlannedCall, name: str, random: Random) -> Phrase:
    """Speak of the value that the first call will bring."""
    link = _link(second, name)
    chosen = next((key for key in link.path if not isinstance(key, str)), None)
    if chosen is not None:
        return Phrase(_that_entry(first, link, chosen, random))
    label, takes = _found(first, second, name), _label(second, name)[1]
    made = read_operation(first.tool.name, first.tool.description).family == "create"
    return Phrase(f"the new {label}" if made and random.random() < 0.5 else f"that {label}", takes=takes)


def _that_entry(first: PlannedCall, link: Link, chosen: object, random: Random) -> str:
    """Speak of an entry of the list that the first call will bring."""
    noun = _noun(first, link)
    if chosen == 0:
        return random.choice(
            ("the first one", f"the first {noun}", "the first one on the list", f"the first {noun} listed")
        )
    if balanced := _balanced(noun, chosen):
        return balanced
    best = _superlative(chosen, random)
    return random.choice((f"the {best} one", f"the {best} {noun}", f"the {best} of them"))


def _balanced(noun: str, chosen: object) -> str:
    """Speak of an entry chosen by what it holds; the empty string for other choices."""
    if not isinstance(chosen, Best) or chosen.field != "balance":
        return ""
    return f"the {noun} with the {'highest' if chosen.most else 'lowest'} balance"


def _label(second: PlannedCall, name: str) -> tuple[str, frozenset[str]]:
    """Return what the value names in words, and a noun that gives way to them.

    A number that names something else than itself stands for what the tool acts on: the parcel of a tracking number.
    """
    field: Field = BOOK.fields(second.tool)[name]
    label = (field.label or field.noun).removeprefix("start ")
    things = read_operation(second.tool.name, second.tool.description).things
    if label != field.noun and things and label.split()[-1] not in things and label in _NUMBERED:
        return things[-1], frozenset(things[-1:])
    return label, frozenset()


def _link(second: PlannedCall, name: str) -> Link:
    return next(link for link in second.links if link.parameter == name)


def _superlative(chosen: object, random: Random) -> str:
    if not isinstance(chosen, Best):
        raise NoDraft(RULE, "an entry in the middle of a list is not spoken of")
    return random.choice(_BEST[_MEANS.get(chosen.field, chosen.field), chosen.most])


def _noun(first: PlannedCall, link: Link) -> str:
    """Return what one entry of the list is called."""
    keys = [key for key in link.path if isinstance(key, str)][:-1]
    words = name_words(keys[-1]) if keys else list(read_operation(first.tool.name, first.tool.description).things)
    return spoken([*words[:-1], singular(words[-1])]) if words else "one"


def _described(scenario: Scenario, first: PlannedCall, second: PlannedCall, name: str, random: Random) -> str:
    """Describe what must be looked up by all that is known of it: "the cheapest hotel in Rome"."""
    link = _link(second, name)
    chosen = next((key for key in link.path if not isinstance(key, str)), None)
    if chosen is None:
        head = f"the {_found(first, second, name)}"
    else:
        if chosen == 0:
            raise NoDraft(RULE, "the first entry of a list that nobody has seen is not described")
        noun, first = _named_kind(_noun(first, link), first)
        head = _balanced(noun, chosen) or f"the {_superlative(chosen, random)} {noun}"
    return f"{head} {_known(scenario, first)}".strip()


def _found(first: PlannedCall, second: PlannedCall, name: str) -> str:
    """Return what the first call finds, by what the second wants; by what the first is about where that is a name."""
    things = read_operation(first.tool.name, first.tool.description).things
    return things[-1] if _link(second, name).path[-1] == "name" and things else _label(second, name)[0]


def _named_kind(noun: str, first: PlannedCall) -> tuple[str, PlannedCall]:
    """Return what a place is called by the kind that was asked for: the nearest gas station, not the nearest place."""
    kind = first.arguments.get("category")
    if noun != "place" or not isinstance(kind, str):
        return noun, first
    return kind, replace(first, arguments={key: value for key, value in first.arguments.items() if value != kind})


def _known(scenario: Scenario, first: PlannedCall) -> str:
    """Say the arguments of the first call as phrases that follow a noun."""
    fields = {name: field for name, field in BOOK.fields(first.tool).items() if name in first.arguments}
    if len(fields) == 1:
        (name, field), value = *fields.items(), first.arguments[next(iter(fields))]
        if field.kind == "person" or name == "near":
            return f"{'named' if field.kind == 'person' else 'near'} {value}"
    voice = draw_voice(stream(scenario.seed, "known"), scenario.reference_date if scenario.states_date else None)
    try:
        told = repeat_phrases(clauses_for(fields, find_pairs(fields), set()), first.arguments, voice)
    except Unsayable as error:
        raise NoDraft(RULE, f"'{first.tool.name}': {error}") from error
    if (fields and not told) or " as the " in told:
        raise NoDraft(RULE, f"'{first.tool.name}' cannot be described in a phrase")
    return told


_ITS_NAME = ("name", "title", "artist", "full_name", "subject", "flight_number", "number", "login", "sha", "id")
_THAT_IS = ("The {best} one is {name}.", "{name} is the {best} one.", "Of these, {name} is the {best}.")


def _tell_both(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Answer both wishes, and say which entry the second was about where the user left it to the first result."""
    told = [write_reply(scenario, (exchange,)) for exchange in history]
    chosen = _chosen(scenario, history)
    return " ".join([told[0], *([chosen] if chosen else []), *told[1:]])


def _chosen(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Say which entry is the cheapest, the latest ...; the empty string where none was chosen so, or it has no name."""
    link = scenario.steps[1].calls[0].links[0]
    best = link.path[-2] if len(link.path) > 1 else None
    if not isinstance(best, Best) or best.field == "balance":
        return ""
    entry = linked_value(replace(link, path=link.path[:-1]), history)
    key = next((key for key in _ITS_NAME if key in entry), "")
    name = f'"{entry[key]}"' if key in ("title", "subject") else str(entry.get(key, ""))
    random = stream(scenario.seed, "chosen")
    return random.choice(_THAT_IS).format(best=_superlative(best, random), name=name) if name else ""


def _tell_last(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Answer the one wish: what was looked up on the way is not told."""
    return write_reply(scenario, history[-1:])


WORDINGS = {
    "sequential": Wording(_sequential, _tell_both),
    "nested": Wording(_nested, _tell_last),
}
