"""Client of pyright's language server, as an editor is: a text, a place, and what is offered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any


class LanguageServer:
    """Server that knows one file of a folder; the packages are found in another folder."""

    def __init__(self, folder: Path, packages: Path) -> None:
        (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(packages)]}))
        self.uri = (folder / "program.py").as_uri()
        self.folder = folder
        self.version = self.last = 0

    def __enter__(self) -> LanguageServer:
        command = [str(Path(sys.executable).parent / "basedpyright-langserver"), "--stdio"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        root = self.folder.as_uri()
        folders = [{"uri": root, "name": "program"}]
        self.ask("initialize", {"processId": None, "rootUri": root, "capabilities": {},
                                "workspaceFolders": folders})  # fmt: skip
        self.tell("initialized", {})
        document = {"uri": self.uri, "languageId": "python", "version": 0, "text": ""}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.process.kill()
        self.process.communicate()

    def completions(self, text: str, line: int, column: int) -> list[str]:
        """What the server offers at a place of a text, counted from 0."""
        self.version += 1
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"text": text}],
        })  # fmt: skip
        place = {"line": line, "character": column}
        result = self.ask(
            "textDocument/completion", {"textDocument": {"uri": self.uri}, "position": place}
        )
        items = result["items"] if isinstance(result, dict) else result or []
        return [item["label"] for item in items]

    def tell(self, method: str, params: Any, **fields: Any) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **fields}).encode()
        self._send(body)

    def ask(self, method: str, params: Any) -> Any:
        """Send a question, and read until its answer comes."""
        self.last += 1
        self.tell(method, params, id=self.last)
        while True:
            message = self._message()
            if message.get("id") == self.last and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:  # the server asks for settings
                items = message.get("params", {}).get("items", [])
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": [{} for _ in items]}
                self._send(json.dumps(answer).encode())

    def _send(self, body: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _message(self) -> dict[str, Any]:
        assert self.process.stdout
        size = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length"):
                size = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.process.stdout.read(size))
        return message
