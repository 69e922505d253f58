"""The sections of a report, one file each: every one turns an analysis into sentences, tables and figures."""
