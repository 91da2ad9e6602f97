// Finds a bug in a real VS Code by mouse, from the code lens above a failing test to the line to blame, and goes back in
// time: `CODE_SERVER=… npm run e2e`, after `npm run package` and `cargo build -p askance`. With a folder as argument,
// pictures are left there.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { command, open, openFile, questionView, until } from "./editor.mjs";

/** @typedef {import("playwright-core").Page} Page */

const IMAGES = process.argv[2];
/** Recording starts Maven, which takes its time. */
const RECORDED = 160_000;

/** @param {Page} page @param {string} name */
async function picture(page, name) {
  await page.mouse.move(700, 895);
  await page.waitForTimeout(700);
  if (IMAGES !== undefined) await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}

/** Whether a call did what the shop wants, judged by what it was given and gave back.
 * @param {string} call */
function isWrong(call) {
  const pens = /freeOnes\(count=4\) → 2|freeOnes .*count 4 → 2|costOf\(.*"pen".*→ 500|costOf .*"pen".*→ 500|add\(name="pen"|add name "pen"/;
  return pens.test(call.replaceAll(/\s+/g, " "));
}

/** The innermost frame of the call stack, `Cart.add 14`.
 * @param {Page} page */
async function innermost(page) {
  const row = page.locator(".debug-call-stack .stack-frame").first();
  const name = await row.locator(".label").first().innerText();
  const line = await row.locator(".line-number").first().innerText();
  return `${name} ${line.split(":")[0]}`;
}

/** @param {Page} page @param {string} wanted */
async function stopsAt(page, wanted) {
  let seen = "";
  const isThere = async () => (seen = await innermost(page).catch(() => "")) === wanted;
  await until(isThere, 60_000, () => `the debugger stands at ${seen}, not at ${wanted}`);
}

/** Answers by mouse until there is nothing left to ask.
 * @param {Page} page */
async function answerAll(page) {
  const view = questionView(page);
  for (let answers = 0; answers < 12; answers += 1) {
    await view.locator("[data-testid=question], [data-testid=done]").first().waitFor();
    if (await view.getByTestId("done").isVisible()) return answers;
    const asked = view.getByTestId("question");
    const before = await asked.innerText();
    const wrong = view.locator(".listed-calls li").filter({ hasText: /./ });
    const calls = await wrong.allInnerTexts();
    const at = calls.findIndex(isWrong);
    if (answers === 1) await picture(page, "vscode-question");
    if (at >= 0) await wrong.nth(at).getByRole("button", { name: "wrong" }).click();
    else await view.locator(`[data-answer=${calls.length === 0 && isWrong(before) ? "no" : "yes"}]:enabled`).click();
    await until(async () => (await view.locator("[data-testid=question]").allInnerTexts())[0] !== before, 60_000, () => "the answer changes nothing");
  }
  throw new Error("too many questions");
}

/** Chooses from the menu of a variable.
 * @param {Page} page @param {string} name @param {string} entry */
async function choose(page, name, entry) {
  const row = page.locator(".debug-variables .monaco-list-row").filter({ hasText: new RegExp(`^${name} =`) }).first();
  await row.click({ button: "right" });
  const item = page.locator(".monaco-menu .action-item").filter({ hasText: entry }).first();
  await item.hover();
  // A menu that has just opened takes no clicks.
  await page.waitForTimeout(600);
  if (IMAGES !== undefined && entry === "History") await page.screenshot({ path: join(IMAGES, "vscode-menu.png") });
  await item.click();
  await item.waitFor({ state: "hidden" });
}

/** @param {Page} page @param {string} name */
async function unfold(page, name) {
  const row = page.locator(".debug-variables .monaco-list-row").filter({ hasText: new RegExp(`^${name}( =|$)`) }).first();
  await row.waitFor();
  if ((await row.getAttribute("aria-expanded")) === "false") await row.locator(".monaco-tl-twistie").click();
}

/** @param {Page} page @param {string} label */
async function tool(page, label) {
  await page.locator(`.debug-toolbar a[aria-label^="${label}"], .debug-pane .title a[aria-label^="${label}"], .composite.title a[aria-label^="${label}"]`).first().click();
}

/** From the code lens to the line to blame.
 * @param {Page} page @param {string} project */
async function findsTheBug(page, project) {
  await openFile(page, join(project, "src/test/java/shop/CartTest.java"));
  const lens = page.locator(".codelens-decoration a").filter({ hasText: "Find the bug" });
  await lens.first().waitFor({ timeout: 60_000 });
  // Of the class and its two tests.
  await until(async () => (await lens.count()) === 3, 30_000, () => "there are not three code lenses");
  await picture(page, "vscode-lens");
  await lens.nth(1).click();
  const view = questionView(page);
  await view.getByTestId("question").waitFor({ timeout: RECORDED });
  await stopsAt(page, "CartTest.everyThirdOneIsFree 14");
  const suspects = page.locator("[aria-label='Suspects'] .monaco-list-row, .pane:has([aria-label*='Suspects']) .monaco-list-row");
  assert.ok((await suspects.count()) > 3, "suspects are listed");
  await picture(page, "vscode-symptom");

  const answers = await answerAll(page);
  assert.ok(answers > 0 && answers < 8, `${answers} answers`);
  await view.getByTestId("done").getByText("line 25").waitFor();
  const done = await view.getByTestId("done").innerText();
  assert.match(done.replaceAll("\n", " "), /The bug is in this call of Cart\.freeOnes, line 25\./);
  await stopsAt(page, "Cart.freeOnes 25");
  await picture(page, "vscode-found");
  await view.getByRole("button", { name: "Report" }).click();
  await page.locator(".tab.active").filter({ hasText: "Report" }).waitFor();
  await page.frameLocator("iframe.webview.ready[src*='extensionId=vscode.markdown']").frameLocator("iframe#active-frame").getByText("Cart.freeOnes").first().waitFor();
  await picture(page, "vscode-report");
  await command(page, "View: Close Editor");
}

/** Points at a word of a line.
 * @param {Page} page @param {string} line @param {string} word */
async function hoverOver(page, line, word) {
  const box = await page.locator(".view-line").filter({ hasText: line }).first().evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, 4);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const at = text.textContent?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + wanted.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    return null;
  }, word);
  assert.ok(box !== null, `${word} is not in the line`);
  await page.mouse.move(box.x - 3, box.y);
  await page.mouse.move(box.x, box.y, { steps: 4 });
}

/** Back from the failed assertion to the call that wrote the wrong total, and to what it held before.
 * @param {Page} page */
async function goesBack(page) {
  const view = questionView(page);
  await view.locator(".answer .row-text").filter({ hasText: "everyThirdOneIsFree" }).click();
  await stopsAt(page, "CartTest.everyThirdOneIsFree 14");
  await unfold(page, "cart");
  await choose(page, "total", "Break on Value Change");
  await page.locator(".debug-breakpoints .monaco-list-row").filter({ hasText: "total" }).waitFor();
  await tool(page, "Reverse");
  await stopsAt(page, "Cart.add 14");
  const hover = page.locator(".debug-hover-widget").filter({ hasText: "2200" }).first();
  const isShown = async () => {
    await page.mouse.move(700, 500);
    await hoverOver(page, "total += costOf(item)", "total");
    await page.waitForTimeout(1500);
    return hover.isVisible();
  };
  await until(isShown, 30_000, () => "hovering shows no value");
  if (IMAGES !== undefined) await page.screenshot({ path: join(IMAGES, "vscode-reverse.png") });
  // The write before: the apples.
  await tool(page, "Reverse");
  await stopsAt(page, "Cart.add 14");
  await page.locator(".debug-variables .monaco-list-row").filter({ hasText: /^name =\s*"apple"/ }).first().waitFor();
  // That stop is right after the write: one step back is before the line, the next at the line before.
  await tool(page, "Step Back");
  await page.getByText("Paused on step").first().waitFor();
  await stopsAt(page, "Cart.add 14");
  await tool(page, "Step Back");
  await stopsAt(page, "Cart.add 13");
  await tool(page, "Step Over");
  await stopsAt(page, "Cart.add 14");

  await unfold(page, "this");
  await choose(page, "total", "History");
  const history = view.getByTestId("history");
  await history.waitFor();
  assert.match((await history.innerText()).replaceAll(/\s+/g, " "), /0 at first 1500 .*1700 .*2200/);
  await picture(page, "vscode-history");
  await view.getByRole("tab", { name: "Question" }).click();
}

/** A log point tells all executions of its line at once.
 * @param {Page} page */
async function logs(page) {
  // What Maven said is not wanted any more.
  await command(page, "Debug Console: Focus on Debug Console View");
  await page.locator("a[aria-label='Clear Console']").first().click();
  // A click into the line could meet one of the places where it can be stopped within it.
  await page.locator(".margin-view-overlays .line-numbers").getByText("14", { exact: true }).click();
  await page.keyboard.press("ArrowLeft");
  await command(page, "Debug: Add Logpoint...");
  await page.locator(".breakpoint-widget .view-lines").waitFor();
  await page.waitForTimeout(1000);
  await page.keyboard.type("{item.name}: {item.count} of them, {total} before");
  await page.keyboard.press("Enter");
  const console = page.locator(".repl");
  for (const name of ["book", "apple", "pen"]) await console.getByText(name).first().waitFor();
  await picture(page, "vscode-logpoint");
}

const project = join(mkdtempSync(join(tmpdir(), "askance-shop-")), "shop");
cpSync(join(import.meta.dirname, "shop"), project, { recursive: true });
const { page, stop } = await open(project);
page.setDefaultTimeout(60_000);
try {
  await findsTheBug(page, project);
  await goesBack(page);
  await logs(page);
  console.log("found by mouse, and back in time");
} catch (error) {
  const path = join(tmpdir(), "askance-vscode.png");
  await page.screenshot({ path });
  console.error(`what was to be seen is in ${path}`);
  throw error;
} finally {
  await stop();
  rmSync(join(project, ".."), { recursive: true });
}
