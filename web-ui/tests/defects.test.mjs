// What went wrong once, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { recordText, serve } from "./served.mjs";
import { byMouse, debug, listed } from "./session.mjs";

/** @typedef {import("playwright-core").Page} Page */

const { open, endServer } = pages("merge-sort");

test("a server that has gone is told at once, and stays told", async () => {
  const page = await open();
  endServer();
  const told = page.getByTestId("gone");
  await told.waitFor({ timeout: 3000 });
  await page.locator(".tree-row").first().click();
  // Longer than other sentences stay.
  await page.waitForTimeout(7000);
  assert.ok(await told.isVisible());
});

test("a new question is shown from its top", async () => {
  const page = await open();
  await page.setViewportSize({ width: 1280, height: 480 });
  const body = page.getByTestId("question");
  await body.evaluate((element) => {
    element.style.maxHeight = "30px";
    element.scrollTop = 1000;
  });
  assert.ok((await body.evaluate((element) => element.scrollTop)) > 0);
  await byMouse(page, "yes");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 1);
  assert.equal(await body.evaluate((element) => element.scrollTop), 0);
});

test("a key that is held answers once", async () => {
  const page = await open();
  await page.locator("[data-answer=yes]:enabled").waitFor();
  await page.keyboard.down("y");
  for (let repeats = 0; repeats < 8; repeats += 1) {
    await page.keyboard.down("y");
    await page.waitForTimeout(120);
  }
  await page.keyboard.up("y");
  assert.equal(await listed(page), 1);
});

test("starting anew can be undone", async () => {
  const page = await open();
  await debug(page, byMouse);
  const answers = await listed(page);
  await page.getByRole("button", { name: "start anew" }).click();
  await page.getByTestId("question").waitFor();
  await page.getByRole("button", { name: "Bring them back" }).click();
  await page.getByTestId("done").waitFor();
  assert.equal(await listed(page), answers);
  // Whoever answers after starting anew means it.
  await page.getByRole("button", { name: "start anew" }).click();
  await page.getByTestId("question").waitFor();
  await byMouse(page, "yes");
  await page.getByRole("button", { name: "Bring them back" }).waitFor({ state: "detached" });
});

test("menus close on Escape and on a click elsewhere", async () => {
  const page = await open();
  const menu = page.locator("[data-answer=trust-class]");
  const settings = page.getByLabel("Strategy");
  /** @type {[import("playwright-core").Locator, import("playwright-core").Locator][]} */
  const both = [
    [page.getByLabel("Trust more than this method"), menu],
    [page.getByText("How the next question is chosen"), settings],
  ];
  for (const [opener, inside] of both) {
    await opener.click();
    await inside.waitFor();
    await page.keyboard.press("Escape");
    await inside.waitFor({ state: "hidden" });
    await opener.click();
    await inside.waitFor();
    await page.locator("header h1").click();
    await inside.waitFor({ state: "hidden" });
  }
});

test("every value of a call is reached by keyboard, with what can be done with it", async () => {
  const page = await open();
  await debug(page, byMouse);
  await page.locator("[data-path='c[2]']").waitFor();
  const first = page.locator(".value-row[data-path]").first();
  await first.focus();
  for (let steps = 0; steps < 20; steps += 1) {
    const path = await page.evaluate(() => document.activeElement?.getAttribute("data-path"));
    if (path === "c[2]") break;
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-path")), "c[2]");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "history");
  await page.keyboard.press("Enter");
  await page.getByTestId("history").waitFor();
});

test("stepping on from a call that was just chosen begins at its first line", async () => {
  const page = await open();
  await page.locator(".tree-row[data-node='1']").click();
  await page.locator("[data-testid=node][data-node='1']").waitFor();
  await page.getByRole("button", { name: "next ▸" }).click();
  await page.locator(".cm-line.line-current", { hasText: "if (values.length < 2)" }).waitFor();
});

test("events are found by the name that the code has for an element", async () => {
  const page = await open();
  await debug(page, byMouse);
  await page.getByLabel("Find an event").fill("c[2]");
  await page.keyboard.press("Enter");
  await page.locator(".event.selected", { hasText: "c[2]: 0 → 9" }).waitFor();
});

const LONG = `
public class Long {
    static int total;
    static void add(int n) { total += n; }
    public static void main(String[] args) {
        for (int n = 1; n <= 700; n++) add(n);
        System.out.println(total);
        System.out.println("a\\u202eb\\u0007");
        show("evil \\u202e name");
    }
    static void show(String name) { total = -1; }
}
`;

test("a long history begins at the moment looked at and goes both ways; signs that cannot be seen are shown; a search finds all", async () => {
  const recorded = recordText("Long", LONG);
  const served = await serve(recorded.trace);
  try {
    const page = await open(`${served.url}#node=400&panel=history&variable=Long.total&of=400`);
    const history = page.getByTestId("history");
    await history.locator("tr.last-write").waitFor();
    // The 400th call writes the sum of the first 400 numbers.
    assert.match(await history.locator("tr.last-write").innerText(), /^80200/);
    await page.getByRole("button", { name: "later ›" }).click();
    await history.locator("tr[data-write='500']").waitFor();
    await page.getByRole("button", { name: "‹ earlier" }).click();
    await history.locator("tr[data-write='400']").waitFor();
    await page.getByRole("button", { name: "« first" }).click();
    await history.locator("tr[data-write='1']").waitFor();

    await page.getByLabel("Search calls").fill("Long.add");
    await page.keyboard.press("Enter");
    const hits = page.getByTestId("hits");
    await hits.getByText(/500 calls, \d+ % of the run searched/).waitFor();
    await hits.getByRole("button", { name: "go on" }).click();
    await hits.getByText("700 calls", { exact: true }).waitFor();

    await page.goto(`${served.url}#node=701`);
    const name = page.locator("[data-path=name]");
    await name.getByText("\\u202e").first().waitFor();
    await page.getByRole("tab", { name: "Output" }).click();
    await page.locator(".printed", { hasText: "a\\u202eb\\u0007" }).waitFor();
    const shown = await page.evaluate(() => document.body.innerText);
    assert.ok(!shown.includes("\u202e") && !shown.includes("\u0007"));
    await page.close();
  } finally {
    served.stop();
    recorded.forget();
  }
});

test("a narrow window is usable: nothing lies beside the page, and the question comes first", async () => {
  const page = await open();
  for (const width of [900, 600, 400]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} at ${width}`);
    const box = await page.locator("[data-answer=yes]").boundingBox();
    assert.ok(box !== null && box.y + box.height < 900, `the answers are out of sight at ${width}`);
  }
  await byMouse(page, "yes");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 1);
});

test("focus goes through the panes in their order and can be seen", async () => {
  const page = await open();
  await page.getByLabel("Not now").click();
  /** @type {string[]} */
  const panes = [];
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      const pane = focused.closest("section, header")?.getAttribute("aria-label") ?? (focused.closest("header") === null ? "border" : "head");
      const outline = window.getComputedStyle(focused).outlineStyle;
      const seen = outline !== "none" || (focused.closest(".cm-editor") !== null && window.getComputedStyle(focused.closest(".cm-editor") ?? focused).outlineStyle !== "none");
      return { pane, seen };
    });
    if (found === null) break;
    assert.ok(found.seen, `focus cannot be seen in ${found.pane}`);
    if (found.pane !== "border" && panes.at(-1) !== found.pane) panes.push(found.pane);
  }
  assert.deepEqual(panes.slice(0, 5), ["Computation tree", "Output", "Question", "Source", "Node view"]);
});
