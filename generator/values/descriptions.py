"""What a description tells in words: examples, a closed choice, a range."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_INTRODUCED = re.compile(
    r"(?:\be\.?g\.?|\bi\.e\.|\bsuch as|\blike|\bfor example|\bexamples?(?: are| is| include)?|\bex\b\.?)"
    r"\s*[:,.]?\s*(?=\S)(.{2,160})",
    re.I,
)
_QUOTED = re.compile(r"""(?<![A-Za-z0-9])(?:'([^'\n]{1,60})'|"([^"\n]{1,60})"|`([^`\n]{1,60})`)(?![A-Za-z0-9])""")
_OPTIONS = re.compile(
    r"(?:\b(?:(one of|options?(?: are| include)?|must be|valid values(?: are)?|possible values(?: are)?|"
    r"allowed values(?: are)?|supported (?:[a-z]+ )?"
    r"(?:values|indexes|types|formats|languages|currencies|units|options)?(?: are)?|choose from|values are|enum\])|"
    r"either|can be|could be|accepts|available)(?![a-z]))\s*[:,]?\s*(.{3,400})",
    re.I | re.S,
)
_END_OF_CHOICE = re.compile(
    r"\.\s|\betc\b|\be\.g|\bsuch as|\bfor example|\bdefaults?\b|\brequired\b|\boptional|\n\s*\n|(?<=[a-z'\"\]])\.$|\)",
    re.I,
)
_ASIDE = re.compile(r"\([^()]*\)")
_FAR, _NEAR = 24, 12
"""Letters that may stand between the word that announces a choice and its first option."""
_TOKEN = re.compile(r"^[A-Za-z0-9][\w+-]*(?: [\w+-]+)?$")
_LIST_AFTER_COLON = re.compile(r"(?::|\s[-–])\s*([\w-]+(?:, [\w-]+)+,? or [\w-]+)\s*(?:[.(]|$)")
_CAPITALS = re.compile(r"\b([A-Z][A-Z_]{2,}(?:, [A-Z][A-Z_]{2,})+,? or [A-Z][A-Z_]{2,})\b")
_SLASHED = re.compile(r"\(([A-Z][a-z]+(?:/[A-Z][a-z]+)+)\)")
_BRACKETED = re.compile(
    r"""(?:format|from|values?|types?|ranges?|of|:|\(|^|default)\s*\[\s*((?:['"][\w -]{1,30}['"],?\s*){2,12})\]""", re.I
)
_GLOSSED = re.compile(r"""['"`]([\w -]{1,40})['"`]\s*(?:for|to|means|=|:|-|–|\()""")
_GLOSS_BEGINS = re.compile(r"""[:(]\s*['"`]""")
_EXAMPLE = re.compile(r"\be\.?g\b|example|such as|\blike\b|\bids?\b", re.I)
_BULLET = re.compile(r"""^\s*[-*•]\s*(?:['"`]([\w -]{1,40})['"`]|(\w{1,40})(?=\s*[:–]|\s-))""", re.M)
_EITHER = re.compile(
    r"(?<!['\"`], )['\"`]([\w -]{1,30})['\"`](?: \([^()]*\))? or ['\"`]([\w -]{1,30})['\"`](?! method)"
)
_EITHER_BARE = re.compile(r"(?<![Pp]rovide )\beither ([a-z_]+) or ([a-z_]+)(?=[.,;)]|$)")
_OF_ANOTHER = re.compile(r"\b(?:for|when|by|with|if|in|is|of|method)\s*$", re.I)
"""What stands before options that belong to another parameter: `required for 'add' or 'update'`."""
_BETWEEN = re.compile(r"\bbetween ['\"`]([\w -]{1,30})['\"`] and ['\"`]([\w -]{1,30})['\"`]")
_RANGE = re.compile(
    r"(?:between|from|range(?: of| is)?:?|scale of|\(|\[)\s*(-?\d+(?:\.\d+)?)\s*(?:\([^()]{1,20}\)\s*)?"
    r"(?:and|to|through|-|–|,)\s*(-?\d+(?:\.\d+)?)|(?<![\d-])\b(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?) \(?inclusive",
    re.I,
)
_BARE = re.compile(r"^[A-Za-z0-9][^,;:()\[\]{}.\"'`]{0,40}$")
_CITY_AND_STATE = re.compile(r"^[A-Z][A-Za-z. ]+, [A-Z]{2}\s*$")
_PARENTHESES = re.compile(r"\(([A-Za-z0-9'\"][^()]{6,120})\)")
_GLOSS = re.compile(r"(?<=\d) (?:for|means|is) .*$")
"""What an example that ends with a digit stands for: `ff0000 for red`."""
_CONDITION = re.compile(r"(?:required|optional|only|used|for|if|when|needed|default|ignored|not)\b", re.I)
"""How a parenthesis begins that says when a field is needed, not what it holds."""
_CLAUSE = re.compile(r"(?:when|if|how|where|while|this|that|what|by|for|in)\s")
"""How words begin that go on with the sentence: `like when renaming a file`."""
_END_OF_CLAUSE = re.compile(r"\)|\.\s+[A-Z]|\n\s*\n")
_STOPPERS = re.compile(r"[.)\]](?:\s|$)|;|\betc\b|\bdefaults?\b", re.I)


_DIGIT = re.compile(r"\d")
_EXAMPLE_WORDS = ("e.g", "eg", "i.e.", "such as", "like", "example", "ex")
_OPTION_WORDS = ("one of", "option", "must be", "values", "supported", "choose from", "enum]", "either", "can be",
                 "could be", "accepts", "available")  # fmt: skip
"""What some description must hold, in small letters, before it is looked through by a pattern."""


def mentions(folded: str, words: tuple[str, ...]) -> bool:
    """Say whether a text in small letters holds one of some words: sooner than a pattern, which must be compiled."""
    for word in words:  # noqa: SIM110  # a generator would take twice as long
        if word in folded:
            return True
    return False


def told_range(description: str) -> tuple[float, float] | None:
    """Return the range told, as in `between 1 and 7`."""
    match = _RANGE.search(description) if _DIGIT.search(description) else None
    if match is None:
        return None
    low, high = float(match[1] or match[3]), float(match[2] or match[4])
    return (low, high) if low < high else None


def told_examples(description: str) -> Iterator[str]:
    """Yield the examples told, as in `e.g. 'San Francisco, CA'`."""
    if mentions(description.casefold(), _EXAMPLE_WORDS):
        for match in _INTRODUCED.finditer(description):
            yield from _introduced(match[1])
    for inner in _PARENTHESES.findall(description) if "(" in description else ():
        listed = _listed(inner) if not _CONDITION.match(inner) else []
        if len(listed) > 2 and all(_BARE.match(part) and part.count(" ") <= 2 for part in listed):
            yield from (part for part in listed if part != "etc")


def _introduced(tail: str) -> Iterator[str]:
    """Yield the examples in what follows the words that announce them: those quoted, else those separated."""
    quoted = _quoted(_first_clause(tail))
    if quoted:
        yield from (text for text in quoted if text)
        return
    tail = _STOPPERS.split(tail, maxsplit=1)[0]
    if _CITY_AND_STATE.match(tail):
        yield tail.strip()
        return
    parts = [re.sub(r"^(?:and|or)\s+", "", part.strip()) for part in re.split(r",\s*|\s+or\s+|\s+and\s+", tail)]
    parts = [_GLOSS.sub("", part) for part in parts]
    yield from (part for part in parts if _BARE.match(part) and part.count(" ") <= 3 and not _CLAUSE.match(part))


def told_options(description: str) -> Iterator[str]:
    """Yield the closed choice told, as in `one of 'metric', 'imperial'`; of one wording, the first that tells any."""
    folded = description.casefold()
    for read, marks in _READINGS:
        if not mentions(folded, marks):
            continue
        found = [text for text in read(description) if "{" not in text and "..." not in text]
        if len(dict.fromkeys(found)) > 1:
            yield from found
            return


def _quoted(text: str) -> list[str]:
    return [next(group for group in match if group).strip() for match in _QUOTED.findall(text)]


def _first_clause(text: str) -> str:
    """Cut where the sentence or its parenthesis ends, not at a full stop inside quotation marks."""
    masked = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    end = _END_OF_CLAUSE.search(masked)
    return text if end is None else text[: end.start()]


def _listed(text: str) -> list[str]:
    return [re.sub(r"^(?:and|or)\s+", "", part.strip()).strip(" '\"") for part in re.split(r",|\s+or\s+", text)
            if part.strip()]  # fmt: skip


def _announced(description: str) -> Iterator[str]:
    for match in _OPTIONS.finditer(description):
        strong = match[1] is not None
        tail = _END_OF_CHOICE.split(_ASIDE.sub("", match[2]), maxsplit=1)[0]
        first = _QUOTED.search(tail)
        if first is None:
            listed = _listed(tail.strip(" []."))
            if len(listed) > (1 if strong else 2) and all(_TOKEN.match(part) for part in listed):
                yield from listed
                return
            continue
        before = tail[: first.start()]
        quoted = _quoted(tail)
        if len(quoted) > 1 and len(before) <= (_FAR if strong else _NEAR) and not _OF_ANOTHER.search(before):
            yield from quoted
            return


def _pairs(description: str) -> Iterator[str]:
    if "either " in description and (bare := _EITHER_BARE.search(description)) is not None:
        yield from (bare[1], bare[2])
        return
    either = _EITHER.finditer(description) if " or " in description else ()
    between = _BETWEEN.finditer(description) if "between " in description else ()
    for match in (*either, *between):
        if not _OF_ANOTHER.search(description[max(0, match.start() - 12) : match.start()]):
            yield from (match[1], match[2])


def _glossed(description: str) -> Iterator[str]:
    if (begin := _GLOSS_BEGINS.search(description)) is not None and len(_GLOSSED.findall(description)) > 1:
        yield from (text for text in _quoted(_ASIDE.sub("", description[begin.start() + 1 :])) if _TOKEN.match(text))


def _bracketed(description: str) -> Iterator[str]:
    if (match := _BRACKETED.search(description)) is not None and not _EXAMPLE.search(description[: match.start(1)]):
        yield from _quoted(match[1])


def _bullets(description: str) -> Iterator[str]:
    yield from (quoted or bare for quoted, bare in _BULLET.findall(description))


def _bare_lists(description: str) -> Iterator[str]:
    for pattern in (_CAPITALS, _LIST_AFTER_COLON) if " or " in description else ():
        if (match := pattern.search(description)) is not None:
            yield from _listed(match[1])
            return
    if (match := _SLASHED.search(description)) is not None:
        yield from match[1].split("/")


_READINGS: tuple[tuple[Callable[[str], Iterator[str]], tuple[str, ...]], ...] = (
    (_announced, _OPTION_WORDS),
    (_pairs, ("either ", "'", '"', "`")),
    (_glossed, ("'", '"', "`")),
    (_bracketed, ("[",)),
    (_bullets, ("-", "*", "•")),
    (_bare_lists, (" or ", "/")),
)
"""How options are told, in the order in which they are looked for, and what a description then holds."""
