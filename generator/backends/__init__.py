"""Backends: where completions come from.

`http` asks a server in the protocol that it speaks (`protocols`, one file each), `scripted` is a public fake, and
`answers` the log in front of either that pays for no answer twice.
"""
