"""Tool and Catalog: the callable functions of a job, as JSON Schema 2020-12."""
