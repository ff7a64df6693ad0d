"""What explains the second half of the rules OA: tool definitions, strict mode, order."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.validation.explanations.explanation import LEFT_OUT, Explanation
from generator.validation.explanations.records import CATALOG

_TOOL, _FUNCTION = "/tools/1", "/tools/1/function"
_PARAMETERS = f"{_FUNCTION}/parameters"


def strict(properties: JsonObject) -> JsonObject:
    """Return parameters that strict mode accepts, as far as this object alone decides it."""
    described = {name: {"description": "A part.", **schema} for name, schema in properties.items()}
    return {
        "type": "object",
        "properties": described,
        "required": list(properties),
        "additionalProperties": False,
    }


def _nested(levels: int) -> JsonValue:
    schema: JsonObject = {"type": "string"}
    for _ in range(levels):
        schema = strict({"part": schema})
    return schema


def _many(count: int) -> JsonValue:
    return strict({f"field_{number}": {"type": "string"} for number in range(count)})


_CLOCK = CATALOG.tools[1].shown
_LOOSE_CLOCK: JsonObject = {
    **_CLOCK,
    "function": {key: value for key, value in _CLOCK["function"].items() if key != "strict"},
}

EXPLANATIONS = {
    "OA011": Explanation(
        "A server that gets anything else refuses the request.",
        bad={"/parallel_tool_calls": "no"},
        good={"/parallel_tool_calls": False},
        record="spoken",
        shared={"/metadata": LEFT_OUT},
    ),
    "OA017": Explanation(
        "Templates loop over the tools; an object is read as a list of its keys.",
        bad={"/tools": CATALOG.tools[0].shown},
        good={"/tools": [CATALOG.tools[0].shown]},
        record="spoken",
        shared={"/metadata": LEFT_OUT},
    ),
    "OA018": Explanation(
        "A name alone tells a model nothing of what the tool does and takes.",
        bad={"/tools/-": "get_time"},
        good={},
        record="spoken",
    ),
    "OA019": Explanation(
        'Servers know tools of the type "function" alone here, and templates skip what has none.',
        bad={f"{_TOOL}/type": LEFT_OUT},
        good={f"{_TOOL}/type": "function"},
        record="spoken",
    ),
    "OA020": Explanation(
        "Name, description and parameters stand in `function`; templates look for them there.",
        bad={_FUNCTION: "get_time"},
        good={},
        record="spoken",
    ),
    "OA021": Explanation(
        "A call of a name that two tools share calls neither for certain.",
        bad={f"{_FUNCTION}/name": "get_weather"},
        good={f"{_FUNCTION}/name": "get_time"},
        record="spoken",
    ),
    "OA022": Explanation(
        "Servers refuse other names with HTTP 400: dots, blanks and accents among them.",
        bad={f"{_FUNCTION}/name": "clock.get_time"},
        good={f"{_FUNCTION}/name": "clock_get_time"},
        record="spoken",
    ),
    "OA023": Explanation(
        "Templates read the parameters of every tool, also of one that takes none: that one has empty properties.",
        bad={_PARAMETERS: LEFT_OUT},
        good={_PARAMETERS: {"type": "object", "properties": {}}},
        record="spoken",
        shared={f"{_FUNCTION}/strict": False},
    ),
    "OA024": Explanation(
        "No argument can be checked against what is no schema, and constrained decoding stops at it.",
        bad={f"{_PARAMETERS}/properties/city/type": "str"},
        good={f"{_PARAMETERS}/properties/city/type": "string"},
        record="spoken",
    ),
    "OA025": Explanation(
        "Arguments are given by name, so their schema is that of an object.",
        bad={f"{_PARAMETERS}/type": LEFT_OUT},
        good={f"{_PARAMETERS}/type": "object"},
        record="spoken",
        shared={f"{_FUNCTION}/strict": False},
    ),
    "OA026": Explanation(
        "Any text is true to a careless reader, also the text no.",
        bad={f"{_FUNCTION}/strict": "no"},
        good={f"{_FUNCTION}/strict": False},
        record="spoken",
    ),
    "OA027": Explanation(
        "Strict mode knows no optional argument: the server refuses the definition.",
        bad={f"{_PARAMETERS}/required": []},
        good={f"{_PARAMETERS}/required": ["city"]},
        record="spoken",
    ),
    "OA028": Explanation(
        "Strict mode must know every argument in advance: the server refuses an open object at any depth.",
        bad={f"{_PARAMETERS}/additionalProperties": LEFT_OUT},
        good={f"{_PARAMETERS}/additionalProperties": False},
        record="spoken",
    ),
    "OA029": Explanation(
        "Servers refuse strict definitions above the limit.",
        bad={_PARAMETERS: _many(101)},
        good={_PARAMETERS: _many(100)},
        record="spoken",
    ),
    "OA030": Explanation(
        "Servers refuse strict definitions that nest deeper.",
        bad={_PARAMETERS: _nested(6)},
        good={_PARAMETERS: _nested(5)},
        record="spoken",
    ),
    "OA031": Explanation(
        "Strict tools need `parallel_tool_calls: false`, which parallel calls contradict.",
        bad={"/tools/-": _CLOCK},
        good={"/tools/-": _LOOSE_CLOCK},
        record="parallel",
    ),
    "OA032": Explanation(
        "A record that forbids what it then does teaches the model to ignore what it is told.",
        bad={"/parallel_tool_calls": False},
        good={"/parallel_tool_calls": True},
        record="parallel",
        shared={"/metadata": LEFT_OUT},
    ),
}
"""By code."""
