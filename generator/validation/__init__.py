"""The examiner: rules over records, sharing no code with what writes them."""
