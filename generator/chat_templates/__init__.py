"""Chat templates of models: what each makes of records, and the form in which records pass through it whole.

template   read_template: the text, from a file or a model's folder
rendering  as `transformers` renders it, in a process held to its bounds
probes     records of ours, of each kind
judging    what a rendering has lost, moved, or encoded twice
forms      the ways to write records, from the one that changes nothing
choosing   the first form that is whole for every probe, and what the template drops all the same
passage    each record on its way through a template
families   what was found out for the templates of model families, by the names of models
fitting    the form for a template or a name, in words
"""
