"""The preview of an exam: how many requests it takes, an estimate of tokens and cost, and the first question."""

from __future__ import annotations

from collections.abc import Sequence

from generator.backends.budget import NO_USAGE, Usage, estimate_tokens, estimate_words
from generator.exams.asking import Examinee, request_of
from generator.exams.questions import Questions, turns_to_ask
from generator.jsontext import JsonObject, dump_compact


def preview(questions: Questions, examinees: Sequence[Examinee]) -> JsonObject:
    """Return what an exam would send, without sending it; answers are taken to be as long as the records' own."""
    tokens = _tokens(questions)
    return {
        "records": len(questions.records),
        "turns": questions.turns,
        "requests": questions.turns * len(examinees),
        "models": [_of_model(each, tokens) for each in examinees],
        "first_question": _first(questions, examinees[0]),
    }


def _tokens(questions: Questions) -> Usage:
    found = NO_USAGE
    for record in questions.records:
        document = record.document
        for place in turns_to_ask(document["messages"]):
            prompt = estimate_tokens({"messages": document["messages"][:place], "tools": document["tools"]})
            found += Usage(prompt, estimate_words(dump_compact(document["messages"][place])))
    return found


def _of_model(examinee: Examinee, tokens: Usage) -> JsonObject:
    cost = {} if examinee.price is None else {"estimated_cost": round(examinee.price.of(tokens), 4)}
    told = {"estimated_prompt_tokens": tokens.prompt, "estimated_completion_tokens": tokens.completion, **cost}
    return {"model": examinee.label, "server": examinee.server.masked_url, **told}


def _first(questions: Questions, examinee: Examinee) -> JsonObject:
    document = questions.records[0].document
    place = turns_to_ask(document["messages"])[0]
    request = request_of(document["messages"][:place], document["tools"], examinee)
    return {"messages": list(request.messages), "tools": list(request.tools)}


def preview_text(told: JsonObject) -> str:
    """Return the preview in words."""
    lines = [f"{told['turns']:,} turns of {told['records']:,} records, {told['requests']:,} requests"]
    for each in told["models"]:
        cost = f", a cost of about {each['estimated_cost']:,.4f}" if "estimated_cost" in each else ""
        tokens = each["estimated_prompt_tokens"] + each["estimated_completion_tokens"]
        lines.append(f"{each['model']} at {each['server']}: about {tokens:,} tokens{cost}")
    question = told["first_question"]
    lines.append(f"the first question, with {len(question['tools']):,} tools:")
    lines += [f"  {message['role']}: {_said(message)}" for message in question["messages"]]
    return "\n".join([*lines, "nothing was sent"])


def _said(message: JsonObject) -> str:
    return str(message.get("content") or dump_compact(message.get("tool_calls", [])))
