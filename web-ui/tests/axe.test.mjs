// What axe-core finds about accessibility, in both themes: nothing serious.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { byMouse, debug } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const { open } = pages("merge-sort");

/** The serious findings about what the page shows, each with the first element that has it.
 * @param {Page} page
 * @returns {Promise<string[]>} */
async function findings(page) {
  return page.evaluate(async () => {
    // @ts-expect-error: it is put into the page by the test.
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations
      .filter((/** @type {{ impact: string }} */ one) => one.impact === "serious" || one.impact === "critical")
      .map((/** @type {{ id: string, nodes: { html: string, failureSummary: string }[] }} */ one) => `${one.id} (${one.nodes.length}): ${one.nodes[0]?.html}\n${one.nodes[0]?.failureSummary}`);
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`nothing serious in the ${colorScheme} theme`, async () => {
    const page = await open();
    await page.emulateMedia({ colorScheme });
    // The policy of the page allows no other scripts, so it is put in by the browser itself.
    const session = await page.context().newCDPSession(page);
    const { readFileSync } = await import("node:fs");
    await session.send("Runtime.evaluate", { expression: readFileSync(AXE, "utf8") });
    /** @type {[string, () => Promise<unknown>][]} */
    const views = [
      ["question", async () => {}],
      ["help", () => page.keyboard.press("?")],
      ["found", async () => {
        await page.keyboard.press("Escape");
        await debug(page, byMouse);
      }],
      ["history", async () => {
        const element = page.locator("[data-path='c[2]']");
        await element.hover();
        await element.getByRole("button", { name: "history" }).click();
        await page.getByTestId("history").waitFor();
      }],
      ["where from", async () => {
        const element = page.locator("[data-path='c[2]']");
        await element.hover();
        await element.getByRole("button", { name: "where from" }).click();
        await page.getByTestId("why").waitFor();
      }],
      ["output", () => page.getByRole("tab", { name: "Output" }).click()],
      ["overview", () => page.keyboard.press("o")],
      ["query", () => page.keyboard.press("q")],
      ["library", async () => {
        await page.keyboard.press("Escape");
        await page.locator("section.query").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "library" }).click();
        await page.locator(".tree-row.leaf").first().waitFor();
      }],
      ["report", async () => {
        await page.keyboard.press("o");
        await page.getByRole("button", { name: "Report" }).click();
        await page.getByTestId("report").waitFor();
      }],
    ];
    /** @type {string[]} */
    const all = [];
    for (const [view, show] of views) {
      await show();
      await page.waitForTimeout(300);
      for (const finding of await findings(page)) all.push(`${view}: ${finding}`);
    }
    assert.deepEqual(all, []);
  });
}
