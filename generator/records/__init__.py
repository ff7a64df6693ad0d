"""Records: the messages of one conversation with the tools it shows, and what they are made from."""
