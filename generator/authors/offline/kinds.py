"""Parameter classes: what sort of thing a parameter holds, told from its name, type, format and description."""

from __future__ import annotations

import re

from generator.authors.offline.number_kinds import classify_number
from generator.authors.offline.words import word_set
from generator.jsontext import JsonObject

_LAST: dict[str, frozenset[str]] = {
    "id": word_set("id ids sha slug cursor uuid guid identifier identifiers sku isbn vin cusip isin"),
    "email": word_set("email mail"),
    "url": word_set("url uri link href website webpage domain"),
    "path": word_set("path file filename filepath directory folder paths files"),
    "phone": word_set("phone telephone mobile"),
    "date": word_set("date day deadline dob birthday birth"),
    "moment": word_set("datetime timestamp"),
    "time": word_set("time"),
    "place": word_set(
        """city location place country state region area county province town destination origin address venue zip
    neighborhood district island continent jurisdiction airport station"""
    ),
    "person": word_set(
        """person user customer patient author artist actor director player employee student assignee recipient owner
    composer painter scientist candidate contact username customer passenger guest driver member singer"""
    ),
    "query": word_set("query keyword keywords search term terms q phrase question"),
    "title": word_set("title subject headline heading label"),
    "text": word_set(
        """text message body content comment description note notes summary prompt reason caption bio sentence
    paragraph instructions explanation details detail feedback remark remarks review tweet post"""
    ),
    "language": word_set("language locale"),
    "currency": word_set("currency"),
    "unit": word_set("unit units scale"),
    "formula": word_set("expression function equation formula code regex pattern sql script polynomial"),
    "year": word_set("year"),
    "month": word_set("month"),
    "season": word_set("season"),
    "format": word_set("format filetype"),
    "order": word_set("order direction"),
    "sort": word_set("sort sortby"),
    "status": word_set("status state"),
    "duration": word_set("duration period timeframe"),
}
_KIND_OF_LAST = {word: kind for kind, words in _LAST.items() for word in words}
_TIMELY = word_set("start end from to since until before after at on begin finish departure arrival checkin checkout")
_FORMATS = {"email": "email", "uri": "url", "date": "date", "date-time": "moment", "time": "time", "uuid": "id"}
_EXACT = {"owner": "owner", "repo": "repo", "repository": "repo", "state": "place"}
_NAME_PARTS = word_set("full legal display family given first last middle preferred")
_MOMENT_HINT = re.compile(r"iso ?8601|date-?time|rfc ?3339|yyyy-mm-ddt?[ t]hh|timestamp", re.IGNORECASE)
_DATE_HINT = re.compile(r"yyyy-mm-dd|mm[/-]dd[/-]yyyy|dd[/-]mm[/-]yyyy|\bthe date\b|^date\b", re.IGNORECASE)
_PLACE_HINT = re.compile(r"\b(city|country|state|address|location|zip code|postal code|town|airport)\b", re.IGNORECASE)


def classify(name: str, words: tuple[str, ...], schema: JsonObject) -> str:
    """Return the class of a parameter; `thing` for any other text, `number` for any other number."""
    declared = schema.get("type")
    kind = declared if isinstance(declared, str) else _type_of(schema)
    if kind == "boolean":
        return "flag"
    if kind == "array":
        return "list"
    if kind == "object":
        return "object"
    description = str(schema.get("description", ""))
    if kind in ("integer", "number"):
        return classify_number(words, description.lower(), str(kind))
    return _classify_text(name, words, schema, description)


def _type_of(schema: JsonObject) -> str:
    """Return the type of a schema that declares it in a list or in its branches."""
    declared = schema.get("type")
    if isinstance(declared, list):
        return next((str(entry) for entry in declared if entry != "null"), "string")
    for keyword in ("anyOf", "oneOf"):
        for branch in schema.get(keyword) or ():
            if isinstance(branch, dict) and branch.get("type") not in (None, "null"):
                return str(branch["type"])
    return "object" if "properties" in schema else "string"


def _classify_text(name: str, words: tuple[str, ...], schema: JsonObject, description: str) -> str:
    last = words[-1] if words else ""
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if "enum" in schema:
        return _classify_choice(words)
    if last in _LAST["id"] or (len(words) > 1 and last in ("number", "code", "key", "token")):
        return "phone" if "phone" in words else "id"
    if name in _EXACT or len(name) == 1:
        return _EXACT.get(name, "letter")
    timely = _timely(last, description)
    if timely:
        return timely
    if name in ("target", "ref") and ("reference" in description or "selector" in description):
        return "id"
    if last == "name" and len(words) > 1:
        owner = "person" if words[-2] in _NAME_PARTS else _KIND_OF_LAST.get(words[-2], "thing")
        return owner if owner in ("path", "person", "place") else "thing"
    return _KIND_OF_LAST.get(last) or _told_by_first(words, description)


def _timely(last: str, description: str) -> str:
    """Return `moment` or `date` where a description tells the form of a time, else the empty string."""
    kind = _KIND_OF_LAST.get(last)
    dated = last.endswith("ed") and re.search(r"\bdate\b|iso ?8601", description, re.IGNORECASE)
    if dated:
        return "date"
    if kind not in ("date", "time", "moment") and last not in _TIMELY:
        return ""
    if _MOMENT_HINT.search(description):
        return "moment"
    return "date" if kind != "moment" and _DATE_HINT.search(description) else ""


def _told_by_first(words: tuple[str, ...], description: str) -> str:
    first = words[0] if words else ""
    if first in ("from", "to", "start", "end"):
        return "place" if first != "to" or _PLACE_HINT.search(description) else "thing"
    return "place" if _KIND_OF_LAST.get(first) == "place" else "thing"


def _classify_choice(words: tuple[str, ...]) -> str:
    last = words[-1] if words else ""
    if last in _LAST["unit"]:
        return "unit"
    for kind in ("format", "status", "language", "currency", "season"):
        if last in _LAST[kind]:
            return kind
    if last in ("order", "direction") and words[0] in ("sort", "order", "direction", "sorting"):
        return "order"
    if "sort" in words or words[:2] == ("order", "by"):
        return "sort"
    return "choice"
