"""What conversations claim: several wishes, references to what was said, changes of mind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.kinds.asking import asks
from generator.validation.kinds.turns import KindCheck, Turn, UnderWay, wishes
from generator.validation.kinds.values_in_text import (
    is_worded_by_domain,
    leaves,
    properties_of,
    says,
    says_argument,
    tells,
)
from generator.validation.view import CallView, RecordView, is_beyond_words

_FEWEST_TURNS, _MOST_TURNS = 2, 6
_REFERRING = re.compile(
    r"\b(?:it|its|that|this|these|those|them|they|him|his|her|hers|their|theirs|the|there|here|same|again|also|too"
    r"|what about|how about|and|one|first|second|third|last|latter|former|so|do)\b",
    re.IGNORECASE,
)
_CORRECTING = re.compile(
    r"\b(?:actually|sorry|wait|meant|mistake|wrong|instead|rather|correction|scratch|hang on|redo|no|not|but)\b",
    re.IGNORECASE,
)
_SWITCHING = re.compile(
    r"\b(?:actually|forget|never mind|nevermind|second thought|skip|scratch|drop|instead|don\'t|wait|leave)\b",
    re.IGNORECASE,
)


def multi_turn(record: RecordView) -> Iterator[str]:
    """The user speaks two to six times; at least two turns lead to calls."""
    turns = wishes(record)
    if not _FEWEST_TURNS <= len(turns) <= _MOST_TURNS:
        yield f"has two to six turns of the user, not {len(turns)}"
    if sum(bool(turn.calls) for turn in turns) < _FEWEST_TURNS:
        yield "calls in at least two of its turns"


def coreference(record: RecordView) -> Iterator[str]:
    """A later turn calls with a value that it does not say and an earlier message holds."""
    turns = wishes(record)
    later = [turn for number, turn in enumerate(turns) if _refers_back(turn, turns[:number])]
    if not any(is_beyond_words(record) or _REFERRING.search(turn.text) for turn in later):
        yield "has a turn that refers to a value of an earlier one instead of saying it"


def coreference_under_way(record: RecordView, coming: frozenset[str]) -> Iterator[str]:
    """A later turn refers with a word; when all is called, to a value that it does not say."""
    later = wishes(record)[1:]
    if later and not any(is_beyond_words(record) or _REFERRING.search(turn.text) for turn in later):
        yield "has a turn that refers to what was said before instead of saying it"
    elif later and not coming:
        yield from coreference(record)


def _refers_back(turn: Turn, earlier: list[Turn]) -> bool:
    """Say whether a turn calls with what it does not say and what was told before."""
    unsaid = [leaf for call in turn.calls for leaf in _own_leaves(call) if not tells(turn.text, leaf)]
    before = "\n".join(each.all_text for each in earlier)
    return any(says(before, leaf) for leaf in unsaid)


def _own_leaves(call: CallView) -> Iterator[JsonValue]:
    """Yield what is given in a call beyond the defaults of its schema, which nobody need say."""
    declared = properties_of(call.tool.parameters if call.tool else None)
    for name, value in (call.arguments or {}).items():
        schema = declared.get(name)
        if not (isinstance(schema, dict) and value in (schema.get("default"), schema.get("const"))):
            yield from leaves(value)


def argument_shift(record: RecordView) -> Iterator[str]:
    """A value is said, the assistant asks back, the user says another; the one call has the other and not the first."""
    name, before = record.claim.get("parameter"), record.claim.get("before")
    turns = wishes(record)
    if not isinstance(name, str) or before is None:
        yield "names the parameter that is corrected and its first value"
        return
    if len(turns) != _FEWEST_TURNS or turns[0].calls or not turns[0].answers or len(turns[-1].calls) != 1:
        yield "is a wish, words of the assistant without a call, a correction, and one call"
        return
    wish, correction = turns
    if not is_worded_by_domain(record) and not asks(wish.answers[-1]):
        yield "asks back before the call"
    arguments = correction.calls[0].arguments
    value = arguments.get(name) if isinstance(arguments, dict) else None
    if value in (None, before) or str(value).casefold() == str(before).casefold():
        yield f"calls with another {name} in the end than the one said first"
    if not tells(wish.text, before):
        yield f"says the first value of {name} in its first turn"
    if says(wish.text, value):
        yield f"says the value of {name} that wins in its last turn alone"
    corrects = is_beyond_words(record) or _CORRECTING.search(correction.text)
    if not corrects or not says_argument(correction.text, name, correction.calls[0], record):
        yield f"corrects {name} in its last turn"


def intent_switch(record: RecordView) -> Iterator[str]:
    """A wish that a shown tool serves is dropped in words, and never called; another one is."""
    name, arguments = record.claim.get("dropped"), record.claim.get("arguments")
    if not isinstance(name, str) or name not in record.tools_by_name:
        yield "shows the tool whose wish is dropped, and names it"
        return
    if any(call.name == name for call in record.calls):
        yield f"never calls {name}, whose wish is dropped"
    if not record.calls:
        yield "calls for the wish that stays"
    told = _before_the_drop(wishes(record), in_words=not is_beyond_words(record))
    if told is None:
        yield "drops the first wish in words"
    elif not all(says(told, leaf) for leaf in leaves(arguments) if _is_plain(leaf)):
        yield "says the dropped wish before it is dropped"


def _before_the_drop(turns: list[Turn], *, in_words: bool) -> str | None:
    """Return what was said before the wish was dropped, by a word for it or, if it need be none, in the last turn."""
    text = "\n".join(turn.text for turn in turns)
    cues = [match.start() for match in _SWITCHING.finditer(text)]
    if cues:
        return text[: max(cues)]
    return None if in_words else "\n".join(turn.text for turn in turns[:-1])


def _is_plain(leaf: JsonValue) -> bool:
    """Say whether a value is one that a text holds as it stands: a word or a short number, no date and no choice."""
    if isinstance(leaf, str):
        return leaf[:1].isalpha() and "_" not in leaf and not leaf.isupper()
    return isinstance(leaf, int) and not isinstance(leaf, bool) and 1 < leaf < 1000


UNDER_WAY: dict[str, UnderWay] = {"coreference": coreference_under_way}
CHECKS: dict[str, KindCheck] = {
    "multi_turn": multi_turn,
    "coreference": coreference,
    "argument_shift": argument_shift,
    "intent_switch": intent_switch,
}
