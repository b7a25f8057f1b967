"""A folder with ``@ag-ui/client`` in it, where there is Node to run it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import say

VERSION: Final = "1.0.0"
"""Of the reference client."""


@contextmanager
def client_folder(script: str) -> Iterator[Path | None]:
    """A temporary folder with ``run.mjs``, beside the client it imports; ``None``, and a word of
    it, where there is no Node."""
    if not (shutil.which("node") and shutil.which("npm")):
        say("skipped: there is no Node", "")
        yield None
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"type":"module"}')
        npm = ["npm", "install", "--silent", "--no-fund", "--no-audit", f"@ag-ui/client@{VERSION}"]
        subprocess.run(npm, cwd=folder, check=True)
        (folder / "run.mjs").write_text(script)
        yield folder
