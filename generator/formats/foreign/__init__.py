"""Records of other projects, in formats that are read and not written: one file a family."""
