"""An MCP server for tests, over stdio: `python mcp_server.py MODE`. It knows no SDK, as many out there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TOOLS = [
    {
        "name": f"tool_{number}",
        "description": f"Does the deed number {number}.",
        "inputSchema": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
        "annotations": {"readOnlyHint": True},
        "_meta": {"example.org/team": "deeds"},
    }
    for number in range(5)
]


def listed(mode: str, cursor: str | None) -> dict[str, Any]:
    """One page of the list."""
    if mode == "pages":
        at = int(cursor or 0)
        return {"tools": TOOLS[at : at + 2], **({"nextCursor": str(at + 2)} if at + 2 < len(TOOLS) else {})}
    if mode == "endless":
        return {"tools": TOOLS, "nextCursor": str(int(cursor or 0) + 1)}
    if mode == "circle":
        return {"tools": TOOLS, "nextCursor": "again"}
    if mode == "broken":
        return {"tools": [{"name": "tool", "inputSchema": "none"}]}
    if mode == "unusable":
        return {
            "tools": [
                *TOOLS,
                {"name": "tool", "inputSchema": {"type": "object", "$ref": "#/nowhere"}},
            ]
        }
    if mode == "environment":
        tool = {**TOOLS[0], "description": " ".join(sorted(os.environ))}
        return {"tools": [tool]}
    return {"tools": TOOLS}


def answer(mode: str, request: dict[str, Any]) -> dict[str, Any]:
    """What a server of the handshake's time answers."""
    if request["method"] == "initialize":
        capabilities = {} if mode == "toolless" else {"tools": {}}
        server = {"name": "deeds", "version": "3.1"}
        version = request["params"]["protocolVersion"]
        return {"result": {"protocolVersion": version, "capabilities": capabilities, "serverInfo": server}}
    if request["method"] == "tools/list":
        if mode == "refuses":
            return {"error": {"code": -32603, "message": "no \x1b[2Jkey"}}
        return {"result": listed(mode, (request.get("params") or {}).get("cursor"))}
    return {"error": {"code": -32601, "message": "Method not found"}}


def main(mode: str, *more: str) -> None:
    """Answer until stdin ends, but for the modes that do not."""
    if mode == "child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.DEVNULL)
        Path(more[0]).write_text(f"{os.getpid()} {child.pid}", encoding="utf-8")
    if mode == "dies":
        print("one\ntwo: \x1b[2J the variable KEY is not set", file=sys.stderr)
        sys.exit(3)
    if mode == "banner":
        print("Ready on stdio!\n\n   {", flush=True)
    if mode in ("silent", "child", "banner"):
        time.sleep(600)
    for line in sys.stdin:
        request = json.loads(line)
        if mode == "chatter":
            print("Starting ...", flush=True)
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(mode, request)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
