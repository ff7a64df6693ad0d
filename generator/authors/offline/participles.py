"""Past participles of the verbs that tools are described with."""

from __future__ import annotations

_PARTICIPLES = {
    "ban": "banned", "begin": "begun", "break": "broken", "brew": "brewed", "bring": "brought", "build": "built",
    "buy": "bought", "cancel": "canceled", "catch": "caught", "chat": "chatted", "choose": "chosen",
    "clip": "clipped", "commit": "committed", "control": "controlled", "crop": "cropped", "cut": "cut",
    "debug": "debugged", "do": "done", "drag": "dragged", "draw": "drawn", "drop": "dropped", "feed": "fed",
    "find": "found", "fix": "fixed", "flip": "flipped", "format": "formatted", "freeze": "frozen", "get": "retrieved",
    "give": "given", "go": "gone", "grab": "grabbed", "grow": "grown", "hide": "hidden", "hit": "hit", "hold": "held",
    "keep": "kept", "label": "labeled", "lead": "led", "leave": "left", "lend": "lent", "let": "let", "light": "lit",
    "log": "logged", "lose": "lost", "make": "made", "map": "mapped", "mean": "meant", "mix": "mixed",
    "override": "overridden", "overwrite": "overwritten", "pay": "paid", "permit": "permitted", "pin": "pinned",
    "plan": "planned", "plot": "plotted", "prefer": "preferred", "put": "put", "quit": "quit", "read": "read",
    "rebook": "rebooked", "rebuild": "rebuilt", "redo": "redone", "refer": "referred", "reply": "replied",
    "rerun": "rerun", "resell": "resold", "resend": "resent", "reset": "reset", "rewind": "rewound",
    "rewrite": "rewritten", "rm": "removed", "run": "run", "say": "said", "scan": "scanned", "scroll": "scrolled",
    "sell": "sold", "send": "sent", "set": "set", "shake": "shaken", "ship": "shipped", "show": "shown",
    "shut": "shut", "sing": "sung", "skip": "skipped", "snap": "snapped", "spell": "spelled", "spend": "spent",
    "split": "split", "star": "starred", "steal": "stolen", "step": "stepped", "stop": "stopped", "strike": "struck",
    "submit": "submitted", "swap": "swapped", "sweep": "swept", "sync": "synced", "tag": "tagged", "take": "taken",
    "teach": "taught", "tell": "told", "think": "thought", "throw": "thrown", "transfer": "transferred",
    "trim": "trimmed", "undo": "undone", "unfreeze": "unfrozen", "unpin": "unpinned", "unsend": "unsent",
    "unstar": "unstarred", "unsubscribe": "unsubscribed", "unzip": "unzipped", "upload": "uploaded", "wake": "woken",
    "wear": "worn", "win": "won", "withdraw": "withdrawn", "write": "written", "zip": "zipped",
}  # fmt: skip


def participle(verb: str) -> str:
    """Return the past participle of a verb's base form."""
    first, _, rest = verb.partition(" ")
    if first in _PARTICIPLES:
        word = _PARTICIPLES[first]
    elif first.endswith("e"):
        word = first + "d"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        word = first[:-1] + "ied"
    else:
        word = first + "ed"
    return f"{word} {rest}".strip()
