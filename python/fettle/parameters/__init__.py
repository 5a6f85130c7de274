"""Tunable parameters of variants: their spaces, the search for good values, models of these."""
