"""Its presence puts this folder on the import path, for the tests in the folders below it."""
