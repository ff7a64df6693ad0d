"""Backends: where completions come from.

`openai` is any OpenAI-compatible server, `scripted` a public fake, `answers` the log in front of either that pays
for no answer twice.
"""
