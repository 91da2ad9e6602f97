// Starts debugging: what is filled in to configurations, and what the commands and code lenses start.

import { dirname } from "node:path";

import * as vscode from "vscode";

import { executable, tellMissing } from "./adapter";
import { buildOf } from "./build-tool";
import { complete, configurationOf, firstOf } from "./configuration";
import type { Completed, OpenFile } from "./configuration";
import { beginnings } from "./java-outline";
import type { Beginning } from "./java-outline";
import { DEBUG_TYPE } from "./sessions";

async function exists(folder: string, name: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(vscode.Uri.file(folder), name));
    return true;
  } catch {
    return false;
  }
}

/** What the extension for Java knows of class paths, if it is there. */
interface JavaExtension {
  getClasspaths?: (uri: string, options: { scope: "test" }) => Promise<{ classpaths: string[] }>;
}

async function testClassPath(document: vscode.TextDocument): Promise<string | null> {
  const setting = vscode.workspace.getConfiguration("askance", document).get<string>("testClassPath", "");
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? dirname(document.uri.fsPath);
  if (setting !== "") return setting.replaceAll("${workspaceFolder}", folder);
  const java = vscode.extensions.getExtension<JavaExtension>("redhat.java");
  if (java?.isActive !== true || java.exports.getClasspaths === undefined) return null;
  try {
    const { classpaths } = await java.exports.getClasspaths(document.uri.toString(), { scope: "test" });
    return classpaths.length === 0 ? null : classpaths.join(process.platform === "win32" ? ";" : ":");
  } catch {
    // The file is in no project that it knows.
    return null;
  }
}

async function openFile(document: vscode.TextDocument): Promise<OpenFile> {
  const path = document.uri.fsPath;
  const folder = dirname(path);
  const top = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? folder;
  const build = await buildOf(folder, top, exists);
  return { path, folder, beginnings: beginnings(document.getText()), build, testClassPath: build === null ? await testClassPath(document) : null };
}

function activeJava(): vscode.TextDocument | null {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === "java" && document.uri.scheme === "file" ? document : null;
}

export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  /** What can be started of the file that is open. */
  async provideDebugConfigurations(): Promise<vscode.DebugConfiguration[]> {
    const document = activeJava();
    if (document === null) return [];
    const file = await openFile(document);
    return file.beginnings.flatMap((one) => {
      const made = configurationOf(one, file);
      return "mistake" in made ? [] : [made.configuration];
    });
  }

  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: Partial<vscode.DebugConfiguration>,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const document = activeJava();
    const completed = complete(given, document === null ? null : await openFile(document));
    if ("mistake" in completed) {
      void vscode.window.showErrorMessage(completed.mistake);
      return undefined;
    }
    const found = await executable();
    if ("missing" in found) {
      void tellMissing(found.missing);
      return undefined;
    }
    await vscode.commands.executeCommand("setContext", "askance.hasExecutable", true);
    return completed.configuration;
  }
}

async function start(completed: Completed, uri: vscode.Uri | undefined): Promise<void> {
  if ("mistake" in completed) {
    const choice = await vscode.window.showErrorMessage(completed.mistake, ...(completed.mistake.includes("askance.testClassPath") ? ["Open Settings"] : []));
    if (choice === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "askance.testClassPath");
    return;
  }
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  await vscode.debug.startDebugging(folder, completed.configuration);
}

/** An entry of the test explorer, as far as it is looked at. */
interface TestEntry {
  uri?: vscode.Uri;
  range?: vscode.Range;
}

function isTestEntry(value: unknown): value is TestEntry {
  return typeof value === "object" && value !== null && "uri" in value && "children" in value;
}

/** Records what begins at a place: of a code lens, of the test explorer, or of the file that is open. */
export async function findBug(where?: vscode.Uri | TestEntry, wanted?: Beginning): Promise<void> {
  const isEntry = isTestEntry(where);
  const uri = (isEntry ? where.uri : (where)) ?? activeJava()?.uri;
  if (uri === undefined) {
    void vscode.window.showErrorMessage("Open a Java file with a main method or a test, and start again.");
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  // What is recorded is what is saved.
  if (document.isDirty) await document.save();
  const file = await openFile(document);
  const line = isEntry ? (where.range?.start.line ?? null) : null;
  const beginning = wanted ?? firstOf(file.beginnings, line);
  if (beginning === undefined) {
    void vscode.window.showErrorMessage(`There is neither a main method nor a test in ${document.uri.fsPath}.`);
    return;
  }
  await start(configurationOf(beginning, file), uri);
}

/** Opens a trace: a folder of the explorer, or one that is asked for. */
export async function openTrace(folder?: vscode.Uri): Promise<void> {
  const chosen = folder ?? (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Open Trace", title: "A trace that askance record made" }))?.[0];
  if (chosen === undefined) return;
  const name = `Open ${chosen.path.slice(chosen.path.lastIndexOf("/") + 1)}`;
  await start({ configuration: { type: DEBUG_TYPE, request: "attach", name, trace: chosen.fsPath } }, chosen);
}
