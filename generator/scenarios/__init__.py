"""Scenarios: the plan of each record, a function of the job and the record's index alone."""
