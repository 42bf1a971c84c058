"""Stores: one protocol, one contract, memory and SQL."""
