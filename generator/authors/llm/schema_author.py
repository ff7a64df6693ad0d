"""SchemaAuthor: asks a model, once per tool, what its result looks like, and sends back what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.authors.llm.author import repair_messages
from generator.authors.llm.extract import BadAnswer
from generator.authors.llm.ladder import Ladder, Question, read_object
from generator.authors.llm.prompts import Prompts
from generator.authors.llm.proposals import BadProposal, proposal_envelope, read_proposal
from generator.backends.backend import Completion, Unavailable
from generator.backends.oneline import one_line
from generator.backends.spent import NOTHING, Spending, Spent
from generator.jsontext import JsonObject
from generator.tools.tool import Tool

PROMPT = "results"
_LONGEST_REASON = 400
"""Characters of what was wrong with an answer, which it may quote at length, in logs and summaries."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What became of asking for one tool's result schema."""

    schema: JsonObject | None
    """None where no answer could be used."""
    reason: str = ""
    """Why not: what was wrong with the last answer."""
    spent: Spent = NOTHING


def schema_question(prompts: Prompts, tool: Tool) -> tuple[JsonObject, ...]:
    """Return the messages that ask for the result schema of a tool the first time."""
    variables: JsonObject = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "derived": tool.result_schema,
    }
    return ({"role": "user", "content": prompts.render(PROMPT, variables)},)


class SchemaAuthor:
    """Proposes result schemas with the model behind a ladder; `tries` is the most answers asked for one tool.

    What is asked depends on the tool alone, so that every run with these prompts and this model can use the answers.
    """

    def __init__(self, ladder: Ladder, prompts: Prompts, *, tries: int = 3) -> None:
        self._ladder = ladder
        self._prompts = prompts
        self._tries = tries

    async def propose(self, tool: Tool) -> Proposed:
        """Ask for the result schema of one tool.

        Raises:
            BackendError: the server refuses for good.
        """
        messages = schema_question(self._prompts, tool)
        spending, reason = Spending(), ""
        for repetition in range(self._tries):
            question = Question(messages, proposal_envelope(), False, salt=f"results.{tool.fingerprint}.{repetition}")
            try:
                completion = await self._ladder.ask(question)
            except Unavailable as error:
                spending.failed(error.failed)
                spending.unusable(error.reason)
                return Proposed(None, str(error), spending.close())
            try:
                schema = read_proposal(read_object(completion, proposal_envelope()["required"]), tool)
            except (BadAnswer, BadProposal) as error:
                reason = one_line(str(error), _LONGEST_REASON)
                why = error.reason if isinstance(error, BadAnswer) else "rule_LM010"
                spending.unusable(why, completion)
                self._ladder.verdicts.unusable(completion, why, reason)
                messages = (*messages, *self._repair(completion, error))
            else:
                spending.used(completion)
                self._ladder.verdicts.used(completion)
                return Proposed(schema, spent=spending.close())
        return Proposed(None, reason, spending.close())

    def _repair(self, completion: Completion, error: BadAnswer | BadProposal) -> tuple[JsonObject, ...]:
        found = [str(error)] if isinstance(error, BadAnswer) else [each.message for each in error.violations]
        return repair_messages(self._prompts, completion, found)
