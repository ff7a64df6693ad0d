"""Caching: values that are found out once: attributes of objects, and what rules find out about a record."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from generator.validation.view import RecordView

Found = TypeVar("Found")


class cached_attribute(Generic[Found]):  # noqa: N801  # read as a decorator, like `property`
    """`functools.cached_property` without its lock, which costs more than most of what is kept here."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Found:
        found = self._find(instance)
        instance.__dict__[self._name] = found
        return found


_More = ParamSpec("_More")
_Found = TypeVar("_Found")


def cached_on_record(
    find: Callable[Concatenate[RecordView, _More], _Found],
) -> Callable[Concatenate[RecordView, _More], _Found]:
    """Keep what a function of a record returns; its other arguments are hashable."""

    @wraps(find)
    def found(record: RecordView, /, *arguments: _More.args, **named: _More.kwargs) -> _Found:
        key = (find, arguments, tuple(named.items()))
        if key not in record.kept:
            record.kept[key] = find(record, *arguments, **named)
        known: _Found = record.kept[key]
        return known

    return found
