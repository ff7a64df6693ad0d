"""Authors: they write what people and assistants say. `offline` needs no network."""
