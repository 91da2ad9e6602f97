// The tree of large and of many-threaded runs, and trust.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { record, recordWorkload, serve } from "./served.mjs";

const { open, trace } = pages("merge-sort");

test("a million calls below one scroll, and only a window of them exists", async () => {
  const wide = recordWorkload("wide", 1000);
  const other = await serve(wide.trace);
  try {
    const page = await open(`${other.url}#node=2`);
    await page.locator(".tree-row.selected[data-node='2']").waitFor();
    const rows = page.getByRole("tree");
    await rows.focus();
    await page.keyboard.press("End");
    await page.locator(".tree-row[data-node='1000003']").waitFor();
    for (const part of [0.5, 0.123, 0.9, 0.0001]) {
      await rows.evaluate((element, at) => (element.scrollTop = at * (element.scrollHeight - element.clientHeight)), part);
      // The rows there come into sight, and every one gets its text.
      await page.waitForFunction((at) => {
        const shown = [...document.querySelectorAll("[role=tree] .row-slot")];
        const node = Number(document.querySelectorAll(".tree-row[data-node]")[5]?.getAttribute("data-node"));
        const isThere = Math.abs(node - at * 1_000_000) < 1000;
        return isThere && shown.length > 5 && shown.every((row) => row.querySelector(".row-text") !== null);
      }, part);
      assert.ok((await page.locator(".tree-row").count()) < 60);
    }
    // A row at a time by keyboard, at a place far down.
    await page.goto(`${other.url}#node=777777`);
    await page.locator(".tree-row.selected[data-node='777777']").waitFor();
    await rows.focus();
    await page.keyboard.press("ArrowDown");
    await page.locator(".tree-row.selected[data-node='777778']").waitFor();
    await page.keyboard.press("PageUp");
    await page.locator(".tree-row.selected[data-node='777763']").waitFor();
    await page.close();
  } finally {
    other.stop();
    wide.forget();
  }
});

test("calls of libraries are leaves between the others, if somebody wants them, by mouse and keyboard", async () => {
  const page = await open();
  const leaf = page.locator(".tree-row.leaf", { hasText: "println" }).first();
  const toggle = page.getByRole("button", { name: "library" });
  await toggle.click();
  await leaf.waitFor();
  await leaf.click();
  await page.locator(".event.selected", { hasText: "println" }).waitFor();
  // From a leaf the keys go on to its neighbours.
  await page.getByRole("tree").focus();
  await page.keyboard.press("ArrowUp");
  await page.locator(".tree-row.leaf.selected", { hasText: "Arrays.toString([1, 4, 9, 7])" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".tree-row.leaf.selected", { hasText: "println" }).waitFor();
  await toggle.focus();
  await page.keyboard.press("Enter");
  await page.locator(".tree-row.leaf").first().waitFor({ state: "detached" });
});

test("calls that another thread ran hang below the call that handed them over, with its name", async () => {
  const threads = record("two-threads");
  const other = await serve(threads.trace);
  try {
    const page = await open(other.url);
    const row = page.locator(".tree-row", { hasText: "run()" }).first();
    // The tree goes to what is asked about as soon as that is known.
    await page.locator(".tree-row", { hasText: "asked" }).first().waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("Home");
    await row.locator(".tag", { hasText: /^⇄ (low|high)$/ }).waitFor();
    assert.equal(await row.getAttribute("aria-level"), "2");
    await row.click();
    await page.getByText(/in thread (low|high), submitted by/).first().waitFor();
    await page.locator(".node-callers .link", { hasText: "Main.main" }).click();
    await page.locator("[data-testid=node][data-node='0']").waitFor();
    await page.close();
  } finally {
    other.stop();
    threads.forget();
  }
});

test("trust in a whole class can be given and taken back", async () => {
  const page = await open();
  const suspects = () => page.locator(".left").innerText();
  const before = await suspects();
  await page.getByLabel("Trust more than this method").click();
  await page.locator("[data-answer=trust-class]").click();
  const answer = page.locator("[data-testid=answers] .answer");
  await answer.locator(".sign.trusted").waitFor();
  await answer.first().hover();
  await answer.first().getByRole("button", { name: "Take this answer back" }).click();
  await page.locator(".answer.overruled").first().waitFor();
  await page.waitForFunction((text) => document.querySelector(".left")?.textContent === text, before);
});

test("trust by name is listed and can be taken back", async () => {
  const other = await serve(trace(), ["--trust", "Main"]);
  try {
    const page = await open(other.url);
    const answer = page.locator("[data-testid=answers] .answer", { hasText: "Main.merge" });
    await answer.locator(".sign.trusted").waitFor();
    await answer.hover();
    await answer.getByRole("button", { name: "Take this answer back" }).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 0);
    await page.locator("[data-answer=yes]:enabled").waitFor();
    await page.close();
  } finally {
    other.stop();
  }
});

test("a call is judged where it stands in the tree", async () => {
  const page = await open();
  const row = page.locator(".tree-row[data-node='1']");
  await row.hover();
  await row.getByLabel("Call 1 is wrong").click();
  await page.locator("[data-testid=answers] .sign.wrong").waitFor();
  await page.locator(".tree-row.wrong[data-node='1']").waitFor();
});
