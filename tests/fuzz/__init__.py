"""Bad input for every command, made from the list of commands, the file formats and the logs of studies."""
