// Bundles the extension (for Node, as VS Code loads it) and its view (for a browser) into `dist`. The view's parts are
// the page's, from `web-ui/src`; they are bundled with the packages of this folder, so that each is there once.

import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const common = /** @type {const} */ ({
  absWorkingDir: here("."),
  bundle: true,
  target: "es2022",
  logLevel: "warning",
});

async function bundle() {
  const folder = here("dist");
  await mkdir(folder, { recursive: true });
  const licences = ["LICENSE-APACHE", "LICENSE-MIT"];
  await Promise.all(licences.map((name) => copyFile(here(`../../${name}`), `${folder}/${name}`)));
  await Promise.all([
    build({
      ...common,
      entryPoints: [here("src/extension.ts")],
      outfile: `${folder}/extension.cjs`,
      platform: "node",
      format: "cjs",
      external: ["vscode"],
      minify: true,
    }),
    build({
      ...common,
      entryPoints: [here("src/webview/view.tsx")],
      outfile: `${folder}/view.js`,
      platform: "browser",
      format: "iife",
      jsx: "automatic",
      jsxImportSource: "preact",
      alias: { preact: here("node_modules/preact"), "@preact/signals": here("node_modules/@preact/signals") },
      minify: true,
    }),
  ]);
}

await bundle();
