"""From "how hard is it" to "make it this hard": a search over rules for tables that are as wanted."""
