"""The rules over records, by the document that demands them; one mapping of code to check each."""
