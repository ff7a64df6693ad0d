"""ADM's dialect of JSON Schema: read, written and checked."""
