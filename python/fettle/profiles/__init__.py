"""Profiles of variants, held beside those of application proxies (dissertation 3.2.3)."""
