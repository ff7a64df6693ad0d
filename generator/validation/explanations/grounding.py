"""What explains the rules TC2: where arguments come from, and what answers tell."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.validation.explanations.explanation import Explanation
from generator.validation.explanations.records import FIRST, SECOND, answer

_ARGUMENTS = "/messages/2/tool_calls/0/function/arguments"
_CALLS = "/messages/2/tool_calls"
_OF_ROME: JsonObject = {"city": "Rome", "temperature": 21.5}
_OF_OSLO: JsonObject = {"city": "Oslo", "temperature": 21.5}
_REPLY = "/messages/4/content"

EXPLANATIONS = {
    "TC201": Explanation(
        "A model trained on arguments that nobody gave learns to make them up; a blank one that is required is made up "
        "as well. In what others wrote, a value that nothing speaks against is but noted.",
        bad={f"{_ARGUMENTS}/city": "Lisbon"},
        good={f"{_ARGUMENTS}/city": "Rome"},
    ),
    "TC202": Explanation(
        "A number that no result holds is invented; models trained on such answers invent more. In what others wrote, "
        "one that no number of a result stands against is but noted.",
        bad={_REPLY: "The temperature in Rome is 25 degrees."},
        good={_REPLY: "The temperature in Rome is 21.5 degrees."},
    ),
    "TC203": Explanation(
        "A date that no result holds is invented, and people act on dates.",
        bad={_REPLY: "The temperature in Rome is 21.5 degrees on March 4, 2026."},
        good={_REPLY: "The temperature in Rome is 21.5 degrees."},
    ),
    "TC204": Explanation(
        "A name that no result holds is invented, and readers take it for one they can ask for.",
        bad={_REPLY: "The temperature in Rome is 21.5 degrees, says Anna Berger."},
        good={_REPLY: "The temperature in Rome is 21.5 degrees."},
    ),
    "TC205": Explanation(
        "An assistant that glosses over errors is believed where it should not be.",
        bad={_REPLY: "The weather of Rome is on its way."},
        good={_REPLY: "I could not get the weather of Rome: there is no such city."},
        record="failed",
    ),
    "TC206": Explanation(
        "Half an answer teaches the model to stop after the first result.",
        bad={"/messages/5/content": "The temperature in Rome is 21.5 degrees."},
        good={"/messages/5/content": "The temperature is 21.5 degrees in Rome and 3.5 degrees in Oslo."},
        record="parallel",
        shared={"/messages/4": answer(SECOND, {"temperature": 3.5})},
    ),
    "TC207": Explanation(
        "Whoever filters by where arguments come from gets others than were promised.",
        bad={"/metadata/grounding": {}},
        good={},
    ),
    "TC208": Explanation(
        "What is true of one thing and told of another is as wrong as what is invented, and harder to see.",
        bad={"/messages/5/content": "The temperature is 3.5 degrees in Rome and 21.5 degrees in Oslo."},
        good={"/messages/5/content": "The temperature is 21.5 degrees in Rome and 3.5 degrees in Oslo."},
        record="parallel",
        shared={"/messages/4": answer(SECOND, {"temperature": 3.5})},
    ),
    "TC209": Explanation(
        "Both values were said, and each stands where the other belongs: the model learns that places do not count.",
        bad={f"{_CALLS}/0/function/arguments/days": 5, f"{_CALLS}/1/function/arguments/days": 3},
        good={f"{_CALLS}/0/function/arguments/days": 3, f"{_CALLS}/1/function/arguments/days": 5},
        record="parallel",
        shared={"/messages/1/content": "How is the weather in Rome for the next 3 days, and in Oslo for the next 5?"},
    ),
    "TC210": Explanation(
        "A result that tells of what another call asked for teaches the model to read the wrong one.",
        bad={"/messages/3": answer(FIRST, _OF_OSLO), "/messages/4": answer(SECOND, _OF_ROME)},
        good={"/messages/3": answer(FIRST, _OF_ROME), "/messages/4": answer(SECOND, _OF_OSLO)},
        record="parallel",
    ),
    "TC216": Explanation(
        "An answer that tells as done what failed, or denies what was done, is the lie that users pay for.",
        bad={_REPLY: "The temperature in Rome is 21.5 degrees."},
        good={_REPLY: "I could not get the temperature in Rome: the service says that it failed."},
        shared={"/messages/3": answer(FIRST, {"temperature": 21.5, "success": False})},
    ),
    "TC217": Explanation(
        "A number in the wrong unit is a wrong number, and nobody sees it.",
        bad={_REPLY: "The temperature in Rome is 21.5°F."},
        good={_REPLY: "The temperature in Rome is 21.5°C."},
        shared={"/messages/3": answer(FIRST, {"temperature": 21.5, "temperature_unit": "°C"})},
    ),
    "TC218": Explanation(
        "Whoever learns to say that it is done without doing it will do no more.",
        bad={"/messages/2/content": "I've booked a table for you."},
        good={"/messages/2/content": "I cannot book a table for you."},
        record="spoken",
        shared={"/messages/1/content": "Please book a table for me."},
    ),
    "TC219": Explanation(
        "Silence about an answer that nobody could read is no praise; it is told once for each file and language.",
        bad={"/messages/2/content": "К сожалению, я не могу вам с этим помочь, простите."},
        good={"/messages/2/content": "I cannot help with that."},
        record="spoken",
    ),
    "TC221": Explanation(
        "Who learns to decline what it could do, or to ask for what it was told, is of no use to anybody.",
        bad={"/messages/1/content": "How is the weather in Rome?", "/messages/2/content": "Sorry, I can't do that."},
        good={"/messages/1/content": "Book me a table in Rome.", "/messages/2/content": "Sorry, I can't do that."},
        record="spoken",
    ),
    "TC222": Explanation(
        "Who asks in a language reads it; an answer in another one is none.",
        bad={_REPLY: "La temperatura que hay ahora mismo en Rome es de 21.5 grados."},
        good={_REPLY: "The temperature in Rome is 21.5 degrees."},
    ),
    "TC213": Explanation(
        "A model that learns calls which say the opposite of the request does the opposite of what it is asked.",
        bad={f"{_ARGUMENTS}/hourly": False},
        good={f"{_ARGUMENTS}/hourly": True},
        shared={"/messages/1/content": "How is the weather in Rome? Hourly, please."},
    ),
    "TC214": Explanation(
        "Who gives a text wants that text; half of it is another text.",
        bad={f"{_ARGUMENTS}/note": "packing for three"},
        good={f"{_ARGUMENTS}/note": "packing for three nights"},
        shared={"/messages/1/content": 'How is the weather in Rome? Note: "packing for three nights".'},
    ),
    "TC215": Explanation(
        "What was not read was not checked, and nobody should take it for checked.",
        bad={"/messages/0/content": "You help. " * 2100},
        good={"/messages/0/content": "You help. " * 210},
    ),
    "TC211": Explanation(
        "The last word counts: a model trained on calls for what the user took back does what nobody wants.",
        bad={"/messages/1/content": "How is the weather tomorrow? Not in Rome."},
        good={"/messages/1/content": "How is the weather tomorrow? In Rome, not in Oslo."},
    ),
    "TC220": Explanation(
        "A model that learns to do what nobody asked for, or to do everything twice, does harm.",
        bad={"/messages/5/content": "And in Oslo?"},
        good={"/messages/5/content": "And in Oslo? Please look twice."},
        record="repeated",
    ),
    "TC212": Explanation(
        "A model trained on requests that are half heeded learns to drop the rest without a word.",
        bad={"/messages/1/content": "How is the weather in Rome, Oslo and Lima?"},
        good={"/messages/1/content": "How is the weather in Rome and Oslo?"},
        record="parallel",
    ),
}
"""By code."""
