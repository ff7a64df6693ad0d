"""What each prompt is told: the variables that prompts/README.md documents.

The names of languages are a table of 67 words. Babel 2.18 has them as well, at 33 MB and 37 ms for the first of them;
langcodes 3.5 at 25 MB, 174 ms and 33 MB of memory.
"""

from __future__ import annotations

import re
from random import Random

from generator.authors.llm.draft_checks import is_free, later_calls
from generator.authors.llm.second_opinion import seen_of
from generator.jsontext import JsonObject, JsonValue
from generator.kinds import KINDS
from generator.random_streams import stream
from generator.records import Exchange
from generator.scenarios.results import brought, turn_from
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.scenarios.world_excerpt import at_hand, excerpt, fresh_calls

_LENGTHS = (
    "a few words",
    "one short sentence",
    "one or two sentences",
    "two or three sentences",
    "a short paragraph with a little context",
)
_MOST_WORDS = (6, 14, 28)
"""Up to how many words of the plan a message of each of the first lengths has room for."""
_LONGER = (5, 4, 1)
"""The weights of the length that a plan needs and of the two next, where a model finds a wish of its own."""
_ONE_QUESTION = "in one short question, with no more before it than it needs"
_SAID_ALONE = "in one or two short sentences"
_SEVERAL_QUESTIONS = "in one question over a short list"
_TOLD = "in one to three sentences, or as a list where there are many things"
_NAME = re.compile(r"\w+_\w+")
_LANGUAGES = {
    "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "bg": "Bulgarian", "bn": "Bengali", "bs": "Bosnian",
    "cs": "Czech", "da": "Danish", "de": "German", "dk": "Danish", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fil": "Filipino", "fr": "French", "ga": "Irish",
    "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "ig": "Igbo", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ka": "Georgian", "ko": "Korean", "la": "Latin", "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian", "mr": "Marathi", "mt": "Maltese", "ne": "Nepali", "ng": "English", "nl": "Dutch",
    "no": "Norwegian", "or": "Odia", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "tw": "Twi", "uk": "Ukrainian",
    "uz": "Uzbek", "vi": "Vietnamese", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""The language of each locale that Faker has; `ng` and `dk` are its own names for Nigeria and Denmark."""


def language(locale: str) -> str:
    """Name the language of a locale, as people do in English; English where the table has none."""
    return _LANGUAGES.get(locale.partition("_")[0], "English")


def question_text(scenario: Scenario, history: tuple[Exchange, ...], instructions: str = "") -> tuple[str, JsonObject]:
    """Return the name of the prompt for the next step of a scenario, and its variables."""
    step = scenario.steps[len(history)]
    random = stream(scenario.seed, "prompt", len(history))
    if step.calls and not step.request:
        return "continue", _going_on(scenario, history)
    if not step.request:
        reply = "" if is_free(scenario) else step.reply_text
        return "reply", _reply(scenario, history, step) | {"instructions": instructions, "meant": reply}
    asked = _request(scenario, step, random, is_first=not history) | {
        "conversation": seen_of(history) if scenario.free else _said(history),
        "instructions": instructions,
    }
    meant: JsonObject = {"meant": "" if is_free(scenario) else step.request_text}
    if step.calls:
        return "draft", asked | meant | _to_be_called(scenario, history)
    if KINDS[scenario.kind].by_topic:
        return "irrelevance", asked | {"topic": step.request_text}
    return "request", asked | meant


def _to_be_called(scenario: Scenario, history: tuple[Exchange, ...]) -> JsonObject:
    """Return what is told of the calls of the next step, and, where a model finds the values, of what there is."""
    return {
        "calls": _shown(scenario.steps[len(history)].calls),
        "later": _following(scenario, history),
        "afterwards": _afterwards(scenario, len(history)) if scenario.free else [],
        "invents": scenario.free,
        "world": excerpt(scenario, history) if scenario.free else [],
        "at_hand": _at_hand(scenario, len(history)) if scenario.free else {},
    }


def _at_hand(scenario: Scenario, number: int) -> JsonObject:
    """Return values that would suit, where somebody knows which do: a derived domain draws what a schema admits."""
    return at_hand(fresh_calls(scenario, number)) if scenario.world.program.domain.origin != "derived" else {}


def _going_on(scenario: Scenario, history: tuple[Exchange, ...]) -> JsonObject:
    """Return what is told of calls that follow, to whoever makes them of the results."""
    step = scenario.steps[len(history)]
    return {
        "tools": [_tool(tool.name, tool.description, tool.shown_parameters) for tool in scenario.tools],
        "system": scenario.system,
        "conversation": seen_of(history),
        "calls": [
            {"name": call.tool.name, "brought": list(names)}
            for call, names in zip(step.calls, brought(scenario, len(history)), strict=True)
        ],
    }


def kind_variables(scenario: Scenario, history: tuple[Exchange, ...]) -> JsonObject:
    """Return what the instructions of the scenario's kind are told about the next step."""
    step = scenario.steps[len(history)]
    return {
        "part": "request" if step.request else "reply",
        "act": step.act,
        "turn": sum(exchange.draft.request is not None for exchange in history) + 1,
        "parameters": [_parameter(name, (*step.calls, *step.about)) for name in step.parameters],
        "about": [{"name": call.tool.name, "arguments": call.arguments} for call in step.about],
        "calls": _shown(step.calls),
        "claim": scenario.claim,
        "readings": _readings(scenario),
        "language": language(scenario.locale),
    }


def _readings(scenario: Scenario) -> list[JsonValue]:
    """Return what the words of an ambiguous record can mean: values, or what each of two tools does, in its words."""
    described = {tool.name: tool.description.strip() or tool.name.replace("_", " ") for tool in scenario.tools}
    names, values = scenario.claim.get("tools"), scenario.claim.get("readings")
    if isinstance(names, list):
        return [described[str(name)].partition(". ")[0].rstrip(".") for name in names]
    return values if isinstance(values, list) else []


def _shown(calls: tuple[PlannedCall, ...]) -> list[JsonValue]:
    return [{"name": call.tool.name, "arguments": call.arguments} for call in calls]


def _following(scenario: Scenario, history: tuple[Exchange, ...]) -> list[JsonValue]:
    """Return the calls that follow; what an earlier result brings is named and not shown: nobody is to say it.

    Where the values are the model's own, those of the plan say nothing.
    """
    if scenario.free:
        return [
            {"name": call.tool.name, "arguments": {}, "brought": list(names)}
            for step in turn_from(scenario, len(history))[1:]
            for call, names in zip(scenario.steps[step].calls, brought(scenario, step), strict=True)
        ]
    carried = scenario.claim.get("carried")
    unknown = set(carried) if isinstance(carried, list) else set()
    return [
        {
            "name": call.tool.name,
            "arguments": {name: value for name, value in call.arguments.items() if name not in unknown},
            "brought": sorted(unknown & call.arguments.keys()),
        }
        for call in later_calls(scenario, history)
    ]


def _afterwards(scenario: Scenario, number: int) -> list[JsonValue]:
    """Return the names of the tools that later messages of the user lead to."""
    end = turn_from(scenario, number)[-1] + 1
    return list(dict.fromkeys(call.tool.name for step in scenario.steps[end:] for call in step.calls))


def _parameter(name: str, calls: tuple[PlannedCall, ...]) -> JsonObject:
    """Describe a parameter that a step turns on; its description is of the first call's tool that has it."""
    schemas = [call.tool.parameters.get("properties", {}).get(name) for call in calls]
    schema = next((schema for schema in schemas if isinstance(schema, dict)), {})
    description = _without_tools(str(schema.get("description", "")))
    return {"name": name, "description": description, "choices": schema.get("enum", [])}


def _without_tools(description: str) -> str:
    """Cut a description before the clause that names a tool or another parameter: nobody is to speak of those."""
    named = _NAME.search(description)
    if named is None:
        return description
    before = description[: named.start()]
    return before[: max(0, *map(before.rfind, ",;(."))].strip()


def _said(history: tuple[Exchange, ...]) -> list[JsonValue]:
    """Return what was said so far, in order."""
    said: list[JsonValue] = []
    for each in history:
        for speaker, text in (("user", each.draft.request), ("assistant", each.draft.reply)):
            if text:
                said.append({"speaker": speaker, "text": text})
    return said


def _request(scenario: Scenario, step: Step, random: Random, *, is_first: bool) -> JsonObject:
    return {
        "tools": [_tool(tool.name, tool.description, tool.shown_parameters) for tool in scenario.tools],
        "persona": scenario.persona.role,
        "register": scenario.persona.register,
        "length": _length(scenario, step, random, is_first=is_first),
        "language": language(scenario.locale),
        "system": scenario.system,
        "kind": scenario.kind,
    }


def _length(scenario: Scenario, step: Step, random: Random, *, is_first: bool) -> str:
    """Return how long a message is: as long as what it says takes, which the words of the plan tell.

    A wish that a model finds by itself may begin with more words, unless its author is terse.
    """
    words = len(step.request_text.split())
    needed = sum(words > most for most in _MOST_WORDS)
    if not is_free(scenario) or not is_first:
        return _LENGTHS[needed]
    needed = max(1, needed)
    if scenario.persona.register == "terse":
        return _LENGTHS[needed]
    return random.choices(_LENGTHS[needed : needed + len(_LONGER)], _LONGER[: len(_LENGTHS) - needed])[0]


def _reply_length(scenario: Scenario, step: Step, results: int) -> str:
    """Return how long an answer is; what is asked, and what is said of nothing that was done, is short."""
    if step.act in ("ask", "confirm"):
        return _SEVERAL_QUESTIONS if len(step.about) > 1 else _ONE_QUESTION
    return _TOLD if results else _SAID_ALONE


def _tool(name: str, description: str, parameters: JsonObject) -> JsonObject:
    return {"name": name, "description": description, "parameters": parameters}


def _reply(scenario: Scenario, history: tuple[Exchange, ...], step: Step) -> JsonObject:
    answered = _since_request(history)
    failed = [result.error_message.rstrip(".") for each in answered for result in each.results if result.error_type]
    return {
        "conversation": _said(history),
        "results": [
            {"name": call.name, "arguments": call.arguments, "content": result.message_text}
            for each in answered
            for call, result in zip(each.draft.calls, each.results, strict=True)
        ],
        "failed": failed,
        "length": _reply_length(scenario, step, sum(len(each.results) for each in answered)),
        "system": scenario.system,
        "language": language(scenario.locale),
        "register": scenario.persona.register,
        "kind": scenario.kind,
    }


def _since_request(history: tuple[Exchange, ...]) -> list[Exchange]:
    """Return the steps since the user last spoke."""
    answered: list[Exchange] = []
    for each in reversed(history):
        answered.insert(0, each)
        if each.draft.request is not None:
            break
    return answered
