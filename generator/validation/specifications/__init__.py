"""The rules of the specification documents, one file a document or a part of one: views in, findings out."""
