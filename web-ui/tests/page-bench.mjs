// What the page costs on a large run: `npm run bench -- TRACE`. Prints a table for docs/benchmarks.md.
//
// Times of requests are what a client on the same machine waits for an answer, and the CPU time that the
// server takes meanwhile; paints and the number of elements are what a Chromium tells.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { browser, serve } from "./served.mjs";

const [trace] = process.argv.slice(2);
if (trace === undefined) {
  console.error("usage: npm run bench -- TRACE");
  process.exit(2);
}

const REPEATED = 15;
// As for a user, answers are remembered; what others said is not.
const state = mkdtempSync(join(tmpdir(), "askance-bench-"));
process.env.ASKANCE_MEMORY = "on";
process.env.XDG_STATE_HOME = state;
const served = await serve(trace);
const chrome = await browser();

/** @param {number} number */
const ms = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ms`;

/** A number below a limit, another one each time but the same in each run of this. */
let seed = 1;
const some = (/** @type {number} */ limit) => {
  seed = (seed * 48271) % 2147483647;
  return seed % limit;
};

/** Milliseconds of CPU time that the server has taken so far. */
function cpuTime() {
  const tasks = `/proc/${served.pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) => {
    try {
      return Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0]);
    } catch {
      return 0; // It has just ended.
    }
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** @param {string} path @param {object} [body] */
async function request(path, body) {
  const address = `${served.url}api/runs/0${path}`;
  const headers = { "Content-Type": "application/json" };
  const before = cpuTime();
  const started = performance.now();
  const response = await fetch(address, body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  const took = performance.now() - started;
  return { took, cpu: cpuTime() - before, ok: response.ok, text };
}

/** The session, when those who answer before a person have been heard. */
async function heard() {
  for (;;) {
    const session = JSON.parse((await request("/session")).text);
    if (!session.thinking) return session;
  }
}

/** The call with the most calls right below it, of some that are looked at, and how many those are. */
async function mostCrowded(/** @type {number} */ calls) {
  let crowded = { node: 0, below: 0 };
  for (let turn = 0; turn < 40; turn += 1) {
    const { steps } = JSON.parse((await request(`/path?node=${some(calls)}`)).text);
    for (const [index, step] of steps.entries()) {
      if (index > 0 && step.place > crowded.below) crowded = { node: steps[index - 1].node, below: step.place };
    }
  }
  const { count } = JSON.parse((await request(`/children?of=${crowded.node}&most=1`)).text);
  return { node: crowded.node, below: count };
}

/** Scrolls the tree: by a few rows a frame, then in leaps, each as somebody does with a wheel and with the bar. Gives the
 * milliseconds between frames.
 * @param {import("playwright-core").Page} page */
function scrolled(page) {
  return page.evaluate(async () => {
    const rows = document.querySelector("[role=tree]");
    if (rows === null) throw new Error("there is no tree");
    const frame = () => new Promise((/** @type {(at: number) => void} */ drawn) => window.requestAnimationFrame(drawn));
    const frames = [];
    const all = rows.scrollHeight;
    let before = await frame();
    for (let turn = 0; turn < 400; turn += 1) {
      if (turn < 300) rows.scrollTop += 66;
      else rows.scrollTop = (all * ((turn * 37) % 100)) / 100;
      const now = await frame();
      frames.push(now - before);
      before = now;
    }
    return frames;
  });
}

/** @type {string[]} */
const rows = [];

/** Measures one kind of request.
 * @param {string} name
 * @param {(turn: number) => Promise<{took: number, cpu: number, ok: boolean}>} ask */
async function measured(name, ask) {
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const cpu = [];
  let refused = 0;
  for (let turn = 0; turn < REPEATED; turn += 1) {
    const one = await ask(turn);
    if (!one.ok) refused += 1;
    times.push(one.took);
    cpu.push(one.cpu);
  }
  const columns = [times, cpu].flatMap((numbers) => {
    numbers.sort((one, other) => one - other);
    return [ms(numbers[Math.floor(numbers.length / 2)] ?? 0), ms(numbers.at(-1) ?? 0)];
  });
  rows.push(`| ${name}${refused > 0 ? ` (${refused} of ${REPEATED} refused)` : ""} | ${columns.join(" | ")} |`);
}

try {
  const page = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
  const started = performance.now();
  await page.goto(served.url);
  await page.getByTestId("question").waitFor();
  const asked = performance.now() - started;
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1);
  const calls = JSON.parse((await request("")).text).calls;

  await page.keyboard.press("o");
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=overview]")?.getAttribute("data-blocks")) > 0);
  let most = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    await page.goto(`${served.url}#node=${some(calls)}&overview=..`);
    await page.waitForTimeout(100);
    await page.mouse.move(600, 450);
    await page.mouse.wheel(0, 3000);
    await page.waitForTimeout(50);
    most = Math.max(most, await page.evaluate(() => document.querySelectorAll("*").length));
  }
  const heap = await page.evaluate(() => {
    const { memory } = /** @type {{memory?: {usedJSHeapSize: number}}} */ (/** @type {unknown} */ (performance));
    return memory?.usedJSHeapSize ?? 0;
  });
  await page.close();

  const crowded = await mostCrowded(calls);
  const scrolling = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
  await scrolling.goto(`${served.url}#node=${crowded.node + 1}`);
  await scrolling.locator(`.tree-row[data-node='${crowded.node + 1}']`).waitFor();
  const frames = (await scrolled(scrolling)).sort((one, other) => one - other);
  await scrolling.close();

  // Calls with the most calls right below them, as a look at some paths finds them.
  /** @type {number[]} */
  const busy = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const { steps } = JSON.parse((await request(`/path?node=${some(calls)}`)).text);
    const crowded = steps.findIndex((/** @type {{place: number}} */ step) => step.place > 100);
    if (crowded > 0) busy.push(steps[crowded - 1].node);
  }

  await measured("where the session is", () => request("/session"));
  await measured("a call with its values", () => request(`/node?node=${some(calls)}`));
  await measured("a page of calls below a call", async () => request(`/children?of=${some(1000)}&from=${some(50)}`));
  await measured("a page of calls below a call with many", () => request(`/children?of=${busy[some(busy.length)] ?? 0}&from=${some(900)}`));
  await measured("the way to a call", () => request(`/path?node=${some(calls)}`));
  await measured("the whole run as a picture", () => request("/overview?columns=420&rows=8"));
  await measured("a part of the run as a picture", () => {
    const from = some(calls);
    return request(`/overview?from=${from}&to=${from + some(1_000_000) + 10}&columns=420&rows=20`);
  });
  await measured("search by name", () => request(`/search?text=large&from=${some(calls)}`));
  await measured("search by a value that is nowhere", () => request(`/search?text=qqq&values=true&from=${some(calls)}`));
  await measured("the events of a call", () => request(`/events?node=${some(calls)}`));
  await measured("the source of a call", () => request(`/source?node=${some(calls)}`));
  await measured("a step to the next line", () => request(`/step?node=${some(calls)}&event=0&to=next`));
  let session = await heard();
  /** @type {{took: number, cpu: number, ok: boolean}[]} */
  const whole = [];
  await measured("an answer, to the next question", async (turn) => {
    const answer = turn % 4 === 3 ? "no" : "yes";
    if (session.step.ask === undefined) {
      await request("/session/restart", {});
      session = await heard();
    }
    const before = cpuTime();
    const started = performance.now();
    const done = await request("/session/answer", { revision: session.revision, answer });
    session = await heard();
    whole.push({ took: performance.now() - started, cpu: cpuTime() - before, ok: done.ok });
    return done;
  });
  await measured("the same, until it is remembered and the next call was looked up among what is", async (turn) => {
    const one = whole[turn];
    if (one === undefined) throw new Error("fewer answers than turns");
    return one;
  });
  await measured("undo", async () => {
    if (!session.can_undo) {
      await request("/session/answer", { revision: session.revision, answer: "yes" });
      session = await heard();
    }
    const done = await request("/session/undo", { revision: session.revision });
    session = await heard();
    return done;
  });

  console.log(`A run of ${calls.toLocaleString("en")} calls: first paint after ${ms(paint)}, the question after ${ms(asked)};`);
  console.log(`at most ${most} elements in the page and ${(heap / 1e6).toFixed(0)} MB of its memory after 20 jumps.`);
  console.log(`Scrolling through ${crowded.below.toLocaleString("en")} calls below one: ${frames.length} frames, ${ms(frames[Math.floor(frames.length / 2)] ?? 0)} each, the longest ${ms(frames.at(-1) ?? 0)}, ${frames.filter((one) => one > 50).length} above 50 ms.`);
  console.log("\n| request | median | worst | CPU time, median | CPU time, worst |\n|---|--:|--:|--:|--:|");
  for (const row of rows) console.log(row);
} finally {
  await chrome.close();
  served.stop();
  rmSync(state, { recursive: true });
}
