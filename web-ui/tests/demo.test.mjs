// A stranger's way: from `askance demo` to the diagnosis, and from the question to the line, counted in clicks and keys.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";

import { ASKANCE, address, browser, endWithTests } from "./served.mjs";
import { findFirst } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** The page of a demo, and a counter of what a person does there.
 * @param {(page: Page, does: (what: () => Promise<unknown>) => Promise<void>, done: () => number) => Promise<void>} visit */
async function visited(visit) {
  const child = spawn(ASKANCE, ["demo", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  endWithTests(child);
  const chrome = await browser();
  try {
    const page = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    await page.goto(await address(child));
    let interactions = 0;
    await visit(page, async (what) => {
      interactions += 1;
      await what();
    }, () => interactions);
  } finally {
    await chrome.close();
    child.kill();
  }
}

test("from the demo to the diagnosis in at most ten clicks", async () => {
  await visited(async (page, does, done) => {
    await findFirst(page, does);
    await does(() => page.getByRole("button", { name: "Report" }).click());
    await page.getByTestId("report").getByText("c[2] = 9").waitFor();
    assert.ok(done() <= 10, `${done()} interactions`);
    console.log(`# ${done()} interactions from the demo to its report`);
  });
});

// Section 4 of the JHyde paper.
test("from the question to the line that wrote the wrong element in at most three clicks", async () => {
  await visited(async (page, does, done) => {
    await page.locator("[data-answer=yes]:enabled").waitFor();
    // The question comes to the merge that is wrong; answers are not counted here.
    const merge = page.locator(".listed-call", { hasText: /merge\((a=)?\[4, 9\]/ });
    while ((await merge.count()) === 0) {
      const before = await page.getByTestId("question").textContent();
      await page.locator("[data-answer=yes]:enabled").click();
      await page.waitForFunction((text) => document.querySelector("[data-testid=question]")?.textContent !== text, before);
    }
    await does(() => merge.click());
    const element = page.locator("[data-path='c[2]']");
    await element.hover();
    await does(() => element.getByRole("button", { name: "history" }).click());
    await does(() => page.locator("tr[data-write]", { hasText: "9" }).click());
    await page.locator(".cm-line.line-current", { hasText: "c[k++] = a[i++];" }).waitFor();
    assert.ok(done() <= 3, `${done()} clicks`);
  });
});
