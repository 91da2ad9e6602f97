// The overview in a real browser: what it shows is the same run, and choosing in it chooses everywhere.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { byMouse, debug } from "./session.mjs";

const { open } = pages("merge-sort");

/** @param {import("playwright-core").Page} page */
async function drawn(page) {
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) > 0);
  return Number(await page.getByTestId("overview").getAttribute("data-blocks"));
}

test("the overview opens by a key, chooses by keys and by mouse, and is in the address", async () => {
  const page = await open();
  await page.keyboard.press("o");
  const everything = await drawn(page);
  assert.ok(everything > 5);
  const canvas = page.getByTestId("overview");
  const box = await canvas.boundingBox();
  assert.ok(box !== null);

  // The first row is main, the second what it called.
  await page.mouse.click(box.x + box.width / 2, box.y + 14 + 9);
  await page.locator("[data-testid=node][data-node='0']").waitFor();
  await page.locator(".tree-row.selected[data-node='0']").waitFor();
  await canvas.focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("[data-testid=node]")?.getAttribute("data-node") !== "0");
  const chosen = await page.getByTestId("node").getAttribute("data-node");
  await page.keyboard.press("ArrowUp");
  await page.locator("[data-testid=node][data-node='0']").waitFor();
  await page.goBack();
  await page.locator(`[data-testid=node][data-node='${chosen}']`).waitFor();

  await canvas.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((node) => location.hash.includes(`overview=${node}.`), chosen);
  await page.waitForFunction((before) => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) < before, everything);
  const fitted = page.url();
  await page.reload();
  await drawn(page);
  assert.equal(page.url(), fitted);
  await page.goBack();
  await page.waitForFunction((before) => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) === before, everything);
  await page.keyboard.press("o");
  await canvas.waitFor({ state: "detached" });
});

test("zooming and moving stay inside the run", async () => {
  const page = await open();
  await page.keyboard.press("o");
  await drawn(page);
  const canvas = page.getByTestId("overview");
  await canvas.hover({ position: { x: 300, y: 40 } });
  for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, -300);
  await page.waitForFunction(() => /overview=\.\d+\.\d+/.test(location.hash));
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => /overview=\.\.(&|$)/.test(location.hash));
  await page.getByRole("button", { name: "Zoom in" }).click();
  await canvas.focus();
  for (let press = 0; press < 20; press += 1) await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForFunction(() => /overview=\.0\.\d+/.test(location.hash));
});

test("answers colour the picture", async () => {
  const page = await open();
  await page.keyboard.press("o");
  await drawn(page);
  const picture = () => page.evaluate(() => {
    const canvas = document.querySelector("[data-testid=overview]");
    return canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : "";
  });
  const before = await picture();
  await debug(page, byMouse);
  await page.waitForFunction((old) => {
    const canvas = document.querySelector("[data-testid=overview]");
    return canvas instanceof HTMLCanvasElement && canvas.toDataURL() !== old;
  }, before);
});
