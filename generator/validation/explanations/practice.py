"""What explains the rules Q3 and the first half of TC: what is said, called and answered."""

from __future__ import annotations

from generator.validation.explanations.explanation import LEFT_OUT, Explanation
from generator.validation.explanations.records import (
    FIRST,
    OF_BOTH,
    ON_BOTH,
    POEM,
    REFUSAL,
    SECOND,
    SYSTEM,
    WARM,
    answer,
    call,
    turn,
)

_CALL = "/messages/2/tool_calls/0"
_ARGUMENTS = f"{_CALL}/function/arguments"
_ASKED, _SAID = "/messages/1/content", "/messages/2/content"

EXPLANATIONS = {
    "Q3001": Explanation(
        "The marker ends the turn in every ChatML template: what follows is read as the next speaker's words.",
        bad={_ASKED: "What does <|im_end|> mean?"},
        good={_ASKED: "What does im_end mean?"},
        record="spoken",
    ),
    "Q3002": Explanation(
        "Qwen's template takes text between these tags for a call or a result.",
        bad={_ASKED: "<tool_response>\nRome\n</tool_response>"},
        good={_ASKED: "The tool's response was Rome."},
        record="spoken",
    ),
    "Q3003": Explanation(
        "Thinking templates cut everything before the closing tag out of earlier turns.",
        bad={_SAID: "<think>Hm.</think>I cannot help with that."},
        good={_SAID: "I cannot help with that."},
        record="spoken",
    ),
    "TC001": Explanation(
        'Read right by 109 of 133 templates: content ""; without the key 103, with null 88.',
        bad={_SAID: LEFT_OUT},
        good={_SAID: ""},
    ),
    "TC002": Explanation(
        "31 of 133 templates lose text beside calls.",
        bad={_SAID: "Let me look."},
        good={_SAID: ""},
    ),
    "TC003": Explanation(
        "Templates ask whether a key is there, not whether it holds something: null takes the branch of a value.",
        bad={"/messages/2/tool_calls": None},
        good={"/messages/2/tool_calls": LEFT_OUT},
        record="spoken",
    ),
    "TC004": Explanation(
        "18 of 133 templates drop the answer of a message with an empty list of calls.",
        bad={"/messages/2/tool_calls": []},
        good={"/messages/2/tool_calls": LEFT_OUT},
        record="spoken",
    ),
    "TC005": Explanation(
        "Templates of the Gemini, Llama and Mistral families write the name; without it they write None or fail.",
        bad={"/messages/3/name": LEFT_OUT},
        good={"/messages/3/name": "get_weather"},
    ),
    "TC006": Explanation(
        "Only 11 of 133 templates write ids; the others match results to calls by place.",
        bad={"/messages/3": answer(SECOND, WARM), "/messages/4": answer(FIRST, WARM)},
        good={"/messages/3": answer(FIRST, WARM), "/messages/4": answer(SECOND, WARM)},
        record="parallel",
    ),
    "TC007": Explanation(
        "Templates read the system message from the first place; elsewhere they drop it or fail.",
        bad={"/messages": [POEM, REFUSAL, SYSTEM, POEM, REFUSAL]},
        good={"/messages": [SYSTEM, POEM, REFUSAL, POEM, REFUSAL]},
        record="spoken",
    ),
    "TC008": Explanation(
        "Many templates raise where the roles do not alternate.",
        bad={"/messages": [SYSTEM, POEM, POEM, REFUSAL]},
        good={"/messages": [SYSTEM, POEM, REFUSAL, POEM, REFUSAL]},
        record="spoken",
    ),
    "TC009": Explanation(
        "Templates that alternate expect the user first, and raise otherwise.",
        bad={"/messages": [SYSTEM, REFUSAL]},
        good={"/messages": [SYSTEM, POEM, REFUSAL]},
        record="spoken",
    ),
    "TC010": Explanation(
        "Loss is taken on the assistant's turns; a record that ends with another has its point missing.",
        bad={"/messages": [SYSTEM, POEM]},
        good={"/messages": [SYSTEM, POEM, REFUSAL]},
        record="spoken",
        shared={"/metadata": LEFT_OUT},
    ),
    "TC011": Explanation(
        "Templates that match by place give the next result to the wrong call.",
        bad={"/messages": [SYSTEM, OF_BOTH, turn(call(FIRST), call(SECOND, "Oslo")), answer(FIRST, WARM), ON_BOTH]},
        good={},
        record="parallel",
    ),
    "TC012": Explanation(
        "The second answer belongs to another call, or to none.",
        bad={"/messages/5": answer(SECOND, WARM), "/messages/-": ON_BOTH},
        good={"/messages/5": ON_BOTH},
        record="parallel",
    ),
    "TC013": Explanation(
        "A call made twice at once teaches waste, and real tools may do the thing twice.",
        bad={"/messages/2/tool_calls/1/function/arguments/city": "Rome"},
        good={"/messages/2/tool_calls/1/function/arguments/city": "Oslo"},
        record="parallel",
        shared={_ASKED: "How is the weather in Rome, in Oslo, and in Rome again?"},
    ),
    "TC014": Explanation(
        "Tokenizers turn the text into the control token itself, wherever it stands.",
        bad={_ASKED: "What does [INST] mean?"},
        good={_ASKED: "What does INST mean?"},
        record="spoken",
    ),
    "TC015": Explanation(
        "An empty turn teaches silence; many templates skip it and break the alternation.",
        bad={_ASKED: " "},
        good={_ASKED: "Please write a poem about the sea."},
        record="spoken",
    ),
    "TC016": Explanation(
        "One way of writing JSON: blanks cost tokens, and a model that sees both learns neither.",
        bad={"/messages/3/content": '{"temperature": 21.5}'},
        good={"/messages/3/content": '{"temperature":21.5}'},
    ),
    "TC017": Explanation(
        "A model that sees null for what was not said learns to fill in every argument.",
        bad={f"{_ARGUMENTS}/note": None},
        good={f"{_ARGUMENTS}/note": LEFT_OUT},
    ),
    "TC018": Explanation(
        "A tool that declares a format parses by it, and refuses or misreads other text.",
        bad={f"{_ARGUMENTS}/day": "tomorrow"},
        good={f"{_ARGUMENTS}/day": "2026-01-16"},
        shared={_ASKED: "How is the weather in Rome tomorrow, on 2026-01-16?"},
    ),
    "TC019": Explanation(
        "Whoever looks at the record obeys it: ESC steers a terminal, an override shows a text other than it is, a "
        "line separator cuts the line of JSON, and NUL ends the text for readers written in C.",
        bad={_ASKED: "Please write a \u001b[31mpoem\u001b[0m."},
        good={_ASKED: "Please write a poem."},
        record="spoken",
    ),
}
"""By code."""
