// What VS Code starts: everything is registered here, and works on the debug session that `sessions` names.

import * as vscode from "vscode";

import { AdapterFactory, checkExecutable } from "./adapter";
import { CodeLenses } from "./code-lenses";
import { Culprits } from "./culprits";
import { ConfigurationProvider, findBug, openTrace } from "./launching";
import { ExecutedLines, LineValues } from "./lines";
import { QuestionView } from "./question-view";
import type { SaidElsewhere } from "./requests";
import { DEBUG_TYPE, Sessions, sentenceOf } from "./sessions";
import { SuspectsView } from "./suspects-view";
import { callWrong, showVariable } from "./variables";

const JAVA: vscode.DocumentSelector = { language: "java", scheme: "file" };

export function activate(context: vscode.ExtensionContext): void {
  const sessions = new Sessions();
  const culprits = new Culprits(sessions);
  const view = new QuestionView(sessions, culprits, context.extensionUri);
  const suspects = new SuspectsView(sessions);
  const configurations = new ConfigurationProvider();

  const travel = (request: string, given: Record<string, unknown> = {}) =>
    sessions.ask(request, given).catch((error: unknown) => void vscode.window.showWarningMessage(sentenceOf(error)));
  const say = async (said: SaidElsewhere) => {
    await view.show(true);
    view.tell({ kind: "say", said });
  };
  const frame = () => {
    const item = vscode.debug.activeStackItem;
    return item instanceof vscode.DebugStackFrame ? { frameId: item.frameId } : {};
  };
  const commands: Record<string, (...given: never[]) => unknown> = {
    findBug,
    openTrace,
    checkExecutable,
    showQuestion: () => view.show(),
    answerYes: () => say("yes"),
    answerNo: () => say("no"),
    answerUnknown: () => say("unknown"),
    undo: () => say("undo"),
    report: () => culprits.report(),
    refreshSuspects: () => suspects.refresh(),
    goToCall: (node: number) => culprits.go(node, null),
    isWrong: (clicked: unknown) => callWrong(sessions, view, clicked),
    history: (clicked: unknown) => showVariable(sessions, view, "history", clicked),
    whereFrom: (clicked: unknown) => showVariable(sessions, view, "why", clicked),
    stepBackInto: () => travel("backIn"),
    stepBackOut: () => travel("backOut"),
    callBeginning: () => travel("goTo", { ...frame(), event: 0 }),
    callEnd: () => travel("goTo", frame()),
  };

  context.subscriptions.push(
    sessions,
    culprits,
    new ExecutedLines(sessions),
    vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, new AdapterFactory()),
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, configurations),
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, configurations, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
    vscode.languages.registerCodeLensProvider(JAVA, new CodeLenses()),
    vscode.languages.registerInlineValuesProvider(JAVA, new LineValues(sessions)),
    vscode.window.registerWebviewViewProvider(QuestionView.id, view, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerTreeDataProvider(SuspectsView.id, suspects),
    ...Object.entries(commands).map(([name, command]) => vscode.commands.registerCommand(`askance.${name}`, command as (...given: unknown[]) => unknown)),
  );
}
