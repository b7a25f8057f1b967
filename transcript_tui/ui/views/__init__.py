"""What is shown beside, below or over the transcript, and what several of these views share.

``pane`` lists them; the transcript itself is the package ``transcript``.
"""
