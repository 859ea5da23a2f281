"""Tests of ludoteca.text: the catalogue of words."""
