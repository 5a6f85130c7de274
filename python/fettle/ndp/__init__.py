"""Tuning of nested data-parallel computations: from what a program computes to what is compiled in.

`analyze` asks a program for its computations, `policies` lists the candidates of each, `header`
writes the chosen ones.
"""
