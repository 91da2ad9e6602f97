// Loads modules of the extension into Node: TypeScript is bundled, and VS Code is a stand-in that notes what is
// registered with it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** @param {string} module below `src`
 * @returns {Promise<any>} */
export async function load(module) {
  const folder = mkdtempSync(join(tmpdir(), "askance-vscode-"));
  try {
    const outfile = join(folder, "module.mjs");
    await build({
      entryPoints: [here(`../src/${module}`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { vscode: here("vscode.mjs"), preact: here("../node_modules/preact"), "@preact/signals": here("../node_modules/@preact/signals") },
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
