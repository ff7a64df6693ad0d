"""Verbs that tool descriptions begin with: their base form, what sort of request they make, other words for them."""

from __future__ import annotations

from functools import lru_cache

_INFORM = """
    get retrieve fetch find return provide look obtain read view show display give access gather collect extract
    query check describe
"""
_COMPUTE = (
    "calculate compute determine estimate evaluate predict forecast measure derive count solve approximate assess"
)
_SEARCH = "search list browse locate discover lookup scan identify recommend suggest"
_ACT = """
    accept activate add adjust allocate allow analyse analyze annotate answer append apply approve archive ask
    assign assist attach authenticate authorize avoid backup ban block book brew build buy calibrate call cancel
    capture change charge clean clear click clone close combine commit compare compile compose compress conduct
    configure confirm connect consider construct convert cook copy correct create crop cut deactivate decode
    decrypt delete deny deploy deposit design detect diagnose disable disconnect dismiss dispatch display divide
    download draft drag draw drop duplicate edit email embed emulate enable encode encrypt end enroll escape
    exchange execute exit expand expedite explain export fill filter fine-tune finish fix flag flip fold follow
    forecast fork format forward freeze gather generate give go grant group handle heat help hide highlight hire
    hover import include increase initialize initiate insert inspect install integrate invest invite invoke issue
    join keep kill label launch leave lift link load lock log login logout make manage map mark match mention
    merge mix modify monitor mount move multiply mute navigate normalize notify open operate optimize order
    organize paint pair parse paste pause pay perform pin place plan play plot post prepare press print process
    profile publish pull purchase push put randomize rank rate reactivate rebase rebook reboot receive reclassify
    record redeem reduce refresh refund register reject release reload remind remove rename render renew reopen
    reorder repeat replace reply report reprioritize request rerun reschedule reserve reset resize resolve respond
    restart restore resubmit resume retry reverse review revoke roll rotate round run sample save schedule scroll
    seed select sell send set share ship shuffle sign simulate sing skip sort spell split standardize star start
    stop store submit subscribe subtract suggest sum summarize suspend swap swipe switch sync synchronize tag take
    tap tell test tighten toggle track train transcribe transfer transform translate trigger trim trust turn tweet
    type unarchive unblock unfollow unfreeze uninstall unlock unmute unpin unsend unstar unsubscribe update
    upgrade upload use validate verify visit visualize vote wait waive wake wash watch withdraw write zoom
"""
_SORTS = {
    **dict.fromkeys(_ACT.split(), "act"),
    **dict.fromkeys(_SEARCH.split(), "search"),
    **dict.fromkeys(_COMPUTE.split(), "compute"),
    **dict.fromkeys(_INFORM.split(), "inform"),
}
_IRREGULAR = {
    "running": "run", "getting": "get", "setting": "set", "putting": "put", "cutting": "cut", "planning": "plan",
    "plotting": "plot", "submitting": "submit", "sum": "sum", "does": "do", "has": "have", "stopping": "stop",
    "cropping": "crop", "trimming": "trim", "permits": "permit", "forecasts": "forecast", "focuses": "focus",
    "goes": "go", "classifies": "classify", "refreshes": "refresh", "transferring": "transfer", "tagging": "tag",
    "logs": "log", "lets": "let", "dies": "die", "dragging": "drag", "swapping": "swap", "mapping": "map",
}  # fmt: skip
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "get": ("get", "get me", "find", "look up", "show me", "give me"),
    "retrieve": ("get", "get me", "find", "look up", "show me", "pull up"),
    "fetch": ("get", "fetch", "find", "show me", "get me", "look up"),
    "return": ("get", "give me", "show me", "find"), "provide": ("give me", "get me", "show me"),
    "obtain": ("get", "find"), "gather": ("gather", "collect", "get"), "collect": ("collect", "gather"),
    "display": ("show me", "display"), "show": ("show me", "show"), "view": ("show me", "pull up"),
    "extract": ("extract", "pull"), "access": ("get", "pull up"), "describe": ("describe",),
    "list": ("list", "show me", "give me a list of", "list out"), "search": ("search", ),
    "locate": ("find", "find me", "locate"), "find": ("find", "find me", "look up"), "discover": ("find",),
    "browse": ("browse", "show me"), "lookup": ("look up", "find"), "identify": ("identify", "figure out"),
    "recommend": ("recommend", "suggest"),
    "calculate": ("calculate", "compute", "work out", "figure out", "find", "calculate"),
    "compute": ("calculate", "compute", "work out", "find"),
    "determine": ("determine", "figure out", "work out", "find out"),
    "estimate": ("estimate", "give me an estimate of"), "evaluate": ("evaluate",),
    "predict": ("predict", "forecast"), "forecast": ("forecast", "predict"), "create": ("create", "make", "set up"),
    "generate": ("generate", "create", "make"), "make": ("make",), "book": ("book", "reserve"),
    "reserve": ("reserve", "book"), "delete": ("delete", "remove"), "remove": ("remove", "delete"),
    "update": ("update", "change"), "modify": ("change", "modify", "update"), "send": ("send",), "buy": ("buy",),
    "purchase": ("buy", "purchase", "order"), "cancel": ("cancel",), "schedule": ("schedule", "set up"),
    "translate": ("translate",), "convert": ("convert",), "check": ("check",), "verify": ("verify", "check"),
    "start": ("start",), "initiate": ("start", "initiate"), "play": ("play", "put on"),
    "perform": ("run", "do", "perform"), "execute": ("run", "execute"), "conduct": ("run", "do"),
    "analyze": ("analyze", "take a look at"), "analyse": ("analyse",), "invoke": ("call",), "modifies": ("change",),
    "configure": ("configure", "set up"), "add": ("add",), "turn": ("turn",), "set": ("set",), "use": ("use",),
    "submit": ("submit", "file", "put in"), "change": ("change", "update"), "assess": ("assess",),
    "solve": ("solve",),
}  # fmt: skip


@lru_cache(maxsize=4096)
def base_form(word: str) -> str:
    """Return the base form of a verb in any of its forms, or the empty string where the word is no verb known here."""
    low = word.lower()
    if low in _IRREGULAR and (_IRREGULAR[low] in _SORTS or low == "running"):
        return _IRREGULAR[low]
    if low in _SORTS:
        return low
    for ending, replacement in (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("es", "e")):
        if low.endswith(ending) and low[: -len(ending)] + replacement in _SORTS:
            return low[: -len(ending)] + replacement
    if low.endswith("ing") and len(low) > 6 and low[-4] == low[-5] and low[:-4] in _SORTS:
        return low[:-4]
    return ""


def is_third_person(word: str) -> bool:
    """Say whether a word is a verb in the form "retrieves"."""
    low = word.lower()
    return low.endswith("s") and base_form(low) not in ("", low)


def sort_of(verb: str) -> str:
    """Return `inform`, `compute`, `search` or `act` for the base form of a verb."""
    return _SORTS.get(verb, "act")


def wordings_of(verb: str) -> tuple[str, ...]:
    """Return other ways to say the verb in an imperative, itself included where people use it."""
    return _SYNONYMS.get(verb, (verb,))
