"""The kinds of records: one declaration each, with its share in the mix, what it needs, and what is true of it.

A kind is one declaration here and its name in three places: its blueprint (`scenarios/blueprints`), its wording for a
model (`prompts/kinds`) and its check (`validation/kinds`). Whoever treats a kind apart asks its declaration, so that
nothing else need know the kinds by name. This is data alone: both those who write records and those who examine them
read it, and share nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Values = Literal["planned", "free", "free in steps"]
"""Whose the values of a kind's calls may be: those of the plan; a model's, in its only step with calls; or a model's in
every step, since its claim is of what is carried on from one step to the next, whatever the values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of record."""

    summary: str
    """What it is, in a line."""
    share: float
    """Its share in the default mix, in percent; 0 where a job must ask for it."""
    need: str
    """What the domains lack where no tool can lead it."""
    beside: int = 0
    """How many other tools there must be to show beside the leading one."""
    calls: bool = True
    """Whether the leading tool is called, so that the record counts for its coverage."""
    tried: bool = False
    """Whether its tools are tried beforehand: whether one can lead shows in what the calls bring."""
    stands_in: int = 0
    """Its place among the kinds that stand in for one which the tools cannot serve after all; 0 for none."""
    trial: float = 0
    """Its weight among the records that try out a domain."""
    shows_wordings: bool = False
    """Whether a wording of a domain stands nearly alone in it, so that what is refused is refused for it."""
    led_by_tasks: bool = False
    """Whether tasks of several calls lead it: it tries out the tasks of a domain, the others its tools."""

    values: Values = "planned"
    """Whose the values of its calls may be where the job leaves them to a model."""
    replaceable: bool = False
    """Whether a model may give other values than were planned even where the job keeps to the plan."""
    by_topic: bool = False
    """Whether the plan gives its request but a topic, and a model finds the words."""
    rests_on_wording: bool = False
    """Whether its claim rests on how something is said, so that a second opinion is asked for."""

    counts_only: bool = False
    """Whether its check only counts calls and tools and reads no words, so that it is made in every language."""
    common_knowledge: bool = False
    """Whether its answers come from what everybody knows, with no result to come from."""
    names_readings: bool = False
    """Whether its questions name what words can mean, as everybody knows it: Portland in Oregon or in Maine."""


KINDS: dict[str, Kind] = {
    "simple": Kind(
        summary="one tool shown, one call",
        share=11,
        need="a tool of which a domain knows what people want",
        stands_in=1,
        values="free",
        replaceable=True,
        counts_only=True,
        trial=3,
        shows_wordings=True,
    ),
    "multiple": Kind(
        summary="several tools shown, one of them fits, one call",
        share=11,
        need="two tools that may be shown together",
        beside=1,
        stands_in=2,
        values="free",
        replaceable=True,
        counts_only=True,
        trial=1,
    ),
    "parallel": Kind(
        summary="one tool, several independent calls at once",
        share=11,
        need="a tool, not strict, that people want several times at once",
        stands_in=4,
        values="free",
        replaceable=True,
        counts_only=True,
        trial=2,
        shows_wordings=True,
    ),
    "parallel_multiple": Kind(
        summary="several tools called at once",
        share=8,
        need="two tools, not strict, of one domain",
        values="free",
        replaceable=True,
        counts_only=True,
    ),
    "many_tools": Kind(
        summary="twenty to sixty tools shown, one call",
        share=2,
        need="at least 24 tools that may be shown together",
        beside=23,
        values="free",
        counts_only=True,
    ),
    "sequential": Kind(
        summary="two wishes at once; the second call needs a value from the result of the first",
        share=9,
        need="a task whose later call takes a value of an earlier result",
        tried=True,
        rests_on_wording=True,
        values="free in steps",
        led_by_tasks=True,
        trial=1,
        shows_wordings=True,
    ),
    "nested": Kind(
        summary="one wish, which needs another tool's result first, though nobody names that tool",
        share=4,
        need="an entity with a `find`",
        tried=True,
        rests_on_wording=True,
        values="free in steps",
        trial=3,
        shows_wordings=True,
    ),
    "irrelevance": Kind(
        summary="tools shown, none fits, no call",
        share=8,
        need="a tool",
        calls=False,
        stands_in=3,
        rests_on_wording=True,
        by_topic=True,
    ),
    "chitchat": Kind(
        summary="tools shown, none needed: greetings, thanks, small talk",
        share=4,
        need="a tool",
        calls=False,
        rests_on_wording=True,
        common_knowledge=True,
    ),
    "no_tools": Kind(
        summary="no tool shown: a question answered or a wish declined",
        share=3,
        need="a tool",
        calls=False,
        rests_on_wording=True,
        common_knowledge=True,
    ),
    "missing_parameter": Kind(
        summary="the assistant asks for what is missing, the user supplies it, then the call",
        share=7,
        need="a way with an `ask`",
        rests_on_wording=True,
        trial=2,
    ),
    "invalid_value": Kind(
        summary="the assistant points out a value that the schema refuses, the user picks another, then the call",
        share=3,
        need="a way with an `invalid` value",
        trial=1,
    ),
    "ambiguous": Kind(
        summary="the assistant asks between two readings, the user chooses, then the call",
        share=2,
        need="a way that says what is `ambiguous`",
        rests_on_wording=True,
        names_readings=True,
    ),
    "missing_function": Kind(
        summary="the assistant says what it cannot do, the tool becomes available, then the call",
        share=1,
        need="a tool whose domain says what it `can` do",
        rests_on_wording=True,
    ),
    "similar_tools": Kind(
        summary="near twins shown, what the request says fits one of them",
        share=1,
        need="a tool with another one `near`",
    ),
    "confirm_before_write": Kind(
        summary="the assistant asks before it changes anything; a yes leads to the call, a no to none",
        share=1,
        need="a way with a `confirm`",
        rests_on_wording=True,
        trial=1,
        shows_wordings=True,
    ),
    "multi_turn": Kind(
        summary="two to six wishes, one after the other",
        share=5,
        need="a task of several turns, or a wish that follows another about the same thing",
        values="free in steps",
        counts_only=True,
        led_by_tasks=True,
        trial=1,
    ),
    "coreference": Kind(
        summary="a later turn refers to what was said before",
        share=2,
        need="a wish that follows another about the same thing (`follow_ups`)",
        tried=True,
        values="free in steps",
        trial=1,
    ),
    "argument_shift": Kind(
        summary="a value is corrected when the assistant asks back, before the call; the last word wins",
        share=1,
        need="a way with `corrections`, about which the assistant can ask back",
        trial=1,
    ),
    "intent_switch": Kind(
        summary="a wish is dropped for another when the assistant asks back; the last word wins",
        share=1,
        need="two tools of one domain, one of them with an `ask`",
    ),
    "canonicalization": Kind(
        summary="a date, time or number in everyday words becomes a schema value",
        share=1,
        need="a request that says a day, a time or a number with `|on`, `|at` or `|words`",
    ),
    "profile": Kind(
        summary="a value comes from the profile in the system message",
        share=1,
        need="a way with a `profile`",
    ),
    "long_context": Kind(
        summary="a value stands in a context of thousands of characters",
        share=0.5,
        need="a way with a `profile`",
    ),
    "error_recovery": Kind(
        summary="a call fails over one value; a second one with what the user allowed or the error names succeeds",
        share=1,
        need="a way with a `recover`",
    ),
    "error_report": Kind(
        summary="a call fails, and the assistant says so and what can be done",
        share=0.5,
        need="a tool of which a domain knows what people want",
        trial=1,
    ),
    "partial_failure": Kind(
        summary="several calls at once, some of which fail; all are told",
        share=0.5,
        need="a tool, not strict, that people want several times at once",
    ),
    "empty_result": Kind(
        summary="a search finds nothing, and the assistant says so",
        share=0.5,
        need="a way that says when nothing is found (`empty`)",
        trial=1,
    ),
}
"""Every kind by its name, in the order of the mix.

Single and several calls at once have 45 percent, dependent calls 12, no call 15, missing or refused parameters 13,
conversations, contexts and failures the rest: records without a call, with several calls and with something missing are
what tuned models need most.
"""

DEFAULT_MIX: dict[str, float] = {name: kind.share for name, kind in KINDS.items() if kind.share}
"""The shares of the kinds where a job asks for no mix of its own."""
