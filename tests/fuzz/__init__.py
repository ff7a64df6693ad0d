"""Schemas nobody wrote: strategies over every keyword, and runs of any length over them."""
