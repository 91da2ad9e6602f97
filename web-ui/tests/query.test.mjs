// The whole run asked by SQL, by mouse and by keyboard: questions that come with Askance, rows that lead somewhere,
// mistakes, and a query that nobody waits for any more.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { pages } from "./pages.mjs";
import { ASKANCE, serve } from "./served.mjs";

const { open, trace, refusals } = pages("merge-sort");

// `cargo test --workspace` builds it; a narrower build may not have.
const skip = existsSync(process.env.ASKANCE_QUERY ?? join(dirname(ASKANCE), "askance-query")) ? false : "askance-query is not built";

/** More than anybody waits for: every line with every other, three times. */
const ENDLESS = "SELECT count(*) FROM line a CROSS JOIN line b CROSS JOIN line c CROSS JOIN line d CROSS JOIN line e";

test("a question that comes with Askance is chosen, and its rows lead to calls and moments", { skip }, async () => {
  const page = await open();
  await page.getByRole("button", { name: "Query" }).click();
  const chosen = page.getByLabel("Questions that come with Askance");
  await chosen.selectOption("last_writer");
  const rows = page.getByTestId("rows");
  await rows.locator("tbody tr").first().waitFor();
  assert.match(await page.getByLabel("SQL").inputValue(), /^SELECT \* FROM last_writer/);

  // Where 9 was written at last: in the call that wrote it, at that moment.
  await page.getByLabel("SQL").fill("SELECT node, time, object, owner, field, index, new FROM write WHERE index = 2 AND new = '9' ORDER BY time");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText(/^\d+ rows?; click one to go there$/).waitFor();
  const last = rows.locator("tbody tr").last();
  await last.locator("td").nth(3).click();
  await page.locator(".event.selected", { hasText: "c[2]: 0 → 9" }).waitFor();
  await page.locator(".cm-line.line-current").waitFor();
  assert.match(page.url(), /event=\d+/);
  await last.getByRole("button", { name: "history" }).click();
  await page.getByTestId("history").locator("tr.selected", { hasText: "9" }).waitFor();
});

test("the keyboard alone asks, goes from row to row, and closes; the address keeps the query", { skip }, async () => {
  const page = await open();
  await page.keyboard.press("q");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type("SELECT node, method FROM call WHERE method = 'merge' ORDER BY node");
  await page.keyboard.press("Enter");
  await page.getByText("3 rows; click one to go there").waitFor();
  await page.locator("[data-testid=rows] tbody tr").first().locator("button").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=rows] tbody tr.selected").nth(0).waitFor();
  assert.match(page.url(), /node=\d+/);
  await page.reload();
  await page.getByText("3 rows; click one to go there").waitFor();
  await page.getByLabel("SQL").focus();
  await page.keyboard.press("Escape");
  await page.locator("section.query").waitFor({ state: "detached" });
  assert.doesNotMatch(page.url(), /query=/);
});

test("a mistake is answered with what was meant, and what takes too long is stopped", { skip }, async () => {
  refusals();
  const page = await open();
  await page.keyboard.press("q");
  await page.getByLabel("SQL").fill("SELECT metod FROM call");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("there is no column metod; did you mean method?").waitFor();
  await page.getByLabel("SQL").fill("SELECT * FROM cal");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("did you mean call?").waitFor();

  await page.getByLabel("SQL").fill(ENDLESS);
  await page.keyboard.press("Enter");
  await page.getByText("asking…").waitFor();
  await page.getByRole("button", { name: "stop" }).click();
  await page.getByText("asking…").waitFor({ state: "detached" });
  // The server is free for the next one, and what was stopped never shows.
  await page.getByLabel("SQL").fill("SELECT count(*) AS calls FROM call");
  await page.keyboard.press("Enter");
  await page.getByTestId("rows").getByText("17").waitFor();
});

test("where nothing can answer, the panel says what to do", async () => {
  refusals();
  const served = await serve(trace(), [], { ASKANCE_QUERY: "/nowhere/askance-query" });
  const page = await open(served.url);
  await page.keyboard.press("q");
  await page.getByTestId("no-queries").getByText("ASKANCE_QUERY names /nowhere/askance-query, which is not a file").waitFor();
  await page.close();
  served.stop();
});
