// Everything that is shown can be asked: values of the question, lines of the source, lines of the output. And the
// panes, the help and the tour.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { serve } from "./served.mjs";
import { byMouse, debug } from "./session.mjs";

const { open, trace } = pages("merge-sort");

test("a value of the question is called wrong, or followed, by mouse and by keyboard", async () => {
  // Single calls, one after the other.
  const served = await serve(trace(), ["--strategy", "top-down"]);
  const page = await open(served.url);
  const value = page.locator("[data-testid=question] [data-alive]").first();
  await value.click();
  await page.locator(".value-menu").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".value-menu").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-alive")), await value.getAttribute("data-alive"));
  await page.keyboard.press("Enter");
  await page.locator(".value-menu [data-menu]:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("[data-menu=history]:focus, [data-menu=why]:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=history], [data-testid=why]").first().waitFor();

  await page.locator("[data-testid=question] .result [data-alive], [data-testid=question] .changes [data-alive]").last().click();
  await page.locator("[data-menu=wrong]").click();
  await page.locator("[data-testid=answers] .sign.wrong").waitFor();
  await page.close();
  served.stop();
});

test("lines of the source tell what they left, and lead to their executions", async () => {
  const page = await open();
  await debug(page, byMouse);
  const line = page.locator(".cm-line", { hasText: "while (i < a.length - 1" });
  await line.getByText("3×").waitFor();
  const written = page.locator(".cm-line", { hasText: "c[k++] = a[i++];" }).first();
  await written.getByText("k = 2, i = 1, c[1] = 4").waitFor();
  await line.click({ position: { x: 120, y: 8 } });
  const bar = page.getByTestId("executions");
  await bar.getByText("execution 3 of 3").waitFor();
  await bar.getByRole("button", { name: "‹ before" }).click();
  await bar.getByText("execution 2 of 3").waitFor();
  await page.locator(".cm-line.line-current", { hasText: "while (i < a.length - 1" }).waitFor();
  // What was assigned after that moment is not there any more.
  await written.getByText("c[1] = 4").waitFor({ state: "detached" });
  // Keys go on working after a click into the source.
  await page.keyboard.press("]");
  await page.locator(".cm-line.line-current", { hasText: "if (a[i] <= b[j])" }).waitFor();
  const name = page.locator(".cm-line", { hasText: "int k = 0;" });
  await name.hover({ position: { x: 100, y: 8 } });
  await page.locator(".hovered-value", { hasText: "k = 1" }).waitFor();
});

test("a condition that always went one way says what never ran", async () => {
  const page = await open();
  await page.goto(`${page.url().split("#")[0]}#node=8`);
  const condition = page.locator(".cm-line", { hasText: "while (i < a.length - 1" });
  await condition.getByText("lines 39–40 and 42 never ran").waitFor();
  await page.locator(".cm-line.line-not-run", { hasText: "if (a[i] <= b[j])" }).waitFor();
  // The last merge went both ways everywhere.
  await page.goto(`${page.url().split("#")[0]}#node=16`);
  await condition.getByText("3×").waitFor();
  await page.locator(".line-untaken-words").first().waitFor({ state: "detached" });
});

test("what was printed leads to the line that printed it", async () => {
  const page = await open();
  await page.getByRole("tab", { name: "Output" }).click();
  await page.locator(".printed .row-text", { hasText: "[1, 4, 9, 7]" }).click();
  await page.locator(".cm-line.line-current", { hasText: "System.out.println" }).waitFor();
});

test("a line that was printed is called wrong where all of them stand, and a part of it too", async () => {
  const page = await open();
  await page.getByRole("tab", { name: "Output" }).click();
  const line = page.locator(".printed", { hasText: "[1, 4, 9, 7]" });
  // Marking a part goes nowhere, so that something can be said of it.
  const before = page.url();
  await line.locator(".row-text").evaluate((element) => {
    const text = element.firstChild;
    if (text?.textContent == null) throw new Error("no text");
    const range = document.createRange();
    range.setStart(text, text.textContent.indexOf("9"));
    range.setEnd(text, text.textContent.indexOf("9") + 1);
    window.getSelection()?.removeAllRanges();
    window.getSelection()?.addRange(range);
  });
  assert.equal(page.url(), before);
  const said = page.waitForRequest((request) => request.url().endsWith("/session/answer"));
  await line.hover();
  await line.getByRole("button", { name: "is wrong" }).click();
  assert.equal(JSON.parse((await said).postData() ?? "{}").path, "output:1:9");
  await page.locator("[data-testid=answers] .answer .sign.wrong").first().waitFor();
  // By keyboard, and the whole line.
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=answers] .answer").length === 0);
  await page.evaluate(() => window.getSelection()?.removeAllRanges());
  await page.getByRole("tab", { name: "Output" }).click();
  await line.getByRole("button", { name: "is wrong" }).focus();
  const again = page.waitForRequest((request) => request.url().endsWith("/session/answer"));
  await page.keyboard.press("Enter");
  assert.equal(JSON.parse((await again).postData() ?? "{}").path, "output:1");
  await page.locator("[data-testid=answers] .answer .sign.wrong").first().waitFor();
});

test("borders between panes are moved by mouse and keyboard, and stay where they were left", async () => {
  const page = await open();
  const tree = page.locator("section[aria-label='Computation tree']");
  const width = async () => (await tree.boundingBox())?.width ?? 0;
  const before = await width();
  const border = page.locator("[data-pane=left]");
  const box = await border.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 104, box.y + 100, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await width()) - before - 100) < 12, `${before} became ${await width()}`);
  await border.focus();
  await page.keyboard.press("ArrowLeft");
  const chosen = await width();
  assert.ok(chosen < before + 95);
  await page.reload();
  await page.getByTestId("question").waitFor();
  assert.ok(Math.abs((await width()) - chosen) < 2);
  await border.dblclick();
  assert.ok(Math.abs((await width()) - before) < 2);
});

test("help is there at a key, and whoever is new is shown around once", async () => {
  const page = await open();
  await page.keyboard.press("?");
  await page.getByTestId("help").getByText("take the last answer back").waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("help").waitFor({ state: "detached" });
  await page.getByTestId("welcome").getByRole("button", { name: "Show me around" }).click();
  for (let stops = 0; stops < 5; stops += 1) {
    await page.locator(".panel.toured").waitFor();
    await page.getByTestId("tour").locator(".main").click();
  }
  await page.getByTestId("tour").waitFor({ state: "detached" });
  await page.reload();
  await page.getByTestId("question").waitFor();
  assert.equal(await page.getByTestId("welcome").count(), 0);
});
