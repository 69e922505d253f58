"""Search for changes of the rules that reach a target: from "how hard is it" to "make it this hard"."""
