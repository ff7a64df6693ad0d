"""Reports: what a run is told as, for people."""
