// Questions about several calls side by side: the wrong one is clicked, or named by its number.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { serve } from "./served.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */

const { open, trace } = pages("merge-sort");

/** What the wrong calls show, and no right one does. */
const WRONG = "[1, 4, 9, 7]";

/** Answers truthfully until the call is found; says how many lists there were.
 * @param {Page} page
 * @param {(item: Locator, place: number) => Promise<void>} pointAt */
async function debug(page, pointAt) {
  let lists = 0;
  for (let asked = 0; asked < 20; asked += 1) {
    await page.locator("[data-testid=question], [data-testid=done]").first().waitFor();
    if (await page.getByTestId("done").isVisible()) return lists;
    const question = page.getByTestId("question");
    const before = await question.innerText();
    const items = question.locator(".listed-calls li");
    const count = await items.count();
    lists += count > 0 ? 1 : 0;
    let wrong = -1;
    for (let place = 0; place < count; place += 1) {
      if ((await items.nth(place).innerText()).includes(WRONG)) wrong = place;
    }
    if (wrong >= 0) await pointAt(items.nth(wrong), wrong);
    else await page.keyboard.press(count === 0 && before.includes(WRONG) ? "n" : "y");
    const isAnother = (/** @type {string} */ text) => {
      const asked = /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=question]"));
      return asked?.innerText !== text;
    };
    await page.waitForFunction(isAnother, before);
  }
  throw new Error("the questions do not end");
}

/** @type {[string, (page: Page) => (item: Locator, place: number) => Promise<void>][]} */
const WAYS = [
  ["mouse", () => (item) => item.getByRole("button", { name: "wrong" }).click()],
  ["keyboard", (page) => (_, place) => page.keyboard.press(String(place + 1))],
];
for (const [by, pointing] of WAYS) {
  test(`of several calls the wrong one is named by ${by}`, async () => {
    const served = await serve(trace(), ["--strategy", "belief"]);
    try {
      const page = await open(served.url);
      assert.ok((await debug(page, pointing(page))) > 0, "no question was about several calls");
      assert.match(await page.getByTestId("done").innerText(), /merge\(a=\[4, 9\], b=\[1, 7\]/);
      await page.close();
    } finally {
      served.stop();
    }
  });
}
