"""What explains the rules ADM: definitions, arguments, results."""

from __future__ import annotations

from generator.jsontext import JsonValue, dump_compact
from generator.validation.explanations.explanation import LEFT_OUT, Change, Explanation
from generator.validation.explanations.records import ERROR, FIRST, SECOND, WARM

_FUNCTION = "/tools/1/function"
_CITY = "/tools/0/function/parameters/properties/city"
_ARGUMENTS = "/messages/2/tool_calls/0/function/arguments"
_CONTENT = "/messages/3/content"
_STATUS = f"/metadata/statuses/{FIRST}"


def _error(**fields: JsonValue) -> Change:
    return {_CONTENT: dump_compact({"error": {**ERROR, **fields}})}


def _described(length: int) -> Change:
    return {f"{_FUNCTION}/description": "Tells the time. ".ljust(length, ".")}


EXPLANATIONS = {
    "ADM001": Explanation(
        "A name that starts with a digit or is longer is refused by Gemini, and cut by others.",
        bad={f"{_FUNCTION}/name": "2nd_clock"},
        good={f"{_FUNCTION}/name": "second_clock"},
        record="spoken",
    ),
    "ADM002": Explanation(
        "No value fits an empty enum: the parameter can never be given.",
        bad={f"{_CITY}/enum": []},
        good={f"{_CITY}/enum": ["Rome"]},
        record="spoken",
    ),
    "ADM003": Explanation(
        "The description is what a model chooses tools by, and many templates fail without it.",
        bad={f"{_FUNCTION}/description": " "},
        good={f"{_FUNCTION}/description": "Get the time in a city."},
        record="spoken",
    ),
    "ADM004": Explanation(
        "Longer descriptions cost every request, and hide what matters.",
        bad=_described(1001),
        good=_described(1000),
        record="spoken",
    ),
    "ADM005": Explanation(
        "What is required but not declared can be given by no caller who goes by the properties.",
        bad={"/tools/0/function/parameters/required": ["city", "country"]},
        good={"/tools/0/function/parameters/required": ["city"]},
        record="spoken",
    ),
    "ADM006": Explanation(
        "Without `items` neither a model nor a grammar knows what to put into the array.",
        bad={"/tools/0/function/parameters/properties/tags": {"type": "array", "description": "Tags."}},
        good={
            "/tools/0/function/parameters/properties/tags": {
                "type": "array",
                "description": "Tags.",
                "items": {"type": "string"},
            }
        },
        record="spoken",
    ),
    "ADM007": Explanation(
        "Readers refuse an enum that names a value twice, as JSON Schema advises and ADM demands.",
        bad={f"{_CITY}/enum": ["Rome", "Oslo", "Rome"]},
        good={f"{_CITY}/enum": ["Rome", "Oslo"]},
        record="spoken",
    ),
    "ADM008": Explanation(
        "An argument that the tool does not declare is dropped or refused; a model trained on it invents more.",
        bad={f"{_ARGUMENTS}/country": "Italy"},
        good={},
        shared={"/messages/1/content": "How is the weather in Rome in Italy, a nice country?"},
    ),
    "ADM009": Explanation(
        "Readers in typed languages refuse 5.0 for an integer, and a model that sees it learns to write it.",
        bad={f"{_ARGUMENTS}/days": 5.0},
        good={f"{_ARGUMENTS}/days": 5},
        shared={"/messages/1/content": "How is the weather in Rome for the next 5 days?"},
    ),
    "ADM010": Explanation(
        "Readers cut larger numbers to 64 bits, so the tool gets another one.",
        bad={f"{_ARGUMENTS}/days": 2**63},
        good={f"{_ARGUMENTS}/days": 2**63 - 1},
        shared={"/messages/1/content": f"How is the weather in Rome for the next {2**63} or {2**63 - 1} days?"},
    ),
    "ADM101": Explanation(
        "Some readers link results to calls by name alone.",
        bad={"/messages/3/name": "get_time"},
        good={"/messages/3/name": "get_weather"},
    ),
    "ADM102": Explanation(
        "A status tells whether a result is a value or an error; without it that is a guess.",
        bad={"/metadata/statuses": {}},
        good={"/metadata/statuses": {FIRST: "SUCCESS"}},
    ),
    "ADM103": Explanation(
        "A status of no call is left over from another record.",
        bad={f"/metadata/statuses/{SECOND}": "SUCCESS"},
        good={},
    ),
    "ADM104": Explanation(
        "Whoever counts failures by type misses those that are spelt otherwise.",
        bad={_STATUS: "NOT_FOUND"},
        good={_STATUS: "RESOURCE_NOT_FOUND"},
        record="failed",
    ),
    "ADM105": Explanation(
        "A failure whose content looks like a value is learnt as a success.",
        bad={_STATUS: "RESOURCE_NOT_FOUND", _CONTENT: dump_compact(WARM)},
        good={_STATUS: "RESOURCE_NOT_FOUND", _CONTENT: dump_compact({"error": ERROR})},
        record="failed",
    ),
    "ADM106": Explanation(
        "A success whose content is an error teaches the model to report failures as results.",
        bad={_STATUS: "SUCCESS"},
        good={_STATUS: "RESOURCE_NOT_FOUND"},
        record="failed",
    ),
    "ADM107": Explanation(
        "Two types for one failure: whoever filters by one finds the other.",
        bad=_error(type="PERMISSION_DENIED"),
        good=_error(type="RESOURCE_NOT_FOUND"),
        record="failed",
    ),
    "ADM108": Explanation(
        "Code that handles errors branches on these eight; a ninth falls through.",
        bad=_error(type="NOT_FOUND"),
        good=_error(type="INVALID_STATE"),
        record="failed",
        shared={"/metadata": LEFT_OUT},
    ),
    "ADM109": Explanation(
        "A number is another vocabulary: HTTP's, or the tool's own.",
        bad=_error(type=404),
        good=_error(type="RESOURCE_NOT_FOUND"),
        record="failed",
        shared={"/metadata": LEFT_OUT},
    ),
    "ADM110": Explanation(
        "The message is all from which the assistant can say what went wrong.",
        bad=_error(message="  "),
        good=_error(message="There is no such city."),
        record="failed",
    ),
    "ADM111": Explanation(
        "Longer messages are dumps of internals, which users should not see.",
        bad=_error(message="x" * 501),
        good=_error(message="x" * 500),
        record="failed",
    ),
    "ADM112": Explanation(
        "The structure of errors is closed; readers that check it refuse further keys.",
        bad=_error(details={"city": "Rome"}),
        good=_error(),
        record="failed",
    ),
    "ADM113": Explanation(
        "A model trained on results that the tool never gives reads the real ones wrong.",
        bad={_CONTENT: '{"temperature":"warm"}'},
        good={_CONTENT: '{"temperature":21}'},
        shared={"/messages/4/content": "The temperature in Rome is mild."},
    ),
    "ADM114": Explanation(
        "A definition that differs from the catalog's is not the tool whose results were checked.",
        bad={"/tools/0/function/description": "Get the climate of a city."},
        good={"/tools/0/function/description": "Get the weather of a city."},
    ),
}
"""By code."""
