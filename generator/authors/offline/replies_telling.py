"""Results told without a frame: a message, a list, the state of a thing, a few facts, whatever the JSON holds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generator.authors.offline.replies_actions import Action, action
from generator.authors.offline.replies_facts import (
    Fact,
    fact_phrase,
    facts_of,
    message_of,
    name_of,
    state_of,
    statement,
    unwrapped,
)
from generator.authors.offline.replies_values import key_words, raw_words, say_figure, say_text, say_value
from generator.authors.offline.words import is_plural, join_and, plural, singular, spoken, upper_first
from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Tool

_NAMED = 4
_FACTS = 3


@dataclass(frozen=True, slots=True)
class Call:
    """A successful call: its result and the words for what it was about. `alone` unless told among others."""

    tool: Tool
    arguments: JsonObject
    content: JsonValue
    label: str
    alone: bool = True


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


def _pick(wordings: tuple[str, ...], random: Random) -> str:
    return wordings[int(random.random() * len(wordings))]


def _about(call: Call) -> str:
    return f" for {call.label}" if call.label else ""


def _tell_scalar(call: Call, deed: Action, content: JsonValue, random: Random) -> str:
    if content is None or content == "":
        return _tell_done(call, deed, random) if deed.changes else _tell_nothing(call, deed, random)
    if isinstance(content, bool):
        if deed.changes:
            return _tell_done(call, deed, random) if content else f"That didn't take effect{_about(call)}."
        return (_pick(("Yes{about}.", "Yes, that's right{about}.", "The answer is yes{about}."), random) if content
                else _pick(("No{about}.", "No, it isn't so{about}.", "The answer is no{about}."), random)).format(about=_about(call))  # fmt: skip
    if isinstance(content, int | float):
        noun = deed.noun if deed.noun and len(deed.noun) < 40 and deed.noun != "that" else "result"
        wordings = (
            "The {noun}{about} is {value}.",
            "That comes to {value}{about}.",
            "I get {value} as the {noun}{about}.",
            "It's {value}{about}.",
        )
        return upper_first(_pick(wordings, random).format(noun=noun, about=_about(call), value=say_figure(content)))
    text = say_text(str(content).strip())
    if " " in text and text[-1] in ".!?":
        return text
    return _pick(
        ("{value} is what I got{about}.", "The answer{about} is {value}.", "It's {value}{about}."), random
    ).format(value=text, about=_about(call))


def _tell_done(call: Call, deed: Action, random: Random) -> str:
    lead = _pick(
        (
            "Done! I've {done}{about}.",
            "I've {done}{about}.",
            "All set: I've {done}{about}.",
            "That's done. I've {done}{about}.",
        ),
        random,
    )
    return lead.format(done=deed.done, about=_about(call) if deed.thing else "")


def _tell_nothing(call: Call, deed: Action, random: Random) -> str:
    if deed.changes:
        return _tell_done(call, deed, random)
    noun = _things(deed, "")
    wordings = (
        "I couldn't find any {noun}{about}.",
        "There are no {noun}{about}.",
        "My search turned up no {noun}{about}.",
        "I looked, but there are no {noun}{about}.",
        "No {noun} came up{about}.",
    )
    return _pick(wordings, random).format(noun=noun, about=_about(call))


def _things(deed: Action, key: str) -> str:
    """Return the plural noun for the elements of a list: by the key that holds it, else by what the tool acts on."""
    words = [word for word in key_words(key) if word not in ("list", "all", "matching", "found", "data")]
    if words and words[-1] not in (
        "results",
        "result",
        "items",
        "entries",
        "records",
        "value",
        "values",
        "content",
        "matches",
        "hits",
    ):
        return spoken([*words[:-1], plural(words[-1])])
    things = deed.operation.things
    if things:
        return spoken([*things[:-1], plural(singular(things[-1]))])
    return "results"


def _tell_list(call: Call, deed: Action, noun: str, content: list[JsonValue], total: int, random: Random) -> str:
    count = len(content)
    if count == 1 and isinstance(content[0], dict):
        named = _entry(content[0], call.arguments, facts=3)
        return (
            f"I found one {_one(noun)}{_about(call)}: {named}." if named else f"I found one {_one(noun)}{_about(call)}."
        )
    shown = [said for entry in content[:_NAMED] if (said := _entry(entry, call.arguments, facts=1 if count > 2 else 2))]
    number = say_figure(max(total, count))
    if not shown:
        return f"I found {number} {noun}{_about(call)}."
    more = max(total, count) > len(shown)
    wordings = (
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
        _pick(wordings, random).format(
            number=number, noun=noun if max(total, count) != 1 else _one(noun), about=_about(call), names=names
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
    chosen = [fact for fact in facts_of(entry, {key}, arguments) if fact.worth > 1][:facts]
    state_key, state = state_of(entry)
    phrases = [fact_phrase(fact) for fact in chosen if fact.key != state_key]
    if state and len(phrases) <= facts:
        phrases = [state, *phrases][: max(1, facts)]
    if not name:
        return join_and(phrases)
    return f"{name} ({', '.join(phrases)})" if phrases else name


def _tell_object(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    if deed.changes:
        return _tell_deed(call, deed, content, random)
    message = message_of(content)
    entries = _main_list(content)
    state_key, state = state_of(content)
    if entries is not None and not state:
        key, listed = entries
        if not listed:
            return _tell_nothing(call, deed, random)
        return _tell_list(call, deed, _things(deed, key), listed, _total(content, len(listed)), random)
    if message:
        return (
            message
            if call.alone or not call.label or call.label in message
            else f"{upper_first(call.label)}: {message}"
        )
    return _tell_thing(call, deed, content, (state_key, state), random)


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


def _tell_thing(call: Call, deed: Action, content: JsonObject, state: tuple[str, str], random: Random) -> str:
    """Tell the state and a few facts of one thing."""
    key, name = name_of(content)
    echoed = key in call.arguments or not name or any(name == value for value in call.arguments.values())
    facts = [fact for fact in facts_of(content, {key, state[0]}, call.arguments) if fact.worth > 0]
    facts = facts[:_FACTS] or facts_of(content, {key} if len(content) > 1 else set(), {})[:_FACTS]
    subject = name if name and (echoed or not call.label) else call.label or name
    found = f"{name}" if name and not echoed and name != subject else ""
    if state[1] and state[0] not in call.arguments:
        return _tell_state(subject, deed, state[1], facts, random)
    if found:
        return _with_facts(f"{found}", facts, call, random)
    if not facts:
        return _tell_done(call, deed, random) if deed.changes else f"I have nothing further to report{_about(call)}."
    return _facts_about(subject, deed, facts, random)


def _tell_state(subject: str, deed: Action, state: str, facts: list[Fact], random: Random) -> str:
    subject = subject or f"the {deed.operation.thing}"
    verb = "are" if is_plural(subject.split()[-1].lower()) and subject.startswith("the ") else "is"
    lead = _pick(
        ("{subject} {verb} {state}", "{subject} {verb} currently {state}", "right now {subject} {verb} {state}"), random
    )
    text = lead.format(subject=subject, verb=verb, state=_as_state(state))
    if facts:
        text += f", with {join_and([fact_phrase(fact) for fact in facts])}"
    return upper_first(text) + "."


def _as_state(state: str) -> str:
    return state if any(char.isupper() for char in state[1:]) else state[:1].lower() + state[1:]


def _with_facts(found: str, facts: list[Fact], call: Call, random: Random) -> str:
    if not facts:
        return f"It's {found}{_about(call)}."
    said = join_and([fact_phrase(fact) for fact in facts])
    wordings = (
        "I found {found}{about}, with {said}.",
        "That's {found}{about}, with {said}.",
        "Here it is{about}: {found}, with {said}.",
    )
    return _pick(wordings, random).format(found=found, about=_about(call), said=said)


def _facts_about(subject: str, deed: Action, facts: list[Fact], random: Random) -> str:
    if len(facts) == 1:
        text = statement(facts[0])
        about = f" for {subject}" if subject and facts[0].said != subject else ""
        lead, verb, rest = text.partition(" is ")
        return upper_first(f"{lead}{about} is {rest}." if verb and not lead.startswith("it") else f"{text}{about}.")
    said = join_and([fact_phrase(fact) for fact in facts])
    if not subject:
        first, *rest = facts
        return upper_first(f"{statement(first)}, with {join_and([fact_phrase(fact) for fact in rest])}.")
    wordings = (
        "For {subject} I see {said}.",
        "Here's what I have for {subject}: {said}.",
        "{subject} comes with {said}.",
        "I looked up {subject}: {said}.",
    )
    if deed.operation.family in ("compute", "predict", "convert", "analyze"):
        wordings = (
            "For {subject} I get {said}.",
            "For {subject} that gives {said}.",
            "The result for {subject}: {said}.",
        )
    return upper_first(_pick(wordings, random).format(subject=subject, said=said))


def _tell_deed(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    """Confirm what was done, with its id and what else is new."""
    if any(content.get(key) is False for key in ("success", "ok", "succeeded", "completed")):
        return f"That didn't take effect{_about(call)}. {message_of(content)}".strip()
    text = _tell_done(call, deed, random)
    message = message_of(content)
    told = {key for key in content if raw_words(key)[-1:] in (("success",), ("ok",))}
    identifier = _identifier(content, call.arguments)
    sentences = [text]
    if identifier:
        told.add(identifier)
        noun = (
            spoken(key_words(identifier))
            if len(key_words(identifier)) > 1
            else f"{deed.operation.thing} {spoken(key_words(identifier))}"
        )
        said = say_value(identifier, content[identifier], content)
        sentences.append(
            _pick(
                ("The {noun} is {said}.", "Its {noun}: {said}.", "You'll find it under {noun} {said}."), random
            ).format(noun=noun, said=said)
        )
    state_key, state = state_of(content)
    if state and state_key not in call.arguments:
        told.add(state_key)
        sentences.append(
            f"It's {_as_state(state)} now." if random.random() < 0.5 else f"The status is {_as_state(state)}."
        )
    facts = [fact for fact in facts_of(content, told, call.arguments) if fact.worth >= 2.5][: 2 - bool(state)]
    if message and not facts:
        sentences.append(message)
    sentences.extend([upper_first(statement(fact)) + "." for fact in facts])
    return " ".join(sentences)


def _identifier(content: JsonObject, arguments: JsonObject) -> str:
    """Return the key of the id that the result gives to what was made."""
    for key, value in content.items():
        words = raw_words(key)
        if words[-1:] in (("id",), ("number",), ("code",), ("reference",), ("confirmation",)) and isinstance(
            value, str | int
        ):
            if not isinstance(value, bool) and key not in arguments and value not in arguments.values():
                return key
    return ""
