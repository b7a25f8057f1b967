"""A log or scenario → a real SSE endpoint."""
