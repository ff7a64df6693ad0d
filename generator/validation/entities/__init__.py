"""Entities: what travels beside records (requests, responses, streams, ADM's structures), by the same kind of rules."""
