"""Tests of ludoteca.kernel: records, chance, the cache of compiled code, and the order of the layers."""
