"""Parameter classes: what sort of thing a parameter holds, told from its name, type, format and description."""

from __future__ import annotations

import re

from generator.authors.offline.words import is_plural, word_set
from generator.jsontext import JsonObject

_LAST: dict[str, frozenset[str]] = {
    "id": word_set("id ids uuid guid identifier identifiers sku isbn vin cusip isin"),
    "email": word_set("email mail"),
    "url": word_set("url uri link href website webpage domain"),
    "path": word_set("path file filename filepath directory folder paths files"),
    "phone": word_set("phone telephone mobile"),
    "date": word_set("date day deadline dob birthday birth"),
    "moment": word_set("datetime timestamp"),
    "time": word_set("time"),
    "place": word_set("""city location place country state region area county province town destination origin address venue zip
        neighborhood district island continent jurisdiction airport station"""),
    "person": word_set("""person user customer patient author artist actor director player employee student assignee recipient owner
        composer painter scientist candidate contact username customer passenger guest driver member singer"""),
    "query": word_set("query keyword keywords search term terms q phrase question"),
    "title": word_set("title subject headline heading label"),
    "text": word_set("""text message body content comment description note notes summary prompt reason caption bio sentence
        paragraph instructions explanation details detail feedback remark remarks review tweet post"""),
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
_MONEY = word_set("""price cost amount budget salary income revenue fee payment balance principal investment expense expenses
    dividend dividends wage earnings profit loan deposit value debt assets liabilities""")
_MONEY_HINT = re.compile(r"\b(dollars?|usd|us\$|euros?|price|cost|monetary|currency|budget|salary|revenue|income)\b|\$")
_SHARE = re.compile(r"\b(rate|percentage|percent|discount|probability|share|fraction|apr|apy|yield)\b")
_COUNTED = word_set("""nights adults children guests rooms bedrooms bathrooms people passengers tickets seats servings copies stars
    floors attendees participants players rounds questions recipes items episodes sides dice""")
_TIMELY = word_set("start end from to since until before after at on begin finish departure arrival checkin checkout")
_NUMERALS = word_set("number n num count quantity integer value x amount top limit number1")
_TIMES = word_set("seconds minutes hours days weeks months years milliseconds nights")
_MOMENT_HINT = re.compile(r"iso ?8601|date-?time|rfc ?3339|yyyy-mm-ddt?[ t]hh|timestamp", re.IGNORECASE)
_DATE_HINT = re.compile(r"yyyy-mm-dd|mm[/-]dd[/-]yyyy|dd[/-]mm[/-]yyyy|\bthe date\b|^date\b", re.IGNORECASE)
_PLACE_HINT = re.compile(r"\b(city|country|state|address|location|zip code|postal code|town|airport)\b", re.IGNORECASE)
_WORD_SPLIT = re.compile(r"[a-z]+")


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
        return _classify_number(words, description.lower(), str(kind))
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


def _classify_number(words: tuple[str, ...], description: str, type_name: str) -> str:
    last = words[-1] if words else ""
    joined = " ".join(words)
    if last in ("season", "century"):
        return last
    if last == "id" or joined.endswith(" id") or "identifier" in description[:40]:
        return "id"
    if joined in ("per page", "page size", "limit", "max results", "maximum results", "top k", "top n", "top"):
        return "limit"
    if (
        last in ("results", "limit")
        and words[0] in ("limit", "maximum", "result", "results", "number")
        and type_name == "integer"
    ):
        return "limit"
    if last in ("page", "offset", "index"):
        return last
    if last == "year" and "number of years" not in description and "per" not in words:
        return "year"
    if last in ("latitude", "longitude"):
        return "coordinate"
    if joined in _NUMERALS:
        return (
            "limit"
            if re.search(r"number of [a-z ]*(?:to return|to retrieve|to fetch|to list|to get|results)", description)
            else "number"
        )
    if "light" in words:
        return "measure"
    if last in ("ahead",):
        return "duration"
    if last in _TIMES or words[:2] == ("number", "of") and last in _TIMES or last in _LAST["duration"]:
        return "duration" if last in _TIMES or _time_unit(description) else "number"
    if words[:1] in (("number",), ("no",)) and len(words) > 1 and (words[1] == "of" or is_plural(last)):
        return "count"
    if type_name == "integer" and is_plural(last) and len(words) == 1:
        return "count"
    if words[:2] == ("number", "of") or last in _COUNTED or last in ("count", "quantity"):
        return "count"
    if (
        last == "number"
        and len(words) > 1
        and type_name in ("integer", "number")
        or "number of the" in description[:18]
    ):
        return "id"
    if _is_money(words, description):
        return "money"
    return "measure" if _SHARE.search(joined) or len(words) > 0 and len(joined) > 1 else "letter"


def _time_unit(description: str) -> bool:
    return any(word in _TIMES for word in _WORD_SPLIT.findall(description))


def _is_money(words: tuple[str, ...], description: str) -> bool:
    if any(word in ("rate", "percentage", "percent", "number", "ratio", "yield") for word in words):
        return False
    if "$" in description or re.search(r"\b(usd|dollars?)\b", description):
        return True
    return any(word in _MONEY for word in words[-2:]) and bool(_MONEY_HINT.search(description))


def is_share(words: tuple[str, ...], schema: JsonObject) -> bool:
    """Say whether a number is a share that people tell in percent: 0.05 is "5%"."""
    text = " ".join(words)
    description = str(schema.get("description", "")).lower()
    if re.search(r"exchange|frame|heart|bit ?rate|tax bracket|confidence|probability", text + " " + description[:60]):
        return False
    return (
        bool(re.search(r"\b(rate|percentage|percent|discount|apr|apy|yield)\b", text))
        and schema.get("type") == "number"
    )


def _classify_text(name: str, words: tuple[str, ...], schema: JsonObject, description: str) -> str:
    last = words[-1] if words else ""
    format_kind = {"email": "email", "uri": "url", "date": "date", "date-time": "moment", "time": "time", "uuid": "id"}
    if schema.get("format") in format_kind:
        return format_kind[schema["format"]]
    if "enum" in schema:
        return _classify_choice(words)
    if last in ("id", "ids", "sha", "slug", "cursor") or last in _LAST["id"]:
        return "id"
    if name in ("owner", "repo", "repository"):
        return "owner" if name == "owner" else "repo"
    if last == "number" and len(words) > 1 or last in ("code", "key", "token") and len(words) > 1:
        return "phone" if "phone" in words else "id"
    if last == "state":
        return "place"
    if len(name) == 1:
        return "letter"
    timely = _KIND_OF_LAST.get(last) in ("date", "time", "moment") or last in _TIMELY
    if timely and _MOMENT_HINT.search(description):
        return "moment"
    if timely and _KIND_OF_LAST.get(last) != "moment" and _DATE_HINT.search(description):
        return "date"
    if name in ("target", "ref") and ("reference" in description or "selector" in description):
        return "id"
    if last == "name" and len(words) > 1:
        owner = _KIND_OF_LAST.get(words[-2], "thing")
        return {"path": "path", "person": "person", "place": "place"}.get(owner, "thing")
    if last in _KIND_OF_LAST:
        return _KIND_OF_LAST[last]
    if words and _KIND_OF_LAST.get(words[0]) == "place" or words[:1] in (("from",), ("to",), ("start",), ("end",)):
        return "place" if _PLACE_HINT.search(description) or words[:1] != ("to",) else "thing"
    return "thing"


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
