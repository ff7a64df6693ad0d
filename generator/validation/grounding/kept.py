"""Kept: what rules find out about a record, once, which stays with the record and goes when that goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from generator.validation.view import RecordView

_More = ParamSpec("_More")
_Found = TypeVar("_Found")


def kept(
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
