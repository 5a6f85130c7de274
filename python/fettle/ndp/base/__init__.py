"""What the tuner knows of a computation, and what it asks of a platform."""
