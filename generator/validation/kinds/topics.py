"""Topics: what a request and a tool are about, by their words, so that a tool can be shown to fit one or not to."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.jsontext import JsonValue
from generator.validation.kinds.values_in_text import properties_of, words_of
from generator.validation.tool_view import ToolView

_DOMAINS: dict[str, str] = {
    "weather": "weather forecast rain snow windy humidity humid climate meteorolog temperature storm sunny cloud "
    "umbrella cold hot warm",
    "flights": "flight airline airport plane aircraft airfare fly layover",
    "lodging": "hotel hostel motel airbnb accommodation lodging resort guesthouse",
    "dining": "restaurant dining dinner lunch brunch bistro cuisine eatery steakhouse tapas cafe table",
    "groceries": "grocery groceries pizza burger sushi burrito takeaway takeout deliveroo milk egg juice food meal",
    "cooking": "recipe ingredient cooking baking calorie nutrition diet vegan vegetarian",
    "music": "music song playlist album artist podcast melody chord lyrics spotify concert musician radio track "
    "jazz musical",
    "film": "movie film cinema theater theatre screening showtime actor imdb episode netflix ballet matinee comedy",
    "shopping": "shop shopping store purchase buy cart product catalog retail ecommerce merchandise refund seller",
    "parcels": "parcel package shipment shipping courier tracking postal mailbox freight deliver ship",
    "investing": "stock share ticker invest investing portfolio dividend nasdaq crypto bitcoin bond brokerage trading "
    "trade",
    "money": "bank account balance transfer transaction debit credit loan mortgage payment invoice deposit wallet "
    "pay paid fund",
    "rides": "taxi cab uber ride rideshare chauffeur minivan limousine",
    "rail": "train railway rail bus tram metro subway station timetable transit",
    "roads": "traffic route directions navigation navigate highway commute parking tunnel map distance geocode gps",
    "calendar": "calendar meeting appointment agenda schedule reschedule attendee availability slot event",
    "reminders": "reminder remind alarm timer wake todo task notify",
    "mail": "email mail inbox gmail newsletter spam outlook",
    "messages": "message sms text whatsapp slack chat voicemail phone call dial notification tweet telegram",
    "home": "light lamp thermostat heating blinds door lock dishwasher vacuum appliance kitchen bedroom washing warm",
    "printing": "print printer scan scanner toner photocopy",
    "cars": "car vehicle tire engine garage trunk brake mechanic fuel automotive oil mileage",
    "health": "doctor dentist clinic hospital patient prescription medical pharmacy symptom disease medicine "
    "diagnosis lab drug vaccine",
    "fitness": "workout fitness gym yoga pilates step marathon training exercise jog run heart",
    "sports": "sport match score football soccer basketball tennis hockey rugby cricket league tournament playoff "
    "championship team player nba nfl",
    "news": "news headline article press journalist newspaper election politics",
    "books": "book library novel isbn author borrow bookstore reading",
    "jobs": "job career resume recruiter vacancy hiring interview salary employer applicant employee",
    "housing": "apartment rent rental landlord tenant lease property mortgage house realtor viewing",
    "pets": "pet dog cat rabbit puppy kitten vet veterinary leash breed animal",
    "garden": "garden plant lawn soil flower tomato rose greenhouse irrigation herb",
    "authorities": "passport visa permit license citizenship government fine residence tax",
    "insurance": "insurance insurer claim coverage premium deductible policy",
    "photos": "photo picture camera selfie album image gallery photograph wallpaper",
    "school": "school exam student teacher homework course class grade lesson university lecture campus",
    "household": "plumber electrician cleaner cleaning laundry handyman repair sink",
    "beauty": "haircut salon barber massage manicure facial pedicure spa stylist hairdresser",
    "code": "repository commit branch code bug merge deploy github gitlab compile function",
    "files": "file folder directory document spreadsheet upload download drive pdf",
    "maths": "calculate equation integral derivative matrix sum average median probability triangle square root "
    "prime factor",
    "physics": "velocity acceleration gravity force energy voltage wavelength mass friction projectile",
    "law": "lawsuit court legal attorney case crime judge verdict law",
    "biology": "gene dna protein cell species genome evolution biodiversity",
    "games": "game chess poker dice monopoly videogame card",
    "currency": "currency dollar euro yen convert",
    "translation": "translate translation translator",
    "time": "timezone clock zone sunrise",
}  # fmt: skip
"""Words of each domain; one of them is enough."""
_GENERAL = frozenset(
    """web internet browser browse navigate url webpage website http shell bash terminal command script python google
    click scrape wikipedia anything llm""".split()
)
"""Words of tools that serve nearly any request."""
_BY_HAND = frozenset("""home printing cars garden messages reminders pets household beauty""".split())
"""Domains of what no general tool does: it needs hands, a phone or a voice."""
CLOSEST = 0.34
"""The largest share of a request's telling words that one tool may hold."""
_DEPTH = 5
_MOST_TEXT = 4_000
"""Characters of a text that are read."""
_FIRST_SENTENCE = re.compile(r"^.{0,300}?(?:\.(?=\s|$)|\n|$)", re.DOTALL)
_ENDINGS = ("ing", "ed", "er", "es", "ies", "s", "y", "e")
_EMPTY = frozenset(
    """a an the of in on at to for from with and or by is are was be it its i me my mine we us our you your he she they
    them this that these those what which who when where why how much many can could would should will do does did have
    has had get got give show find tell make let put set take need want like please right now still just any some all no
    not if so as up out down off over under than then there here new last next one more most other go going come back
    been about into yet help know look see use used using via per specific given value name list data result number type
    optional required default format current information detail return retrieve fetch search create update delete add
    check api function tool parameter object array id user user's day date today tomorrow morning evening night week
    weekend month year time o'clock noon am pm two three four five six seven eight nine ten first second monday tuesday
    wednesday thursday friday saturday sunday early late city place people person thing""".split()
)


@lru_cache(maxsize=16_384)
def root(word: str) -> str:
    """Cut the commonest endings of a word, where at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=1)
def _domains_of_roots() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for domain, words in _DOMAINS.items():
        for word in words.split():
            found.setdefault(root(word), set()).add(domain)
    return {word: frozenset(domains) for word, domains in found.items()}


def domains_of(text: str) -> frozenset[str]:
    """Return the domains that the words at the beginning of a text belong to."""
    return _domains_of(text[:_MOST_TEXT])


@lru_cache(maxsize=4096)
def _domains_of(text: str) -> frozenset[str]:
    known = _domains_of_roots()
    return frozenset().union(*(known.get(root(word), frozenset()) for word in words_of(text)))


def telling_roots(text: str) -> frozenset[str]:
    """Return the roots of the words at the beginning of a text that tell what it is about."""
    return _telling_roots(text[:_MOST_TEXT])


@lru_cache(maxsize=4096)
def _telling_roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in words_of(text) if len(word) > 2 and word not in _EMPTY and word.isalpha())


class ToolTopics:
    """What one tool is about, read once."""

    __slots__ = ("domains", "every", "general", "named")

    def __init__(self, tool: ToolView) -> None:
        name, description = tool.name.replace("_", " "), tool.function.get("description")
        text = description[:_MOST_TEXT] if isinstance(description, str) else ""
        first = _FIRST_SENTENCE.match(text)
        head = f"{name} {first[0] if first else text[:300]}"
        self.named = telling_roots(name)
        self.domains = domains_of(head)
        self.general = not _GENERAL.isdisjoint(words_of(head))
        self.every = self.named.union(telling_roots(text), *map(telling_roots, _texts(tool.function.get("parameters"))))


@lru_cache(maxsize=4096)
def topics_of_tool(tool: ToolView) -> ToolTopics:
    """Return what a tool is about; views of equal definitions are one."""
    return ToolTopics(tool)


def why_it_may_fit(request: str, tool: ToolView, *, general: bool = True) -> str:
    """Return why a tool may serve a request; "" where both locks keep them apart.

    `general` counts tools that serve nearly any request, such as a browser, which small talk needs as little as others.
    """
    words, domains, telling = topics_of_tool(tool), domains_of(request), telling_roots(request)
    if shared := words.domains & domains:
        return f"both are about {min(shared)}"
    if general and words.general and domains.isdisjoint(_BY_HAND):
        return "it serves nearly any request that needs no hands"
    if named := words.named & telling:
        return f"its name has {min(named)!r}"
    if len(words.every & telling) > CLOSEST * len(telling):
        return "it speaks of the same things"
    return ""


def _texts(schema: JsonValue, depth: int = _DEPTH) -> list[str]:
    """Return the names, descriptions and enum values inside parameters, down to a fixed depth."""
    if not isinstance(schema, dict) or depth == 0:
        return []
    description, values = schema.get("description"), schema.get("enum")
    found = [description[:_MOST_TEXT]] if isinstance(description, str) else []
    if isinstance(values, list):
        found.append(" ".join(str(value)[:80] for value in values[:40]))
    for name, inner in properties_of(schema).items():
        found += [name.replace("_", " "), *_texts(inner, depth - 1)]
    return found + _texts(schema.get("items"), depth - 1)


_READ = 200
FILLING = frozenset("a an the of in on at to for from with and or by is are be it its this that your given".split())
"""Words that are about nothing."""
_LOOKING = "look"
_ROWS = (
    ("look get fetch find search retrieve query lookup show list return give read check compute calculate calc "
    "estimate determine detail info information data result api tool service finder calculator"),
    "speed velocity", "convert conversion exchange converter", "movie film", "music song track", "stock share equity",
    "delete remove erase drop", "create add make new generate insert", "update edit change modify set", "cancel abort",
    "send post deliver", "buy purchase order", "price cost quote rate", "city town", "user customer person member",
    "photo picture image", "place location site", "trip travel journey", "restaurant eatery dining", "job career",
)  # fmt: skip
_SAME = {word: row.split()[0] for row in _ROWS for word in row.split()}
"""Words that mean the same of tools, each with the first of its row."""
VERBS = frozenset(("delete", "create", "update", "cancel", "send", "convert", "buy"))
"""Concepts that tell what is done, not what it is done to."""


def concepts(text: str) -> frozenset[str]:
    """Return the concepts at the beginning of a text; verbs that only say that something is looked up are none."""
    return _concepts(text[:_MOST_TEXT])


@lru_cache(maxsize=4096)
def _concepts(text: str) -> frozenset[str]:
    return frozenset(_SAME.get(word, root(word)) for word in words_of(text) - FILLING) - {_LOOKING}


def description_of(tool: ToolView) -> str:
    """Return the beginning of a tool's description."""
    return str(tool.function.get("description") or "")[:_READ]


def own_concepts(tool: ToolView, other: ToolView) -> frozenset[str]:
    """Return the concepts of a tool's name and description that the other has in neither."""
    mine, theirs = (concepts(f"{each.name} {description_of(each)}") for each in (tool, other))
    return mine - theirs
