// A real VS Code: code-server, in a Chromium, with the packaged extension installed. It is not among this folder's
// packages, because it is large; `CODE_SERVER` names the folder of an installed one (docs/editors.md says how).

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { chromium } from "playwright-core";

const HERE = import.meta.dirname;
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ASKANCE = process.env.ASKANCE ?? resolve(HERE, "../../../target/debug/askance");
const VSIX = resolve(HERE, "../dist/askance.vsix");

/** @typedef {import("playwright-core").Page} Page */

/** @param {string} path @param {string} advice */
function needed(path, advice) {
  if (!existsSync(path)) throw new Error(`${path} is missing: ${advice}`);
  return path;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((found, failed) => {
    const server = createServer();
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Starts VS Code with a folder open.
 * @param {string} folder
 * @param {{theme?: string}} options
 * @returns {Promise<{page: Page, stop: () => Promise<void>}>} */
export async function open(folder, { theme = "Default Light Modern" } = {}) {
  const server = needed(process.env.CODE_SERVER ?? "", "name the folder of code-server with CODE_SERVER");
  needed(VSIX, "run npm run package");
  needed(ASKANCE, "run cargo build -p askance, or name it with ASKANCE");
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("there is no Chromium; `cargo xtask setup` installs it");

  const home = mkdtempSync(join(tmpdir(), "askance-vscode-"));
  const settings = {
    "askance.path": ASKANCE,
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": theme,
    "workbench.tips.enabled": false,
    "workbench.layoutControl.enabled": false,
    "editor.minimap.enabled": false,
    "editor.fontFamily": "'DejaVu Sans Mono', monospace",
    "extensions.ignoreRecommendations": true,
    "telemetry.telemetryLevel": "off",
    "debug.toolBarLocation": "docked",
    "window.commandCenter": false,
  };
  // What belongs to the machine is read from the second.
  for (const folder of ["User", "Machine"]) {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, "settings.json"), JSON.stringify(settings));
  }
  const common = ["--user-data-dir", home, "--extensions-dir", join(home, "extensions")];
  const entry = join(server, "out/node/entry.js");
  // Answers of other sessions must not answer here, and no trace is kept.
  const env = { ...process.env, ASKANCE_MEMORY: "off", XDG_CONFIG_HOME: join(home, "config"), XDG_DATA_HOME: join(home, "data"), XDG_STATE_HOME: join(home, "state") };
  const installed = spawnSync(process.execPath, [entry, ...common, "--install-extension", VSIX], { encoding: "utf8", env });
  if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);

  const port = await freePort();
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  const child = spawn(process.execPath, [entry, ...common, ...options, folder], { stdio: ["ignore", "pipe", "pipe"], env, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (/** @type {Buffer} */ data) => (said += data.toString()));
  const stopServer = () => {
    // Its children live in its group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  };
  try {
    await until(() => said.includes("HTTP server listening"), 30_000, () => `code-server does not start: ${said}`);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
    const stop = async () => {
      await browser.close();
      stopServer();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    };
    return { page, stop };
  } catch (error) {
    stopServer();
    throw error;
  }
}

/** @param {() => boolean | Promise<boolean>} holds @param {number} most milliseconds @param {() => string} words */
export async function until(holds, most, words) {
  for (const end = Date.now() + most; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(words());
}

/** Runs a command of the palette.
 * @param {Page} page @param {string} title */
export async function command(page, title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(`>${title}`);
  // The list is filtered while one types, and rows move.
  await page.waitForTimeout(1000);
  await page.locator(".quick-input-list .monaco-list-row").filter({ has: page.getByText(title, { exact: true }) }).first().click();
  await input.waitFor({ state: "hidden" });
}

/** Opens a file by its path; code-server's own search for names needs more than it is installed with.
 * @param {Page} page @param {string} path */
export async function openFile(page, path) {
  await page.keyboard.press("Control+P");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
  await page.locator(".tab.active").filter({ hasText: name }).waitFor();
}

/** The document inside the view of the question.
 * @param {Page} page */
export function questionView(page) {
  return page.frameLocator("iframe.webview.ready[src*='extensionId=askance']").frameLocator("iframe#active-frame");
}
