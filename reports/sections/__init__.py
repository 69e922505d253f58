"""The sections of a report: each turns one analysis into sentences, tables and figures."""
