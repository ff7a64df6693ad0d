"""Links: arguments that are read from earlier results when their step has come."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import Exchange
from generator.scenarios.scenario import Best, Link, PlannedCall


class BrokenLink(Exception):
    """The earlier result does not hold what the plan wants to read from it."""

    def __init__(self, link: Link, reason: str) -> None:
        super().__init__(f"{link.parameter}: {reason}")


def linked_arguments(call: PlannedCall, history: tuple[Exchange, ...]) -> JsonObject:
    """Return the arguments of a planned call, with the values its links bring from the history.

    Raises:
        BrokenLink: an earlier result failed, or holds no such value.
    """
    if not call.links:
        return call.arguments
    return {**call.arguments, **{link.parameter: linked_value(link, history) for link in call.links}}


def linked_value(link: Link, history: tuple[Exchange, ...]) -> JsonValue:
    """Return the value that a link reads.

    Raises:
        BrokenLink: the earlier result failed, or holds no such value.
    """
    try:
        result = history[link.step].results[link.call]
    except IndexError:
        raise BrokenLink(link, f"no call {link.call} was made in step {link.step}") from None
    if result.error_type is not None:
        raise BrokenLink(link, f"{result.name} failed")
    value = result.content
    for key in link.path:
        try:
            value = _best(value, key) if isinstance(key, Best) else value[key]
        except (KeyError, IndexError, TypeError):
            raise BrokenLink(link, f"the result of {result.name} has no {key!r}") from None
    return value


def _best(entries: JsonValue, best: Best) -> JsonValue:
    """Return the one entry that has the least or the most.

    Raises:
        IndexError: there is nothing to choose from, or several entries come first.
    """
    ranked = sorted(entries, key=lambda entry: entry[best.field], reverse=best.most)
    if ranked[0][best.field] == ranked[1][best.field]:
        raise IndexError
    return ranked[0]
