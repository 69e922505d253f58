"""Bad input for every command, made from the list of commands, the file formats and the tables of a study."""
