"""Ludoteca's tests."""
