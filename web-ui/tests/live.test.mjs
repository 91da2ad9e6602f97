// A program that is asked about while it runs, in a real browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ASKANCE, address, browser, endWithTests } from "./served.mjs";

/** Works until a file appears, and says what it does. */
const PROGRAM = `
import java.nio.file.*;

public class Live {
    static int one(int n) { return two(n) + 1; }
    static int two(int n) { return n * 3; }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 6000 && !Files.exists(Paths.get(args[0])); n++) {
            System.out.println("round " + n + ": " + one(n));
            Thread.sleep(50);
        }
        System.out.println("farewell");
    }
}
`;

/** @type {Awaited<ReturnType<typeof browser>>} */
let chrome;
/** @type {string} */
let folder;

before(async () => {
  chrome = await browser();
  folder = mkdtempSync(join(tmpdir(), "askance-live-"));
  writeFileSync(join(folder, "Live.java"), PROGRAM);
});

after(async () => {
  await chrome.close();
  await gone(folder);
  rmSync(folder, { recursive: true });
});

/** Starts \`askance debug --web\` and gives the page's address.
 * @param {string[]} options
 * @param {string} flag the file that ends the program
 * @param {Record<string, string>} environment
 * @returns {Promise<{url: string, stop: () => void}>} */
async function debugged(options, flag, environment = {}) {
  const words = ["debug", "--web", "--no-open", ...options, "Live.java", "--", join(folder, flag)];
  const env = { ...process.env, ...environment };
  const child = spawn(ASKANCE, words, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  endWithTests(child);
  // The program goes on without the tool, so it has to be told.
  const stop = () => {
    child.kill();
    writeFileSync(join(folder, flag), "");
  };
  return { url: await address(child), stop };
}

async function open(/** @type {string} */ url) {
  const page = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  return page;
}

test("questions are asked while the program runs, its output is shown, and it can be stopped", async () => {
  const program = await debugged(["--live", "--strategy", "top-down"], "never");
  try {
    const page = await open(program.url);
    await page.getByTestId("question").waitFor();
    const recording = page.getByTestId("recording");
    assert.equal(await recording.getAttribute("data-phase"), "recording");
    await page.getByRole("tab", { name: "Output" }).click();
    await page.waitForFunction(() => document.querySelector("[data-testid=output]")?.textContent?.includes("round 3"));

    // Answers go over to what has been recorded meanwhile: there is always more to ask about.
    const calls = () => page.locator("header .quiet").first().innerText();
    const before = await calls();
    for (let answers = 1; answers < 20 && (await calls()) === before; answers += 1) {
      await page.locator("[data-answer=yes]:enabled").click();
      await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length === count, answers);
    }
    assert.notEqual(await calls(), before);

    // A second tab sees the same, and a wrong call inside a right program is found live.
    const other = await open(program.url);
    await other.getByTestId("question").waitFor();
    for (let turn = 0; turn < 5 && (await page.getByTestId("done").count()) === 0; turn += 1) {
      const answers = await page.locator("[data-testid=answers] .answer").count();
      await page.locator("[data-answer=no]:enabled").click();
      await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length > count, answers);
    }
    await page.getByTestId("done").waitFor();
    assert.match(await page.getByTestId("done").innerText(), /The bug is in this call/);
    await other.getByTestId("done").waitFor();

    await recording.getByRole("button", { name: "Stop" }).click();
    await page.locator("[data-testid=recording][data-phase=complete]").waitFor();
    await page.close();
    await other.close();
  } finally {
    program.stop();
  }
});

test("the views follow the program while a question is open, which stays", async () => {
  const program = await debugged(["--live", "--strategy", "top-down"], "followed");
  try {
    const page = await open(program.url);
    await page.getByTestId("question").waitFor();
    const asked = await page.getByTestId("question").locator(".call-title").innerText();
    // Any call that is in sight: the tree may be long by now. One thread numbers its calls once and for all.
    const node = await page.locator(".tree-row[data-node]").nth(1).getAttribute("data-node");
    await page.locator(`.tree-row[data-node='${node}']`).click();
    const calls = () => page.locator("header .quiet").first().innerText();
    for (let grown = 0, before = await calls(); grown < 2; grown += 1, before = await calls()) {
      await page.waitForFunction((text) => document.querySelector("header .quiet")?.textContent !== text, before);
    }
    assert.equal(await page.getByTestId("question").locator(".call-title").innerText(), asked);
    // Whoever looks at a call goes on looking at it, in a tree that has more calls now.
    assert.match(page.url(), new RegExp(`node=${node}(&|$)`));
    await page.locator(`.tree-row.selected[data-node='${node}']`).waitFor();
    // The question that was read is the one that is answered.
    await page.locator("[data-answer=no]:enabled").click();
    await page.locator("[data-testid=answers] .answer", { hasText: asked.replace(/^#\d+\s+\S*\./, "").split("(")[0] ?? "?" }).first().waitFor();
    await page.close();
  } finally {
    program.stop();
  }
});

/** Waits until no process is left that was started with this word.
 * @param {string} word */
async function gone(word) {
  const running = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandLine(name).includes(word));
  for (let turns = 0; turns < 100 && running().length > 0; turns += 1) await new Promise((done) => setTimeout(done, 100));
  assert.deepEqual(running().map(commandLine), []);
}

/** @param {string} process */
function commandLine(process) {
  try {
    return readFileSync(`/proc/${process}/cmdline`, "utf8");
  } catch {
    // It has ended since.
    return "";
  }
}

test("a command answers while the program runs, below the call that is named", async () => {
  const oracle = join(folder, "oracle.sh");
  writeFileSync(oracle, "while read -r question; do echo '{\"answer\": \"yes\"}'; done\n");
  const options = ["--live", "--root", "Live.one", "--strategy", "top-down", "--oracle-cmd", `sh ${oracle}`];
  const program = await debugged(options, "asked");
  try {
    const page = await open(program.url);
    // The command finds everything right that there is below the first call of `one`.
    const answer = page.locator("[data-testid=answers] .answer button[title*='oracle command']").first();
    await answer.waitFor();
    assert.match(await answer.innerText(), /two\(n=0\)|one\(n=0\)/);
    await page.getByText("Nothing to ask about so far").or(page.getByText("no call can be to blame")).first().waitFor();
    writeFileSync(join(folder, "asked"), "");
    await page.locator("[data-testid=recording][data-phase=complete]").waitFor();
    await page.close();
  } finally {
    program.stop();
  }
});

test("a reference answers while the program runs", async () => {
  mkdirSync(join(folder, "fixed"));
  // It ends by itself, because it is recorded before the program starts; nothing but the culprit differs.
  const fixed = PROGRAM.replace("return n * 3;", "if (n > 4) System.exit(0); return n * 2;");
  writeFileSync(join(folder, "fixed", "Live.java"), fixed);
  const program = await debugged(["--live", "--reference", join("fixed", "Live.java")], "compared");
  try {
    const page = await open(program.url);
    const done = page.getByTestId("done");
    await done.getByText("The bug is in this call").waitFor();
    assert.match(await done.innerText(), /two\(n=\d+\) → \d+/);
    await page.locator("[data-testid=answers] .answer button[title*='reference']").first().waitFor();
    assert.equal(await page.getByTestId("recording").getAttribute("data-phase"), "recording");
    writeFileSync(join(folder, "compared"), "");
    await page.locator("[data-testid=recording][data-phase=complete]").waitFor();
    await page.close();
  } finally {
    program.stop();
  }
});

test("a live page remembers what was said about the same behaviour in another run", async () => {
  const environment = { ASKANCE_MEMORY: "on", XDG_STATE_HOME: join(folder, "state") };
  const options = ["--live", "--root", "Live.one", "--strategy", "top-down"];
  const first = await debugged(options, "first", environment);
  try {
    const page = await open(first.url);
    await page.getByTestId("question").waitFor();
    await page.locator("[data-answer=yes]:enabled").click();
    await page.locator("[data-testid=answers] .sign.correct").first().waitFor();
    await page.close();
  } finally {
    first.stop();
  }
  const second = await debugged(options, "second", environment);
  try {
    const page = await open(second.url);
    await page.locator("[data-testid=answers] .answer button[title*='remembered']").first().waitFor();
    await page.close();
  } finally {
    second.stop();
  }
});

test("without --live the page waits for the end and asks then", async () => {
  const program = await debugged(["--strategy", "top-down"], "end");
  try {
    const page = await open(program.url);
    await page.getByTestId("waiting").waitFor();
    assert.match(await page.getByTestId("waiting").innerText(), /Recording/);
    writeFileSync(join(folder, "end"), "");
    await page.getByTestId("question").waitFor();
    await page.locator("[data-testid=recording][data-phase=complete]").waitFor();
    await page.close();
  } finally {
    program.stop();
  }
});
