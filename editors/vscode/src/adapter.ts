// Starts `askance dap` for a debug session, or says what is missing.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

import { findExecutable } from "./executable";
import type { Found } from "./executable";
import { sentenceOf } from "./sessions";

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function executable(): Promise<Found> {
  const setting = vscode.workspace.getConfiguration("askance").get<string>("path", "");
  return findExecutable(setting, process.env.PATH ?? "", isExecutable, homedir());
}

/** Tells that there is no executable, with a way to say where it is. */
export async function tellMissing(sentence: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(sentence, "Open Settings", "How to Install");
  if (choice === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "askance.path");
  if (choice === "How to Install") await vscode.commands.executeCommand("workbench.action.openWalkthrough", "askance.askance#first-bug", false);
}

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  async createDebugAdapterDescriptor(): Promise<vscode.DebugAdapterDescriptor> {
    const found = await executable();
    // The provider of configurations looks for it before; it may have gone meanwhile.
    if ("missing" in found) throw new Error(found.missing);
    const options = vscode.workspace.getConfiguration("askance").get<string[]>("arguments", []);
    return new vscode.DebugAdapterExecutable(found.path, ["dap", ...options]);
  }
}

/** Says which executable there is, and that it runs. */
export async function checkExecutable(): Promise<void> {
  const found = await executable();
  if ("missing" in found) {
    await vscode.commands.executeCommand("setContext", "askance.hasExecutable", false);
    await tellMissing(found.missing);
    return;
  }
  try {
    const { stdout } = await promisify(execFile)(found.path, ["--version"], { timeout: 10_000 });
    await vscode.commands.executeCommand("setContext", "askance.hasExecutable", true);
    void vscode.window.showInformationMessage(`${stdout.trim()} at ${found.path}`);
  } catch (error) {
    void vscode.window.showErrorMessage(`${found.path} does not run: ${sentenceOf(error)}`);
  }
}
