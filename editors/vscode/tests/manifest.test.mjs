import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { load } from "./modules.mjs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const { activate } = await load("extension.ts");
/** @type {any[]} */
const subscriptions = [];
activate({ subscriptions, extensionUri: "extension" });
/** What was registered.
 * @type {Record<string, unknown[][]>} */
const noted = /** @type {any} */ (globalThis).noted;

test("every command that is offered is there, and the other way round", () => {
  const offered = manifest.contributes.commands.map((/** @type {any} */ { command }) => command);
  const registered = (noted.command ?? []).map(([name]) => name);
  assert.deepEqual([...registered].sort(), [...offered].sort());
  /** @type {any[]} */
  const entries = Object.values(manifest.contributes.menus).flat();
  for (const { command } of [...entries, ...manifest.contributes.keybindings]) assert.ok(offered.includes(command), command);
});

test("every view that is declared is there", () => {
  const declared = manifest.contributes.views.askance.map((/** @type {any} */ { id }) => id);
  assert.deepEqual((noted.view ?? []).map(([id]) => id).sort(), declared.sort());
});

test("the debugger is declared with an adapter and configurations", () => {
  const [debuggers] = [manifest.contributes.debuggers];
  assert.deepEqual(debuggers.map((/** @type {any} */ { type }) => type), ["askance"]);
  assert.equal(noted.adapter?.[0]?.[0], "askance");
  // Those of launch.json, and those that the file gives.
  assert.equal(noted.configurations?.length, 2);
  for (const snippet of debuggers[0].configurationSnippets) {
    const known = Object.keys(debuggers[0].configurationAttributes[snippet.body.request].properties);
    for (const name of Object.keys(snippet.body)) assert.ok(["type", "request", "name", ...known].includes(name), `${snippet.label}: ${name}`);
  }
});

test("what the walkthrough shows and does is there", () => {
  const commands = manifest.contributes.commands.map((/** @type {any} */ { command }) => command);
  for (const step of manifest.contributes.walkthroughs[0].steps) {
    assert.ok(existsSync(new URL(`../${step.media.markdown}`, import.meta.url)), step.media.markdown);
    for (const [, command] of step.description.matchAll(/\(command:([\w.]+)/g)) {
      assert.ok(command.startsWith("workbench.") || commands.includes(command), command);
    }
  }
});

test("settings that are read are declared, and the other way round", () => {
  const folder = new URL("../src/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts")).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const read = sources.flatMap((text) => [...text.matchAll(/getConfiguration\("askance"[^)]*\)\.get<[^>]*>\("(\w+)"/g)].map(([, name]) => `askance.${name}`));
  assert.deepEqual([...new Set(read)].sort(), Object.keys(manifest.contributes.configuration.properties).sort());
});
