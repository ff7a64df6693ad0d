"""Domains: what is known about tools beyond their schemas, as data."""
