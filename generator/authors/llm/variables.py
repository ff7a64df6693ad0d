"""What each prompt is told: the variables that prompts/README.md documents."""

from __future__ import annotations

from random import Random

from generator.jsontext import JsonObject
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario
from generator.streams import stream

_LENGTHS = (
    "one short sentence",
    "one or two sentences",
    "two or three sentences",
    "a short paragraph with a little context",
)
_LENGTH_WEIGHTS = (4, 4, 2, 1)
_LANGUAGES = {
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish", "fi": "Finnish", "fr": "French",
    "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_TOPICS = (
    "a taxi ride", "a dentist's appointment", "a plumber", "a birthday cake", "a lost parcel", "a parking permit",
    "a library loan", "a gym class", "a haircut", "a school form", "an insurance claim", "a garden tool",
    "a concert ticket", "a bicycle repair", "a moving van", "a language course", "a pet sitter", "a tax return",
    "a phone contract", "a restaurant table", "a wedding photo album", "a used car", "a visa", "a vaccination",
)  # fmt: skip


def language(locale: str) -> str:
    """Name the language of a locale; English where the table has none."""
    return _LANGUAGES.get(locale.partition("_")[0], "English")


def question_text(scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[str, JsonObject]:
    """Return the name of the prompt for the next step of a scenario, and its variables."""
    step = scenario.steps[len(history)]
    random = stream(scenario.seed, "prompt", len(history))
    if not step.request:
        return "reply", _reply(scenario, history)
    if not step.calls:
        return "irrelevance", _request(scenario, random) | {"topic": random.choice(_TOPICS)}
    called = {call.tool.name for call in step.calls}
    return "draft", _request(scenario, random) | {
        "calls": [{"name": call.tool.name, "arguments": call.arguments} for call in step.calls],
        "distractors": [tool.name for tool in scenario.tools if tool.name not in called],
    }


def _request(scenario: Scenario, random: Random) -> JsonObject:
    return {
        "tools": [_tool(tool.name, tool.description, tool.parameters) for tool in scenario.tools],
        "persona": scenario.persona.role,
        "register": scenario.persona.register,
        "length": random.choices(_LENGTHS, _LENGTH_WEIGHTS)[0],
        "language": language(scenario.locale),
        "system": scenario.system,
        "kind": scenario.kind,
    }


def _tool(name: str, description: str, parameters: JsonObject) -> JsonObject:
    return {"name": name, "description": description, "parameters": parameters}


def _reply(scenario: Scenario, history: tuple[Exchange, ...]) -> JsonObject:
    last = history[-1]
    results = [
        {"name": call.name, "arguments": call.arguments, "content": result.message_text}
        for call, result in zip(last.draft.calls, last.results, strict=True)
    ]
    return {
        "conversation": [{"speaker": "user", "text": each.draft.request} for each in history if each.draft.request],
        "results": results,
        "failed": [result.error_message for result in last.results if result.error_type],
        "abilities": [tool.description for tool in scenario.tools],
        "language": language(scenario.locale),
        "register": scenario.persona.register,
        "kind": scenario.kind,
    }
