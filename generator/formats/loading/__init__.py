"""Tool files, Python functions and domain files in: found, parsed, recognised, brought to the working form, merged."""
