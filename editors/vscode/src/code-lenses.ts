// "Find the bug" above main methods, tests and classes of tests.

import * as vscode from "vscode";

import { beginnings } from "./java-outline";

export class CodeLenses implements vscode.CodeLensProvider {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.getConfiguration("askance", document).get<boolean>("codeLens", true)) return [];
    return beginnings(document.getText()).map((one) => {
      const title = one.kind === "class" ? "Find the bug in these tests" : "Find the bug";
      const tooltip = one.kind === "main" ? "Record the program and look for the bug" : "Record the test and look for the bug";
      const range = new vscode.Range(one.line, 0, one.line, 0);
      return new vscode.CodeLens(range, { title: `$(search) ${title}`, tooltip, command: "askance.findBug", arguments: [document.uri, one] });
    });
  }
}
