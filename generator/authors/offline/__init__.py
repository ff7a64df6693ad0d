"""The offline author: it writes what people say from the tools' own descriptions and frames, without a network."""

from generator.authors.offline.author import OfflineAuthor

__all__ = ["OfflineAuthor"]
