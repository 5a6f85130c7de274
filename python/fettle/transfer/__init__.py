"""Choosing on a machine without training there, from what other machines measured.

The page is docs/transfer.md.

`sources.py` holds measurements of several machines, `machines.py` the machines' features; a method
(`methods.py`) learns from both and scores the variants on a machine by its features alone.
"""
