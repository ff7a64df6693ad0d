"""Object keys: a key for what was made from objects that are frozen, and that take long to compare."""

from __future__ import annotations

from typing import Generic, TypeVar

Held = TypeVar("Held")


class Same(Generic[Held]):
    """Something held, equal to what was made of the very same objects alone."""

    __slots__ = ("_objects", "held")

    def __init__(self, held: Held, *objects: object) -> None:
        self.held = held
        self._objects = objects or (held,)
        """What it is known by; kept, so that no other object gets the place of one of them."""

    def _places(self) -> tuple[int, ...]:
        return tuple(map(id, self._objects))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._places() == other._places()

    def __hash__(self) -> int:
        return hash(self._places())
