"""What was measured, as tables, and what tuning came to."""
