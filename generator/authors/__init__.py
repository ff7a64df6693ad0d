"""Authors: a scenario in, drafts of what people and assistants say out; offline by phrases, or by asking a model."""
