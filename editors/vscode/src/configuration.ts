// Debug configurations: what is filled in, and what is made of a main method or a test.

import type { Build } from "./build-tool";
import { testCommand } from "./build-tool";
import type { Beginning } from "./java-outline";

/** A debug configuration, as far as something is done with it here. */
export interface Configuration {
  type: string;
  request: string;
  name: string;
  [property: string]: unknown;
}

/** What is known of the file that is open. */
export interface OpenFile {
  path: string;
  /** The folder of the file. */
  folder: string;
  beginnings: Beginning[];
  build: Build | null;
  /** The class path for its tests, if somebody knows it. */
  testClassPath: string | null;
}

export type Completed = { configuration: Configuration } | { mistake: string };

const WHAT_TO_RUN = ["program", "command", "test"] as const;

/** A test as `askance` names it. */
export function testName({ className, method }: Beginning): string {
  return method === null ? className : `${className}#${method}`;
}

/** How to record a main method or a test. */
export function configurationOf(beginning: Beginning, file: OpenFile): Completed {
  const simple = className(beginning);
  if (beginning.kind === "main") {
    return { configuration: { type: "askance", request: "launch", name: `Record ${simple}`, program: file.path, cwd: file.folder } };
  }
  const test = testName(beginning);
  const name = `Record ${beginning.method === null ? simple : `${simple}.${beginning.method}`}`;
  const common = { type: "askance", request: "launch", name, test };
  if (file.build !== null) {
    const command = testCommand(file.build, beginning.className, beginning.method);
    return { configuration: { ...common, command, cwd: file.build.folder } };
  }
  if (file.testClassPath !== null) return { configuration: { ...common, classPath: file.testClassPath, cwd: file.folder } };
  return {
    mistake: `It is not known how ${simple} is run: there is no pom.xml or build.gradle above it. Name its class path, with the JUnit that runs it, in the setting askance.testClassPath.`,
  };
}

function className({ className: name }: Beginning): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The main method of a file, or else its tests: what starts when nothing else is said. */
export function firstOf(beginnings: Beginning[], line: number | null = null): Beginning | undefined {
  const before = line === null ? [] : beginnings.filter((one) => one.kind !== "class" && one.line <= line);
  return before.at(-1) ?? beginnings.find(({ kind }) => kind === "main") ?? beginnings.find(({ kind }) => kind === "class");
}

/** A configuration with what is missing from it, by the file that is open. */
export function complete(given: Partial<Configuration>, file: OpenFile | null): Completed {
  const isEmpty = given.type === undefined && given.request === undefined;
  if (isEmpty || (given.request === "launch" && WHAT_TO_RUN.every((what) => given[what] === undefined))) {
    if (file === null) return { mistake: "Open a Java file with a main method or a test, and start again." };
    const first = firstOf(file.beginnings);
    if (first === undefined) return { mistake: `There is neither a main method nor a test in ${file.path}.` };
    const made = configurationOf(first, file);
    if ("mistake" in made) return made;
    return { configuration: { ...made.configuration, ...withoutUndefined(given) } };
  }
  const configuration = { type: "askance", request: "launch", name: "Askance", ...withoutUndefined(given) } as Configuration;
  if (configuration.request === "attach" && typeof configuration.trace !== "string") {
    return { mistake: "A trace is missing: name it with \"trace\" in launch.json." };
  }
  if (configuration.request !== "launch" && configuration.request !== "attach") {
    return { mistake: `There is no request ${configuration.request}: launch records a program, attach opens a trace.` };
  }
  for (const list of ["args", "command", "include", "exclude", "sourcePath"]) {
    const value = configuration[list];
    if (value !== undefined && !(Array.isArray(value) && value.every((word) => typeof word === "string"))) {
      return { mistake: `"${list}" in launch.json must be a list of words, such as ["one", "two"].` };
    }
  }
  return { configuration };
}

function withoutUndefined(given: Partial<Configuration>): Partial<Configuration> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));
}
