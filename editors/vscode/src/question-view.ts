// The question, in a view of its own: the page's parts, which ask through the extension. The view gets no values as
// HTML, only as messages, and runs no script but its own.

import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { Culprits } from "./culprits";
import { REQUESTS, readFromView } from "./requests";
import type { ToView } from "./requests";
import type { Sessions } from "./sessions";
import { sentenceOf } from "./sessions";

/** The view's document. It is the same whatever is debugged. */
export function html(script: string, style: string, source: string, nonce: string, isActive: boolean): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${style}">
<title>Question</title>
</head>
<body>
<div id="app" data-active="${isActive}"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

export class QuestionView implements vscode.WebviewViewProvider {
  static readonly id = "askance.question";
  private view: vscode.WebviewView | null = null;
  private isReady = false;
  private readonly waiting: ToView[] = [];

  constructor(
    private readonly sessions: Sessions,
    private readonly culprits: Culprits,
    private readonly folder: vscode.Uri,
  ) {
    sessions.onSwitched(() => {
      this.load();
      if (sessions.active !== null) void this.show(true);
    });
    sessions.onChanged(({ revision }) => this.tell({ kind: "changed", revision }));
  }

  /** Brings the view into sight. */
  async show(preserveFocus = false): Promise<void> {
    if (this.view === null) await vscode.commands.executeCommand(`${QuestionView.id}.focus`, { preserveFocus });
    else this.view.show(preserveFocus);
  }

  /** Tells the view something, when it is there. What the session has come to, it asks for itself when it begins. */
  tell(message: ToView): void {
    if (this.isReady) void this.view?.webview.postMessage(message);
    else if (message.kind !== "changed") this.waiting.push(message);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.folder, "dist")] };
    view.webview.onDidReceiveMessage((message: unknown) => void this.heard(message));
    view.onDidDispose(() => {
      this.view = null;
      this.isReady = false;
    });
    this.load();
  }

  /** Another session begins with an empty view. */
  private load(): void {
    if (this.view === null) return;
    const { webview } = this.view;
    const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.folder, "dist", name)).toString();
    this.isReady = false;
    webview.html = html(file("view.js"), file("view.css"), webview.cspSource, randomBytes(18).toString("base64"), this.sessions.active !== null);
  }

  private async reply(message: ToView): Promise<void> {
    await this.view?.webview.postMessage(message);
  }

  private async heard(message: unknown): Promise<void> {
    const said = readFromView(message);
    if (said === null) return;
    switch (said.kind) {
      case "ready":
        this.isReady = true;
        for (const waiting of this.waiting.splice(0)) this.tell(waiting);
        return;
      case "request":
        try {
          const value = await this.sessions.ask<unknown>(REQUESTS[said.what] ?? "", said.given);
          await this.reply({ kind: "answer", id: said.id, value });
        } catch (error) {
          await this.reply({ kind: "refusal", id: said.id, sentence: sentenceOf(error) });
        }
        return;
      case "go":
        await this.culprits.go(said.node, said.event);
        return;
      case "report":
        await this.culprits.report();
        return;
    }
  }
}
