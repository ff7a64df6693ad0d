"""Attributes that are found out when they are first asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class lazily(Generic[Found]):  # noqa: N801  # read as a decorator, like `property`
    """`functools.cached_property` without its lock, which costs more than most of what is kept here."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Found:
        found = self._find(instance)
        instance.__dict__[self._name] = found
        return found
