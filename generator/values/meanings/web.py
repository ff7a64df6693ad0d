"""Links, identifiers and tokens."""

from __future__ import annotations

from functools import lru_cache

from generator.values.draw import Draw
from generator.values.hints import Hint
from generator.values.meanings.entities import domain
from generator.values.meanings.pools import pool

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_MIXED = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_IMAGES = frozenset("image photo picture avatar thumbnail icon logo poster cover img banner".split())
_PREFIXES = {
    "order": "ORD", "invoice": "INV", "booking": "BK", "transaction": "TXN", "ticket": "TKT", "customer": "CUST",
    "product": "PRD", "payment": "PAY", "reservation": "RES", "user": "usr", "account": "ACC", "employee": "EMP",
    "patient": "PT", "case": "CASE", "policy": "POL", "shipment": "SHP", "flight": "FL", "event": "evt",
    "message": "msg", "item": "ITM", "student": "STU", "appointment": "APT", "session": "sess", "job": "job",
    "device": "dev", "file": "file", "document": "doc", "project": "PRJ", "task": "TASK", "room": "RM",
    "driver": "DRV", "vehicle": "VH", "insurance": "INS", "card": "card", "request": "req", "report": "RPT",
    "subscription": "SUB", "contract": "CTR", "incident": "INC", "quote": "QT", "claim": "CLM", "lead": "LD",
    "campaign": "CMP", "return": "RET", "refund": "RFD", "line": "LN", "bill": "BILL", "plan": "PLN",
}  # fmt: skip


def slug(text: str) -> str:
    """Write a phrase as part of a link."""
    return (
        "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()) or "page"
    )


def page_path(draw: Draw) -> str:
    """Return the path of a page."""
    section = draw.pick(("blog", "docs", "products", "articles", "guides", "news"))
    return f"/{section}/{slug(draw.pick(pool('topic'), 'paths'))}"


def link(hint: Hint, draw: Draw) -> str:
    """Return a link to what the field's name says, on a domain reserved for examples."""
    words = {*hint.words, *hint.parent_words}
    if words & _IMAGES:
        name = draw.pick(("cover", "profile", "header", "front", "team", "view", "portrait", "scene"))
        return f"https://images.{domain(draw)}/{name}-{draw.whole(100, 999)}.jpg"
    if words & {"video"}:
        return f"https://video.{domain(draw)}/watch/{token(draw, 11)}"
    if words & {"repo", "repository", "git", "clone"}:
        return (
            f"https://git.{domain(draw)}/{slug(draw.pick(pool('organization_handle')))}/{draw.pick(pool('repository'))}"
        )
    if words & {"api", "endpoint", "webhook", "callback"}:
        resource = draw.pick(("orders", "users", "events", "status", "payments"))
        return f"https://api.{domain(draw)}/v{draw.whole(1, 3)}/{resource}"
    if words & {"feed", "rss"}:
        return f"https://www.{domain(draw)}/feeds/{slug(draw.pick(pool('topic')))}.xml"
    return f"https://www.{domain(draw)}{page_path(draw)}"


def uuid_text(draw: Draw) -> str:
    """Return a version 4 UUID."""
    text = f"{(draw.random.getrandbits(128) & ~(0xF << 76) & ~(0x3 << 62)) | (4 << 76) | (2 << 62):032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def token(draw: Draw, length: int) -> str:
    """Return an opaque token of letters and digits."""
    return "".join(draw.random.choices(_MIXED, k=length))


def identifier(words: tuple[str, ...], draw: Draw) -> str:
    """Return an id as its domain writes them: `ORD-48213` of an order, `usr_7f3k2m` of a user."""
    of = _last_prefixed(words)
    if not of:
        return f"{draw.pick(_LETTERS)}{draw.pick(_LETTERS)}-{draw.whole(1000, 9999)}"
    prefix = _PREFIXES[of]
    if prefix.islower():
        return f"{prefix}_{''.join(draw.random.choices('abcdefghjkmnpqrstuvwxyz23456789', k=8))}"
    return f"{prefix}-{draw.whole(10000, 99999)}"


@lru_cache(maxsize=8192)
def _last_prefixed(words: tuple[str, ...]) -> str:
    return next((word for word in reversed(words) if word in _PREFIXES), "")


def json_arguments(draw: Draw) -> str:
    """Return the arguments of a call as the JSON text some tools take."""
    kind = draw.pick(("user", "order", "card", "account", "transaction", "bill", "case"))
    amount = f', "amount": {draw.whole(10, 990)}' if draw.chance(0.3) else ""
    return f'{{"{kind}_id": "{identifier((kind,), draw)}"{amount}}}'
