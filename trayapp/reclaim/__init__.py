"""Giving memory back: what may be done (plan), the one door for signals (guard), the ladder (executor), the journal."""
