"""The reference client (``@ag-ui/client`` 1.0.0) on the same streams, where Node is present."""

from __future__ import annotations

import json
import subprocess
from typing import Final

from tests.benchmarks.measuring import cpu, head, say
from tests.benchmarks.node import VERSION, client_folder
from tests.benchmarks.pipeline import fold
from tests.benchmarks.streams import events, sse

SCRIPT: Final = """
import { HttpAgent } from '@ag-ui/client';
import { readFileSync } from 'node:fs';
const bytes = readFileSync(process.argv[2]);
const step = 131072;
const body = () => new ReadableStream({
  start(controller) {
    for (let i = 0; i < bytes.length; i += step) controller.enqueue(bytes.subarray(i, i + step));
    controller.close();
  },
});
const headers = { 'content-type': 'text/event-stream' };
globalThis.fetch = async () => new Response(body(), { status: 200, headers });
const agent = new HttpAgent({ url: 'http://localhost/', threadId: 'thread' });
const before = process.cpuUsage();
await agent.runAgent({ runId: 'run-0' });
const used = process.cpuUsage(before);
const cpu = (used.user + used.system) / 1e6;
console.log(JSON.stringify({ cpu, messages: agent.messages.length }));
"""


def main() -> None:
    head(f"The reference client {VERSION} (CPU)")
    with client_folder(SCRIPT) as folder:
        if folder is None:
            return
        for count in (2_000, 20_000):
            data = b"".join(sse(events(count)))
            (folder / "stream.sse").write_bytes(data)
            done = subprocess.run(
                ["node", "run.mjs", "stream.sse"], cwd=folder, check=True, capture_output=True
            )
            theirs = json.loads(done.stdout.splitlines()[-1])
            ours = cpu(lambda data=data: fold(data))
            held = len(fold(data).transcript.messages())
            assert theirs["messages"] == held, (theirs, held)
            say(
                f"{count:,} events: {count / theirs['cpu']:,.0f} a second; ours",
                f"{theirs['cpu'] / ours:.0f} × faster",
            )


if __name__ == "__main__":
    main()
