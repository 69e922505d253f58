"""The declared way to write a game: a table of fields, from which records, knowledge and texts follow."""
