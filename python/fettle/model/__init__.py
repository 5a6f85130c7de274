"""Models, and the files that hold them (docs/formats.md, section 3)."""
