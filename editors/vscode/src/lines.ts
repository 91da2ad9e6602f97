// The lines of the selected call: which of them it has executed up to the moment looked at, and what it left there.

import * as vscode from "vscode";

import type { LinesExecuted } from "../../../web-ui/src/api-types";
import { lineTexts } from "../../../web-ui/src/line-texts";
import type { Sessions } from "./sessions";
import { DEBUG_TYPE } from "./sessions";

type Coverage = LinesExecuted & { sourceFile?: string };

/** A longer text would push the code out of sight. */
const LONGEST = 80;

export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Marks executed lines in the file of the selected frame. */
export class ExecutedLines implements vscode.Disposable {
  private shown: Coverage | null = null;
  private asked = 0;
  private readonly executed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: "solid",
    borderWidth: "0 0 0 3px",
    borderColor: new vscode.ThemeColor("askance.executedLine"),
    overviewRulerColor: new vscode.ThemeColor("askance.executedLine"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly sessions: Sessions) {
    this.disposables = [
      this.executed,
      vscode.debug.onDidChangeActiveStackItem(() => void this.follow()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.mark()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("askance.executedLines")) this.mark();
      }),
      sessions.onSwitched(() => void this.follow()),
    ];
  }

  private async follow(): Promise<void> {
    const item = vscode.debug.activeStackItem;
    this.asked += 1;
    const { asked } = this;
    let found: Coverage | null = null;
    if (item instanceof vscode.DebugStackFrame && item.session.id === this.sessions.active?.id) {
      try {
        found = await this.sessions.ask<Coverage>("coverage", { frameId: item.frameId });
      } catch {
        // A call that cannot be executed again has no lines; its frame says so.
      }
    }
    if (asked !== this.asked) return;
    this.shown = found;
    this.mark();
  }

  private mark(): void {
    const isOn = vscode.workspace.getConfiguration("askance").get<boolean>("executedLines", true);
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const known = isOn && this.shown?.sourceFile === document.uri.fsPath ? this.shown.lines : [];
      const lines = known.filter(({ line }) => line >= 1 && line <= document.lineCount);
      editor.setDecorations(this.executed, lines.map(({ line }) => document.lineAt(line - 1).range));
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

/** What lines left behind, at their ends. */
export class LineValues implements vscode.InlineValuesProvider {
  constructor(private readonly sessions: Sessions) {}

  async provideInlineValues(document: vscode.TextDocument, viewPort: vscode.Range, context: vscode.InlineValueContext): Promise<vscode.InlineValue[]> {
    if (vscode.debug.activeDebugSession?.type !== DEBUG_TYPE) return [];
    try {
      const found = await this.sessions.ask<Coverage>("coverage", { frameId: context.frameId });
      if (found.sourceFile !== document.uri.fsPath) return [];
      return [...lineTexts(found)]
        .filter(([line]) => line >= 1 && line <= document.lineCount && line - 1 >= viewPort.start.line && line - 1 <= viewPort.end.line)
        .map(([line, text]) => new vscode.InlineValueText(document.lineAt(line - 1).range, shortened(text)));
    } catch {
      return [];
    }
  }
}
