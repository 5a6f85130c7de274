"""Its presence puts this folder on the import path: tests in all folders share what lies here."""
