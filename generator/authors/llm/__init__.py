"""The author behind a model: prompts, the answer ladder, repair."""
