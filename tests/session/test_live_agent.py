"""A real framework at the other end: pydantic-ai under uvicorn, asked as ``watch`` asks."""

from __future__ import annotations

import importlib.util
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.session.loopback import ending_of, session_for
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.run_input import build_run_input


class Guest(uvicorn.Server):
    """A server that leaves signals to the tests."""

    def install_signal_handlers(self) -> None:
        return None


@asynccontextmanager
async def agent(shared: Path) -> AsyncIterator[str]:
    import asyncio

    pytest.importorskip("pydantic_ai.ui.ag_ui", reason="pydantic-ai-slim[ag-ui] is not installed")
    path = shared / "producers" / "pydantic_ai_agent.py"
    spec = importlib.util.spec_from_file_location("pydantic_ai_agent", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(module.app, log_config=None, lifespan="off")
    server = Guest(config)
    running = asyncio.create_task(server._serve([listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        await running
        listener.close()
        del sys.modules[spec.name]


async def test_a_real_agent_answers(shared: Path, tmp_path: Path) -> None:
    async with agent(shared) as url:
        run_input = build_run_input(["weather in Zürich?"])
        session = Session(HttpSource(HttpRequest(url=url, run_input=run_input)))
        path = tmp_path / "run.sse"
        session.record(path)
        await session.run()
        got = session_for(url, "GET")
        await got.run()
    assert session.error is None
    assert session.notes == []
    (stream,) = session.tape.pipeline.streams
    assert stream.verdict == "accepted"
    assert ending_of(session) == "finished"
    messages = session.tape.transcript.messages()
    expected = json.loads((shared / "streams" / "expected.json").read_text())
    assert messages[0]["content"] == "weather in Zürich?"
    assert shape(messages[1:]) == shape(expected["pydantic-ai-2.68-weather.sse"]["messages"])
    # GET is answered with 405, and the hint says what to do.
    assert got.error is not None
    assert "--message" in got.error.hint
    # The recording replays to the same conversation, question included.
    replay = Session(FileSource(path), kind="replay")
    await replay.run()
    assert replay.tape.transcript.messages() == messages
    assert replay.tape.timing == "recorded"


def shape(messages: list[dict[str, Any]]) -> list[Any]:
    """Messages without what differs from run to run (ids)."""
    return [
        (
            message["role"],
            message.get("content"),
            [call["function"] for call in message.get("toolCalls", [])],
        )
        for message in messages
    ]
