"""Chat templates of models: what each makes of records, and the form in which records pass through it whole.

template   read_template: the text, from a file or a model's folder
rendering  as `transformers` renders it, in a process held to its bounds
probes     records of ours, of each kind
forms      the ways to write records, from the one that changes nothing
passage    each record on its way through a template: what it loses, moves, or encodes twice
choosing   the first form that is whole for every probe, and what the template drops all the same
fitting    the form for a template or a name, and what was found out for model families
"""
