"""Positions as pictures: scenes, PNGs and films."""
