// Makes the pictures in docs/images: `npm run screenshots`, after `cargo build`.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { browser, record, serve } from "./served.mjs";
import { byMouse, debug } from "./session.mjs";

const IMAGES = process.argv[2] ?? resolve(import.meta.dirname, "../../docs/images");
mkdirSync(IMAGES, { recursive: true });

const recorded = record("merge-sort");
const served = await serve(recorded.trace);
const chrome = await browser();
try {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const page = await chrome.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    /** @param {string} name */
    const picture = async (name) => {
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    };
    await page.goto(served.url);
    await page.getByTestId("question").or(page.getByTestId("done")).first().waitFor();
    await page.waitForLoadState("load");
    await picture("question");
    await debug(page, byMouse);
    await page.locator(".tree-row.selected").waitFor();
    await page.locator("[data-path='c[2]']").hover();
    await page.locator("[data-path='c[2]']").getByRole("button", { name: "history" }).click();
    await page.getByTestId("history").waitFor();
    await page.locator("tr[data-write].goes").last().click();
    await page.mouse.move(0, 0);
    await picture("history");
    await page.locator("[data-path='c[2]']").hover();
    await page.locator("[data-path='c[2]']").getByRole("button", { name: "where from" }).click();
    await page.getByTestId("why").waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await picture("events");
    await page.getByRole("button", { name: "Report" }).click();
    await page.getByTestId("report").waitFor();
    await picture("diagnosis");
    await page.goBack();
    await page.setViewportSize({ width: 600, height: 1400 });
    await picture("narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "start anew" }).click();
    await page.getByTestId("question").waitFor();
    await page.close();
  }
} finally {
  await chrome.close();
  served.stop();
  recorded.forget();
}
