"""Players: random, rules of thumb, determinized search. A strategy sees what its seat may know and nothing else."""
