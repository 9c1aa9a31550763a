"""Tests of the rules of 1867."""
