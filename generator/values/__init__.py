"""Values: a valid and realistic JSON value for any JSON Schema 2020-12."""

from generator.values.draw import Context
from generator.values.synthesis import synthesize_value

__all__ = ["Context", "synthesize_value"]
