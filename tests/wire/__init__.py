"""Tests of bytes → frames."""
