import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./modules.mjs";

const { complete, configurationOf, firstOf } = await load("configuration.ts");
const { buildOf, testCommand, upwards } = await load("build-tool.ts");
const { findExecutable } = await load("executable.ts");

const MAIN = { kind: "main", className: "a.Main", method: "main", line: 3 };
const TEST = { kind: "test", className: "shop.CartTest", method: "total", line: 9 };
const CLASS = { kind: "class", className: "shop.CartTest", method: null, line: 2 };
const FILE = { path: "/w/Main.java", folder: "/w", beginnings: [MAIN], build: null, testClassPath: null };
const MAVEN = { tool: "maven", folder: "/w/shop", program: "mvn" };

/** Files that are there.
 * @param {string[]} files */
const has = (files) => async (/** @type {string} */ folder, /** @type {string} */ name) => files.includes(`${folder}/${name}`);

test("F5 in a file with main records it", () => {
  assert.deepEqual(complete({}, FILE), {
    configuration: { type: "askance", request: "launch", name: "Record Main", program: "/w/Main.java", cwd: "/w" },
  });
});

test("what launch.json says is kept", () => {
  const given = { type: "askance", request: "launch", name: "Mine", args: ["1"], stopOnEntry: true };
  const { configuration } = complete(given, FILE);
  assert.equal(configuration.name, "Mine");
  assert.deepEqual(configuration.args, ["1"]);
  assert.equal(configuration.stopOnEntry, true);
  assert.equal(configuration.program, "/w/Main.java");
  const command = { type: "askance", request: "launch", name: "Build", command: ["mvn", "test"] };
  assert.deepEqual(complete(command, null), { configuration: command });
});

test("mistakes get a sentence", () => {
  for (const [given, file, words] of /** @type {const} */ ([
    [{}, null, /Open a Java file/],
    [{}, { ...FILE, beginnings: [] }, /neither a main method nor a test in \/w\/Main\.java/],
    [{ type: "askance", request: "attach" }, FILE, /trace is missing/],
    [{ type: "askance", request: "start", program: "A" }, FILE, /no request start/],
    [{ type: "askance", request: "launch", program: "A", args: "one two" }, FILE, /"args".*list of words/],
    [{}, { ...FILE, beginnings: [CLASS, TEST] }, /askance\.testClassPath/],
  ])) {
    assert.match(complete(given, file).mistake, words);
  }
});

test("a test is run by its build, or else on its class path", () => {
  const built = configurationOf(TEST, { ...FILE, build: MAVEN }).configuration;
  assert.deepEqual(built.command.slice(0, 4), ["mvn", "-q", "test", "-Dtest=shop.CartTest#total"]);
  assert.equal(built.cwd, "/w/shop");
  assert.equal(built.test, "shop.CartTest#total");
  const alone = configurationOf(CLASS, { ...FILE, testClassPath: "out:junit.jar" }).configuration;
  assert.equal(alone.test, "shop.CartTest");
  assert.equal(alone.classPath, "out:junit.jar");
});

test("gradle names tests its own way, and its daemon is not used", () => {
  const words = testCommand({ tool: "gradle", folder: "/w", program: "./gradlew" }, "shop.CartTest", "total");
  assert.ok(words.includes("--no-daemon"));
  assert.deepEqual(words.slice(-2), ["--tests", "shop.CartTest.total"]);
});

test("the nearest module and the nearest wrapper build", async () => {
  const files = has(["/w/mvnw", "/w/pom.xml", "/w/shop/pom.xml"]);
  assert.deepEqual(await buildOf("/w/shop/src/test", "/w", files), { tool: "maven", folder: "/w/shop", program: "/w/mvnw" });
  assert.deepEqual(await buildOf("/w/g/src", "/w", has(["/w/g/build.gradle.kts"])), { tool: "gradle", folder: "/w/g", program: "gradle" });
  // What is above the workspace is somebody else's.
  assert.equal(await buildOf("/w/a", "/w/a", has(["/w/pom.xml"])), null);
  assert.deepEqual(upwards("/w/a/b", "/w"), ["/w/a/b", "/w/a", "/w"]);
});

test("what begins before a line is meant there", () => {
  const all = [CLASS, { ...TEST, method: "one", line: 4 }, TEST];
  assert.equal(firstOf(all, 5).method, "one");
  assert.equal(firstOf(all, null), CLASS);
  assert.equal(firstOf([CLASS, TEST, MAIN]), MAIN);
});

test("the executable is found by the setting or on PATH, or a sentence says what to do", async () => {
  const there = async (/** @type {string} */ path) => ["/opt/askance", "/home/me/.cargo/bin/askance", "/bin/askance"].includes(path);
  assert.deepEqual(await findExecutable("/opt/askance", "", there, "/home/me"), { path: "/opt/askance" });
  assert.deepEqual(await findExecutable("~/.cargo/bin/askance", "", there, "/home/me"), { path: "/home/me/.cargo/bin/askance" });
  assert.deepEqual(await findExecutable("", "relative:/usr/bin:/bin", there, "/home/you"), { path: "/bin/askance" });
  assert.deepEqual(await findExecutable("", "", there, "/home/me"), { path: "/home/me/.cargo/bin/askance" });
  assert.match((await findExecutable("/nowhere/askance", "/bin", there, "/home/me")).missing, /no executable at \/nowhere\/askance.*askance\.path/);
  assert.match((await findExecutable("bin/askance", "/bin", there, "/home/me")).missing, /no absolute path/);
  assert.match((await findExecutable("", "/usr/bin", there, "/home/you")).missing, /neither on PATH/);
});
