"""Drives `askance mcp` with the official Python client, which checks every result against the schema of its tool.

Arguments: the executable, the trace's name, and words that a wrong call shows. Prints one JSON object.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

MOST_QUESTIONS = 30


def data(result):
    """The data of a result, whatever the version of the client calls it."""
    failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
    if failed:
        raise RuntimeError(result.content[0].text)
    for name in ("structured_content", "structuredContent"):
        value = getattr(result, name, None)
        if value is not None:
            return value
    return json.loads(result.content[0].text)


def plain(text):
    """A call in one line and one on several lines read the same."""
    return " ".join(text.split()).replace(" = ", "=").replace(")", "")


def judged(question, wrong):
    """What is said to a question about one call, or about a list of which one may be wrong."""
    calls = question.get("calls", [])
    if not calls:
        return {"answer": "no" if plain(wrong) in plain(question["text"]) else "yes"}
    for node, line in zip(calls, question["text"].split("\n")):
        if plain(wrong) in plain(line):
            return {"answer": "no", "node": node}
    return {"answer": "yes"}


async def drive(session, trace, wrong):
    tools = (await session.list_tools()).tools
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    opened = await session.call_tool("open_trace", {"trace": trace})
    raw = opened.model_dump(mode="json", by_alias=True, exclude_none=True)
    step = data(opened)
    told = {"opened": step, "tools": len(json.dumps(listed)), "names": [tool.name for tool in tools]}
    if step["state"] == "question":
        text = json.dumps(step["question"]["text"])[1:-1]
        told["texts_sent"] = json.dumps(raw).replace("\\\\", "\\").count(text.replace("\\\\", "\\"))
    asked = 0
    while step["state"] == "question" and asked < MOST_QUESTIONS:
        question = step["question"]
        at = {"session": step["session"], "node": question["node"]}
        for tool in ("show_call", "source", "events"):
            await session.call_tool(tool, at)
        said = {"session": step["session"], "revision": step["revision"], "confidence": 0.9}
        said.update(judged(question, wrong))
        step = data(await session.call_tool("answer", said))
        asked += 1
    at = {"session": step["session"]}
    for tool in ("answers", "children", "next_question"):
        await session.call_tool(tool, at)
    await session.call_tool("search", {**at, "text": "a"})
    told["state"] = step["state"]
    told["asked"] = asked
    told["diagnosis"] = data(await session.call_tool("diagnosis", at))
    return told


async def main():
    executable, trace, wrong = sys.argv[1:]
    server = StdioServerParameters(command=executable, args=["mcp", trace], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            print(json.dumps(await drive(session, trace, wrong)))


asyncio.run(main())
