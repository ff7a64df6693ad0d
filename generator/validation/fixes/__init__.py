"""Fixes: what is wrong with a record and can be mended, one small function each, in one table."""
