"""Phrases by noun: how people say a parameter whose noun has a preposition or a place of its own."""

from __future__ import annotations

from generator.authors.offline.words import word_set

NOUN_PHRASES: dict[str, tuple[str, ...]] = {
    "platform": ("on {}",), "exchange": ("on {}", "on the {} exchange"), "service": ("on {}",),
    "console": ("on {}",), "website": ("on {}",), "site": ("on {}",), "channel": ("in {}",), "network": ("on {}",),
    "device": ("on {}",), "material": ("made of {}", "in {}"), "medium": ("in {}",),
    "maker": ("made by {}", "by {}"), "brand": ("from {}",), "manufacturer": ("from {}", "made by {}"),
    "vendor": ("from {}",), "supplier": ("from {}",), "court": ("in {}",), "sport": ("in {}",),
    "source": ("from {}", "according to {}"), "league": ("in {}", "in the {}"),
    "tournament": ("in {}", "at the {}"), "competition": ("in {}",), "hotel": ("at {}",), "restaurant": ("at {}",),
    "museum": ("at {}",), "theater": ("at {}",), "store": ("at {}",), "shop": ("at {}",), "school": ("at {}",),
    "university": ("at {}",), "hospital": ("at {}",), "department": ("in the {} department",),
    "habitat": ("in {}",), "topic": ("about {}", "on {}"), "category": ("in the {} category",),
    "version": ("version {}",), "branch": ("on the {} branch",), "folder": ("in the {} folder",),
    "database": ("in the {} database",), "table": ("in the {} table", "from the {} table"),
    "dataset": ("on the {} dataset",), "collection": ("in the {} collection",), "airline": ("with {}",),
    "carrier": ("with {}",), "chain": ("with {}",), "model": ("using the {} model", "with the {} model"),
    "algorithm": ("using the {} algorithm", "with {}"), "method": ("using the {} method", "with the {} method"),
    "strategy": ("using the {} strategy",), "engine": ("using {}",), "project": ("in the {} project",),
    "workspace": ("in the {} workspace",), "environment": ("in the {} environment", "in {}"), "game": ("in {}",),
    "book": ("in {}",), "movie": ("in {}",), "show": ("in {}",), "industry": ("in the {} industry",),
    "sector": ("in the {} sector",), "market": ("in the {} market",), "party": ("with {}",), "species": ("in {}",),
    "organism": ("in {}",), "team": ("for {}", "for the {}"), "company": ("for {}", "at {}"), "stock": ("for {}",),
    "product": ("for {}",), "symbol": ("for {}",), "ticker": ("for {}",), "player": ("for {}",),
    "event": ("for {}",), "vehicle": ("for {}",), "ingredient": ("with {}",),
    "theme": ("with {} as the theme", "on the theme of {}"), "mode": ("in {} mode",), "level": ("at {} level",),
    "quarter": ("for {}",), "season": ("in the {} season",), "holiday": ("for {}",), "cause": ("for {}",),
    "purpose": ("for {}",), "occasion": ("for {}",), "currency": ("in {}",), "century": ("in the {} century",),
    "path": ("at {}",), "directory": ("in {}",), "repository": ("in {}",), "list": ("on my {} list",),
    "playlist": ("to my {} playlist",), "organization": ("in the {} organization", "in {}"), "actor": ("with {}",),
    "teacher": ("with {}",), "doctor": ("with {}",), "substance": ("of {}",), "compound": ("of {}",),
    "element": ("of {}",), "disease": ("for {}",), "gene": ("for {}",), "crime": ("for {}",),
    "religion": ("in {}",), "instrument": ("for {}",), "stylist": ("with {}",), "subject": ("on {}",),
    "dish": ("for {}",), "song": ("for {}",), "city name": ("in {}",), "scale": ("on the {} scale",),
    "zone": ("in {}",), "airport": ("at {}",), "amenity": ("with {}",), "room": ("in {}",), "key": ("in {}",),
    "artist": ("by {}",), "writer": ("by {}",), "sha": ("at commit {}",), "ref": ("at {}",),
    "reference": ("at {}",), "tag": ("with tag {}",), "hashtag": ("with the hashtag {}",),
}  # fmt: skip
"""Phrases for things by the last word of their noun; `{}` is the value."""

ADJECTIVES = word_set(
    """type genre cuisine color colour size style condition status state severity gender class kind variety flavor
    flavour nationality"""
)
"""Nouns whose values can stand before the thing they describe: "a single room", "sushi restaurants"."""

WITH_VALUE_FIRST = word_set("priority preference rating quality resolution privacy visibility plan difficulty severity")
"""Nouns that take their value before them: "with high priority"."""
