"""Programs that read a data set with a trainer's own loader, each run by a Python that has the trainer installed."""
