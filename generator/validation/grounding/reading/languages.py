"""Languages: closed classes of words as data, the language of a text, other names of things, words without a name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, lru_cache, reduce
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

from generator.assets import asset_file
from generator.validation.grounding.reading.words import STOPWORDS, Words, find_literal, fold, stem, tokens_of_value

LANGUAGES = ("en", "de", "es", "fr", "zh")
"""The languages in which requests and answers are read."""
SPACED = tuple(language for language in LANGUAGES if language != "zh")
"""Those of them that write spaces between words."""


@cache
def table(language: str, concern: str) -> dict[str, Any]:
    """Return the table of a concern; an empty one where the language has none, or nothing is known of it."""
    found: dict[str, Any] = _file(language).get(concern, {}) if language in languages() else {}
    return found


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages of which anything is known, English first."""
    names = [path.name for path in asset_file("language").iterdir()]
    codes = sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
    return tuple(sorted(codes, key=lambda code: code != "en"))


@cache
def _file(language: str) -> dict[str, Any]:
    return tomllib.loads(asset_file(f"language/{language}.toml").read_text("utf-8"))


@cache
def every(concern: str) -> dict[str, list[str]]:
    """Return the words of a concern in all languages together, by what they are words for."""
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for key, words in table(language, concern).items():
            found.setdefault(key, []).extend(words)
    return found


@cache
def words_for(concern: str, key: str) -> frozenset[str]:
    """Return the words of one entry of a concern in all languages together."""
    return frozenset(every(concern).get(key, ()))


UNKNOWN = ""
"""The language of a text that is in none that is known, or too short to tell."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3041-\u30ff]")
_LATIN = re.compile(r"[a-z]")
_SURE, _LEAST = 0.3, 0.15
"""Shares of a text's words that are little words of a language: enough to look no further, and the fewest."""
_ENOUGH = 400
"""Words by which a language is told; no text has more that are needed."""


@cache
def entries(language: str, concern: str, name: str) -> tuple[str, ...]:
    """Return the folded entries of a table, which stand between bars or on lines of their own."""
    text = str(table(language, concern).get(name, ""))
    return tuple(entry for part in text.replace("\n", "|").split("|") if (entry := fold(" ".join(part.split()))))


@cache
def english(concern: str, name: str) -> frozenset[str]:
    """Return the entries of an English table, for words that tools and their results have in every conversation."""
    return frozenset(entries("en", concern, name))


@cache
def english_words(concern: str, name: str) -> frozenset[str]:
    """Return the words of all entries of an English table."""
    return frozenset(word for entry in entries("en", concern, name) for word in entry.split())


@cache
def pairs(language: str, concern: str, name: str) -> Mapping[str, str]:
    """Return the entries of a table whose last word is what the words before it mean."""
    return {
        words: meaning for entry in entries(language, concern, name) for words, _, meaning in [entry.rpartition(" ")]
    }


_NO_WORDS: frozenset[str] = frozenset()


def words_of(folded: str) -> frozenset[str]:
    """Return the words of a folded text, with what stands behind their apostrophes."""
    if not folded.isascii():
        return frozenset(_WORD.findall(folded))
    return frozenset(_ASCII_WORD.findall(folded)) if "'" in folded else letters_of(folded)


def letters_of(folded: str) -> frozenset[str]:
    """Return the runs of letters of a folded text of ASCII alone."""
    return frozenset(folded.encode().translate(_LETTERS_ALONE).decode().split())


_LETTERS_ALONE = bytes([code if chr(code).islower() else ord(" ") for code in range(256)])
"""Makes a space of all but small letters."""


class Signs(NamedTuple):
    """Words and beginnings of which every text has one that has a phrase of some class."""

    words: frozenset[str]
    starts: tuple[str, ...]

    def may_be_in(self, folded: str, words: frozenset[str]) -> bool:
        """Say quickly whether a folded text of these words has any of them."""
        if not self.words.isdisjoint(words):
            return True
        return bool(self.starts) and any(start in folded for start in self.starts)


class Phrases:
    """A closed class of words and phrases, to be looked for in folded texts."""

    __slots__ = ("_pattern", "signs")

    def __init__(self, phrases: tuple[str, ...], *, spaced: bool) -> None:
        telling = {phrase: _telling_word(phrase) if spaced else "" for phrase in phrases}
        starts = _shortest({_start(phrase) for phrase, word in telling.items() if not word})
        self.signs = Signs(frozenset(filter(None, telling.values())), starts)
        longest_first = sorted(phrases, key=len, reverse=True)
        form = "|".join(map(_as_pattern if spaced else re.escape, longest_first)) or r"(?!)"
        self._pattern = re.compile(form)

    def found_in(self, folded: str, words: frozenset[str] | None = None) -> bool:
        """Say whether a folded text has any of them; `words` are its words by `words_of`, where they are known."""
        if words is None:
            words = words_of(folded) if self.signs.words else _NO_WORDS
        return self.signs.may_be_in(folded, words) and self._pattern.search(folded) is not None

    def places_in(self, folded: str) -> Iterator[re.Match[str]]:
        """Yield where a folded text has them."""
        yield from self._pattern.finditer(folded)

    def begins(self, folded: str) -> bool:
        """Say whether a folded text begins with one of them."""
        return self._pattern.match(folded) is not None


def _telling_word(phrase: str) -> str:
    """Return the longest word of a phrase, which is the rarest; "" where only its beginning is known."""
    words = [word for word in phrase.split() if not word.endswith("*") and _WORD.fullmatch(word)]
    return max(words, key=lambda word: 2 * len(word) + (word == "not") * _RARE, default="")


_RARE = 3
"""By how much "not" tells more than its length says: more than "was" and "were"."""


def _start(phrase: str) -> str:
    return phrase.partition(_GAP)[0].rstrip("*")


def _shortest(hints: set[str]) -> tuple[str, ...]:
    """Return the hints that hold no other one: where none of them is, none is."""
    return tuple(sorted(hint for hint in hints if not any(other in hint for other in hints if other != hint)))


_GAP = " * "
"""Stands for a few words between two parts of a phrase."""
_FEW_WORDS = r"(?:\s[^\s.!?]{1,40}){0,8}?\s"


def _as_pattern(phrase: str) -> str:
    words = _FEW_WORDS.join(map(re.escape, phrase.rstrip("*").split(_GAP)))
    return at_beginning(words if phrase.endswith(("*", "'")) else rf"{words}(?!\w)", phrase)


def at_beginning(pattern: str, phrase: str) -> str:
    """Make the pattern of a phrase match at the beginning of a word alone.

    What stands before it is looked at behind its first letter, so that a search skips all other letters at once.
    """
    first = re.escape(phrase[0])
    return rf"{first}(?<!\w{first}){pattern[len(first) :]}"


@cache
def phrases(language: str, concern: str, name: str) -> Phrases:
    """Return a class of words and phrases of a language."""
    return Phrases(entries(language, concern, name), spaced=language != "zh")


@cache
def signs_of(language: str, concern: str, *names: str) -> Signs:
    """Return the signs of several classes of words and phrases together."""
    return reduce(both, [phrases(language, concern, name).signs for name in names])


def both(one: Signs, other: Signs) -> Signs:
    """Return the signs of either."""
    return Signs(one.words | other.words, _shortest({*one.starts, *other.starts}))


_TOKEN = re.compile(r"\d+|[^\W\d_\u2e80-\u9fff]+|[^\s]")
_ASCII_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\s]")
"""The same for a text of ASCII letters alone, which takes half the time."""
_SPLIT = re.compile(f"({_TOKEN.pattern})")
_ASCII_SPLIT = re.compile(f"({_ASCII_TOKEN.pattern})")


def tokens_and_ends(folded: str) -> tuple[list[str], list[int]]:
    """Return the tokens of a folded text, and where what is before each ends and it ends itself, one after another."""
    parts = (_ASCII_SPLIT if folded.isascii() else _SPLIT).split(folded)
    return parts[1::2], list(accumulate(map(len, parts)))


def tokens_in(folded: str) -> list[str]:
    """Return the tokens of a folded text."""
    return (_ASCII_TOKEN if folded.isascii() else _TOKEN).findall(folded)


class Tokens:
    """The tokens of a folded text; most are looked at by their text alone.

    `spelled` are the words that stand for several, which are then all at the place of the one.
    """

    __slots__ = ("_folded", "_places", "_spelled", "texts")

    def __init__(self, folded: str, spelled: Mapping[str, list[str]] | None = None) -> None:
        self._folded = folded
        self._spelled = spelled
        self._places: list[tuple[int, int]] | None = None
        self.texts = tokens_in(folded)
        if spelled:
            self.texts = [part for text in self.texts for part in spelled.get(text, (text,))]

    def start(self, at: int) -> int:
        """Return where a token begins."""
        return (self._places or self._find_places())[at][0]

    def end(self, at: int) -> int:
        """Return where a token ends."""
        return (self._places or self._find_places())[at][1]

    def _find_places(self) -> list[tuple[int, int]]:
        matches = (_ASCII_TOKEN if self._folded.isascii() else _TOKEN).finditer(self._folded)
        if self._spelled:
            spelled = self._spelled
            self._places = [match.span() for match in matches for _ in spelled.get(match[0], (match[0],))]
        else:
            self._places = [match.span() for match in matches]
        return self._places


def forms_in(entry: str) -> list[tuple[str, ...]]:
    """Return the tokens of each of the alternatives that stand between bars or on lines of their own."""
    parts = entry.strip().replace("\n", "|").split("|")
    return [tuple(tokens_in(fold(part))) for part in parts if part.strip()]


def first_tokens(*entries: str) -> frozenset[str]:
    """Return the tokens that the alternatives of some entries begin with."""
    return frozenset(form[0] for entry in entries for form in forms_in(entry))


Meaning = tuple[str, float | str, str]
"""A kind, a value, and the entry of forms that have it."""


class Lexicon:
    """Phrases with what they mean, the longest of which is taken at each place."""

    def __init__(self, meanings: Iterable[Meaning]) -> None:
        self._at: dict[str, list[tuple[tuple[str, ...], str, float | str]]] = {}
        for kind, value, forms in meanings:
            for form in forms_in(forms):
                self._at.setdefault(form[0], []).append((form, kind, value))
        for known in self._at.values():
            known.sort(key=lambda each: -len(each[0]))
        self.beginnings = frozenset(self._at)
        """The tokens that its phrases begin with."""
        self.tokens = frozenset(token for known in self._at.values() for form, _, _ in known for token in form)
        """The tokens of its phrases."""

    def longest(self, tokens: list[str], at: int) -> tuple[int, str, float | str] | None:
        """Return how many tokens from this place on are a phrase, its kind and its value; None where there is none."""
        for form, kind, value in self._at.get(tokens[at], ()):
            size = len(form)
            if size == 1 or tuple(tokens[at : at + size]) == form:
                return size, kind, value
        return None


LETTERS = re.compile(r"[^\W\d_]+")
_ASCII_LETTERS = re.compile(r"[A-Za-z]+")
_SURELY_ENGLISH = 0.4
"""The share of a text's words that are English ones from which on no other language is looked at."""
_FEWEST = 8
"""Words of the shortest text that is known to be English without a look at others."""


@cache
def _little_words(language: str) -> frozenset[str]:
    return frozenset(" ".join(entries(language, "words", "function")).split())


@lru_cache(maxsize=2048)
def language_of(folded: str) -> str:
    """Return the language of a folded text by its script and its little words; `UNKNOWN` where they do not tell."""
    if not folded.isascii() and _is_chinese(folded):
        return "zh"
    said = frozenset(folded.split())
    if len(said & _little_words("en")) >= _SURE * len(said):
        return "en" if said else UNKNOWN
    words = frozenset(_WORD.findall(folded, 0, 8 * _ENOUGH)[:_ENOUGH])
    if not words:
        return UNKNOWN
    shares = {language: len(words & _little_words(language)) for language in languages()}
    best = max(shares, key=shares.__getitem__)
    *_, second, most = sorted(shares.values())
    return best if most > second and most >= _LEAST * len(words) else UNKNOWN


def _is_chinese(folded: str) -> bool:
    """Say whether a text is written in ideographs, without kana and with few Latin letters between them."""
    ideographs = len(_IDEOGRAPH.findall(folded[:4000]))
    if not ideographs or _KANA.search(folded) is not None:
        return False
    return ideographs * 6 >= len(_LATIN.findall(folded[:4000]))


_MOSTLY = 0.7


def is_english(words: Words) -> bool:
    """Say whether a text is likely English: in its letters, and with no more small words of another language."""
    if len(words.squeezed.encode()) * _MOSTLY > len(words.squeezed):
        return False
    foreign = words_for("exact", "foreign")
    return sum(token in foreign for token in words.tokens) <= sum(token in STOPWORDS for token in words.tokens)


@cache
def little_words() -> frozenset[str]:
    """Return the little words of all languages."""
    return frozenset().union(*map(_little_words, languages()))


@cache
def courtesies() -> frozenset[str]:
    """Return the stems of words with which people are polite, or lead to what they have to tell, in all languages."""
    named = (entry for language in languages() for entry in entries(language, "courtesies", "words"))
    return frozenset(stem(word) for entry in named for word in entry.split())


def is_read(language: str) -> bool:
    """Say whether enough is known of a language to read answers in it."""
    return bool(table(language, "outcomes"))


def language_among(*folded: str) -> str:
    """Return the language of the first of several texts that tells it, where it is one that is read; else `UNKNOWN`."""
    language = next(filter(None, map(language_of, folded)), UNKNOWN)
    return language if is_read(language) else UNKNOWN


@cache
def _telling_words(language: str) -> frozenset[str]:
    """Return the words of a language by which it is known: its little words, its days and months, its numerals."""
    days, numbers = table(language, "days"), table(language, "numbers")
    forms = [*days.get("months", ()), *days.get("weekdays", ())]
    forms += [
        entry for part in ("units", "relative", "shift", "edge", "festivals") for entry in days.get(part, {}).values()
    ]
    forms += [entry for part in ("cardinals", "ordinals", "multipliers") for entry in numbers.get(part, {}).values()]
    return _little_words(language) | {token for token in first_tokens(*forms) if len(token) > 2}


@lru_cache(maxsize=256)
def languages_of(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, by script and by words; English where nothing tells."""
    found = ("zh",) if not folded.isascii() and _IDEOGRAPH.search(folded) else ()
    words = frozenset((_ASCII_LETTERS if folded.isascii() else LETTERS).findall(folded[: 8 * _ENOUGH]))
    if not found and _is_surely_english(words):
        return ("en",)
    counts = {language: len(words & _telling_words(language)) for language in SPACED}
    most = max(counts.values())
    latin = tuple(language for language, count in counts.items() if count == most > 0)
    return (*latin, *found) or ("en",)


def _is_surely_english(words: frozenset[str]) -> bool:
    """Say whether so many of a text's words are English ones that no other language is looked at."""
    return len(words) >= _FEWEST and len(words & _telling_words("en")) > _SURELY_ENGLISH * len(words)


_SHORTEST_WORD = 3
"""Shorter names in lower case ("in", "no") are found in values alone: in texts they are other words."""


class Name(NamedTuple):
    """One name of a thing."""

    written: str
    folded: str
    is_code: bool
    """Whether it counts in texts only in its own case: `US`, `F`."""
    is_shared: bool = False
    """Whether several things have it, told apart by the word before: dollars."""


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[tuple[Name, ...], ...]]:
    """Return the other names of a thing by each of its names, read once."""
    found: dict[str, list[tuple[Name, ...]]] = {}
    text = asset_file("names.txt").read_text("utf-8")
    for line in text.splitlines():
        if not line or line[0] == "#":
            continue
        value, one_way, words = line.partition(" < ")
        names = tuple(_name(part) for part in (words or value).split(" | "))
        for key in (value,) if one_way else [name.written for name in names]:
            found.setdefault(_key(key), []).append(names)
    return {key: tuple(groups) for key, groups in found.items()}


def _name(text: str) -> Name:
    written = text.removeprefix("~")
    is_code = written.isupper() and written.isascii() and written[0].isalpha()
    return Name(written, fold(written), is_code, text != written)


def _key(text: str) -> str:
    return " ".join(tokens_of_value(text)) or fold(text).strip()


_NO_SORTS = ("# everyday", "# units")
"""Headings of names that stand beside each other and for each other: a length in feet is given in inches as well."""


@lru_cache(maxsize=1)
def _sorts() -> dict[str, tuple[str, ...]]:
    """Return for each name the names of all things of its sort, read once; shared and everyday words left out."""
    by_sort: dict[str, list[str]] = {}
    sort = ""
    for line in asset_file("names.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            sort = line
        elif line and " < " not in line and not sort.startswith(_NO_SORTS):
            by_sort.setdefault(sort, []).extend(part.removeprefix("~") for part in line.split(" | "))
    return {_key(name): tuple(names) for names in by_sort.values() for name in names}


def says_another_of_its_sort(value: str, sources: Iterable[Source], given: Container[str] = ()) -> bool:
    """Say whether any text names another thing of the sort of the thing that a value names, which no call gives."""
    others = _sorts().get(_key(value), ())
    own = {fold(value), *(name.folded for name in other_names(value))}
    return any(
        find_name(_name(each), source.raw, source.folded)
        and not any(name in given for name in (fold(each), *(other.folded for other in other_names(each))))
        for source in sources
        for each in others
        if fold(each) not in own
    )


class Source(Protocol):
    """A text as it is written, and folded."""

    @property
    def raw(self) -> str:
        """As it is written."""
        ...

    @property
    def folded(self) -> str:
        """Folded."""
        ...


@lru_cache(maxsize=8192)
def other_names(value: str) -> tuple[Name, ...]:
    """Return the names of whatever the value may name, itself left out; none where it is not known."""
    key = _key(value)
    groups = _groups().get(key, ())
    return tuple(dict.fromkeys(name for group in groups for name in group if _key(name.written) != key))


def find_name(name: Name, raw: str, folded: str) -> bool:
    """Say whether a text speaks by this name."""
    if name.is_code:
        return find_literal(raw, name.written) >= 0
    if len(name.folded) < _SHORTEST_WORD and name.folded.isalpha() and name.folded.isascii():
        return False
    if not name.folded[0].isalnum():
        return name.folded in folded
    at = find_literal(folded, name.folded)
    return at >= 0 and not (name.is_shared and _belongs_to_another(folded[max(0, at - 24) : at]))


_OWNERS = frozenset("zealand kong".split())


def _belongs_to_another(before: str) -> bool:
    """Say whether the word before a shared name is that of a country, other than of one whose name it is itself."""
    words = before.split()
    return bool(words) and (words[-1] in _OWNERS or words[-1] in _groups()) and words[-1] not in _OWN


_OWN = frozenset("us american british united uk u.s. indian swiss english".split())


NOT_NAMES = frozenset(
    "i i'm i've i'll i'd ok okay am pm id ids url api json usd eur gbp hi hello yes no sorry mr mrs ms dr pdf csv html "
    "http https ai tv us uk eu utc gmt celsius fahrenheit kelvin please thanks thank also the a an and or but if "
    "so".split()
)
"""Words that are written with a capital within a sentence and name nothing."""


LOOKING, MAKING, UNMAKING, CHANGING, COPYING = "looking", "making", "unmaking", "changing", "copying"
VERB_SORTS = (UNMAKING, COPYING, MAKING, CHANGING, LOOKING)
_MOST_WORDS = 12


@cache
def _verbs() -> dict[str, str]:
    """Return the sort of each verb."""
    found = {verb: sort for sort in VERB_SORTS for verb in entries("en", "tool_verbs", sort)}
    found |= dict.fromkeys(entries("en", "results", LOOKING), LOOKING)
    return found


@lru_cache(maxsize=4096)
def verb_of(name: str) -> tuple[str, str]:
    """Return the verb in a tool's name with its sort; two empty texts where it has none that is known.

    A name begins with its verb, behind the name of its service where there is one: `gmail_send_message`.
    """
    tokens = tokens_of_value(name)[:_MOST_WORDS]
    for token in tokens:
        sort = _verbs().get(token)
        if sort is not None:
            return token, sort
    return "", ""


def is_harmless(name: str) -> bool:
    """Say whether a tool only looks something up or reckons, by its name."""
    return verb_of(name)[1] == LOOKING
