// Whole sessions in a real browser, against the real executable and a real recording.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { record, serve } from "./served.mjs";
import { byKeyboard, byMouse, debug, listed } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const { open } = pages("merge-sort");

/** @param {Page} page */
async function isFound(page) {
  const done = page.getByTestId("done");
  await done.waitFor();
  assert.match(await done.innerText(), /The bug is in this call/);
  assert.match(await done.innerText(), /merge\(a=\[4, 9\], b=\[1, 7\]/);
}

test("a session by mouse leads to the culprit and its report", async () => {
  const page = await open();
  const answers = await debug(page, byMouse);
  assert.ok(answers > 0);
  await isFound(page);
  await page.getByRole("button", { name: "Report" }).click();
  const report = page.getByTestId("report");
  await report.waitFor();
  assert.match(await report.innerText(), /The bug is in\s+Main\.merge/);
  assert.match(await report.innerText(), /38 \|\s+while \(i < a\.length - 1/);
  await page.goBack();
  await isFound(page);
});

test("the report is saved as a file that opens without the server", async () => {
  const page = await open();
  await debug(page, byMouse);
  await page.getByRole("button", { name: "Report" }).click();
  await page.getByTestId("report").waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as HTML" }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "merge-sort-diagnosis.html");
  const folder = mkdtempSync(join(tmpdir(), "askance-report-"));
  try {
    const file = join(folder, "report.html");
    await download.saveAs(file);
    const saved = await page.context().newPage();
    /** @type {string[]} */
    const asked = [];
    saved.on("request", (request) => asked.push(request.url()));
    await saved.goto(`file://${file}`);
    const text = await saved.locator("article").innerText();
    assert.match(text, /The bug is in\s+Main\.merge/);
    assert.match(text, /38 \|\s+while \(i < a\.length - 1/);
    assert.match(text, /answers led here/);
    assert.equal(await saved.locator("button").count(), 0);
    assert.deepEqual(asked, [`file://${file}`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("values are searched, and a search can be ended", async () => {
  const page = await open();
  await page.getByRole("button", { name: "values" }).click();
  await page.getByLabel("Search calls").fill("[1, 4, 9, 7]");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
  for (const text of await page.locator(".hit").allInnerTexts()) assert.match(text, /\[1, 4, 9, 7\]/);
  await page.getByLabel("Search calls").fill("no such value");
  await page.keyboard.press("Enter");
  await page.getByText("No call with “no such value”").waitFor();
});

test("a session by keyboard leads to the culprit, and undo takes an answer back", async () => {
  const page = await open();
  await debug(page, byKeyboard);
  await isFound(page);
  const answers = await listed(page);
  await page.keyboard.press("u");
  await page.getByTestId("question").waitFor();
  await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length === count, answers - 1);
  await debug(page, byKeyboard);
  await isFound(page);
});

test("two tabs agree", async () => {
  const [one, other] = [await open(), await open()];
  const asked = await one.getByTestId("question").getAttribute("data-node");
  assert.equal(await other.getByTestId("question").getAttribute("data-node"), asked);
  await byMouse(one, "yes");
  for (const tab of [one, other]) {
    await tab.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 1);
  }
  const next = one.getByTestId("question");
  await other.waitForFunction((text) => document.querySelector("[data-testid=question]")?.textContent === text, await next.textContent());
});

test("a reload in the middle keeps the question, the answers and the place", async () => {
  const page = await open();
  await page.locator("[data-answer=unknown]").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 1);
  await page.locator(".tree-row", { hasText: "main(args=" }).click();
  await page.locator("[data-testid=node][data-node='0']").waitFor();
  const question = await page.getByTestId("question").textContent();
  await page.reload();
  await page.getByTestId("question").waitFor();
  assert.equal(await page.getByTestId("question").textContent(), question);
  await page.locator("[data-testid=node][data-node='0']").waitFor();
  assert.equal(await listed(page), 1);
});

// Section 4 of the JHyde paper: from the wrong element to the line that wrote it.
test("all views lead from a wrong element to its line, and back", async () => {
  const page = await open();
  await debug(page, byMouse);
  await isFound(page);
  const element = page.locator("[data-path='c[2]']");
  assert.match((await element.getAttribute("class")) ?? "", /changed/);
  await element.hover();
  await element.getByRole("button", { name: "history" }).click();
  const write = page.locator("tr[data-write]", { hasText: "9" });
  await write.click();
  await page.locator(".cm-line.line-current", { hasText: "c[k++] = a[i++];" }).waitFor();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event.selected.directly").waitFor();
  const there = await page.locator(".event.selected").getAttribute("data-event");

  await page.keyboard.press("[");
  await page.waitForFunction((event) => document.querySelector(".event.selected")?.getAttribute("data-event") !== event, there);
  await page.goBack();
  await page.waitForFunction((event) => document.querySelector(".event.selected")?.getAttribute("data-event") === event, there);
});

test("where a value came from is marked in the source, and each step of it can be gone to", async () => {
  const page = await open();
  await debug(page, byMouse);
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await element.getByRole("button", { name: "where from" }).click();
  await page.locator(".cm-line.line-slice", { hasText: "c[k++] = a[i++];" }).first().waitFor();
  await page.getByTestId("why").locator(".chain-step").first().click();
  await page.locator(".cm-line.line-current", { hasText: "c[k++] = a[i++];" }).waitFor();
  await page.getByRole("button", { name: "picture" }).click();
  const drawn = page.getByTestId("flow").locator(".flow-step");
  await drawn.first().waitFor();
  assert.match((await drawn.first().getAttribute("aria-label")) ?? "", /^c\[2\] = 9, merge, line 46$/);
  assert.ok((await drawn.count()) > 2);
  // The keyboard goes to a step as well.
  await drawn.nth(1).focus();
  await page.keyboard.press("Enter");
  await page.locator(".cm-line.line-current", { hasText: "c[k++] = b[j++];" }).waitFor();
  await page.getByRole("button", { name: "every step" }).click();
  const plain = await page.locator("[data-testid=why] tbody tr").count();
  await page.getByLabel("also the decisions that led there").check();
  await page.waitForFunction((count) => document.querySelectorAll("[data-testid=why] tbody tr").length > count, plain);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event.selected").waitFor();
  assert.equal(await page.locator(".cm-line.line-slice").count(), 0);
});

test("calls that are taken together are held by a bracket", async () => {
  const castling = record("castling");
  const other = await serve(castling.trace);
  const page = await open(other.url);
  try {
    await page.locator(".tree-row.is-asked .bracket.first").waitFor();
    const asked = await page.locator(".tree-row.is-asked").count();
    assert.equal(await page.locator(".tree-row .bracket.undefined").count(), asked);
    await page.locator("[data-answer=yes]:enabled").click();
    await page.locator(".tree-row .bracket.correct").first().waitFor();
  } finally {
    await page.close();
    other.stop();
    castling.forget();
  }
});

test("the tree is walked and searched by keyboard", async () => {
  const page = await open();
  await page.locator(".tree-row.selected").waitFor();
  const tree = page.getByRole("tree");
  await tree.focus();
  await page.keyboard.press("Home");
  await page.locator(".tree-row.selected[data-node='0']").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".tree-row.selected[data-node='1']").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".tree-row[data-node='1'][aria-expanded=false]").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".tree-row[data-node='1'][aria-expanded=true]").waitFor();

  await page.getByLabel("Search calls").fill("slice");
  await page.keyboard.press("Enter");
  const hit = page.locator(".hit").nth(1);
  const node = /#(\d+)/.exec(await hit.innerText())?.[1];
  await hit.click();
  await page.locator(`[data-testid=node][data-node='${node}']`).waitFor();
  await page.locator(`.tree-row.selected[data-node='${node}']`).waitFor();
});

test("a deep recursion stays in sight and only a window of it exists", async () => {
  const deep = record("stack-overflow");
  const other = await serve(deep.trace);
  const page = await open(other.url);
  try {
    await page.goto(`${other.url}#node=400`);
    const row = page.locator(".tree-row.selected[data-node='400'] .row-text");
    await row.filter({ hasText: /\w+\(/ }).waitFor();
    assert.ok((await page.locator(".tree-row").count()) < 60);

    // Far deeper, the tree begins some calls above, and goes back to the top.
    const told = page.locator("header .quiet").filter({ hasText: "calls" }).first();
    const calls = Number((await told.innerText()).split(" ")[0]?.replaceAll(",", ""));
    assert.ok(calls > 2600, `${calls}`);
    await page.goto(`${other.url}#node=2500`);
    await page.locator(".tree-row.selected[data-node='2500']").waitFor();
    await page.getByText("calls above").waitFor();
    assert.ok((await page.locator(".tree-row").count()) < 60);
    await page.getByRole("button", { name: "to the top" }).click();
    await page.locator(".tree-row[data-node='0']").waitFor();
  } finally {
    await page.close();
    other.stop();
    deep.forget();
  }
});

test("pointing at a wrong value asks about what produced it", async () => {
  const page = await open();
  await page.locator(".tree-row[data-node='1']").click();
  await page.locator("[data-testid=node][data-node='1']").waitFor();
  const result = page.locator("[data-path=return]");
  await result.hover();
  await result.getByRole("button", { name: "This part is wrong" }).click();
  await page.locator("[data-testid=answers] .sign.wrong").waitFor();
});
