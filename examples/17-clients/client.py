"""Tunes a diagram that hilda studio runs: client.py ADDRESS"""
import asyncio
import json
import sys

import websockets


class Studio:
    def __init__(self, line):
        self.line, self.last = line, 0

    async def heard(self):
        """The next message in words; samples come as bytes."""
        while isinstance(message := await self.line.recv(), bytes):
            pass
        return json.loads(message)

    async def ask(self, op, **fields):
        """A request, and the reply with its number."""
        self.last += 1
        await self.line.send(json.dumps({"op": op, "id": self.last, **fields}))
        while (message := await self.heard())["op"] != "reply" or message["id"] != self.last:
            pass
        if not message["ok"]:
            raise SystemExit(message["diagnostics"][0]["what"] if message.get("diagnostics") else message["error"])
        return message

    async def run_to(self, time):
        await self.ask("run", until=time, speed=0)
        while (message := await self.heard())["op"] != "state" or message["state"] == "running":
            pass
        return message["tick"]


async def main(address):
    async with websockets.connect(address, subprotocols=["hilda.v1"], max_size=None) as line:
        studio = Studio(line)
        for damping in ("8 N s/m", "100 N s/m", "400 N s/m"):
            await studio.ask("restart")
            await studio.ask("set", settings=[{"path": "damping", "text": damping}, {"path": "push", "text": "20 N"}])
            tick = await studio.run_to(1)
            place = await studio.ask("get", path="position.y")
            print(f"damping {damping}: tick {tick}, {1000 * place['value']:.3f} mm")
        print((await studio.ask("save"))["command"])


asyncio.run(main(sys.argv[1]))
