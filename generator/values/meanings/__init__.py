"""What fields mean by their names and descriptions: people, places, days, links, ids, plain words."""
