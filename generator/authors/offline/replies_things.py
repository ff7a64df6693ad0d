"""Results that are one object: an answer, the state of a thing, what was asked for, a deed confirmed with its id."""

from __future__ import annotations

from random import Random

from generator.authors.offline.replies_actions import Action, Call, participle, pick, tell_done
from generator.authors.offline.replies_facts import (
    Fact,
    answer_of,
    asked_fact,
    fact_phrase,
    facts_of,
    message_of,
    name_of,
    state_of,
    statement,
)
from generator.authors.offline.replies_values import key_words, raw_words, say_text, say_value
from generator.authors.offline.words import is_plural, join_and, spoken, upper_first, word_set
from generator.jsontext import JsonObject

_FACTS = 3
_WEATHER = word_set("condition conditions weather")
_PLAIN_STATES = word_set(
    "success successful completed complete ok done updated created deleted removed sent saved applied changed added set accepted"
)


def tell_thing(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    """Tell an object that was looked up or computed."""
    if answer := answer_of(content):
        return _tell_answer(call, content, answer)
    if message := message_of(content):
        return message
    key, name = name_of(content)
    state_key, state = state_of(content)
    facts = [fact for fact in facts_of(content, {key, state_key}, call.arguments) if fact.worth > 0]
    asked = asked_fact(facts_of(content, {state_key}, call.arguments), deed.operation.words)
    if asked is not None:
        return _tell_asked(call, asked, [fact for fact in facts if fact.key != asked.key])
    if state and state_key not in call.arguments:
        return _tell_state(call, deed, content, (state_key, state), facts[:_FACTS], random)
    repeats = not name or any(name == value for value in call.arguments.values())
    if not repeats:
        return _tell_found(name, facts[:_FACTS], call, random)
    if not facts:
        return f"The lookup{call.about} went through, but it told nothing new."
    return _tell_facts(call.label, deed, facts[:_FACTS], random)


def _tell_answer(call: Call, content: JsonObject, answer: tuple[str, bool]) -> str:
    key, value = answer
    words = [word for word in key_words(key) if word not in ("is", "has", "can")]
    text = "Yes" if value else "No"
    if words != ["result"] and call.label and words:
        verb = "has" if raw_words(key)[0] == "has" else "can" if raw_words(key)[0] == "can" else "is"
        negated = {"has": "does not have", "can": "cannot", "is": "is not"}[verb]
        text += f", {call.label} {verb if value else negated} {spoken(words)}"
    facts = [fact for fact in facts_of(content, {key}, call.arguments) if fact.worth >= 2][:2]
    reasons = [fact for fact in facts if isinstance(fact.value, str) and fact.said[-1] in ".!?"]
    plain = [fact for fact in facts if fact not in reasons]
    if plain:
        text += f" ({', '.join([fact_phrase(fact) for fact in plain])})"
    return " ".join([text + ".", *[fact.said for fact in reasons]])


def _tell_asked(call: Call, asked: Fact, others: list[Fact]) -> str:
    """Tell what the tool's name asks for, first of all."""
    text = statement(asked)
    lead, verb, rest = text.partition(" is ")
    if verb and not lead.startswith("it"):
        text = f"{lead}{call.about} is {rest}"
    elif call.about and call.label not in text:
        text += call.about
    more = [fact for fact in others if fact.worth >= 3.5][:2]
    if more:
        text += f", with {join_and([fact_phrase(fact) for fact in more])}"
    return upper_first(text) + "."


def _tell_state(
    call: Call, deed: Action, content: JsonObject, state: tuple[str, str], facts: list[Fact], random: Random
) -> str:
    key, words = state
    words = words if any(char.isupper() for char in words[1:]) else words[:1].lower() + words[1:]
    said = f", with {join_and([fact_phrase(fact) for fact in facts])}" if facts else ""
    if raw_words(key)[-1] in _WEATHER:
        return f"It's {words}{call.about}{said}."
    subject = _subject(call, deed, content)
    verb = "are" if is_plural(subject.split()[-1].lower()) and subject.startswith("the ") else "is"
    lead = pick(
        ("{subject} {verb} {state}", "{subject} {verb} currently {state}", "right now {subject} {verb} {state}"), random
    )
    return upper_first(lead.format(subject=subject, verb=verb, state=words) + said) + "."


def _subject(call: Call, deed: Action, content: JsonObject) -> str:
    """Return what a state is said of: its name, the label of the call, else the noun of the tool."""
    if name := name_of(content)[1]:
        return say_text(name, literal=True) if " " in name or not call.label else call.label
    noun = [word for word in deed.operation.things if word not in ("status", "state", "condition")]
    return call.label or f"the {spoken(noun) or 'request'}"


def _tell_found(found: str, facts: list[Fact], call: Call, random: Random) -> str:
    if not facts:
        return f"I found {found}{call.about}."
    said = join_and([fact_phrase(fact) for fact in facts])
    wordings = (
        "I found {found}{about}, with {said}.",
        "It's {found}{about}, with {said}.",
        "Here it is{about}: {found}, with {said}.",
    )
    return pick(wordings, random).format(found=found, about=call.about, said=said)


_LOOKED_UP = (
    "For {subject} I see {said}.",
    "Here's what I have for {subject}: {said}.",
    "{subject} has {said}.",
    "I looked up {subject}: {said}.",
)
_COMPUTED = ("For {subject} I get {said}.", "For {subject} that gives {said}.", "The result for {subject}: {said}.")


def _tell_facts(subject: str, deed: Action, facts: list[Fact], random: Random) -> str:
    if len(facts) == 1 or not subject:
        text = statement(facts[0])
        if len(facts) > 1:
            text += f", with {join_and([fact_phrase(fact) for fact in facts[1:]])}"
        return upper_first(text + (f" for {subject}" if subject and subject not in text else "")) + "."
    said = join_and([fact_phrase(fact) for fact in facts])
    computed = deed.operation.family in ("compute", "predict", "convert", "analyze")
    return upper_first(pick(_COMPUTED if computed else _LOOKED_UP, random).format(subject=subject, said=said))


def tell_deed(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    """Confirm what was done, with its id and what else is new."""
    if any(content.get(key) is False for key in ("success", "ok", "succeeded", "completed")):
        return f"That didn't take effect{call.about}. {message_of(content)}".strip()
    told = {key for key in content if raw_words(key)[-1:] in (("success",), ("ok",), ("at",), ("count",))}
    sentences = [tell_done(call, deed, random)]
    if identifier := _identifier(content, call.arguments):
        told.add(identifier)
        sentences.append(_tell_identifier(identifier, deed, content, random))
    state_key, state = state_of(content)
    told.add(state_key)
    if state and state_key not in call.arguments and not _goes_without_saying(state, deed):
        sentences.append(pick(("It's {state} now.", "Its status is {state}."), random).format(state=state))
    facts = [fact for fact in facts_of(content, told, call.arguments) if fact.worth >= 2.5][: 3 - len(sentences)]
    message = message_of(content)
    sentences.extend([message] if message else [upper_first(statement(fact)) + "." for fact in facts])
    return " ".join(sentences)


def _goes_without_saying(state: str, deed: Action) -> bool:
    """Say whether a state only repeats the deed: what was sent is "sent"."""
    words = state.lower().split()
    return words[-1] in _PLAIN_STATES or words[-1] in participle(deed.verb).split() or words[-1] in deed.done.split()


def _tell_identifier(key: str, deed: Action, content: JsonObject, random: Random) -> str:
    words = key_words(key)
    noun = spoken(words) if len(words) > 1 else f"{deed.operation.thing} {spoken(words)}"
    wordings = ("The {noun} is {said}.", "Its {noun} is {said}.", "You'll find it under {noun} {said}.")
    return pick(wordings, random).format(noun=noun, said=say_value(key, content[key], content))


def _identifier(content: JsonObject, arguments: JsonObject) -> str:
    """Return the key of the id that the result gives to what was made."""
    for key, value in content.items():
        if raw_words(key)[-1:] in (("id",), ("number",), ("code",), ("reference",), ("confirmation",), ("key",)):
            if isinstance(value, str | int) and not isinstance(value, bool):
                if key not in arguments and value not in arguments.values():
                    return key
    return ""
