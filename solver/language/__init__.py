"""Words that players read: languages, how to play, sentences about seats."""
