"""Markdown: its blocks, read line by line into leaves, and the marks within a line, as spans."""
