"""English at the level of words: identifiers in words, number, articles, joining."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set: word lists are easier to read and keep as running text."""
    return frozenset(text.split())


_PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zß-öø-ÿ]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_EXPANSIONS = {
    "addr": "address", "amt": "amount", "app": "app", "arr": "array", "attr": "attribute", "auth": "authentication",
    "avg": "average", "calc": "calculate", "cat": "category", "cfg": "configuration", "cnt": "count",
    "coef": "coefficient", "config": "configuration", "coord": "coordinate", "coords": "coordinates",
    "cred": "credential", "ctx": "context", "db": "database", "del": "delete", "dept": "department",
    "desc": "description", "dest": "destination", "dev": "developer", "dir": "directory", "dirs": "directories",
    "doc": "document", "docs": "documents", "dob": "date of birth", "env": "environment", "exp": "experience",
    "freq": "frequency", "func": "function", "idx": "index", "img": "image", "imgs": "images",
    "info": "information", "init": "initial", "lang": "language", "lat": "latitude", "len": "length",
    "lng": "longitude", "loc": "location", "lon": "longitude", "max": "maximum", "mgr": "manager", "min": "minimum",
    "msg": "message", "msgs": "messages", "num": "number", "obj": "object", "org": "organization",
    "orgs": "organizations", "params": "parameters", "param": "parameter", "pct": "percentage", "pic": "picture",
    "pkg": "package", "pos": "position", "pref": "preference", "prefs": "preferences", "prev": "previous",
    "prob": "probability",
    "qty": "quantity", "qtr": "quarter", "recv": "receive", "ref": "reference", "repo": "repository",
    "repos": "repositories", "req": "request", "resp": "response", "spec": "specification", "src": "source",
    "std": "standard", "temp": "temperature", "tz": "time zone", "timezone": "time zone", "tel": "phone",
    "txn": "transaction", "usr": "user", "val": "value", "vals": "values", "ver": "version", "vol": "volume",
    "username": "username", "filename": "file name", "hostname": "host name", "zipcode": "zip code",
    "startdate": "start date", "enddate": "end date",
}  # fmt: skip
_ACRONYMS = word_set(
    """api bmi cpu css csv cvv dna dns eta fps gcd gdp gpa gps gpu hdmi html http https iata iban id ids ip isbn
    isin iso iot json lcm mac mfa mri nba nfl otp pdf php pin png rgb rna roi rpm rss sdk seo sha sku sms sql
    ssh ssl ssn ssid tls tv ui uk un uri url urls us usa usb utc uuid vat vin vm vpn wifi xml yaml ytd"""
)
_WRITTEN = {"ids": "IDs", "urls": "URLs", "uris": "URIs", "wifi": "Wi-Fi", "github": "GitHub", "pdfs": "PDFs"}
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "mice": "mouse",
    "teeth": "tooth", "data": "data", "series": "series", "species": "species", "news": "news", "indices": "index",
    "vertices": "vertex", "matrices": "matrix", "criteria": "criterion", "analyses": "analysis", "bases": "base",
    "statistics": "statistics", "status": "status", "address": "address", "calories": "calorie", "movies": "movie",
    "cookies": "cookie", "lens": "lens", "bus": "bus", "gas": "gas", "access": "access", "canvas": "canvas",
    "analysis": "analysis", "basis": "basis", "physics": "physics", "mathematics": "mathematics", "lives": "life",
    "knives": "knife", "leaves": "leaf", "halves": "half", "shelves": "shelf", "wives": "wife", "media": "media",
    "details": "detail", "sales": "sale", "focus": "focus", "radius": "radius", "plus": "plus", "bonus": "bonus",
    "virus": "virus", "campus": "campus", "corpus": "corpus", "census": "census", "this": "this", "its": "its",
    "has": "has", "is": "is", "was": "was", "as": "as", "plus/minus": "plus/minus", "always": "always",
    "celsius": "celsius", "means": "means", "yes": "yes", "ties": "tie", "pies": "pie", "dies": "die",
}  # fmt: skip
_PLURALS = {single: many for many, single in _IRREGULAR.items() if single != many}
_ALWAYS_PLURAL = word_set(
    "ids urls uris details statistics directions instructions lyrics people children data news contents"
)
_UNCOUNTED = word_set(
    """information data weather news traffic advice feedback content progress access availability humidity
    inventory music equipment research knowledge history nutrition metadata status series species"""
)
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_YOU_SOUND = ("uni", "use", "usa", "user", "usu", "uti", "eu", "one", "once", "ura", "uk", "ufo", "us ")
_SPELLED_VOWEL = frozenset("AEFHILMNORSX8")


@lru_cache(maxsize=16384)
def split_identifier(name: str) -> tuple[str, ...]:
    """Split an identifier into lower-case words, abbreviations written out: `maxTemp` gives maximum, temperature.

    A name without letters and digits is one word as it is: there is always a word.
    """
    words: list[str] = []
    for piece in _PIECES.findall(name):
        low = piece.lower()
        words.extend(_EXPANSIONS.get(low, low).split())
    return tuple(words) or (name.lower(),)


def spoken(words: Sequence[str]) -> str:
    """Join words as they are written in running text: acronyms in capitals."""
    return " ".join([_WRITTEN.get(word) or (word.upper() if word in _ACRONYMS else word) for word in words])


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """Return the singular of a lower-case noun; a word that is no plural is returned as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=4096)
def plural(word: str) -> str:
    """Return the plural of a lower-case noun."""
    if word in _PLURALS:
        return _PLURALS[word]
    if is_plural(word) or word in _UNCOUNTED:
        return word
    if word.endswith("y") and len(word) > 1 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


def is_plural(word: str) -> bool:
    """Say whether a lower-case noun is a plural."""
    return word in _ALWAYS_PLURAL or singular(word) != word


def is_uncounted(word: str) -> bool:
    """Say whether a lower-case noun takes no "a"."""
    return word in _UNCOUNTED


def article(phrase: str) -> str:
    """Return "a" or "an" for a phrase by its sound."""
    first = phrase.lstrip("\"'“(").split(" ", 1)[0]
    if not first:
        return "a"
    low = first.lower()
    if low[0].isdigit():
        return "an" if low.startswith(("8", "11,", "18,")) or low in ("11", "18") else "a"
    if first.isupper() and 1 < len(first) <= 4 and first.lower() in _ACRONYMS | {"hr", "mp", "fm", "am"}:
        return "an" if first[0] in _SPELLED_VOWEL else "a"
    if low.startswith(_SILENT_H):
        return "an"
    if low.startswith(_YOU_SOUND) and not low.startswith(("unin", "unim", "onei", "unus", "unid")):
        return "a"
    return "an" if low[0] in "aeiou" else "a"


def with_article(phrase: str) -> str:
    """Put "a" or "an" before a phrase."""
    return f"{article(phrase)} {phrase}"


def join_and(parts: Sequence[str], word: str = "and", *, oxford: bool = False) -> str:
    """Join phrases: "a", "a and b", "a, b and c"; `oxford` sets the last comma."""
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return f"{parts[0]} {word} {parts[1]}"
    return f"{', '.join(parts[:-1])}{',' if oxford else ''} {word} {parts[-1]}"


def lower_first(text: str) -> str:
    """Lower the first letter, unless the first word is an acronym, "I" or has further capitals."""
    first = text.split(" ", 1)[0]
    if (len(first) > 1 and any(char.isupper() for char in first[1:])) or first in ("I", "I'd", "I'm"):
        return text
    return text if text.startswith("I ") else text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """Raise the first letter, unless the first word is a web address or an e-mail address."""
    first = text.split(" ", 1)[0]
    return text if "/" in first or "@" in first else text[:1].upper() + text[1:]
