// Inside the call that was found: the search for a statement, and for an event.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { byMouse, debug, listed } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const { open } = pages("merge-sort");

/** Judges pieces of `merge([4, 9], [1, 7])`, in which nothing is right any more once 9 is written too early.
 * @param {Page} page */
async function searchInside(page) {
  for (let answers = 0; answers < 12; answers += 1) {
    const panel = page.getByTestId("inside");
    const text = (await panel.innerText()).replaceAll("\n", " ");
    if (/The bug is in/.test(text)) return answers;
    // Right are the pieces that leave the beginning of 1, 4, 7, 9 in c.
    const written = [...text.matchAll(/→\s+\[([-\d, ]*)\]/g)].at(-1)?.[1]?.split(", ") ?? [];
    const isRight = written.every((number, place) => number === "0" || number === ["1", "4", "7", "9"][place]);
    await page.keyboard.press(isRight ? "y" : "n");
    await page.waitForFunction((count) => document.querySelectorAll(".said-inside li").length > count, answers);
  }
  throw new Error("too many questions");
}

test("the search goes on inside the call that was found, down to a piece of it", async () => {
  const page = await open();
  await debug(page, byMouse);
  const outside = await listed(page);
  await page.keyboard.press("z");
  await page.getByTestId("inside").waitFor();
  await page.locator(".cm-line.line-piece").first().waitFor();
  const answers = await searchInside(page);
  assert.ok(answers > 0);
  const said = await page.getByTestId("inside").innerText();
  assert.match(said, /The bug is in .*(line|loop|iteration)/);
  assert.equal(await listed(page), outside, "answers about pieces are no answers about calls");

  // The report narrows to the piece, and another tab sees the same search.
  const other = await open(page.url());
  await other.getByTestId("inside").waitFor();
  assert.equal(await other.getByTestId("inside").innerText(), said);
  await page.getByRole("button", { name: "Report" }).click();
  const report = page.getByTestId("report");
  await report.waitFor();
  await report.getByText("Marked lines are the piece of the call that is wrong.").waitFor();
  await page.goBack();

  // An answer can be taken back, and the call left as it was found.
  await page.keyboard.press("u");
  await page.locator("[data-inside=yes]").waitFor();
  await page.keyboard.press("z");
  await page.getByTestId("done").waitFor();
  await other.getByTestId("done").waitFor();
});

test("events are found by what they say", async () => {
  const page = await open();
  await debug(page, byMouse);
  const box = page.getByLabel("Find an event");
  await box.fill("0 → 9");
  await box.press("Enter");
  await page.locator(".event.selected", { hasText: "0 → 9" }).waitFor();
  await page.locator(".cm-line.line-current", { hasText: "c[k++] = a[i++];" }).waitFor();
  await box.fill("k:");
  await box.press("Enter");
  await page.locator(".event.selected", { hasText: "k: 3 → 4" }).waitFor();
  // After the last, from the beginning again.
  await box.press("Enter");
  await page.locator(".event.selected", { hasText: "k: 0 → 1" }).waitFor();
  await box.fill("no such event");
  await box.press("Enter");
  await page.getByText("not found").waitFor();
});
