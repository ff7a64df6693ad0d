"""The small words with which a language denies, corrects and takes back, read from its table when a text needs them.

The tables hold closed classes alone (`generator/assets/language/LANGUAGE.toml`, table `denial`). A text in a language
without a table is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from generator.validation.grounding.reading.languages import LANGUAGES, LETTERS, Signs, table
from generator.validation.grounding.reading.words import fold, tokens_of

_CONTINUOUS = re.compile("[\u2e80-\u9fff]")
_NEVER = re.compile(r"(?!)")
"""A run of letters alone."""


@dataclass(frozen=True, slots=True)
class Cues:
    """The words of one language that deny, correct and take back, folded and ready to be looked for."""

    contrasts: re.Pattern[str]
    """Before what is not meant."""
    bare: frozenset[str]
    """Those of them that deny statements as well."""
    stating: frozenset[str]
    """Words before a bare contrast with which it denies a statement."""
    correcting: tuple[str, ...]
    """Words before a bare contrast with which it corrects, if less surely."""
    between: frozenset[str]
    """What may stand between a contrast and the thing."""
    leads: frozenset[str]
    """Words after which a clause may begin anew."""
    around: re.Pattern[str]
    """Words on both sides of what is left alone."""
    dropping: re.Pattern[str]
    """Before what is dropped, where a clause begins."""
    going_on: frozenset[str]
    """Those of them with the word that makes a verb of what follows: "i don't want to"."""
    wants: frozenset[str]
    """Those of them that give but a reason, as who no longer wants a thing has it cancelled."""
    dropped: re.Pattern[str]
    """After what is dropped, where a clause ends."""
    subjects: frozenset[str]
    """First words of a clause that states something, where a denial may end a clause."""
    deeds: re.Pattern[str]
    """Before what is not to be done, where a clause begins, with the verb."""
    harmless: frozenset[str]
    """Verbs that forbid nothing."""
    verb_endings: tuple[str, ...]
    """Endings of verbs that forbid, where a language tells them so; none where every verb may."""
    light: frozenset[str]
    """Verbs that say nothing of what is done."""
    limits: frozenset[str]
    """Words that make a denial a limit."""
    conditions: re.Pattern[str]
    """Words that make a denial conditional."""
    ends: re.Pattern[str]
    """Words at which a denial's reach ends."""
    anaphors: frozenset[str]
    """Words for what was said before."""
    trailing: frozenset[str]
    """Words that add nothing to what is denied."""
    corrections: re.Pattern[str]
    """Before the words that replace what was said."""
    weak: frozenset[str]
    """Those of them that also begin what corrects nothing."""
    negating: frozenset[str]
    """Those of them that negate the noun behind them as well, where no comma stands between."""
    meant: re.Pattern[str]
    """After the words that replace what was said."""
    withdrawals: re.Pattern[str]
    """What takes a wish back."""
    fillers: frozenset[str]
    """What may stand beside that."""
    withdrawing: frozenset[str]
    """The words of both: a clause with any other does not take back."""
    nothing: re.Pattern[str]
    """What forbids everything."""
    joining: frozenset[str]
    """Between the last two things of a list."""
    further: frozenset[str]
    """At the beginning of a further wish."""
    is_continuous: bool
    """Whether words are written without spaces between them."""
    signs: dict[str, Signs]
    """By the names of the patterns that are looked for in every text, what a text has where they find anything."""
    taking_back: Signs
    """What a text has that takes a wish back, among its runs of letters."""

    def may_withdraw(self, text: str) -> bool:
        """Say, after a first look, whether a text may take a wish back."""
        if self.is_continuous:
            return any(map(text.__contains__, self.taking_back.starts))
        return not self.taking_back.words.isdisjoint(LETTERS.findall(text))


@dataclass(frozen=True, slots=True)
class ToolWords:
    """Words in names of tools and parameters that go with what is not wanted."""

    undoing: tuple[str, ...]
    excluding: frozenset[str]
    described: frozenset[str]
    former: frozenset[str]


_BEFORE, _AFTER = ("", '"', "(", "'", "¡", "¿", "“"), ("", ",", ".", "!", "?", ":", ";", ")", "...", "…", '"', "'")
_DASHES = re.compile("[—–/*_]|\\.\\.|-[- ]")


@lru_cache(maxsize=1)
def _triggers() -> frozenset[str]:
    """Return the words of which every text that denies anything has one, as they stand between other words."""
    words = {word for language in LANGUAGES for word in table(language, "denial")["triggers"]}
    return frozenset(f"{before}{word}{after}" for word in words for before in _BEFORE for after in _AFTER)


@lru_cache(maxsize=1)
def _hints() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters that stand for them elsewhere: those of ASCII, and all."""
    every = (hint for language in LANGUAGES for hint in table(language, "denial")["hints"])
    found = tuple(dict.fromkeys(hint for hint in every if hint[-1] != "'"))
    return tuple(hint for hint in found if hint.isascii()), found


@lru_cache(maxsize=1)
def _elided() -> re.Pattern[str]:
    """Return what finds the words among those letters that stand before others without a space, as "n'" does."""
    found = {hint for language in LANGUAGES for hint in table(language, "denial")["hints"] if hint[-1] == "'"}
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, sorted(found)))})") if found else _NEVER


def may_deny(text: str) -> bool:
    """Say, after a first look, whether a text may deny, correct or take back anything."""
    lower = text.lower()
    plain = lower.isascii()
    if not plain:
        lower = lower.replace("’", "'")
    if (not plain or _may_hold_dashes(lower)) and _DASHES.search(lower):
        lower = _DASHES.sub(" ", lower)
    if not _triggers().isdisjoint(lower.split()):
        return True
    if any(map(lower.__contains__, _hints()[not plain])):
        return True
    return "'" in lower and _elided().search(lower) is not None


def _may_hold_dashes(lower: str) -> bool:
    return "-" in lower or "/" in lower or "*" in lower or "_" in lower or ".." in lower


@lru_cache(maxsize=1)
def tool_words() -> ToolWords:
    """Return the words of tools and parameters, whose names are English everywhere."""
    known = table("en", "denial")["tools"]
    return ToolWords(
        tuple(known["undoing"]),
        frozenset(known["excluding"]),
        frozenset(known["described"]),
        frozenset(known["former"]),
    )


@lru_cache(maxsize=1)
def _known_by() -> tuple[frozenset[str], ...]:
    """Return the small words of each language, in their order."""
    return tuple(frozenset(_small_words(table(language, "denial"))) for language in LANGUAGES)


@lru_cache(maxsize=1)
def _known_elsewhere() -> frozenset[str]:
    """Return the small words of all languages but the first."""
    return frozenset().union(*_known_by()[1:])


_SMALL = ("known_by", "contrasts", "between", "leads", "dropping", "deeds", "corrections", "withdrawals", "conditions")


def _small_words(known: dict[str, Any]) -> Iterator[str]:
    for name in _SMALL:
        for phrase in known.get(name, ()):
            yield from fold(phrase).split()


def language_by_denials(folded: str) -> str:
    """Return the language whose small words a text has most of, of those with a table; "" where it has none."""
    if _CONTINUOUS.search(folded):
        return "zh"
    tokens = folded.replace(",", " ").replace(".", " ").replace("?", " ").split()
    first, *others = _known_by()
    in_first = sum(map(first.__contains__, tokens))
    if in_first and in_first >= sum(map(_known_elsewhere().__contains__, tokens)):
        return LANGUAGES[0]
    counts = [in_first, *(sum(map(each.__contains__, tokens)) for each in others)]
    most = max(counts)
    return LANGUAGES[counts.index(most)] if most else ""


@lru_cache(maxsize=len(LANGUAGES))
def cues_of(language: str) -> Cues:
    """Return the cues of a language that has a table."""
    listed = table(language, "denial")
    continuous = bool(listed.get("continuous"))
    words = {name: tuple(map(fold, entry)) for name, entry in listed.items() if _is_listing(entry)}

    def any_of(name: str) -> re.Pattern[str]:
        return _any_of(words.get(name, ()), continuous)

    def known(name: str) -> frozenset[str]:
        return frozenset(words.get(name, ()))

    signs = {name: _signs(words.get(name, ()), continuous) for name in _LOOKED_FOR}
    signs["around"] = Signs(frozenset(), tuple(dict.fromkeys(fold(before) for before, _ in listed.get("around", ()))))
    withdrawals = [" ".join(tokens_of(each)) for each in words.get("withdrawals", ())]
    fillers = frozenset(chain.from_iterable(map(tokens_of, words.get("fillers", ()))))
    return Cues(
        contrasts=any_of("contrasts"), bare=known("bare"), stating=known("stating"),
        correcting=words.get("correcting", ()), between=known("between"), leads=known("leads"),
        around=_around(listed.get("around", ()), continuous), dropping=any_of("dropping"), wants=known("wants"),
        going_on=frozenset(f"{cue} {word}" for cue in words.get("dropping", ()) for word in words.get("verbal", ())),
        dropped=any_of("dropped"), subjects=known("subjects"), deeds=any_of("deeds"), harmless=known("harmless"),
        verb_endings=words.get("verb_endings", ()), light=known("light"), limits=known("limits"),
        conditions=any_of("conditions"), ends=any_of("ends"), anaphors=known("anaphors"), trailing=known("trailing"),
        corrections=any_of("corrections"), weak=known("weak"), negating=known("negating"),
        meant=any_of("meant"),
        withdrawals=_any_of(withdrawals, continuous), fillers=fillers,
        withdrawing=fillers.union(*(each.split() for each in withdrawals)),
        nothing=any_of("nothing"), joining=known("joining"), further=known("further"), is_continuous=continuous,
        signs=signs, taking_back=_taking_back(withdrawals, fillers),
    )  # fmt: skip


def _is_listing(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _any_of(phrases: Iterable[str], continuous: bool) -> re.Pattern[str]:
    """Return what finds the longest of some phrases, as whole words where words have spaces between them."""
    ordered = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    if not ordered:
        return _NEVER
    written = "|".join(_edged(phrase, continuous) for phrase in ordered)
    return re.compile(written if continuous else rf"(?<![\w'])(?:{written})")


_LOOKED_FOR = ("contrasts", "dropping", "dropped", "deeds", "corrections", "meant", "nothing")
_RUN = re.compile(r"[\w']+")


def words_with_apostrophes(folded: str) -> frozenset[str]:
    """Return the words of a text with their apostrophes, and without those that close a quotation."""
    runs = _RUN.findall(folded)
    if "'" in folded:
        runs += [run.rstrip("'").split("''")[0] for run in runs if run[-1] == "'" or "''" in run]
    return frozenset(runs)


def _signs(phrases: Iterable[str], continuous: bool) -> Signs:
    """Return what a text has in which `_any_of` finds any of some phrases: the longest word of each of them."""
    words: set[str] = set()
    parts: set[str] = set()
    for phrase in phrases:
        longest = max(_RUN.findall(phrase), key=len, default="")
        is_whole = longest and not continuous and not longest.endswith("'")
        (words if is_whole else parts).add(longest if is_whole else phrase[:1])
    return Signs(frozenset(words), tuple(sorted(parts)))


def _taking_back(phrases: Iterable[str], fillers: frozenset[str]) -> Signs:
    """Return what the letters of a text have where any of some phrases follow one another in them.

    Of each phrase that is its rarest word: a long one, and none that stands beside a wish that is taken back.
    """
    runs = [LETTERS.findall(phrase) for phrase in phrases]
    rarest = (max(each, key=lambda word: (word not in fillers, len(word))) for each in runs)
    return Signs(frozenset(rarest), tuple(each[0] for each in runs))


def _edged(phrase: str, continuous: bool) -> str:
    written = re.escape(phrase).replace(r"\ ", r"\s")
    return written if continuous or phrase.endswith("'") else rf"{written}(?!\w)(?!'\w)"


def _around(pairs: Iterable[tuple[str, str]], continuous: bool) -> re.Pattern[str]:
    """Return what finds the words on both sides of a thing, at most a clause apart."""
    edge = "" if continuous else r"\b"
    gap = "" if continuous else r"\s"
    parts = [
        f"{edge}{re.escape(fold(before))}{gap}([^.,;:!?\n。，；：！？]{{1,80}}?){gap}{re.escape(fold(after))}{edge}"
        for before, after in pairs
    ]
    return re.compile("|".join(parts)) if parts else _NEVER
