"""Backends of probe that are Python."""
