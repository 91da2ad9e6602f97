// A recorded example, a running `askance serve`, and a browser, for tests and screenshots.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { chromium } from "playwright-core";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const EXAMPLES = process.env.ASKANCE_EXAMPLES ?? join(REPOSITORY, "examples");

/** The executable under test: `ASKANCE`, or what cargo built last. */
export const ASKANCE = process.env.ASKANCE ?? join(REPOSITORY, "target/debug/askance");

// Sessions here must not answer each other's questions, nor leave traces among the user's.
process.env.ASKANCE_MEMORY = "off";
const state = mkdtempSync(join(tmpdir(), "askance-state-"));
process.env.XDG_STATE_HOME = state;
process.on("exit", () => rmSync(state, { recursive: true, force: true }));

/** Records an example's buggy version.
 * @param {string} example */
export function record(example) {
  return recordIn(join(EXAMPLES, example, "buggy"), example, ["Main.java"]);
}

/** Records one of the programs that Askance is measured with.
 * @param {string} workload
 * @param {number} scale */
export function recordWorkload(workload, scale) {
  const folder = join(EXAMPLES, "../crates/test-support/workloads", workload);
  return recordIn(folder, workload, ["Workload.java", "--", String(scale)]);
}

/** Records a program of one file.
 * @param {string} name the class
 * @param {string} text */
export function recordText(name, text) {
  const folder = mkdtempSync(join(tmpdir(), "askance-browser-"));
  writeFileSync(join(folder, `${name}.java`), text);
  return recordIn(folder, name, [`${name}.java`], folder);
}

/** Records a class whose source is not there any more.
 * @param {string} name
 * @param {string} text */
export function recordWithoutSource(name, text) {
  const folder = mkdtempSync(join(tmpdir(), "askance-browser-"));
  const file = join(folder, `${name}.java`);
  writeFileSync(file, text);
  const done = spawnSync("javac", ["-g", file], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`cannot compile ${name}: ${done.stderr}`);
  rmSync(file);
  return recordIn(folder, name, ["--", "java", "-cp", folder, name], folder);
}

/** @param {string} cwd @param {string} name @param {string[]} program @param {string} folder */
function recordIn(cwd, name, program, folder = mkdtempSync(join(tmpdir(), "askance-browser-"))) {
  const trace = join(folder, `${name}.askance`);
  const done = spawnSync(ASKANCE, ["record", "-o", trace, ...program], { cwd, encoding: "utf8" });
  // The exit code is the program's.
  if (!done.stderr.includes("the trace is in")) throw new Error(`cannot record ${name}: ${done.stderr}`);
  return { trace, forget: () => rmSync(folder, { recursive: true }) };
}

/** The address that a server prints; what the recorded program prints may stand around it.
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, null>} child
 * @returns {Promise<string>} */
export function address(child) {
  return new Promise((found, failed) => {
    let said = "";
    child.stdout.on("data", (/** @type {Buffer} */ data) => {
      said += data.toString();
      const line = /^(http\S+)\n/m.exec(said);
      if (line?.[1] !== undefined) found(line[1]);
    });
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`askance ended with ${code}`)));
  });
}

/** A test that fails does not end what it began.
 * @param {import("node:child_process").ChildProcess} child */
export function endWithTests(child) {
  process.on("exit", () => child.kill());
}

/** Starts a server that forgets earlier answers.
 * @param {string} trace
 * @param {string[]} options
 * @param {Record<string, string>} variables of its environment
 * @returns {Promise<{url: string, pid: number, stop: () => void}>} */
export async function serve(trace, options = [], variables = {}) {
  // Most of what is clicked in tests was written for one call, or several taken together, at a time.
  const strategy = options.includes("--strategy") ? [] : ["--strategy", "ranges"];
  const child = spawn(ASKANCE, ["serve", "--no-open", "--fresh", ...strategy, ...options, trace], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...variables },
  });
  endWithTests(child);
  return { url: await address(child), pid: child.pid ?? 0, stop: () => child.kill() };
}

/** Debian's Chromium. With `ASKANCE_PAGE` it shows the page that `npm run build` left in that folder, and not the one
 * inside the executable: the page can be tried without building the executable. */
export async function browser() {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("there is no Chromium; `cargo xtask setup` installs it");
  const chrome = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const folder = process.env.ASKANCE_PAGE;
  if (folder !== undefined) {
    const newContext = chrome.newContext.bind(chrome);
    chrome.newContext = async (options) => {
      const context = await newContext(options);
      await context.route(({ pathname }) => !pathname.includes("/api/"), (route) => fromFolder(route, folder));
      return context;
    };
  }
  return chrome;
}

/** @param {import("playwright-core").Route} route @param {string} folder */
function fromFolder(route, folder) {
  const { pathname } = new URL(route.request().url());
  // The first part of the address is the token.
  const path = join(folder, pathname.split("/").slice(2).join("/") || "index.html");
  if (!existsSync(path)) return route.fallback();
  return route.fulfill({ path });
}
