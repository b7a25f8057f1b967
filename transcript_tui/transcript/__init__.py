"""Events → one ordered transcript that can be read at any position.

``pipeline`` takes payloads, ``reduce`` folds the events in them, ``model`` is what comes of it.
"""
