"""Results that are one object: an answer, the state of a thing, what was asked for, a deed confirmed with its id."""

from __future__ import annotations

import re
from random import Random

from generator.authors.offline.participles import participle
from generator.authors.offline.replies_actions import Action, Call, pick, tell_done
from generator.authors.offline.replies_facts import (
    Fact,
    answer_of,
    asked_fact,
    facts_of,
    message_of,
    name_of,
    quoted,
    state_of,
    titled,
)
from generator.authors.offline.replies_phrases import fact_phrase, follows, statement, with_facts
from generator.authors.offline.replies_values import key_words, raw_words, say_text, say_value
from generator.authors.offline.words import is_plural, join_and, spoken, upper_first, word_set
from generator.jsontext import JsonObject

_FACTS = 3
_ID_ENDS = (("id",), ("number",), ("code",), ("reference",), ("confirmation",), ("key",))
_WEATHER = word_set("condition conditions weather")
_PLAIN_STATES = word_set("""
    success successful completed complete ok done updated created deleted removed sent saved applied changed added
    set accepted open active executed placed sent issued registered scheduled recorded
    """)


def tell_thing(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    """Tell an object that was looked up or computed."""
    if answer := answer_of(content):
        return _tell_answer(call, content, answer)
    if message := message_of(content):
        return message
    if text := _text_of(content):
        return pick(('It says: "{}"', 'Here\'s what it says: "{}"', 'The text reads: "{}"'), random).format(text)
    key, name = name_of(content)
    if key_words(key)[-1:] in _ID_ENDS and len(content) < 7 and (said := quoted(content)):
        more = [fact for fact in facts_of(content, {key}, call.arguments) if follows(fact)]
        return f"Here it is{call.about}: {said}{f' ({with_facts(more)})' if more else ''}."
    state_key, state = state_of(content)
    facts = [fact for fact in facts_of(content, {key, state_key}, call.arguments) if fact.worth > 0]
    if text := _tell_converted(call, content):
        return text
    if (only := _only_number(content, call.arguments)) and (subject := asked_subject(call, _asked_words(only, call))):
        return upper_first(f"{subject[0]} {subject[1]} {_with_unit(only, content)}.")
    spoken_out = [fact for fact in facts if fact.said.endswith((".", "!", "?"))]
    if spoken_out and len(spoken_out) == len(facts):
        return spoken_out[0].said
    facts = [fact for fact in facts if fact not in spoken_out]
    asked = asked_fact(facts_of(content, {state_key}, call.arguments), deed.operation.words)
    if asked is not None and not _was_given(asked, call.arguments):
        return _tell_asked(call, asked, [fact for fact in facts if fact.key != asked.key])
    if state and state_key not in call.arguments:
        return _tell_state(call, deed, content, (state_key, state), facts[:_FACTS], random)
    repeats = not name or any(name == value for value in call.arguments.values())
    if not repeats:
        plain = [fact for fact in facts if raw_words(fact.key)[-1] not in ("description", "summary", "bio")]
        return _tell_found(titled(key, name), plain[:_FACTS], call, random)
    if not facts:
        return _tell_link(call, content)
    return _tell_facts(call.label, deed, facts[:_FACTS], random)


_BEFORE_PREPOSITION = re.compile(r" (?:of|between|for|in|from|at|on) ")
_PLAIN_RESULTS = word_set("result value answer output total")


def _only_number(content: JsonObject, arguments: JsonObject) -> str:
    """Return the key of the only number of a result that is news; the empty string where there are more or none."""
    news = [key for key, value in content.items() if arguments.get(key) != value and raw_words(key)[-1:] != ("unit",)]
    if len(news) != 1 or isinstance(content[news[0]], bool) or not isinstance(content[news[0]], int | float):
        return ""
    return news[0]


def _tell_converted(call: Call, content: JsonObject) -> str:
    """Tell what something was converted to; the empty string where nothing was."""
    only = _only_number(content, call.arguments)
    if not only or call.told is None or call.told.verb != "convert":
        return ""
    return upper_first(f"converting {call.told.rest} gives {say_value(only, content[only], content)}.")


def _asked_words(key: str, call: Call) -> tuple[str, ...]:
    """Return the words that the question must contain: none where the only number of a computation answers it."""
    return () if call.told is not None and call.told.sort == "compute" else key_words(key)


def _with_unit(key: str, content: JsonObject) -> str:
    """Say the only number of a result with the unit that stands beside it."""
    said, unit = say_value(key, content[key], content), content.get("unit")
    return f"{said} {say_text(unit)}" if isinstance(unit, str) and said[-1].isdigit() and len(unit) < 14 else said


def asked_subject(call: Call, words: tuple[str, ...]) -> tuple[str, str] | None:
    """Return what was asked for, as a subject with its verb: "the distance between Rome and Oslo", "is".

    `words` are those of the result's key: the subject must speak of them, unless they say no more than "result".
    """
    told = call.told
    if told is None or told.asks != "is" or " and " in _BEFORE_PREPOSITION.split(told.core, maxsplit=1)[0]:
        return None
    if words and words[-1] not in _PLAIN_RESULTS and words[-1] not in told.core.lower():
        return None
    return told.subject, told.asks


_VERB_OF_CLAUSE = (" is ", " are ", " can ", " has ", " have ")
_NOT = {" is ": " is not ", " are ": " are not ", " can ": " cannot ", " has ": " does not have ",
        " have ": " do not have "}  # fmt: skip


def affirmed(call: Call, value: bool) -> str:
    """Answer "check if the phone is online" in its own words; the empty string where the call asked no such thing."""
    told = call.told
    clause = told.core if told is not None else ""
    lead, _, rest = clause.partition(" ")
    if lead not in ("if", "whether"):
        return ""
    places = [(rest.find(verb), verb) for verb in _VERB_OF_CLAUSE if verb in rest]
    if not places or " or " in rest:
        return ""
    _, verb = min(places)
    return f"Yes, {rest}." if value else f"No, {rest.replace(verb, _NOT[verb], 1)}."


_CHECKS = word_set("verify validate check confirm")
_NEGATIVE = re.compile(
    r"\b(?:not|no|cannot|missing|fail\w*|invalid|expired|exceed\w*|without|un\w+|too)\b", re.IGNORECASE
)


def _was_given(fact: Fact, arguments: JsonObject) -> bool:
    """Say whether a fact is of what the call was made with: a customer found by phone is not asked for the phone."""
    own = set(raw_words(fact.key))
    return any(own <= set(raw_words(name)) for name in arguments)


def _tell_answer(call: Call, content: JsonObject, answer: tuple[str, bool]) -> str:
    key, value = answer
    facts = [fact for fact in facts_of(content, {key}, call.arguments) if fact.worth >= 2][:2]
    reasons = [fact.said for fact in facts if isinstance(fact.value, str) and fact.said[-1] in ".!?"]
    reasons = [reason for reason in reasons if value is not bool(_NEGATIVE.search(reason))]
    if text := affirmed(call, value):
        return " ".join([text, *reasons])
    words = [word for word in key_words(key) if word not in ("is", "has", "can")]
    if words[-1:] in (["status"], ["verified"], ["valid"], ["correct"]) and call.told and call.told.verb in _CHECKS:
        return "Yes, that checks out." if value else "No, that doesn't check out."
    if len(words) == 1 and words[0].endswith("ed") and not call.label:
        return " ".join([f"Yes, it's {words[0]}." if value else f"No, it's not {words[0]}.", *reasons])
    text = "Yes" if value else "No"
    if words != ["result"] and call.label and words:
        verb = "has" if raw_words(key)[0] == "has" else "can" if raw_words(key)[0] == "can" else "is"
        negated = {"has": "does not have", "can": "cannot", "is": "is not"}[verb]
        text += f", {call.label} {verb if value else negated} {spoken(words)}"
    plain = [fact for fact in facts if not fact.said.endswith((".", "!", "?"))]
    told = [upper_first(f"{statement(fact)}.") for fact in plain]
    return " ".join([text + ".", *told, *reasons])


def _tell_asked(call: Call, asked: Fact, others: list[Fact]) -> str:
    """Tell what the tool's name asks for, first of all."""
    subject = asked_subject(call, key_words(asked.key))
    text = f"{subject[0]} is {asked.said}" if subject else statement(asked)
    if subject:
        return upper_first(text + _more(others)) + "."
    lead, verb, rest = text.partition(" is ")
    if verb and not lead.startswith("it"):
        text = f"{lead}{call.about} is {rest}"
    elif call.about and call.label not in text:
        text += call.about
    return upper_first(text + _more(others)) + "."


def _more(others: list[Fact]) -> str:
    more = [fact for fact in others if fact.worth >= 3.5 and fact.key != "year" and len(raw_words(fact.key)) < 4][:1]
    return f", {with_facts(more)}" if more else ""


def _tell_state(
    call: Call, deed: Action, content: JsonObject, state: tuple[str, str], facts: list[Fact], random: Random
) -> str:
    key, words = state
    words = words if any(char.isupper() for char in words[1:]) else words[:1].lower() + words[1:]
    said = f", {with_facts(facts)}" if facts else ""
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


_CONTENTS = word_set("content contents text output body transcript sorted lyrics story poem code translation")
_LONGEST_TEXT = 400


def _text_of(content: JsonObject) -> str:
    """Return the running text that a result consists of; the empty string where it is more than a text."""
    texts = [value for key, value in content.items() if _CONTENTS & set(raw_words(key)) and isinstance(value, str)]
    if len(texts) != 1 or len(content) > 2 or not 0 < len(texts[0]) <= _LONGEST_TEXT or " " not in texts[0]:
        return ""
    return texts[0].strip()


def _tell_link(call: Call, content: JsonObject) -> str:
    """Tell a result that holds nothing but an address, or nothing that was not known."""
    links = [value for value in content.values() if isinstance(value, str) and value.startswith("http")]
    if links:
        return f"Here you go: {links[0]}"
    return f"I looked it up{call.about}, but there is nothing more to tell."


def _tell_found(found: str, facts: list[Fact], call: Call, random: Random) -> str:
    if not facts:
        return f"I found {found}{call.about}."
    said = with_facts(facts[:2])
    if found[0] == '"' and call.label.split(" ")[-1].isdigit():
        return upper_first(f"{call.label} is {found}, {said}.")
    wordings: tuple[str, ...] = (
        "I found {found}{about}, {said}.",
        "It's {found}{about}, {said}.",
        "Here it is{about}: {found}, {said}.",
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
            text += f", {with_facts(facts[1:])}"
        return upper_first(text + (f" for {subject}" if subject and subject not in text else "")) + "."
    said = join_and([fact_phrase(fact) for fact in facts])
    if any(follows(fact) for fact in facts):
        return upper_first(f"{subject} is {with_facts(facts)}.")
    if subject[0].isdigit():
        return upper_first(f"for {subject} I get {said}.")
    computed = deed.operation.family in ("compute", "predict", "convert", "analyze")
    return upper_first(pick(_COMPUTED if computed else _LOOKED_UP, random).format(subject=subject, said=said))


def tell_deed(call: Call, deed: Action, content: JsonObject, random: Random) -> str:
    """Confirm what was done, with its id and what else is new."""
    if any(content.get(key) is False for key in ("success", "ok", "succeeded", "completed")):
        return _tell_failed_quietly(call)
    if any(value is False and raw_words(key)[-1:] == ("status",) for key, value in content.items()):
        return _tell_failed_quietly(call)
    if (only := _only_number(content, call.arguments)) and raw_words(only)[-1] in ("result", "value", "answer"):
        return pick(("That comes to {}.", "The result is {}.", "It's {}."), random).format(
            say_value(only, content[only], content)
        )
    if switched := _tell_switched(call, content):
        return switched
    told = {key for key in content if raw_words(key)[-1:] in (("success",), ("ok",), ("at",), ("count",))}
    sentences = [tell_done(call, deed, random)]
    if identifier := _identifier(content, call.arguments):
        told.add(identifier)
        sentences.append(_tell_identifier(identifier, deed, content, random))
    state_key, state = state_of(content)
    told.add(state_key)
    if state and state_key not in call.arguments and not _goes_without_saying(state, deed, call):
        sentences.append(pick(("It's {state} now.", "It's now {state}."), random).format(state=state))
    if any(isinstance(value, str) and value.startswith("http") for value in content.values()):
        told |= {"width", "height"}
    facts = [fact for fact in facts_of(content, told, call.arguments) if fact.worth >= 2.5][: 3 - len(sentences)]
    message = message_of(content)
    sentences.extend([message] if message else [upper_first(statement(fact)) + "." for fact in facts])
    return " ".join(sentences)


def _tell_failed_quietly(call: Call) -> str:
    if call.told is None:
        return f"That didn't take effect{call.about}."
    return f"I tried to {call.told.phrase}, but it didn't take effect."


_SWITCHED = word_set("on off enabled disabled")
_SWITCHES = word_set("toggle turn switch")


def _tell_switched(call: Call, content: JsonObject) -> str:
    """Tell what a switch is at now: "Airplane mode is now on."; the empty string where nothing was switched."""
    told, (_, state) = call.told, state_of(content)
    if told is None or told.verb not in _SWITCHES or state not in _SWITCHED or call.arguments:
        return ""
    last = told.core.split()[-1].lower()
    verb = "are" if is_plural(last) and last != "data" else "is"
    core = told.core.removeprefix("on ").removeprefix("off ")
    return upper_first(f"{core} {verb} now {state}.")


def _goes_without_saying(state: str, deed: Action, call: Call) -> bool:
    """Say whether a state only repeats the deed: what was sent is "sent"."""
    words = state.lower().split()
    verbs = (deed.verb, deed.operation.verb, call.told.verb if call.told is not None else "")
    said = call.told.done if call.told is not None else deed.done
    if state in _SWITCHED:
        return True
    if words[-1].endswith("ed") and any(words[-1][:4] == verb[:4] for verb in verbs if len(verb) > 3):
        return True
    done = words[-1] in _PLAIN_STATES or words[-1] in said.split()
    return done or any(words[-1] in participle(verb).split() for verb in verbs if verb)


def _tell_identifier(key: str, deed: Action, content: JsonObject, random: Random) -> str:
    words = key_words(key)
    noun = spoken(words) if len(words) > 1 else f"{deed.operation.thing} {spoken(words)}"
    wordings = ("The {noun} is {said}.", "Its {noun} is {said}.", "You'll find it under {noun} {said}.")
    return pick(wordings, random).format(noun=noun, said=say_value(key, content[key], content))


def _identifier(content: JsonObject, arguments: JsonObject) -> str:
    """Return the key of the id that the result gives to what was made."""
    for key, value in content.items():
        named = raw_words(key)[-1:] in _ID_ENDS and isinstance(value, str | int) and not isinstance(value, bool)
        if named and key not in arguments and value not in arguments.values():
            return key
    return ""
