"""How kernels are compiled, linked and cached, and the data structures that they use."""
