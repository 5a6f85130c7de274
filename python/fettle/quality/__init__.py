"""Approximate variants within a bound: errors, where they keep it, and how surely."""
