"""What explains the first half of the rules OA: messages and calls."""

from __future__ import annotations

from generator.validation.explanations.explanation import LEFT_OUT, Explanation
from generator.validation.explanations.records import (
    FIRST,
    OF_BOTH,
    ON_BOTH,
    POEM,
    REFUSAL,
    REPLY,
    SECOND,
    WARM,
    answer,
    call,
    turn,
)

_CALL = "/messages/2/tool_calls/0"
_ARGUMENTS = f"{_CALL}/function/arguments"

EXPLANATIONS = {
    "OA001": Explanation(
        "There is nothing to learn from an empty conversation, and most templates fail on it.",
        bad={"/messages": []},
        good={"/messages": [POEM, REFUSAL]},
        record="spoken",
        shared={"/metadata": LEFT_OUT},
    ),
    "OA002": Explanation(
        "Bare text says nothing of who speaks.",
        bad={"/messages/0": "You help."},
        good={"/messages/0": {"role": "system", "content": "You help."}},
        record="spoken",
    ),
    "OA003": Explanation(
        "Templates drop messages of unknown roles in silence, or fail on them.",
        bad={"/messages/0/role": "developer"},
        good={"/messages/0/role": "system"},
        record="spoken",
    ),
    "OA004": Explanation(
        "Templates join contents as text: null becomes the word None, a list of parts its Python form.",
        bad={"/messages/1/content": [{"type": "text", "text": "Please write a poem about the sea."}]},
        good={"/messages/1/content": "Please write a poem about the sea."},
        record="spoken",
    ),
    "OA005": Explanation(
        "A call by anybody but the assistant is either lost or learnt as something that users say.",
        bad={"/messages/1/tool_calls": []},
        good={"/messages/1/tool_calls": LEFT_OUT},
        record="spoken",
    ),
    "OA006": Explanation(
        "The key marks results; on another message it makes readers take that message for one.",
        bad={"/messages/1/tool_call_id": FIRST},
        good={"/messages/1/tool_call_id": LEFT_OUT},
        record="spoken",
    ),
    "OA007": Explanation(
        "Without it nobody can tell which of several calls a result answers.",
        bad={
            "/messages/5": {"role": "tool", "name": "get_weather", "content": '{"temperature":3}'},
            "/messages/-": ON_BOTH,
        },
        good={"/messages/5": ON_BOTH},
        record="parallel",
    ),
    "OA008": Explanation(
        "A result without content is no result: the model learns to answer from nothing.",
        bad={"/messages/3/content": None},
        good={"/messages/3/content": '{"temperature":21.5}'},
        shared={"/messages/4/content": "The temperature in Rome is mild."},
    ),
    "OA009": Explanation(
        "A result before its call teaches the model to know answers in advance.",
        bad={
            "/messages": [
                OF_BOTH,
                turn(call(FIRST)),
                answer(SECOND, WARM),
                turn(call(SECOND, "Oslo")),
                answer(FIRST, WARM),
                ON_BOTH,
            ],
        },
        good={
            "/messages": [
                OF_BOTH,
                turn(call(FIRST)),
                answer(FIRST, WARM),
                turn(call(SECOND, "Oslo")),
                answer(SECOND, WARM),
                ON_BOTH,
            ],
        },
        shared={"/metadata": LEFT_OUT},
    ),
    "OA010": Explanation(
        "Servers refuse any other order, and templates that match results by place give them to the wrong calls.",
        bad={"/messages/4": {"role": "user", "content": "And?"}, "/messages/-": REPLY},
        good={"/messages/4": REPLY},
    ),
    "OA012": Explanation(
        "A name alone says neither what is called nor with what.",
        bad={f"{_CALL}/function": "get_weather"},
        good={},
    ),
    "OA013": Explanation(
        "Servers refuse other names with HTTP 400, and constrained decoding cannot write them.",
        bad={f"{_CALL}/function/name": "get weather", "/messages/3/name": "get weather"},
        good={},
    ),
    "OA014": Explanation(
        "A model that sees calls of tools it was not shown learns to invent tools.",
        bad={f"{_CALL}/function/name": "get_wether", "/messages/3/name": "get_wether"},
        good={f"{_CALL}/function/name": "get_weather", "/messages/3/name": "get_weather"},
    ),
    "OA015": Explanation(
        "Text that is not JSON cannot be turned into arguments; a model trained on it writes calls that fail.",
        bad={_ARGUMENTS: '{"city": "Rome"'},
        good={_ARGUMENTS: {"city": "Rome"}},
    ),
    "OA016": Explanation(
        "Whoever trains on calls that the tool refuses gets a model whose calls are refused. One to three per cent of "
        "the calls in well-known sets do not fit their own schema.",
        bad={f"{_ARGUMENTS}/days": "three"},
        good={f"{_ARGUMENTS}/days": 3},
        shared={"/messages/1/content": "How is the weather in Rome for the next three days?"},
    ),
}
"""By code."""
