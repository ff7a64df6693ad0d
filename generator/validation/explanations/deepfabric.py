"""What explains the rules DF."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.validation.explanations.explanation import LEFT_OUT, Explanation
from generator.validation.explanations.records import FIRST, REPLY, SECOND, WARM, answer, call

_CALL = "/messages/2/tool_calls/0"

_OF_BOTH: JsonObject = {**REPLY, "content": "The temperature is 21.5 degrees in Rome and in Oslo."}

EXPLANATIONS = {
    "DF001": Explanation(
        "Every reader looks up `messages` by its name; a bare array or text stops it.",
        bad={"": ["How is the weather in Rome, and in Oslo?"]},
        good={},
    ),
    "DF002": Explanation(
        "Templates loop over the messages in their order; anything but an array stops training at this record.",
        bad={
            "/messages": {"role": "user", "content": "Please write a poem about the sea."},
            "/metadata": LEFT_OUT,
        },
        good={"/metadata": LEFT_OUT},
        record="spoken",
    ),
    "DF003": Explanation(
        "A turn may hold several calls, so readers loop over them even where there is one.",
        bad={"/messages/2/tool_calls": call(FIRST)},
        good={"/messages/2/tool_calls": LEFT_OUT},
        record="spoken",
    ),
    "DF004": Explanation(
        "Most chat templates write arguments as JSON themselves: text is written a second time, and the model learns "
        "to answer with quoted quotes. Of 133 templates 109 read objects right, 30 read text.",
        bad={f"{_CALL}/function/arguments": '{"city": "Rome"}'},
        good={f"{_CALL}/function/arguments": {"city": "Rome"}},
    ),
    "DF005": Explanation(
        "Mistral's templates and validators refuse any other id, and with it the whole record.",
        bad={f"{_CALL}/id": "call_1", "/messages/3/tool_call_id": "call_1"},
        good={f"{_CALL}/id": "call8B2x9", "/messages/3/tool_call_id": "call8B2x9"},
        shared={"/metadata": LEFT_OUT},
    ),
    "DF006": Explanation(
        "A result that could answer two calls answers neither for certain.",
        bad={
            "/messages/2/tool_calls/1/id": FIRST,
            "/messages/4": LEFT_OUT,
            "/metadata/statuses": {FIRST: "SUCCESS"},
        },
        good={"/messages/2/tool_calls/1/id": SECOND},
        record="parallel",
    ),
    "DF007": Explanation(
        'Other types are reserved; servers and validators know "function" alone and refuse the rest.',
        bad={f"{_CALL}/type": "tool"},
        good={f"{_CALL}/type": "function"},
    ),
    "DF008": Explanation(
        "A result that names no call of its record teaches the model an answer to a question nobody asked.",
        bad={
            "/messages/5": answer("nobody123", WARM),
            "/messages/-": _OF_BOTH,
        },
        good={"/messages/5": _OF_BOTH},
        record="parallel",
    ),
    "DF009": Explanation(
        "Templates put the content of a tool message into text; an object is printed as the reader's language prints "
        "it, with single quotes for one.",
        bad={"/messages/3/content": {"temperature": 21.5}},
        good={"/messages/3/content": '{"temperature":21.5}'},
        shared={"/messages/4/content": "The temperature in Rome is mild."},
    ),
    "DF010": Explanation(
        "Models that see JSON in training read structured results better than those that saw prose.",
        bad={"/messages/3/content": "It is warm."},
        good={"/messages/3/content": '{"temperature":21.5}'},
        shared={"/messages/4/content": "The temperature in Rome is mild.", "/metadata": LEFT_OUT},
    ),
}
"""By code."""
