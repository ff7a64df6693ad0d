"""OA: the parameters of a chat completion request (seeds/003, 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.entities.chat_messages import MESSAGE_RULES
from generator.validation.entities.entity_rule import EntityRule
from generator.validation.entities.numbers import has_fraction, is_number, is_whole
from generator.validation.rule import Finding, Rule
from generator.validation.say import brief, kind_of
from generator.validation.view import RecordView

MOST_TOOLS = 100
"""The most tools in one request that are recommended."""
TOOL_CHOICES = ("auto", "none", "required")
EFFORTS = ("low", "medium", "high")

_SOURCE = "OpenAI data model"


def _request_is_object(request: RecordView) -> Iterator[Finding]:
    if not request.is_object:
        yield Finding("", f"a request is a JSON object, this is {kind_of(request.document)}")


def _model_is_named(request: RecordView) -> Iterator[Finding]:
    model = request.entry.get("model")
    if request.is_object and not (isinstance(model, str) and model.strip()):
        what = brief(model) if "model" in request.entry else "missing"
        yield Finding("/model", f"`model` is a string that is not empty, here it is {what}")


def _messages_are_list(request: RecordView) -> Iterator[Finding]:
    if request.is_object and not request.has_messages:
        what = kind_of(request.entry["messages"]) if "messages" in request.entry else "missing"
        yield Finding("/messages", f"`messages` is an array, here it is {what}")


def _stream_is_boolean(request: RecordView) -> Iterator[Finding]:
    stream = request.entry.get("stream")
    if stream is not None and not isinstance(stream, bool):
        yield Finding("/stream", f"`stream` is true or false, not {brief(stream)}")


def _max_tokens_is_positive(request: RecordView) -> Iterator[Finding]:
    limit = request.entry.get("max_tokens")
    if limit is not None and not (is_whole(limit) and limit > 0):
        yield Finding("/max_tokens", f"`max_tokens` is a positive integer, not {brief(limit)}")


def _max_tokens_has_no_fraction(request: RecordView) -> Iterator[Finding]:
    if has_fraction(request.entry.get("max_tokens")):
        yield Finding("/max_tokens", "an integer is written without a fraction")


def _temperature_is_not_negative(request: RecordView) -> Iterator[Finding]:
    temperature = request.entry.get("temperature")
    if temperature is not None and not (is_number(temperature) and temperature >= 0):
        yield Finding("/temperature", f"`temperature` is a number that is not negative, not {brief(temperature)}")


def _temperature_is_in_range(request: RecordView) -> Iterator[Finding]:
    temperature = request.entry.get("temperature")
    if is_number(temperature) and temperature > 2:
        yield Finding("/temperature", f"`temperature` lies between 0 and 2, here it is {brief(temperature)}")


def _top_p_is_share(request: RecordView) -> Iterator[Finding]:
    top_p = request.entry.get("top_p")
    if top_p is not None and not (is_number(top_p) and 0 <= top_p <= 1):
        yield Finding("/top_p", f"`top_p` is a number between 0 and 1, not {brief(top_p)}")


def _stop_is_text(request: RecordView) -> Iterator[Finding]:
    stop = request.entry.get("stop")
    texts = stop if isinstance(stop, list) else [stop]
    if stop is not None and not all(isinstance(text, str) for text in texts):
        yield Finding("/stop", "`stop` is a string or an array of strings")


def _tools_are_few(request: RecordView) -> Iterator[Finding]:
    if len(request.tools) > MOST_TOOLS:
        yield Finding("/tools", f"at most {MOST_TOOLS} tools are recommended, here are {len(request.tools)}")


def _tool_choice_is_known(request: RecordView) -> Iterator[Finding]:
    choice = request.entry.get("tool_choice")
    if isinstance(choice, dict):
        yield from _named_choice_is_whole(choice)
    elif choice is not None and choice not in TOOL_CHOICES:
        known = ", ".join(TOOL_CHOICES)
        yield Finding("/tool_choice", f"`tool_choice` is one of {known}, or an object that names a function")


def _named_choice_is_whole(choice: JsonObject) -> Iterator[Finding]:
    if choice.get("type") != "function":
        yield Finding("/tool_choice/type", f'the type of a choice is "function", not {brief(choice.get("type"))}')
    if chosen_name(choice) is None:
        yield Finding("/tool_choice/function", 'a choice names its function: {"function": {"name": ...}}')


def chosen_name(choice: JsonValue) -> str | None:
    """Return the name of the function that a `tool_choice` asks for; None where it names none."""
    function = choice.get("function") if isinstance(choice, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) and name else None


def _chosen_tool_is_shown(request: RecordView) -> Iterator[Finding]:
    name = chosen_name(request.entry.get("tool_choice"))
    if name is not None and name not in request.tools_by_name:
        yield Finding("/tool_choice/function/name", f"{brief(name)} is none of the tools of the request")


def _required_call_has_tools(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("tool_choice") == "required" and not request.tools:
        yield Finding("/tool_choice", "a call is required, but the request shows no tool")


def _strict_tools_forbid_parallel_calls(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("parallel_tool_calls") is True and any(tool.strict for tool in request.tools):
        yield Finding("/parallel_tool_calls", "`parallel_tool_calls` is false where a tool is strict")


def _strict_tools_say_so(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("parallel_tool_calls") is None and any(tool.strict for tool in request.tools):
        message = "a tool is strict: say `parallel_tool_calls: false`, since the default is true"
        yield Finding("/parallel_tool_calls", message)


def _stream_options_are_object(request: RecordView) -> Iterator[Finding]:
    options = request.entry.get("stream_options")
    if options is not None and not isinstance(options, dict):
        yield Finding("/stream_options", f"`stream_options` is an object, here it is {kind_of(options)}")


def _include_usage_is_boolean(request: RecordView) -> Iterator[Finding]:
    options = request.entry.get("stream_options")
    if isinstance(options, dict) and not isinstance(options.get("include_usage", False), bool):
        where, value = "/stream_options/include_usage", options["include_usage"]
        yield Finding(where, f"`include_usage` is true or false, not {brief(value)}")


def _stream_options_need_stream(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("stream_options") is not None and request.entry.get("stream") is not True:
        yield Finding("/stream_options", "`stream_options` are given, but `stream` is not true")


def _effort_is_known(request: RecordView) -> Iterator[Finding]:
    effort = request.entry.get("reasoning_effort")
    if effort is not None and effort not in EFFORTS:
        yield Finding("/reasoning_effort", f"`reasoning_effort` is one of {', '.join(EFFORTS)}, not {brief(effort)}")


OWN_RULES: tuple[EntityRule[RecordView], ...] = (
    EntityRule(
        "OA101",
        "A request is a JSON object.",
        f"{_SOURCE}, 7",
        _request_is_object,
        "A server reads parameters by their names.",
        "[]",
        "{}",
    ),
    EntityRule(
        "OA102",
        "`model` is a string that is not empty.",
        f"{_SOURCE}, 7, rule 1",
        _model_is_named,
        "Without it no server knows who is to answer.",
        '{"model": ""}',
        '{"model": "gpt-oss-120b"}',
    ),
    EntityRule(
        "OA103",
        "`messages` is an array.",
        f"{_SOURCE}, 7, rule 2",
        _messages_are_list,
        "The conversation is its messages in their order.",
        '{"messages": "Hello"}',
        '{"messages": [{"role": "user", "content": "Hello"}]}',
    ),
    EntityRule(
        "OA104",
        "`stream` is true or false.",
        f"{_SOURCE}, 7",
        _stream_is_boolean,
        'A text such as "false" counts as true in many languages.',
        '{"stream": "false"}',
        '{"stream": false}',
    ),
    EntityRule(
        "OA105",
        "`max_tokens` is a positive integer.",
        f"{_SOURCE}, 7, rule 8",
        _max_tokens_is_positive,
        "No answer has less than one token.",
        '{"max_tokens": 0}',
        '{"max_tokens": 256}',
    ),
    EntityRule(
        "OA106",
        "`max_tokens` is written without a fraction.",
        f"{_SOURCE}, 7, rule 8",
        _max_tokens_has_no_fraction,
        "Readers in typed languages refuse 256.0 for an integer.",
        '{"max_tokens": 256.0}',
        '{"max_tokens": 256}',
        "warning",
    ),
    EntityRule(
        "OA107",
        "`temperature` is not negative.",
        f"{_SOURCE}, 7, rule 6",
        _temperature_is_not_negative,
        "Sampling divides by it.",
        '{"temperature": -0.5}',
        '{"temperature": 0}',
    ),
    EntityRule(
        "OA108",
        "`temperature` is at most 2.",
        f"{_SOURCE}, 7",
        _temperature_is_in_range,
        "Above 2 answers fall apart, and many servers refuse it.",
        '{"temperature": 2.5}',
        '{"temperature": 2}',
        "warning",
    ),
    EntityRule(
        "OA109",
        "`top_p` is between 0 and 1.",
        f"{_SOURCE}, 7, rule 7",
        _top_p_is_share,
        "It is a share of the probability.",
        '{"top_p": 1.2}',
        '{"top_p": 0.9}',
    ),
    EntityRule(
        "OA110",
        "`stop` is a string or an array of strings.",
        f"{_SOURCE}, 7",
        _stop_is_text,
        "The answer is cut where one of them occurs.",
        '{"stop": [1]}',
        '{"stop": ["END"]}',
    ),
    EntityRule(
        "OA111",
        f"At most {MOST_TOOLS} tools are shown.",
        f"{_SOURCE}, 7",
        _tools_are_few,
        "Every tool costs tokens, and models choose worse among many.",
        '{"tools": [101 tools]}',
        '{"tools": [20 tools]}',
        "warning",
    ),
    EntityRule(
        "OA112",
        "`tool_choice` is auto, none, required, or names a function.",
        f"{_SOURCE}, 7",
        _tool_choice_is_known,
        "Servers refuse any other value.",
        '{"tool_choice": "any"}',
        '{"tool_choice": "required"}',
    ),
    EntityRule(
        "OA113",
        "The function that `tool_choice` names is one of the tools.",
        f"{_SOURCE}, 7, rule 4",
        _chosen_tool_is_shown,
        "The model cannot call what it is not shown.",
        '{"tool_choice": {"type": "function", "function": {"name": "fly"}}}',
        '{"tool_choice": {"type": "function", "function": {"name": "read_file"}}}',
    ),
    EntityRule(
        "OA114",
        "A required call has a tool to call.",
        f"{_SOURCE}, 7",
        _required_call_has_tools,
        "Without tools there is no call that could satisfy it.",
        '{"tool_choice": "required", "tools": []}',
        '{"tool_choice": "auto", "tools": []}',
        "warning",
    ),
    EntityRule(
        "OA115",
        "Strict tools forbid parallel calls.",
        f"{_SOURCE}, 7",
        _strict_tools_forbid_parallel_calls,
        "The grammar of strict mode holds one call; a second one may break its schema.",
        '{"parallel_tool_calls": true, "tools": [{"function": {"strict": true}}]}',
        '{"parallel_tool_calls": false, "tools": [{"function": {"strict": true}}]}',
    ),
    EntityRule(
        "OA116",
        "With strict tools `parallel_tool_calls: false` is said.",
        f"{_SOURCE}, 7",
        _strict_tools_say_so,
        "Left out it means true, which strict tools forbid.",
        '{"tools": [{"function": {"strict": true}}]}',
        '{"parallel_tool_calls": false, "tools": [{"function": {"strict": true}}]}',
        "warning",
    ),
    EntityRule(
        "OA117",
        "`stream_options` is an object.",
        f"{_SOURCE}, 7",
        _stream_options_are_object,
        "Its options are read by their names.",
        '{"stream": true, "stream_options": true}',
        '{"stream": true, "stream_options": {"include_usage": true}}',
    ),
    EntityRule(
        "OA118",
        "`include_usage` is true or false.",
        f"{_SOURCE}, 6",
        _include_usage_is_boolean,
        "It decides whether the last chunk holds the usage.",
        '{"stream": true, "stream_options": {"include_usage": 1}}',
        '{"stream": true, "stream_options": {"include_usage": true}}',
    ),
    EntityRule(
        "OA119",
        "`stream_options` stands beside `stream: true`.",
        f"{_SOURCE}, 7, rule 5",
        _stream_options_need_stream,
        "Servers refuse options of a stream that is not asked for.",
        '{"stream_options": {"include_usage": true}}',
        '{"stream": true, "stream_options": {"include_usage": true}}',
    ),
    EntityRule(
        "OA120",
        "`reasoning_effort` is low, medium or high.",
        f"{_SOURCE}, 7",
        _effort_is_known,
        "Other values are taken by some servers alone.",
        '{"reasoning_effort": "huge"}',
        '{"reasoning_effort": "high"}',
        "warning",
    ),
)
"""The rules over the parameters of a request."""

REQUEST_RULES: tuple[Rule | EntityRule[RecordView], ...] = (*OWN_RULES, *MESSAGE_RULES)
"""Every rule over a request."""
