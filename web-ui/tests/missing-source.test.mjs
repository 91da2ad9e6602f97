// A class whose source is not there: what its class file tells stands in the source pane, and moves as source does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { recordWithoutSource, serve } from "./served.mjs";

const { open } = pages("merge-sort");

const PROGRAM = `public class Sum {
    static int total;

    static int twice(int n) {
        return 2 * n;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            total += twice(i);
        }
        System.out.println(total);
    }
}
`;

test("a class without its source is listed, and steps, events and origins move in the list", async () => {
  const recorded = recordWithoutSource("Sum", PROGRAM);
  const served = await serve(recorded.trace);
  try {
    const page = await open(`${served.url}#node=0&event=0`);
    const pane = page.getByTestId("source");
    await page.waitForFunction(() => document.querySelector("[data-testid=missing]")?.textContent?.includes("Sum.java was not found"));
    await pane.filter({ hasText: /static int twice\(int n\) {3}line 5/ }).waitFor();
    const marked = (/** @type {string} */ kind) => pane.locator(`.cm-line.${kind}`).allInnerTexts();
    await pane.locator(".cm-line.line-executed").first().waitFor();
    assert.ok((await marked("line-executed")).some((row) => row.includes("calls Sum.twice; writes total")));
    assert.ok((await pane.locator(".cm-lineNumbers").innerText()).includes("10"));

    // A step leads to a line, and into a call to the lines of its method.
    await page.keyboard.press("]");
    await pane.locator(".cm-line.line-current").waitFor();
    assert.match((await marked("line-current"))[0] ?? "", /sets i; decides; goes back/);
    await page.keyboard.press("]");
    await page.waitForFunction(() => document.querySelector(".cm-line.line-current")?.textContent?.includes("calls Sum.twice"));
    await page.keyboard.press("}");
    await page.waitForFunction(() => location.hash.includes("node=1"));
    await page.waitForFunction(() => document.querySelector(".cm-line.line-executed")?.textContent?.trim() === "returns");

    // Where a value came from is marked too.
    await page.goto(`${served.url}#node=0&panel=why&variable=Sum.total&of=0`);
    await pane.locator(".cm-line.line-slice").first().waitFor();
    assert.ok((await marked("line-slice")).some((row) => row.includes("writes total")));
    await page.context().close();
  } finally {
    served.stop();
    recorded.forget();
  }
});
