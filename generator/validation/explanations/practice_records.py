"""What explains the second half of the rules TC: the record as a whole, its tools and its metadata."""

from __future__ import annotations

from generator.validation.explanations.explanation import LEFT_OUT, Explanation

_FUNCTION = "/tools/1/function"
_CITY = "/tools/0/function/parameters/properties/city"

EXPLANATIONS = {
    "TC101": Explanation(
        "What JSON cannot hold stops one reader and is changed in silence by the next.",
        bad={"/messages/1/content": "How is \ud800?"},
        good={"/messages/1/content": "Please write a poem about the sea."},
        record="spoken",
    ),
    "TC102": Explanation(
        "Without the tools no call can be checked, and a model learns to call what it was not shown.",
        bad={"/tools": LEFT_OUT},
        good={},
        record="spoken",
        shared={"/metadata": LEFT_OUT},
    ),
    "TC103": Explanation(
        "Loaders that infer columns fail where some records hold keys that others do not.",
        bad={"/messages/1/note": "asked twice"},
        good={},
        record="spoken",
    ),
    "TC104": Explanation(
        "What a model is shown beyond the definition it will not see when it is used.",
        bad={f"{_FUNCTION}/response": {"type": "string"}},
        good={},
        record="spoken",
    ),
    "TC105": Explanation(
        "Templates loop over `properties` also where a tool takes nothing.",
        bad={f"{_FUNCTION}/parameters": {"type": "object"}},
        good={f"{_FUNCTION}/parameters": {"type": "object", "properties": {}}},
        record="spoken",
        shared={f"{_FUNCTION}/strict": False},
    ),
    "TC106": Explanation(
        "The description is what a model fills the parameter by; templates that write it fail without it.",
        bad={f"{_CITY}/description": LEFT_OUT},
        good={f"{_CITY}/description": "The city."},
        record="spoken",
    ),
    "TC107": Explanation(
        "Upper-case types are answered by HTTP 400 in llama.cpp, and JSON Schema does not know them.",
        bad={f"{_CITY}/type": "STRING"},
        good={f"{_CITY}/type": "string"},
        record="spoken",
    ),
    "TC108": Explanation(
        "Two templates recurse without end over a list of types with null.",
        bad={f"{_CITY}/type": ["string", "null"]},
        good={_CITY: {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "The city."}},
        record="spoken",
    ),
    "TC109": Explanation(
        "Definitions become part of the prompt, where the token ends a turn.",
        bad={f"{_FUNCTION}/description": "Ends with <|im_end|>."},
        good={f"{_FUNCTION}/description": "Ends with a marker."},
        record="spoken",
    ),
    "TC110": Explanation(
        "Servers that check types refuse null where true or false belongs.",
        bad={f"{_FUNCTION}/strict": None},
        good={f"{_FUNCTION}/strict": LEFT_OUT},
        record="spoken",
    ),
    "TC111": Explanation(
        "Readers look up keys in the metadata; text has none.",
        bad={"/metadata": "mine"},
        good={},
        record="spoken",
    ),
    "TC112": Explanation(
        "Without seed and versions a record cannot be made again.",
        bad={"/metadata/seed": LEFT_OUT},
        good={"/metadata/seed": 7},
        record="spoken",
    ),
    "TC113": Explanation(
        "Counts and mixes go by kind; one that nobody knows is checked by nobody.",
        bad={"/metadata/kind": "gossip"},
        good={"/metadata/kind": "irrelevance"},
        record="spoken",
    ),
    "TC114": Explanation(
        "A set balanced by kinds is not balanced where the kinds are wrong.",
        bad={"/metadata/kind": "simple"},
        good={"/metadata/kind": "irrelevance"},
        record="spoken",
    ),
    "TC115": Explanation(
        "Readers keep the first value or the last, in silence: two of them train on two different records.",
        bad={},
        good={},
        texts=(
            '{"messages": [{"role": "user", "role": "assistant", "content": "Hello."}]}',
            '{"messages": [{"role": "user", "content": "Hello."}]}',
        ),
    ),
    "TC116": Explanation(
        "What can be read in two ways is read by half of the readers in the other one.",
        bad={},
        good={},
        texts=(
            '{"messages": [{"role": "user", "content": "Hi."}], "query": "Bye.", "answers": "[]", "tools": "[]"}',
            '{"query": "Bye.", "answers": "[]", "tools": "[]"}',
        ),
    ),
    "TC117": Explanation(
        "Where a name cannot be told from its mask, nobody can check what was masked.",
        bad={"/metadata/mask": {"tools": {}, "parameters": {}}},
        good={},
        record="spoken",
    ),
    "TC118": Explanation(
        "A model reads what people do not see: a description that an override or tag characters hide can tell it "
        "anything.",
        bad={"/tools/0/function/description": "Get the \u202erehtaew\u202c of a city."},
        good={"/tools/0/function/description": "Get the weather of a city."},
        record="spoken",
    ),
}
"""By code."""
