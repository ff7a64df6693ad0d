"""A server that plays the model: it answers each request of a records' conversation with that record's next turn.

request ──read──▶ Asked ──find──▶ the next turn of a record ──┐
(asking, items)     │   (replay)                              ├──▶ Answer ──write──▶ response, chunks or events
                    └──of no record──▶ the author's turn ─────┘          (chat_wire, items)
"""
