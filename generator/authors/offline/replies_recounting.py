"""Calls recounted in the words of their request, for the answer: "updated the assignees of issue 36 to ana"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from generator.authors.offline.clause import DURATION, WHOM, Clause
from generator.authors.offline.gate import leaks, roughness
from generator.authors.offline.participles import participle
from generator.authors.offline.pieces import Pieces, fill
from generator.authors.offline.plans import BOOK, Plan
from generator.authors.offline.saying import Unsayable, Voice
from generator.authors.offline.verbs import base_form
from generator.authors.offline.words import word_set
from generator.jsontext import JsonObject
from generator.tools.tool import Tool

_COSTLY = 2.0
"""The cost of a plan above which its words are no good for an answer."""
_LONGEST = 110
_LONGEST_CORE = 80
_LONGEST_SUBJECT = 72
_FIRST_PERSON = re.compile(r"\b(?:my|me|mine|myself|I'm|I am|I)\b")
_SECOND = {"my": "your", "me": "you", "mine": "yours", "myself": "yourself", "I'm": "you're", "I am": "you are",
           "I": "you"}  # fmt: skip
_DETERMINED = word_set("the all my your a an its this that if whether")
_STUDIES = word_set("""
    track monitor detect inspect tell compare analyze analyse simulate visit explain match rank rate count describe
    diagnose validate verify test suggest summarize sum read decode encode parse translate convert transform add
    subtract multiply divide round answer access handle
    """)
_SPOKEN = {"lookup": "look up", "login": "log in", "logout": "log out", "backup": "back up", "search": "search for"}


@dataclass(frozen=True, slots=True)
class Recounted:
    """A call in words: its verb and what follows it, said to the one who asked."""

    verb: str
    core: str
    """What the verb is about, with its values: "the assignees of issue 36"."""
    rest: str
    """What follows the verb: the core and the phrases after it."""
    asks: str
    """`is` or `are` where the core can be asked for with "what is ...", else empty."""
    sort: str

    @property
    def phrase(self) -> str:
        """The call as an infinitive: "book a room in Rome"."""
        return f"{self._spoken} {self.rest}"

    @property
    def _spoken(self) -> str:
        """The verb with its particle: one searches a catalog, and one searches for shoes."""
        plain = self.verb == "search" and self.rest.startswith(("for ", "the ", "your ", "through "))
        return self.verb if plain else _SPOKEN.get(self.verb, self.verb)

    @property
    def done(self) -> str:
        """The call as a past participle: "booked a room in Rome"."""
        return f"{participle(self._spoken)} {self.rest}"

    @property
    def changes(self) -> bool:
        """Whether the words tell of a deed rather than of a question."""
        return self.sort == "act" and self.verb not in _STUDIES

    @property
    def subject(self) -> str:
        """The core as the subject of a sentence: "the distance between Rome and Oslo"."""
        said = self.rest if len(self.rest) <= _LONGEST_SUBJECT else self.core
        first = said.split(" ", 1)[0]
        named = first.lower() in _DETERMINED or first.endswith("'s") or first[:1].isupper() or "/" in first
        return said if named else f"the {said}"


def recount(tool: Tool, arguments: JsonObject, random: Random) -> Recounted | None:
    """Recount a call in the words of its request; None where they would be long, stilted or unsayable."""
    plan = BOOK.plan(tool, arguments)
    if plan.cost > _COSTLY or not plan.core:
        return None
    voice = Voice(random)
    try:
        core = " ".join(fill(_to_you(plan.core), arguments, voice).split())
        tails = _tails(plan, arguments, voice, _LONGEST - len(core))
    except Unsayable:
        return None
    core = _first_deed(core)
    rest = " ".join([core, *tails])
    sentence = f"It {rest}."
    if not 2 < len(core) <= _LONGEST_CORE or "\n" in rest or leaks(rest, arguments) or roughness(sentence) > 0.8:
        return None
    return Recounted(plan.sentence.verb, core, rest, plan.asks, plan.sentence.sort)


def _first_deed(core: str) -> str:
    """Cut a second deed: "two colors and adjust the lightness" tells of the first alone."""
    words = core.split(" ")
    for index, word in enumerate(words[:-1]):
        if word == "and" and index and base_form(words[index + 1]) == words[index + 1] and '"' not in core:
            second = words[index + 2 : index + 3]
            if second == [] or second[0] in _DETERMINED:
                return " ".join(words[:index])
    return core


def _tails(plan: Plan, arguments: JsonObject, voice: Voice, room: int) -> list[str]:
    """Return up to two short phrases that say where, when, whom."""
    tails: list[str] = []
    for clause in plan.clauses:
        if not _is_telling(clause):
            continue
        text = fill(clause.inline[0], arguments, voice)
        if len(text) < min(room, 50) and len(tails) < 2 and not text.startswith("with "):
            tails.append(text)
            room -= len(text) + 1
    return tails


def _is_telling(clause: Clause) -> bool:
    return bool(clause.inline) and (clause.order <= DURATION or clause.order == WHOM) and clause.cost < 1


def _to_you(parts: Pieces) -> Pieces:
    """Turn the asker's "my" into the answerer's "your"; values stay as they are."""
    return tuple(
        [_FIRST_PERSON.sub(lambda match: _SECOND[match[0]], part) if isinstance(part, str) else part for part in parts]
    )
