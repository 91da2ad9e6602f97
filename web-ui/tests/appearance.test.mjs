// Light and dark: as the system has it, or as it is chosen, which later servers remember.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { serve } from "./served.mjs";

const { open, trace } = pages("merge-sort");

test("the choice between light and dark is made with the keyboard and outlives page and server", async () => {
  const page = await open();
  const paper = () => page.locator(".panel").first().evaluate((panel) => window.getComputedStyle(panel).backgroundColor);
  const [white, black] = ["rgb(255, 255, 255)", "rgb(22, 25, 29)"];
  assert.equal(await paper(), white);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await paper(), black, "as the system has it");

  const choice = page.getByLabel("Light or dark");
  await choice.focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await choice.inputValue(), "light");
  assert.equal(await paper(), white);
  await page.reload();
  await page.getByTestId("question").waitFor();
  assert.equal(await paper(), white);

  const other = await serve(trace());
  try {
    await page.goto(other.url);
    await page.getByTestId("question").waitFor();
    assert.equal(await paper(), white, "another port is another site, and yet the same person");
    await choice.selectOption("dark");
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await paper(), black);
    await choice.selectOption("system");
    assert.equal(await paper(), white);
    assert.equal(await page.evaluate(() => document.cookie), "");
    await page.close();
  } finally {
    other.stop();
  }
});
