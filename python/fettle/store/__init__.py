"""Where measurements live: a SQLite file by default; anything that keeps to `base.Store`."""
