// Pictures of every view in every size and both themes, for people to look at: `npm run views -- FOLDER`, after
// `cargo build`. Each view also has a sheet on which all its pictures stand side by side.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { browser, record, serve } from "./served.mjs";
import { byMouse, debug } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const FOLDER = process.argv[2];
if (FOLDER === undefined) throw new Error("name a folder for the pictures");
mkdirSync(FOLDER, { recursive: true });

const SIZES = [
  { name: "wide", width: 1280, height: 800 },
  { name: "small", width: 800, height: 600 },
  { name: "narrow", width: 420, height: 800 },
];
const SCHEMES = /** @type {const} */ (["light", "dark"]);

/** What is done before each picture, in this order, on one page.
 * @type {[string, (page: Page) => Promise<unknown>][]} */
const VIEWS = [
  ["welcome", async () => {}],
  ["question", (page) => page.getByLabel("Not now").click()],
  ["help", (page) => page.keyboard.press("?")],
  ["value-menu", async (page) => {
    await page.keyboard.press("Escape");
    await page.locator("[data-testid=question] .link, [data-testid=question] [data-alive]").first().click();
  }],
  ["output", async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Output" }).click();
  }],
  ["suspects", async (page) => {
    await page.getByRole("tab", { name: "Suspects" }).click();
    await page.getByTestId("suspects").waitFor();
  }],
  ["overview", (page) => page.keyboard.press("o")],
  ["query", async (page) => {
    await page.keyboard.press("o");
    await page.keyboard.press("q");
    await page.getByLabel("SQL").fill("SELECT node, time, object, owner, field, index, old, new, method FROM write ORDER BY time");
    await page.keyboard.press("Enter");
    await page.getByTestId("rows").waitFor();
  }],
  ["library", async (page) => {
    await page.getByLabel("SQL").focus();
    await page.keyboard.press("Escape");
    await page.locator("section.query").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "library" }).click();
    await page.locator(".tree-row.leaf").first().waitFor();
  }],
  ["untaken", async (page) => {
    await page.getByRole("button", { name: "library" }).click();
    await page.locator(".tree-row[data-node='16']").click();
    await page.goto(page.url().replace(/node=\d+/, "node=8"));
    await page.locator(".cm-line.line-not-run").first().waitFor();
  }],
  ["found", (page) => debug(page, byMouse)],
  ["history", async (page) => {
    await action(page, "history");
    await page.getByTestId("history").waitFor();
  }],
  ["where-from", async (page) => {
    await action(page, "where from");
    await page.getByTestId("why").waitFor();
  }],
  ["inside", async (page) => {
    await page.getByRole("button", { name: "Which line?" }).click();
    await page.getByTestId("inside").waitFor();
  }],
  ["wrong-value", async (page) => {
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByTestId("done").waitFor();
    await action(page, "This part is wrong");
    await page.getByTestId("wrong-value").waitFor();
  }],
  ["report", async (page) => {
    await page.getByRole("button", { name: "Report" }).click();
    await page.getByTestId("report").waitFor();
  }],
];

/** Chooses something about the wrong element. @param {Page} page @param {string} name */
async function action(page, name) {
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await element.getByRole("button", { name }).click();
}

/** @param {string} view @param {string} size @param {string} scheme */
const file = (view, size, scheme) => join(FOLDER, `${view}-${size}-${scheme}.png`);

const chrome = await browser();
const recorded = record("merge-sort");
try {
  for (const { name, width, height } of SIZES) {
    for (const colorScheme of SCHEMES) {
      const served = await serve(recorded.trace);
      const context = await chrome.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await page.goto(served.url);
      await page.getByTestId("question").waitFor();
      for (const [view, show] of VIEWS) {
        await show(page);
        await page.mouse.move(0, 0);
        await page.waitForTimeout(250);
        await page.screenshot({ path: file(view, name, colorScheme), fullPage: width < 1000 });
      }
      await context.close();
      served.stop();
    }
  }
  const sheet = await chrome.newPage({ viewport: { width: 2000, height: 1000 } });
  for (const [view] of VIEWS) {
    const pictures = SIZES.flatMap(({ name, width }) =>
      SCHEMES.map((scheme) => {
        const data = readFileSync(file(view, name, scheme)).toString("base64");
        return `<img width="${width * 0.6}" src="data:image/png;base64,${data}">`;
      }),
    );
    await sheet.setContent(`<div style="display:flex;flex-wrap:wrap;gap:8px;align-items:flex-start">${pictures.join("")}</div>`);
    await sheet.screenshot({ path: join(FOLDER, `sheet-${view}.png`), fullPage: true });
  }
} finally {
  await chrome.close();
  recorded.forget();
}
