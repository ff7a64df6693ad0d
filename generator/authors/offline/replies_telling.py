"""Results told without a frame: a message, a list, the state of a thing, a few facts, whatever the JSON holds."""

from __future__ import annotations

from random import Random

from generator.authors.offline.replies_actions import Action, Call, action, pick, tell_done
from generator.authors.offline.replies_facts import Fact, facts_of, name_of, quoted, state_of, titled, unwrapped
from generator.authors.offline.replies_phrases import fact_phrase
from generator.authors.offline.replies_things import affirmed, asked_subject, tell_deed, tell_thing
from generator.authors.offline.replies_values import key_words, raw_words, say_figure, say_text, say_value
from generator.authors.offline.words import join_and, plural, singular, spoken, upper_first, word_set
from generator.jsontext import JsonObject, JsonValue

_NAMED = 4
_LONGEST_DETAIL = 36


def tell(call: Call, random: Random) -> str:
    """Tell a result of any JSON as an assistant would."""
    deed = action(call.tool)
    content = unwrapped(call.content)
    if isinstance(content, dict) and content:
        return _tell_object(call, deed, content, random)
    if isinstance(content, list) and content:
        return _tell_list(call, deed, _things(deed, ""), content, 0, random)
    if isinstance(content, list | dict):
        return _tell_nothing(call, deed, random)
    return _tell_scalar(call, deed, content, random)


_YES = ("Yes{about}.", "Yes, that's right{about}.", "The answer is yes{about}.")
_NO = ("No{about}.", "No, it isn't so{about}.", "The answer is no{about}.")


def _tell_scalar(call: Call, deed: Action, content: JsonValue, random: Random) -> str:
    if content is None or content == "":
        return tell_done(call, deed, random) if deed.changes else _tell_nothing(call, deed, random)
    if isinstance(content, bool):
        if deed.changes:
            return tell_done(call, deed, random) if content else f"That didn't take effect{call.about}."
        return affirmed(call, content) or pick(_YES if content else _NO, random).format(about=call.about)
    if isinstance(content, int | float):
        if subject := asked_subject(call, ()):
            return upper_first(f"{subject[0]} {subject[1]} {say_figure(content)}.")
        noun = deed.noun if deed.noun and len(deed.noun) < 40 and deed.noun != "that" else "result"
        wordings = (
            "The {noun}{about} is {value}.",
            "That comes to {value}{about}.",
            "I get {value} as the {noun}{about}.",
            "It's {value}{about}.",
        )
        return upper_first(pick(wordings, random).format(noun=noun, about=call.about, value=say_figure(content)))
    text = say_text(str(content).strip())
    if " " in text and text[-1] in ".!?":
        return text
    return pick(
        ("{value} is what I got{about}.", "The answer{about} is {value}.", "It's {value}{about}."), random
    ).format(value=text, about=call.about)


def _tell_nothing(call: Call, deed: Action, random: Random) -> str:
    if deed.changes:
        return tell_done(call, deed, random)
    noun = _things(deed, "")
    wordings = (
        "I couldn't find any {noun}{about}.",
        "There are no {noun}{about}.",
        "My search turned up no {noun}{about}.",
        "I looked, but there are no {noun}{about}.",
        "No {noun} came up{about}.",
    )
    return pick(wordings, random).format(noun=noun, about=call.about)


_PLAIN_WORDS = word_set("list all matching found data")
_PLAIN_NOUNS = word_set("results result items entries records value values content matches hits")


def _things(deed: Action, key: str) -> str:
    """Return the plural noun for the elements of a list: by the key that holds it, else by what the tool acts on."""
    words = [word for word in key_words(key) if word and word not in _PLAIN_WORDS]
    if words and words[-1] not in _PLAIN_NOUNS:
        return spoken([*words[:-1], plural(words[-1])])
    things = deed.operation.things
    if len(things) > 2 and words:
        return spoken([*words[:-1], plural(words[-1])])
    if things:
        return spoken([*things[:-1], plural(singular(things[-1]))])
    return "results"


def _tell_list(call: Call, deed: Action, noun: str, content: list[JsonValue], total: int, random: Random) -> str:
    count = len(content)
    if count == 1 and isinstance(content[0], dict):
        named = _entry(content[0], call.arguments, facts=3)
        return f"I found one {_one(noun)}{call.about}: {named}." if named else f"I found one {_one(noun)}{call.about}."
    shown = [said for entry in content[:_NAMED] if (said := _entry(entry, call.arguments, facts=1 if count > 2 else 2))]
    number = say_figure(max(total, count))
    if not shown:
        return f"I found {number} {noun}{call.about}."
    more = max(total, count) > len(shown)
    wordings: tuple[str, ...] = (
        "I found {number} {noun}{about}: {names}.",
        "There are {number} {noun}{about}: {names}.",
        "Here are the {number} {noun}{about}: {names}.",
        "{number} {noun} came up{about}: {names}.",
    )
    if more:
        wordings = (
            "I found {number} {noun}{about}. The first ones are {names}.",
            "There are {number} {noun}{about}, among them {names}.",
            "{number} {noun} came up{about}, starting with {names}.",
        )
    names = "; ".join(shown) if any("," in one or " and " in one for one in shown) else join_and(shown)
    return upper_first(
        pick(wordings, random).format(
            number=number, noun=noun if max(total, count) != 1 else _one(noun), about=call.about, names=names
        )
    )


def _one(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    return f"{head} {singular(last)}".strip()


def _entry(entry: JsonValue, arguments: JsonObject, *, facts: int) -> str:
    """Say an element of a list: its name with its best facts in brackets."""
    if not isinstance(entry, dict):
        return say_value("", entry, {})[:120]
    key, name = name_of(entry)
    if (not name or key_words(key)[-1] in _PLAIN_KEYS) and (text := quoted(entry)):
        return f"{name}: {text}" if name and key_words(key)[-1] == "username" else text
    chosen = [
        fact
        for fact in facts_of(entry, {key}, arguments)
        if fact.worth > 1
        and len(fact.said) <= _LONGEST_DETAIL
        and fact.said[-1] not in ".!?"
        and not (name and raw_words(fact.key)[-1] in _WORDY)
        and fact.value is not False
        and not isinstance(fact.value, list)
    ][:facts]
    state_key, state = state_of(entry)
    phrases = [_detail(fact) for fact in chosen if fact.key != state_key]
    if state and len(phrases) <= facts:
        phrases = [state, *phrases][: max(1, facts)]
    if not name:
        return join_and(phrases) if any(not isinstance(fact.value, int | float) for fact in chosen) else ""
    name = titled(key, name)
    return f"{name} ({', '.join(phrases)})" if phrases else name


_WORDY = word_set("description summary text message body bio content details")
_PLAIN_KEYS = word_set("id number date day time datetime username")


def _detail(fact: Fact) -> str:
    """Say a fact in the brackets after a name: a short text tells by itself what it is."""
    plain = isinstance(fact.value, str) and fact.said.replace(" ", "").replace("-", "").isalpha()
    return (
        fact.said if plain and key_words(fact.key)[-1] not in ("severity", "priority", "status") else fact_phrase(fact)
    )


_DEEDS = word_set("return exchange cancel modify update remove add submit create delete set change assign send")


def _tell_object(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    entries = _main_list(content)
    told = call.told
    if deed.changes or (told is not None and told.changes and (not (entries and entries[1]) or told.verb in _DEEDS)):
        return tell_deed(call, deed, content, random)
    if entries is not None and not state_of(content)[1]:
        key, listed = entries
        if not listed:
            return _tell_nothing(call, deed, random)
        return _tell_list(call, deed, _things(deed, key), listed, _total(content, len(listed)), random)
    return tell_thing(call, deed, content, random)


def _main_list(content: JsonObject) -> tuple[str, list[JsonValue]] | None:
    """Return the list that is the answer: the longest one of objects or texts that is not a mere detail."""
    lists = [(key, value) for key, value in content.items() if isinstance(value, list)]
    plain = sum(1 for value in content.values() if not isinstance(value, list | dict))
    if not lists or plain > 5:
        return None
    return max(lists, key=lambda pair: (any(isinstance(entry, dict) for entry in pair[1]), len(pair[1])))


def _total(content: JsonObject, count: int) -> int:
    totals = [
        value
        for key, value in content.items()
        if isinstance(value, int) and not isinstance(value, bool) and {"total", "count", "found"} & set(raw_words(key))
    ]
    return max([*totals, count]) if totals else count
