"""Hints: what the names, descriptions, defaults and examples of the raw schema say about a value.

Plural names are read here: inflection 0.5.1 would tell 15 of 1,031 words of tools' fields otherwise, `radiu`, `vium`
and `gas` as `ga` among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from generator.jsontext import JsonObject, JsonValue

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAK = re.compile(r"[^A-Za-z0-9]+")
_TRAILING_NUMBER = re.compile(r"^([a-z]+?)(\d{1,2})$")
_KEPT_PLURAL = frozenset(
    "address status species series news analysis basis gas bus class business process access dress loss glass "
    "mass boss pass canvas atlas campus census virus radius bonus focus sms gps dns aws ios os is has was this "
    "series physics mathematics economics athletics sports press progress success diagnosis synopsis axis "
    "hypothesis emphasis chess tennis swiss less units https cvss css always plus previous details".split()
)
_IRREGULAR = {"ids": "id", "people": "person", "children": "child", "men": "man", "women": "woman", "movies": "movie",
              "cookies": "cookie", "calories": "calorie", "indices": "index", "matrices": "matrix",
              "vertices": "vertex", "criteria": "criterion", "phenomena": "phenomenon", "cities": "city",
              "mice": "mouse"}  # fmt: skip


@lru_cache(maxsize=8192)
def split_name(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a field or tool name; a trailing small number is a word of its own."""
    words: list[str] = []
    for part in _BREAK.split(name[:200]):
        for word in _CAMEL.split(part):
            numbered = _TRAILING_NUMBER.match(word.lower())
            words.extend(numbered.groups() if numbered else [word.lower()] if word else [])
    return tuple(words)


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """Return the singular of an English noun by its ending; what is no plural comes back as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _KEPT_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Say whether a word names several things."""
    return singular(word) != word


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
        yield from _enumerated(inner)


def _enumerated(inner: str) -> Iterator[str]:
    """Yield the parts of a parenthesis that does nothing but list them, and sets no condition."""
    listed = _listed(inner) if not _CONDITION.match(inner) else []
    if len(listed) > 2 and all(_is_bare(part, 3) for part in listed):
        yield from (part for part in listed if part != "etc")


def _is_bare(part: str, most: int) -> bool:
    """Say whether a part is no more than so many plain words."""
    return bool(_BARE.match(part)) and part.count(" ") < most


def _introduced(tail: str) -> Iterator[str]:
    """Yield the examples in what follows the words that announce them: those quoted, else those separated."""
    quoted = _quoted(_first_clause(tail))
    if quoted:
        yield from filter(None, quoted)
        return
    tail = _STOPPERS.split(tail, maxsplit=1)[0]
    if _CITY_AND_STATE.match(tail):
        yield tail.strip()
        return
    parts = [re.sub(r"^(?:and|or)\s+", "", part.strip()) for part in re.split(r",\s*|\s+or\s+|\s+and\s+", tail)]
    parts = [_GLOSS.sub("", part) for part in parts]
    yield from (part for part in parts if _is_bare(part, 4) and not _CLAUSE.match(part))


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
        tail = _END_OF_CHOICE.split(_ASIDE.sub("", match[2]), maxsplit=1)[0]
        if options := _options(tail, strong=match[1] is not None):
            yield from options
            return


def _options(tail: str, *, strong: bool) -> list[str]:
    """Return the options that follow words which announce them, strongly or not; [] where it is no choice."""
    first = _QUOTED.search(tail)
    if first is None:
        listed = _listed(tail.strip(" []."))
        return listed if len(listed) > (1 if strong else 2) and all(map(_TOKEN.match, listed)) else []
    before, quoted = tail[: first.start()], _quoted(tail)
    is_near = len(before) <= (_FAR if strong else _NEAR)
    return quoted if len(quoted) > 1 and is_near and not _OF_ANOTHER.search(before) else []


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


Found = TypeVar("Found")

_MOST_SOURCES = 24
_LONGEST_DESCRIPTION = 2_000
_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONALS = ("if", "then", "else", "not")
_COMBINING = frozenset(("$ref", *_BRANCHES, "then", "else"))


class kept(Generic[Found]):  # noqa: N801  # a decorator
    """What is found out when it is first asked for, and kept; without the lock of `cached_property`."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> Found:
        found = owner.__dict__[self._name] = self._find(owner)
        return found


@dataclass(eq=False)
class Hint:
    """What is known about one place of a schema.

    `sources` are the raw schema nodes that apply there; `path` the names of the properties that lead to it,
    outermost first; `topic` the name and description of the tool.
    """

    sources: tuple[JsonObject, ...]
    path: tuple[str, ...] = ()
    topic: tuple[str, str] = ("", "")
    listed: bool = False
    """Whether this is an element of a list."""

    @kept
    def words(self) -> tuple[str, ...]:
        """The words of the field's name; of an element, in the singular."""
        words = split_name(self.path[-1]) if self.path else ()
        return (*words[:-1], singular(words[-1])) if self.listed and words else words

    @kept
    def parent_words(self) -> tuple[str, ...]:
        """The words of the name of the property that holds this one, in the singular."""
        words = split_name(self.path[-2]) if len(self.path) > 1 else ()
        return (*words[:-1], singular(words[-1])) if words else ()

    @kept
    def description(self) -> str:
        """The description, else the title, cut to 2,000 characters."""
        for source in self.sources:
            text = source.get("description") or source.get("title")
            if isinstance(text, str) and text:
                return text[:_LONGEST_DESCRIPTION]
        return ""

    @kept
    def folded(self) -> str:
        """The description in small letters, for a quick look whether it could hold a word."""
        return self.description.casefold()

    @kept
    def format(self) -> str:
        """The `format`, "" where none is given."""
        return next((source["format"] for source in self.sources if isinstance(source.get("format"), str)), "")

    @kept
    def default(self) -> JsonValue:
        """The `default`; None where none is given or it is empty."""
        return next(
            (source["default"] for source in self.sources if source.get("default") not in (None, "", [], {})), None
        )

    @kept
    def declared_examples(self) -> tuple[JsonValue, ...]:
        """The `examples` (and OpenAPI's `example`) of the schema."""
        found: list[JsonValue] = []
        for source in self.sources:
            if isinstance(source.get("examples"), list):
                found.extend(source["examples"][:20])
            if "example" in source:
                found.append(source["example"])
        return tuple(found)

    @kept
    def told_examples(self) -> tuple[str, ...]:
        """The examples which the description tells: `e.g. 'San Francisco, CA'` gives `San Francisco, CA`."""
        return tuple(dict.fromkeys(told_examples(self.description))) if self.description else ()

    @kept
    def told_options(self) -> tuple[str, ...]:
        """The closed choice which the description tells, such as `either 'metric' or 'imperial'`."""
        return tuple(dict.fromkeys(told_options(self.description))) if self.description else ()

    @kept
    def told_range(self) -> tuple[float, float] | None:
        """The range which the description tells, such as `between 1 and 7`."""
        return told_range(self.description)

    @kept
    def contexts(self) -> tuple[str, str, str]:
        """The texts that may tell a sense, the nearest first: the field's own, its parent's, the tool's."""
        own = f"{' '.join(self.words)} {self.description}".lower()
        return own, " ".join(self.parent_words), _said_of_tool(*self.topic)

    def names(self, keyword: str) -> Iterator[str]:
        """Yield the keys of an object keyword over all sources, in the order they were written."""
        for source in self.sources:
            if isinstance(source.get(keyword), dict):
                yield from source[keyword]

    def property(self, name: str, root: JsonValue) -> Hint:
        """Return the hint of one property."""
        nodes = []
        for source in self.sources:
            held = source.get("properties")
            if isinstance(held, dict) and name in held:
                nodes.append(held[name])
        if not nodes:
            nodes = [source["additionalProperties"] for source in self.sources if "additionalProperties" in source]
        return Hint(sources_of(nodes, root), (*self.path, name), self.topic)

    def element(self, root: JsonValue, index: int | None = None) -> Hint:
        """Return the hint of an array's element, or of one position of a tuple; the name is the list's own."""
        nodes: list[JsonValue] = []
        for source in self.sources:
            tuple_nodes = source.get("prefixItems")
            if index is not None and isinstance(tuple_nodes, list) and index < len(tuple_nodes):
                nodes.append(tuple_nodes[index])
            elif "items" in source:
                nodes.append(source["items"])
        found = sources_of(nodes, root)
        return Hint(
            (*found, *({"description": self.description} for _ in self.sources[:1])), self.path, self.topic, listed=True
        )

    def renamed(self, name: str) -> Hint:
        """Return the same hint for a property of another name."""
        return replace(self, path=(*self.path[:-1], name))


def sources_of(nodes: list[JsonValue], root: JsonValue) -> tuple[JsonObject, ...]:
    """Return the raw nodes with those they refer to or combine, outermost first, at most 24."""
    if len(nodes) == 1 and isinstance(node := nodes[0], dict) and _COMBINING.isdisjoint(node):
        return (node,)
    found: list[JsonObject] = []
    seen: set[int] = set()
    pending = list(nodes)
    while pending and len(found) < _MOST_SOURCES:
        node = pending.pop(0)
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        found.append(node)
        pending.extend(_combined(node, root))
    return tuple(found)


def _combined(node: JsonObject, root: JsonValue) -> Iterator[JsonValue]:
    if isinstance(node.get("$ref"), str):
        yield resolve_pointer(root, node["$ref"])
    for keyword in _BRANCHES:
        if isinstance(node.get(keyword), list):
            yield from node[keyword]
    for keyword in _CONDITIONALS[1:3]:
        if keyword in node:
            yield node[keyword]


def resolve_pointer(root: JsonValue, reference: str) -> JsonValue:
    """Return the node a local reference (`#/$defs/x`) points to; None where there is none."""
    if not reference.startswith("#"):
        return None
    node = root
    for part in reference[1:].split("/")[1:]:
        key = _unescape(part)
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return None
    return node


def _unescape(part: str) -> str:
    from urllib.parse import unquote

    return unquote(part).replace("~1", "/").replace("~0", "~")


def identified(root: JsonValue) -> dict[str, JsonValue]:
    """Return the nodes that have a name of their own: `$anchor`, `$dynamicAnchor`, `$id` and its last part."""
    found: dict[str, JsonValue] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(node.get(keyword), str):
                    found.setdefault("#" + node[keyword], node)
            if isinstance(node.get("$id"), str):
                name = node["$id"].rstrip("#")
                found |= {name: node, name.rsplit("/", 1)[-1]: node, "./" + name.rsplit("/", 1)[-1]: node}
            pending.extend(node.values())
    return found


_BEGINNING = 6
"""Letters from which a word that tells a sense may be the beginning of another."""


def tells(words: str, text: str) -> bool:
    """Say whether a lower-case text holds one of these words, separated by commas, alone or in the plural.

    Looked for one by one: patterns for all of them would take longer to compile than most processes use them.
    """
    for word, is_whole in _words(words):  # noqa: SIM110  # a generator would take twice as long
        if word in text and _begins(word, text, is_whole):
            return True
    return False


@lru_cache(maxsize=1024)
def _words(words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((word, len(word) < _BEGINNING) for word in words.split(","))


def _begins(word: str, text: str, is_whole: bool) -> bool:
    """Say whether a word begins somewhere in a text, and ends there where it is to be whole."""
    at = text.find(word)
    while at >= 0:
        if not _is_letter(text, at - 1) and (not is_whole or _ends(text, at + len(word))):
            return True
        at = text.find(word, at + 1)
    return False


def _ends(text: str, at: int) -> bool:
    return not _is_letter(text, at) or (text[at] == "s" and not _is_letter(text, at + 1))


def _is_letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "a" <= text[at] <= "z"


@lru_cache(maxsize=256)
def _said_of_tool(name: str, description: str) -> str:
    return f"{' '.join(split_name(name))} {_first_sentence(description)}".lower()


def _first_sentence(description: str) -> str:
    """What a tool does; some descriptions first tell of the whole collection the tool is part of."""
    told = description.rpartition("Tool description:")[2].strip()
    return told.split(". ", 1)[0][:200]
