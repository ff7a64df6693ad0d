"""A Hugging Face Hub on this machine: the few requests of a push, answered from memory, with faults as scripted."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = Any  # parsed JSON
TOKEN = "hf_scripted"
CUT = 0
"""The fault of an answer that does not come: the connection is closed."""
_STEPS = {
    "create": re.compile(r"/api/repos/create"),
    "branch": re.compile(r"/api/datasets/([^/]+/[^/]+)/branch/(.+)"),
    "info": re.compile(r"/api/datasets/([^/]+/[^/]+)/revision/([^/?]+).*"),
    "preupload": re.compile(r"/api/datasets/([^/]+/[^/]+)/preupload/(.+)"),
    "commit": re.compile(r"/api/datasets/([^/]+/[^/]+)/commit/([^/?]+).*"),
    "yaml": re.compile(r"/api/validate-yaml"),
}


class ScriptedHub:
    """What is on the hub, and how it misbehaves."""

    def __init__(self) -> None:
        self.data_sets: dict[str, dict[str, dict[str, bytes]]] = {}
        """The files of each branch of each data set."""
        self.private: dict[str, bool] = {}
        self.faults: dict[str, list[int]] = defaultdict(list)
        """The statuses that the next requests of a step get, first to last; `CUT` closes the connection."""
        self.after_commit: list[int] = []
        """The same, for commits that count and are not heard of."""
        self.seen: list[str] = []
        self.url = ""

    def answer(self, step: str, name: str, branch: str, body: bytes) -> tuple[int, Json]:
        if step == "yaml":
            return 200, {"errors": [], "warnings": []}
        if step == "create":
            asked = json.loads(body)
            full = f"{asked['organization']}/{asked['name']}"
            url = {"url": f"{self.url}/datasets/{full}"}
            if full in self.data_sets:
                return 409, {**url, "error": "You already created this dataset repo"}
            self.data_sets[full] = {"main": {".gitattributes": b""}}
            self.private[full] = asked.get("visibility") == "private" or bool(asked.get("private"))
            return 200, url
        branches = self.data_sets.get(name)
        if branches is None or (step != "branch" and branch not in branches):
            return 404, {"error": "Not found"}
        return getattr(self, f"_{step}")(branches, name, branch, body)

    def _branch(self, branches: Json, name: str, branch: str, body: bytes) -> tuple[int, Json]:
        if branch in branches:
            return 409, {"error": "Reference already exists"}
        branches[branch] = dict(branches["main"])
        return 200, {}

    def _info(self, branches: Json, name: str, branch: str, body: bytes) -> tuple[int, Json]:
        return 200, {"id": name, "sha": "0" * 40, "siblings": [{"rfilename": path} for path in branches[branch]]}

    def _preupload(self, branches: Json, name: str, branch: str, body: bytes) -> tuple[int, Json]:
        asked = json.loads(body)["files"]
        return 200, {
            "files": [{"path": each["path"], "uploadMode": "regular", "shouldIgnore": False} for each in asked]
        }

    def _commit(self, branches: Json, name: str, branch: str, body: bytes) -> tuple[int, Json]:
        files = dict(branches[branch])
        for line in map(json.loads, body.splitlines()):
            if line["key"] == "file":
                files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            elif line["key"] == "deletedFile":
                del files[line["value"]["path"]]
        branches[branch] = files
        commit = f"{len(self.seen):040x}"
        return 200, {"commitUrl": f"{self.url}/datasets/{name}/commit/{commit}", "commitOid": commit, "success": True}


@contextmanager
def scripted_hub() -> Iterator[ScriptedHub]:
    """Serve a hub on the loopback."""
    hub = ScriptedHub()

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        """Else each body waits 40 ms for its head to be acknowledged."""

        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            found = ((step, known.fullmatch(self.path)) for step, known in _STEPS.items())
            step, match = next(((step, match) for step, match in found if match), ("", None))
            hub.seen.append(f"{step or self.path}")
            fault = hub.faults[step].pop(0) if hub.faults[step] else None
            status, told = 404, {"error": f"nothing is scripted for {self.path}"}
            if fault is not None:
                status, told = fault, {"error": "as scripted"}
            elif self.headers.get("Authorization") != f"Bearer {TOKEN}":
                status, told = 401, {"error": "Invalid username or password."}
            elif match is not None:
                status, told = hub.answer(step, *(*match.groups(), "", "")[:2], body)
                if step == "commit" and hub.after_commit:
                    status = hub.after_commit.pop(0)
            self._send(status, json.dumps(told).encode())

        def _send(self, status: int, text: bytes) -> None:
            if status == CUT:
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_HEAD = do_DELETE = _reply  # noqa: N815 - as http.server calls them

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
