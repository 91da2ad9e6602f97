import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./modules.mjs";

const { REQUESTS, readFromView } = await load("requests.ts");
const { html } = await load("question-view.ts");
const { Messages } = await load("webview/messages.ts");
const { eventAt } = await load("culprits.ts");
const { pathOf } = await load("variables.ts");
const { shortened } = await load("lines.ts");

test("the view runs its own script and nothing else", () => {
  const text = html("https://host/view.js", "https://host/view.css", "https://host", "abc123", true);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1];
  assert.equal(policy, "default-src 'none'; style-src https://host; script-src 'nonce-abc123'");
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.ok(!/unsafe|<style|style="|\son\w+=/.test(text));
});

test("only what a view may say is heard", () => {
  assert.deepEqual(readFromView({ kind: "go", node: 3, event: null, more: 1 }), { kind: "go", node: 3, event: null });
  const request = { kind: "request", id: 1, what: "/session/answer", given: { answer: "no" } };
  assert.deepEqual(readFromView(request), request);
  for (const wrong of [null, 7, "go", {}, { kind: "run" }, { kind: "go", node: "3", event: null }, { ...request, what: "/live/stop" }, { ...request, what: "toString" }, { ...request, given: [] }, { ...request, id: "1" }]) {
    assert.equal(readFromView(wrong), null, JSON.stringify(wrong));
  }
});

test("answers and refusals come to those who asked", async () => {
  /** @type {any[]} */
  const sent = [];
  const messages = new Messages({ postMessage: (/** @type {any} */ message) => sent.push(message) });
  const node = messages.get("/node", { node: 4, event: null, width: undefined });
  const diagnosis = messages.get("/diagnosis", {});
  assert.deepEqual(sent, [
    { kind: "request", id: 1, what: "/node", given: { node: 4, event: null } },
    { kind: "request", id: 2, what: "/diagnosis", given: {} },
  ]);
  messages.take({ kind: "refusal", id: 2, sentence: "questions are open" });
  messages.take({ kind: "answer", id: 1, value: { node: 4 } });
  messages.take({ kind: "answer", id: 1, value: "again" });
  assert.deepEqual(await node, { node: 4 });
  await assert.rejects(diagnosis, /questions are open/);
});

test("changes made elsewhere are heard of", () => {
  const messages = new Messages({ postMessage: () => undefined });
  /** @type {any[]} */
  const heard = [];
  messages.updates((/** @type {any} */ standing) => heard.push(standing));
  messages.take({ kind: "changed", revision: 5 });
  assert.deepEqual(heard, [{ revision: 5, thinking: false }]);
});

test("the debugger stops at the line to blame", () => {
  const lines = [
    { line: 3, times: 1, event: 1, values: [] },
    { line: 4, times: 7, event: 40, values: [] },
    { line: 5, times: 2, event: 22, values: [] },
  ];
  assert.equal(eventAt(lines, [4]), 40);
  assert.equal(eventAt(lines, [4, 5]), 22);
  assert.equal(eventAt(lines, [5]), 22);
  assert.equal(eventAt(lines, [9]), null);
});

test("a variable is named as expressions name it", () => {
  assert.equal(pathOf({ variable: { name: "size", evaluateName: "this.size" } }), "this.size");
  assert.equal(pathOf({ variable: { name: "total" } }), "total");
  for (const none of [undefined, null, "x", {}, { variable: {} }, { variable: { name: 3 } }]) assert.equal(pathOf(none), null);
});

test("long values are cut", () => {
  assert.equal(shortened("x".repeat(80)), "x".repeat(80));
  assert.equal(shortened("x".repeat(81)), `${"x".repeat(80)}…`);
});

test("every request has one name", () => {
  assert.equal(new Set(Object.values(REQUESTS)).size, Object.keys(REQUESTS).length);
});
