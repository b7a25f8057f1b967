"""Frames → events: decoded, translated, enforced, expanded, verified; ``stream`` does it all."""
