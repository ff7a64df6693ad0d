"""Errors that keep a record's shape and break its label: what `toolgen validate` finds of them, and what else.

    python -m tests.benchmarks.corruptions [--seed N] [--per-class N] [--without-metadata] [--table | --json]
        [--classes FILE.py] [--good FILE.jsonl] [--bfcl FOLDER] [--only CLASS] [--show]

Each class of errors is one small function that breaks a good record such that a careful reader is sure of it. Good
records come from five sources in equal shares: written offline over the bundled tools, over small domains, records in
natural words that a model or a person wrote, and, where the folder is there, BFCL's questions with their answers.

A finding counts that the good record does not have as well: no finding of the same rule at the same place or with the
same words that is at least as sure. Columns: `written` holds toolgen's own records to what it writes and reads all
others, `read` reads all of them, `bare` reads them without their metadata, so that no provenance tells what was meant.
In half of the records with a wrong argument result and answer follow the call, as they do where a model made it; the
provenance in the metadata stays that of the good record.
"""
