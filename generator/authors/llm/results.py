"""Results: what tools answer whose effect no domain knows, written by the model and held to their schemas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.authors.llm.prompts import Prompts
from generator.authors.llm.response_formats import BadAnswer, Model, Question, read_object, results_envelope
from generator.authors.llm.second_opinion import seen_of
from generator.backends.backend import Completion, Unavailable
from generator.backends.budget import NOTHING_SPENT, Spending, Spent
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.records import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import Scenario
from generator.schemas.validators import validator_for
from generator.tools import Tool

_LONGEST = 6_000
"""Characters of one result."""
_MOST_PROBLEMS = 8
_TRIES = 2


class ResultWriter:
    """Writes the results of calls in a world that knows nothing of their tools."""

    def __init__(self, model: Model, prompts: Prompts) -> None:
        self._model = model
        self._prompts = prompts
        self._spending: dict[tuple[int, int], Spending] = {}

    async def written(
        self, scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, given: tuple[ToolResult, ...]
    ) -> tuple[ToolResult, ...]:
        """Return the results of a draft's calls, in place of those `given` that nothing but a schema decided.

        What fails by plan fails; where no answer can be used, the given results stay.

        Raises:
            BackendError: the server refuses for good.
        """
        if not {tool.name for tool in scenario.tools}.issuperset(call.name for call in draft.calls):
            return given
        unknown = [
            each.error_type is None and _is_unknown(scenario, call.name)
            for call, each in zip(draft.calls, given, strict=True)
        ]
        contents = await self._contents(scenario, history, draft) if any(unknown) else []
        if not contents:
            return given
        return tuple(
            replace(each, content=content) if lacks else each
            for each, content, lacks in zip(given, contents, unknown, strict=True)
        )

    async def _contents(self, scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> list[JsonValue]:
        """Ask for the results of every call of a draft; none where no answer can be used."""
        spending = self._spending.setdefault((scenario.index, scenario.attempt), Spending())
        prompt = results_prompt(self._prompts, scenario, history, draft)
        messages: tuple[JsonObject, ...] = ({"role": "user", "content": prompt},)
        envelope = results_envelope(len(draft.calls))
        for repetition in range(_TRIES):
            salt = f"{scenario.seed}.results.{len(history)}.{repetition}"
            try:
                completion = await self._model.ask(Question(messages, envelope.schema, envelope.strict, salt))
            except Unavailable as error:
                spending.failed(error.failed)
                spending.unusable(error.reason)
                return []
            contents, problems = _read(completion, draft.calls, {tool.name: tool for tool in scenario.tools})
            if not problems:
                spending.used(completion)
                self._model.verdicts.used(completion)
                return contents
            spending.unusable("results", completion)
            self._model.verdicts.unusable(completion, "results", problems[0])
            mend = self._prompts.render("repair", {"problems": list(problems[:_MOST_PROBLEMS])})
            messages = (*messages, {"role": "assistant", "content": completion.said[:_LONGEST]}, _user(mend))
        return []

    def spent(self, scenario: Scenario) -> Spent:
        """Return what the results of this attempt have cost, and close its account."""
        account = self._spending.pop((scenario.index, scenario.attempt), None)
        return NOTHING_SPENT if account is None else account.close()


def _user(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def _is_unknown(scenario: Scenario, name: str) -> bool:
    """Say whether the world knows nothing of what a tool does, so that its results only have the shape of some."""
    program = scenario.world.program
    return program.domain.origin == "derived" and (name not in program.tools or not program.tools[name].effects)


def _read(
    completion: Completion, calls: tuple[DraftCall, ...], tools: dict[str, Tool]
) -> tuple[list[JsonValue], list[str]]:
    """Return the results that an answer holds, and what is wrong with them."""
    try:
        answer = read_object(completion, ("results",))
    except BadAnswer as error:
        return [], [str(error)]
    contents = answer.get("results")
    if not isinstance(contents, list) or len(contents) != len(calls):
        return [], [f"give exactly {len(calls)} results, one for each call, in their order"]
    problems = [
        f"result {number}: {problem}"
        for number, (call, content) in enumerate(zip(calls, contents, strict=True), start=1)
        for problem in _problems(tools[call.name], content)
    ]
    return contents, problems


def _problems(tool: Tool, content: JsonValue) -> list[str]:
    if len(dump_compact(content)) > _LONGEST:
        return [f"it is longer than {_LONGEST:,} characters"]
    if content in (None, "", [], {}):
        return ["it is empty: write what the tool would answer"]
    if tool.result_origin != "declared":
        return []
    return [
        f"{problem.pointer or '/'}: {problem.message}"
        for problem in validator_for(tool.result_schema).problems(content)
    ]


def results_prompt(prompts: Prompts, scenario: Scenario, history: Sequence[Exchange], draft: Draft) -> str:
    """Return the question for the results of a draft's calls: the called tools, what went on before, and the calls."""
    tools = {tool.name: tool for tool in scenario.tools}
    called = [tools[name] for name in dict.fromkeys(call.name for call in draft.calls)]
    variables: JsonObject = {
        "tools": [_shown(tool) for tool in called],
        "system": scenario.system,
        "today": scenario.reference_date.isoformat(),
        "conversation": seen_of([*history, Exchange(Draft(request=draft.request))]),
        "calls": [{"name": call.name, "arguments": call.arguments} for call in draft.calls],
    }
    return prompts.render("results", variables)


def _shown(tool: Tool) -> JsonObject:
    declared = tool.result_schema if tool.result_origin == "declared" else None
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.shown_parameters,
        "result": declared,
    }
