"""The bot of docs/bots.md that plays a seat over the network, with the seat's token, as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.programs import ROOT
from tests.web.servers import ServerProcess


def test_the_documented_remote_bot_plays_a_match_to_its_end(tmp_path: Path) -> None:
    page = (ROOT / 'docs/bots.md').read_text()
    section = page.partition('## Bots in other languages')[2]
    program = re.findall(r'^```python\n(.*?)^```$', section, re.DOTALL | re.MULTILINE)[0]
    server = ServerProcess(f'sqlite:///{tmp_path}/tables.sqlite3', tmp_path, compiled=True)
    try:
        played = subprocess.run(
            [sys.executable, '-c', program, server.ready().address],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        server.end()
    assert played.returncode == 0, played.stderr
    assert "'ending': 'home'" in played.stdout
