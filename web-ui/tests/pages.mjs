// What every browser test has: an example that was recorded, a server for each test, and pages in which
// nothing may go wrong.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";

import { browser, record, serve } from "./served.mjs";

/** Sets up for the tests of a file.
 * @param {string} example */
export function pages(example) {
  /** @type {Awaited<ReturnType<typeof browser>>} */
  let chrome;
  /** @type {ReturnType<typeof record>} */
  let recorded;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let served;
  /** @type {string[]} */
  let troubles = [];
  let isServed = true;
  let mayRefuse = false;

  before(async () => {
    recorded = record(example);
    chrome = await browser();
  });
  after(async () => {
    await chrome.close();
    recorded.forget();
  });
  beforeEach(async () => {
    troubles = [];
    isServed = true;
    mayRefuse = false;
    served = await serve(recorded.trace);
  });
  afterEach(async () => {
    for (const context of chrome.contexts()) await context.close();
    served.stop();
    assert.deepEqual(troubles, []);
  });

  return {
    /** A page that has loaded; what goes wrong in it fails the test. */
    async open(address = served.url) {
      const context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => {
        if (message.type() !== "error" || !isServed) return;
        if (mayRefuse && message.text().includes("status of 400")) return;
        troubles.push(message.text());
      });
      await page.goto(address);
      await page.locator("[data-testid=question], [data-testid=done], [data-testid=inside]").first().waitFor();
      return page;
    },
    trace: () => recorded.trace,
    /** What the server refuses in this test is no trouble. */
    refusals() {
      mayRefuse = true;
    },
    /** Ends the server before the test ends; what the browser says about that is no trouble. */
    endServer() {
      isServed = false;
      served.stop();
    },
  };
}
