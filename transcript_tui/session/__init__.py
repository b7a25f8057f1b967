"""Where events come from and when: a source, its tape, the player over it, a recording of it.

``session`` holds them together; nothing here knows a screen.
"""
