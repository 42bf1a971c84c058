"""Answer like a model, after a set delay and always the same: what is measured is our own cost.

    python benchmarks/delay_server.py --delay 1.0 --port 8899

Understands the turns of `generate.py`, and counts requests: GET /requests gives how many.
"""

import argparse
import asyncio
import json
import re
from dataclasses import dataclass

_TURN = re.compile(r"<turn>\n(.*)\n</turn>", re.DOTALL)
_RULES = (
    (re.compile(r"From now on answer in (\w+)\."), "durable", "language", "", ""),
    (re.compile(r"Please always keep answers ([\w ]+)\."), "durable", "length", "", ""),
    (re.compile(r"In this project always use (\w+) for that\."), "durable", "tooling", "", "here"),
    (re.compile(r"Write this one in (\w+),"), "this_task", "language", "", ""),
    (re.compile(r"Forget what I said about answer length\."), "forget", "length", "", ""),
)


def answer(prompt: str) -> str:
    """What a model would say of the turn in the prompt."""
    found = _TURN.search(prompt)
    turn = found[1] if found else prompt
    for pattern, intent, dimension, _, _ in _RULES:
        if said := pattern.search(turn):
            value = said[1] if pattern.groups else ""
            part = {"quote": [said[0]], "intent": intent, "dimension": dimension, "value": value}
            return json.dumps({"parts": [part]})
    return json.dumps({"parts": [{"quote": [turn[:40]], "intent": "none", "why": "task_request"}]})


@dataclass
class DelayServer:
    """Serves chat completions on loopback.

    Attributes:
        delay: Seconds before each answer.
        most: Requests at a time beyond which it answers 429; 0 for no limit.
        requests: How many were answered.
    """

    delay: float
    most: int = 0
    requests: int = 0
    under_way: int = 0

    async def serve(self, port: int = 0) -> asyncio.Server:
        """Begin to serve."""
        return await asyncio.start_server(self._connection, "127.0.0.1", port, backlog=1024)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await _head(reader):
                size = re.search(rb"(?i)content-length: *(\d+)", head)
                body = await reader.readexactly(int(size[1])) if size else b""
                status, content = await self._reply(head, body)
                writer.write(
                    f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n"
                    f"content-length: {len(content)}\r\n\r\n".encode()
                    + content
                )
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client was killed, as some runs want it
        finally:
            writer.close()

    async def _reply(self, head: bytes, body: bytes) -> tuple[str, bytes]:
        if head.startswith(b"GET"):
            return "200 OK", json.dumps({"requests": self.requests}).encode()
        if self.most and self.under_way >= self.most:
            return "429 Too Many Requests", b'{"error": {"message": "slow down"}}'
        self.under_way += 1
        try:
            await asyncio.sleep(self.delay)
        finally:
            self.under_way -= 1
        self.requests += 1
        prompt = json.loads(body)["messages"][-1]["content"]
        message = {"role": "assistant", "content": answer(prompt)}
        return "200 OK", json.dumps(
            {
                "id": "d",
                "object": "chat.completion",
                "created": 1,
                "model": "delay",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
        ).encode()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


async def _main(delay: float, port: int, most: int) -> None:
    server = await DelayServer(delay, most).serve(port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--delay", type=float, default=1.0)
    asked.add_argument("--port", type=int, default=0)
    asked.add_argument("--most", type=int, default=0)
    given = asked.parse_args()
    asyncio.run(_main(given.delay, given.port, given.most))
