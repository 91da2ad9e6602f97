// What can be done with a variable of the debugger's own view: call it wrong, see every write of it, ask where its
// value came from.

import * as vscode from "vscode";

import type { NodeShown } from "../../../web-ui/src/api-types";
import type { QuestionView } from "./question-view";
import type { Sessions } from "./sessions";
import { sentenceOf } from "./sessions";

/** What VS Code says of the entry that was clicked. */
interface Clicked {
  variable?: { name?: string; evaluateName?: string };
}

/** The variable as `askance` names it. */
export function pathOf(clicked: unknown): string | null {
  if (typeof clicked !== "object" || clicked === null) return null;
  const { variable } = clicked as Clicked;
  const path = variable?.evaluateName ?? variable?.name;
  return typeof path === "string" && path !== "" ? path : null;
}

/** The call and the moment of the selected frame. */
async function momentOf(sessions: Sessions): Promise<{ node: number; event: number | null }> {
  const item = vscode.debug.activeStackItem;
  const frame = item instanceof vscode.DebugStackFrame ? { frameId: item.frameId } : {};
  const shown = await sessions.ask<NodeShown>("node", frame);
  return { node: shown.node, event: shown.event?.event ?? null };
}

async function doWith(clicked: unknown, work: (path: string) => Promise<void>): Promise<void> {
  const path = pathOf(clicked);
  if (path === null) {
    void vscode.window.showWarningMessage("This is no variable: choose one in the Variables view.");
    return;
  }
  try {
    await work(path);
  } catch (error) {
    void vscode.window.showWarningMessage(sentenceOf(error));
  }
}

export function showVariable(sessions: Sessions, view: QuestionView, panel: "history" | "why", clicked: unknown): Promise<void> {
  return doWith(clicked, async (variable) => {
    const moment = await momentOf(sessions);
    view.tell({ kind: "show", panel, variable, ...moment });
    await view.show(true);
  });
}

/** A value that is wrong is wrong at the end of its call: the next question goes on from what made it. */
export function callWrong(sessions: Sessions, view: QuestionView, clicked: unknown): Promise<void> {
  return doWith(clicked, async (path) => {
    const { node } = await momentOf(sessions);
    await sessions.ask("answer", { revision: sessions.session?.revision ?? 0, answer: "wrong", path, node });
    await view.show(true);
  });
}
