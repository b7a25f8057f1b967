"""Tests of frames → events."""
