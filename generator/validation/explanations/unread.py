"""What explains the rules of what is not read: calls in plain text, labels beside the record, texts that were cut."""

from __future__ import annotations

from generator.validation.explanations.explanation import Explanation

_ASKED = '{"messages": [{"role": "user", "content": "Rome?"}, {"role": "assistant", "content": '
_ANSWERED = _ASKED + '"It is warm."}], "tools": []'

EXPLANATIONS = {
    "TC301": Explanation(
        "A call in plain text trains a model to write text: templates put real calls between marks of their own.",
        bad={},
        good={},
        texts=(
            _ASKED + '"{\\"name\\": \\"find\\", \\"arguments\\": {}}"}], "tools": []}',
            _ANSWERED + "}",
        ),
    ),
    "TC302": Explanation(
        "What a benchmark accepts as right often stands beside its questions; read without it a set has no calls.",
        bad={},
        good={},
        texts=(
            _ANSWERED + ', "label": [{"name": "find", "arguments": {}}]}',
            _ANSWERED + ', "label": "good"}',
        ),
    ),
    "TC303": Explanation(
        "A model that is trained on what was cut learns to stop anywhere, and answers from half of a result.",
        bad={"/messages/1/content": "How is the ... [truncated]"},
        good={},
        record="spoken",
    ),
}
"""By code."""
