// Makes the pictures in docs/images, one of every view: `npm run screenshots`, after `cargo build`.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { ASKANCE, EXAMPLES, address, browser, record, serve } from "./served.mjs";
import { byMouse, debug, findFirst } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const IMAGES = process.argv[2] ?? resolve(import.meta.dirname, "../../docs/images");
mkdirSync(IMAGES, { recursive: true });

/** @param {Page} page @param {string} name */
async function picture(page, name) {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}

/** Every view of a session about merge sort.
 * @param {Page} page @param {string} url @param {"light" | "dark"} scheme */
async function session(page, url, scheme) {
  await page.goto(url);
  await page.getByTestId("question").or(page.getByTestId("done")).first().waitFor();
  await page.waitForLoadState("load");
  if (scheme === "light") await picture(page, "welcome-light");
  await page.keyboard.press("?");
  await picture(page, `help-${scheme}`);
  await page.keyboard.press("Escape");
  if ((await page.getByTestId("welcome").count()) > 0) await page.getByLabel("Not now").click();
  await picture(page, `question-${scheme}`);
  await page.getByText("How the next question is chosen").click();
  await picture(page, `strategies-${scheme}`);
  await page.getByText("How the next question is chosen").click();
  await debug(page, byMouse);
  await page.locator(".tree-row.selected").waitFor();
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await element.getByRole("button", { name: "history" }).click();
  await page.getByTestId("history").waitFor();
  await page.locator("tr[data-write].goes").last().click();
  await page.mouse.move(0, 0);
  await picture(page, `history-${scheme}`);
  await element.hover();
  await element.getByRole("button", { name: "where from" }).click();
  await page.getByTestId("why").waitFor();
  await page.mouse.move(0, 0);
  await picture(page, `why-${scheme}`);
  await page.getByRole("tab", { name: "Events" }).click();
  await picture(page, `events-${scheme}`);
  await page.getByRole("button", { name: "Which line?" }).click();
  await page.getByTestId("inside").waitFor();
  await page.mouse.move(0, 0);
  await picture(page, `inside-${scheme}`);
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByTestId("done").waitFor();
  await element.hover();
  await element.getByRole("button", { name: "This part is wrong" }).click();
  await page.getByTestId("wrong-value").waitFor();
  await page.mouse.move(0, 0);
  await picture(page, `found-${scheme}`);
  await page.getByRole("button", { name: "Report" }).click();
  await page.getByTestId("report").waitFor();
  await picture(page, `diagnosis-${scheme}`);
  await page.goBack();
  await page.setViewportSize({ width: 600, height: 1400 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, `narrow-${scheme}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "start anew" }).click();
  await page.getByTestId("question").waitFor();
}

/** The overview of a run with more calls.
 * @param {Page} page @param {string} url @param {"light" | "dark"} scheme */
async function overview(page, url, scheme) {
  await page.goto(url);
  await page.getByTestId("question").waitFor();
  await page.keyboard.press("o");
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) > 0);
  for (const said of /** @type {const} */ (["yes", "no"])) {
    const before = await page.locator("[data-testid=answers] .answer").count();
    await byMouse(page, said);
    await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length > count, before);
  }
  await picture(page, `overview-${scheme}`);
  const answers = await page.locator("[data-testid=answers] .answer").count();
  await page.getByRole("button", { name: "start anew" }).click();
  await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length < count, answers);
}

/** The whole run asked by SQL.
 * @param {Page} page @param {string} url */
async function query(page, url) {
  await page.goto(url);
  await page.getByTestId("question").waitFor();
  await page.keyboard.press("q");
  await page.getByLabel("SQL").fill("SELECT node, method, time, object, index, old, new FROM write WHERE new = '9' ORDER BY time");
  await page.keyboard.press("Enter");
  await page.getByTestId("rows").locator("tbody tr").last().click();
  await page.locator(".line-current").waitFor();
  await picture(page, "query-light");
}

/** What somebody sees who tries it for the first time.
 * @param {Page} page @param {string} url */
async function first(page, url) {
  await page.goto(url);
  await page.getByTestId("question").waitFor();
  await page.getByLabel("Not now").click();
  await page.getByRole("tab", { name: "Output" }).click();
  await picture(page, "first-question");
  await findFirst(page, async (click) => void (await click()));
  await page.getByTestId("wrong-value").getByRole("button").click();
  await page.locator(".line-current").waitFor();
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await element.getByRole("button", { name: "where from" }).click();
  await page.getByTestId("why").waitFor();
  await page.locator("header h1").click();
  await picture(page, "first-finding");
}

const chrome = await browser();
const [mergeSort, larger] = [record("merge-sort"), record("game-of-life")];
const [small, large] = [await serve(mergeSort.trace), await serve(larger.trace)];
const folder = mkdtempSync(join(tmpdir(), "askance-picture-"));
const live = spawn(ASKANCE, ["debug", "--web", "--live", "--no-open", "-o", join(folder, "live.askance"), "Main.java"], {
  cwd: join(EXAMPLES, "merge-sort", "buggy"),
  stdio: ["ignore", "pipe", "inherit"],
});
const demo = spawn(ASKANCE, ["demo", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
try {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const page = await chrome.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await session(page, small.url, colorScheme);
    await overview(page, large.url, colorScheme);
    await page.close();
  }
  const page = await chrome.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  await first(page, await address(demo));
  await query(page, small.url);
  await page.goto(await address(live));
  await page.getByTestId("question").waitFor();
  await page.getByRole("tab", { name: "Output" }).click();
  await picture(page, "live-light");
} finally {
  await chrome.close();
  for (const server of [small, large]) server.stop();
  live.kill();
  demo.kill();
  for (const recorded of [mergeSort, larger]) recorded.forget();
  rmSync(folder, { recursive: true, force: true });
}
