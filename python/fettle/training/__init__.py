"""Build and run the application, read its training log, and keep what it measured."""
