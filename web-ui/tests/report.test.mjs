// `askance report`: one file, opened without a server and without a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { ASKANCE, browser, record, recordText } from "./served.mjs";

const chrome = await browser();
after(() => chrome.close());

/** Writes the report on a trace and opens it where nothing can be loaded.
 * @param {string} trace
 * @param {object | null} verdict */
async function opened(trace, verdict) {
  const file = join(trace, "../report.html");
  const words = ["report", trace, "-o", file];
  if (verdict !== null) {
    const told = join(trace, "../verdict.json");
    writeFileSync(told, `what the program printed\n${JSON.stringify(verdict)}\n`);
    words.push("--verdict", told);
  }
  const done = spawnSync(ASKANCE, words, { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  const { size } = statSync(file);
  assert.ok(size < 5_000_000, `${size} bytes`);
  const context = await chrome.newContext({ offline: true, viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
  page.on("request", (request) => !/^(file|data):/.test(request.url()) && faults.push(`asked for ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  return { page, faults, size };
}

test("the finding, its values, events, source, history and origin are in the file", async () => {
  const { trace, forget } = record("merge-sort");
  try {
    const answers = join(trace, "../answers");
    writeFileSync(answers, "no\n".repeat(9));
    const asked = spawnSync(ASKANCE, ["ask", trace, "--answers", answers, "--strategy", "top-down", "--json"], { encoding: "utf8" });
    const verdict = JSON.parse(asked.stdout.trim().split("\n").at(-1) ?? "");
    assert.equal(verdict.outcome, "found", asked.stderr);
    // Where nobody has said what was found, the file tells what is suspected, and why.
    const cases = [
      { told: verdict, title: `The bug is in Main.${verdict.method}`, calls: 1 },
      { told: null, title: "What is to blame is not decided; the likeliest", calls: 2 },
    ];
    for (const { told, title, calls } of cases) {
      const { page, faults, size } = await opened(trace, told);
      await page.getByTestId("finding").getByText(title).waitFor();
      const blamed = page.getByTestId("blamed").getByRole("listitem");
      assert.ok((await blamed.count()) >= calls, `${await blamed.count()} calls`);
      const node = /#(\d+)/.exec((await blamed.first().textContent()) ?? "")?.[1];
      await page.locator(`[data-testid=node][data-node='${node}']`).waitFor();
      await page.locator(".cm-line", { hasText: "static" }).first().waitFor();
      await page.locator(".event").nth(1).waitFor();
      // Nothing can be answered here.
      assert.equal(await page.locator("[data-answer], [data-menu=wrong]").count(), 0);
      await page.getByRole("tab", { name: "Output" }).click();
      await page.getByText("[1, 4, 9, 7]").first().waitFor();
      // A value of it: where it came from, and its history.
      const looks = [{ name: "where from", row: "[data-step]" }, { name: "history", row: "[data-testid=history]" }];
      for (const { name, row } of looks) {
        const value = page.locator("[data-path]", { has: page.locator(`button[aria-label='${name}']`) }).first();
        await value.hover();
        await value.getByRole("button", { name }).first().click();
        await page.locator(row).first().waitFor();
      }
      // Another call of the tree: what is there is shown, and what is not is said.
      await page.locator("[role=treeitem]").first().click();
      await page.locator("[data-testid=node][data-node='0']").waitFor();
      assert.deepEqual(faults, []);
      console.log(`# ${size} bytes`);
      await page.context().close();
    }
  } finally {
    forget();
  }
});

test("a value is never taken for a part of the page", async () => {
  const attack = "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>";
  const text = `public class Evil {
    static String echo(String s) { return s + "<!--<script>"; }
    public static void main(String[] args) { System.out.println(echo("${attack}")); }
  }`;
  const { trace, forget } = recordText("Evil", text);
  try {
    const { page, faults } = await opened(trace, { version: 1, outcome: "found", node: 1, class: attack, method: "echo", file: attack, lines: [2] });
    await page.getByTestId("finding").getByText("echo").first().waitFor();
    await page.getByTestId("node").waitFor();
    await page.getByRole("tab", { name: "Output" }).click();
    await page.getByText("onerror").first().waitFor();
    assert.notEqual(await page.title(), "taken");
    assert.equal(await page.locator("img[src=x]").count(), 0);
    assert.deepEqual(faults, []);
  } finally {
    forget();
  }
});
