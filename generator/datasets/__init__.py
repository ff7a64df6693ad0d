"""Files of records of any size: where they lie, how they are read, checked, mended, converted and written."""
