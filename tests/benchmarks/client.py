"""Recordings read by ``@ag-ui/client``: the file itself as an answer, and through ``serve``.

Not a measurement but a proof, kept here because it needs Node and a package of another
language: the messages that the client ends with are those that the recording's replay shows.
"""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.measuring import head, say
from tests.benchmarks.node import VERSION, client_folder
from transcript_tui.server.demo import demo_source
from transcript_tui.server.script import script_of
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource

STREAMS: Final = Path(__file__).resolve().parents[3] / "shared" / "streams"
SCENARIOS: Final = ("hello", "interleaved", "unicode")
SCRIPT: Final = """
import { HttpAgent } from '@ag-ui/client';
import { readFileSync } from 'node:fs';
const [source, thread, run, given] = process.argv.slice(2);
if (!source.startsWith('http')) {
  const headers = { 'content-type': 'text/event-stream' };
  globalThis.fetch = async () => new Response(readFileSync(source), { status: 200, headers });
}
const url = source.startsWith('http') ? source : 'http://localhost/';
const agent = new HttpAgent({ url, threadId: thread, initialMessages: JSON.parse(given) });
const failed = { onRunFailed: ({ error }) => { console.error(String(error)); process.exit(1); } };
await agent.runAgent({ runId: run }, failed);
console.log(JSON.stringify(agent.messages));
"""


def main() -> None:
    head(f"Recordings read by @ag-ui/client {VERSION}")
    with client_folder(SCRIPT) as folder:
        if folder is None:
            return
        for label, path in asyncio.run(_recordings(folder)):
            say(label, asyncio.run(_compare(folder, path)))


async def _recordings(folder: Path) -> list[tuple[str, Path]]:
    """A recording of each scenario, and of each real stream that finishes."""
    made = [
        (name, await _record(Session(demo_source(name, speed=math.inf)), folder, name))
        for name in SCENARIOS
    ]
    for path in sorted(STREAMS.glob("*.sse")):
        session = Session(FileSource(path), kind="replay")
        made.append((path.name, await _record(session, folder, path.stem)))
    return made


async def _record(session: Session, folder: Path, name: str) -> Path:
    path = folder / f"{name}.sse"
    session.record(path, force=True)
    await session.run()
    return path


async def _compare(folder: Path, path: Path) -> str:
    session = Session(FileSource(path), kind="replay")
    await session.run()
    runs = session.tape.transcript.runs
    ending = runs[0].ending.now
    if len(runs) != 1 or ending is None or ending.kind not in ("finished", "interrupted"):
        return f"{len(runs)} runs, left out" if len(runs) != 1 else "no whole run, left out"
    ours = _plain(session.tape.transcript.messages())
    given = list((session.tape.streams[0].input or {}).get("messages", ()))
    thread, run = str(runs[0].thread_id), str(runs[0].run_id)
    assert await _client(folder, str(path), thread, run, given) == ours
    script = script_of(session.tape)
    async with serving(script, ServeOptions(speed=math.inf)) as url:
        assert await _client(folder, url, "another-thread", "another-run", given) == ours
    return f"{len(ours)} messages, twice"


async def _client(folder: Path, source: str, thread: str, run: str, given: list[Any]) -> list[Any]:
    command = ["node", "run.mjs", source, thread, run, json.dumps(given)]
    done = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, errors = await done.communicate()
    assert done.returncode == 0, errors.decode()
    return _plain(json.loads(out.splitlines()[-1]))


def _plain(messages: list[Any]) -> list[Any]:
    """What both keep; the client drops members that are undefined."""
    return [
        {
            key: one[key]
            for key in ("id", "role", "content", "toolCalls", "toolCallId")
            if key in one
        }
        for one in messages
    ]


if __name__ == "__main__":
    main()
