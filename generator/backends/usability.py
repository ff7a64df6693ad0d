"""Usability: whether what a server answers can be used, told by whoever reads it, and when to stop asking."""

from __future__ import annotations

from collections import Counter

from generator.backends.backend import Completion
from generator.backends.credentials import one_line
from generator.errors import BackendError

ON_TRIAL = 50
"""Requests that may be sent before a first answer could be used."""
IN_A_ROW = 300
"""Requests that may be sent after it without another one."""
_SHOWN = 3
_LONGEST_QUOTE = 200
_WORDS = {
    "refusal": "the model refused",
    "length": "cut at the token limit: --max-output-tokens gives more",
    "content_filter": "stopped by the server's content filter",
    "empty": "empty",
    "no_json": "no JSON in it",
    "wrong_json": "not valid JSON",
    "cut_json": "JSON that ends before it is complete",
    "too_deep": "JSON nested too deep",
    "oversized": "too long",
    "wrong_shape": "JSON of another shape than was asked for",
    "timeout": "none in time",
    "no_choice": "no completion in it",
    "not_json": "the server's reply was not JSON",
}


class Verdicts:
    """What became of the requests since the last answer that could be used; answers kept from earlier prove nothing."""

    def __init__(self) -> None:
        self.on_trial = True
        """Whether no answer could be used yet."""
        self._sent = 0
        self._reasons: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        self._quote = ""

    def begin(self) -> None:
        """Begin with other questions: that earlier ones were answered well says little of these."""
        if not self.on_trial:
            self._absolve()
            self.on_trial = True

    def sent(self) -> None:
        """Note that a request is sent."""
        self._sent += 1

    def used(self, answer: Completion) -> None:
        """Note an answer that could be used."""
        if not answer.replayed:
            self._absolve()

    def _absolve(self) -> None:
        self.on_trial = False
        self._sent = 0
        self._reasons.clear()

    def unusable(self, answer: Completion, reason: str, why: str = "") -> None:
        """Note an answer that could not be used: the reason in a word, and why in words."""
        if answer.replayed:
            return
        self._reasons[reason] += 1
        self._words.setdefault(reason, _WORDS.get(reason, why))
        said = answer.said
        self._quote = said if said.strip() else self._quote

    def failed(self, reason: str) -> None:
        """Note a request that got no answer."""
        self._reasons[reason] += 1
        self._words.setdefault(reason, _WORDS.get(reason, ""))

    @property
    def awaited(self) -> int:
        """How many requests nobody has said yet what became of them."""
        return self._sent - self._reasons.total()

    def hopeless(self, server: str) -> BackendError | None:
        """Return the end of the run where nothing usable has come for too long."""
        if self._sent < (ON_TRIAL if self.on_trial else IN_A_ROW):
            return None
        counts = self._reasons.most_common(_SHOWN)
        reasons = "; ".join(f"{reason} {count:,}{self._in_words(reason)}" for reason, count in counts)
        shown = one_line(self._quote, _LONGEST_QUOTE)
        last = f"one answer: {shown!r}" if shown else "no answer held any text"
        return BackendError(
            f"none of the {'first' if self.on_trial else 'last'} {self._sent:,} requests to {server} got an answer "
            f"that could be used. The commonest reasons: {reasons or 'none was told'}; {last}. Try another --model, or "
            "prompts of your own (`toolgen prompts show draft` shows what is asked). Nothing is lost: the same command "
            "goes on"
        )

    def _in_words(self, reason: str) -> str:
        words = one_line(self._words.get(reason, ""), _LONGEST_QUOTE)
        return f" ({words})" if words else ""
