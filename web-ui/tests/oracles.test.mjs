// The page while a command that answers before a person takes its time.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { serve } from "./served.mjs";

const { open, trace } = pages("merge-sort");

test("while the oracles are asked the page says so, everything can be looked at, and a person can answer", async () => {
  const judge = `while read -r question; do sleep 6; echo '{"answer":"unknown"}'; done`;
  const slow = await serve(trace(), ["--oracle-cmd", judge, "--strategy", "top-down"]);
  try {
    const page = await open(slow.url);
    const thinking = page.locator(".thinking");
    await thinking.waitFor();
    const started = Date.now();
    const rows = page.getByRole("treeitem");
    await rows.first().press("ArrowRight");
    await rows.nth(1).click();
    await page.waitForFunction(() => /node=\d/.test(location.hash));
    await page.getByRole("button", { name: /Overview/ }).click();
    await page.waitForFunction(() => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) > 0);
    await page.keyboard.press("o");
    await page.locator("[data-answer=no]:enabled").click();
    await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 1);
    assert.ok(Date.now() - started < 6000, "nothing has waited for the command");
    // When it has said that it does not know, the note goes, and the question stays.
    await thinking.waitFor({ state: "detached" });
    await page.getByTestId("question").waitFor();
    await page.context().close();
  } finally {
    slow.stop();
  }
});
