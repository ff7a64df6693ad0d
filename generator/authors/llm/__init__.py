"""The author behind a model: what it is asked, in which response format, and what becomes of its answers."""
