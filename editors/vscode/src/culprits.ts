// What was found: the debugger goes to the line to blame, which is marked, and the report can be read.

import * as vscode from "vscode";

import type { Diagnosis, LinesExecuted, Session } from "../../../web-ui/src/api-types";
import type { Sessions } from "./sessions";
import { sentenceOf } from "./sessions";

const REPORT = "askance-report";

type Located<T> = T & { sourceFile?: string };
type Found = Omit<Diagnosis, "culprit"> & { culprit: Located<NonNullable<Diagnosis["culprit"]>> | null };

/** Where a call comes to the first of some lines, for the last time; `null` is its end. */
export function eventAt(lines: LinesExecuted["lines"], blamed: number[]): number | null {
  const executed = lines.filter(({ line }) => blamed.includes(line));
  return executed.length === 0 ? null : Math.min(...executed.map(({ event }) => event));
}

export class Culprits implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private found: Found | null = null;
  private readonly reportChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.reportChanged.event;
  private readonly blamed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("askance.blamedLine"),
    overviewRulerColor: new vscode.ThemeColor("editorError.foreground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    fontWeight: "600",
  });
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly sessions: Sessions) {
    this.disposables = [
      this.blamed,
      this.reportChanged,
      vscode.workspace.registerTextDocumentContentProvider(REPORT, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.mark()),
      sessions.onSwitched(() => this.take(null)),
      sessions.onChanged((session) => void this.look(session)),
    ];
  }

  /** The call that was found, if one was. */
  private foundCall(): number | null {
    const step = this.sessions.session?.step;
    return step !== undefined && "done" in step && step.done.outcome === "found" ? step.done.node : null;
  }

  private async look(session: Session): Promise<void> {
    const isDone = "done" in session.step;
    void vscode.commands.executeCommand("setContext", "askance.isAsking", !isDone);
    if (session.answers.some(({ by_person: byPerson }) => byPerson)) void vscode.commands.executeCommand("setContext", "askance.hasAnswered", true);
    if (!isDone) {
      this.take(null);
      return;
    }
    try {
      this.take(await this.sessions.ask<Found>("diagnosis"));
    } catch {
      // There is a question again.
      this.take(null);
    }
  }

  private take(found: Found | null): void {
    this.found = found;
    this.mark();
    this.reportChanged.fire(reportAddress());
    const culprit = found?.culprit ?? null;
    if (culprit === null || culprit.node === null) return;
    void vscode.commands.executeCommand("setContext", "askance.hasFound", true);
    void this.go(culprit.node, null);
  }

  private mark(): void {
    const culprit = this.found?.culprit ?? null;
    for (const editor of vscode.window.visibleTextEditors) {
      const isIt = culprit?.sourceFile !== undefined && editor.document.uri.fsPath === culprit.sourceFile;
      const lines = isIt ? culprit.lines.filter((line) => line >= 1 && line <= editor.document.lineCount) : [];
      const where = lines.length === 1 ? "here" : "in these lines";
      const hoverMessage = new vscode.MarkdownString(`Askance: the bug is ${where}.`);
      editor.setDecorations(
        this.blamed,
        lines.map((line) => ({
          range: editor.document.lineAt(line - 1).range,
          hoverMessage,
          renderOptions: line === lines[0] ? { after: { contentText: `  ✗ the bug is ${where}`, color: new vscode.ThemeColor("editorError.foreground"), fontStyle: "italic" } } : {},
        })),
      );
    }
  }

  /** Goes to a call; in the one that was found, to the line to blame. */
  async go(node: number, event: number | null): Promise<void> {
    try {
      const culprit = this.found?.culprit ?? null;
      let there = event;
      if (event === null && node === this.foundCall() && culprit !== null && culprit.lines.length > 0) {
        const { lines } = await this.sessions.ask<LinesExecuted>("coverage", { node, event: null });
        there = eventAt(lines, culprit.lines);
      }
      await this.sessions.ask("goTo", there === null ? { node } : { node, event: there });
    } catch (error) {
      void vscode.window.showWarningMessage(sentenceOf(error));
    }
  }

  provideTextDocumentContent(): string {
    return this.found?.markdown ?? "There is no report: questions are open, or nothing is debugged.\n";
  }

  async report(): Promise<void> {
    await vscode.commands.executeCommand("markdown.showPreview", reportAddress());
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function reportAddress(): vscode.Uri {
  return vscode.Uri.from({ scheme: REPORT, path: "/Report.md" });
}
