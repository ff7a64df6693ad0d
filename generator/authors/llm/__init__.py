"""The author behind a model: prompts, response-format fallback, repair."""
