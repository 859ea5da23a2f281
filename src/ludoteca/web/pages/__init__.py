"""Whole pages: the lobby and invitations, a table, and pages to read."""
