"""Builds: data sets that are made from a job file again and again, proven, published, and costing only what changed."""
