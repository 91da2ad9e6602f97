// VS Code as far as the extension needs it to be activated: what is registered is noted in `globalThis.noted`.

/** @type {Record<string, unknown[][]>} */
const noted = {};
Object.assign(globalThis, { noted });

/** @param {string} what */
const note =
  (what) =>
  /** @param {unknown[]} given */
  (...given) => {
    (noted[what] ??= []).push(given);
    return { dispose: () => undefined };
  };
const nothing = () => ({ dispose: () => undefined });

export const commands = { registerCommand: note("command"), executeCommand: async () => undefined };
export const debug = {
  activeDebugSession: undefined,
  activeStackItem: undefined,
  registerDebugAdapterTrackerFactory: note("tracker"),
  registerDebugAdapterDescriptorFactory: note("adapter"),
  registerDebugConfigurationProvider: note("configurations"),
  onDidChangeActiveDebugSession: nothing,
  onDidTerminateDebugSession: nothing,
  onDidReceiveDebugSessionCustomEvent: nothing,
  onDidChangeActiveStackItem: nothing,
};
export const languages = { registerCodeLensProvider: note("lenses"), registerInlineValuesProvider: note("inline values") };
export const window = {
  visibleTextEditors: [],
  registerWebviewViewProvider: note("view"),
  registerTreeDataProvider: note("view"),
  createTextEditorDecorationType: nothing,
  onDidChangeVisibleTextEditors: nothing,
};
export const workspace = {
  registerTextDocumentContentProvider: note("content"),
  onDidChangeConfiguration: nothing,
  getConfiguration: () => ({ get: (/** @type {string} */ _name, /** @type {unknown} */ value) => value }),
};
export class EventEmitter {
  /** @type {((value: unknown) => void)[]} */
  listeners = [];
  /** @param {(value: unknown) => void} listener */
  event = (listener) => {
    this.listeners.push(listener);
    return nothing();
  };
  /** @param {unknown} value */
  fire(value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {}
}
export class ThemeColor {}
export class ThemeIcon {}
export class DebugStackFrame {}
export class Range {
  /** @param {number} line */
  constructor(line) {
    this.line = line;
  }
}
export class CodeLens {
  /** @param {Range} range @param {unknown} command */
  constructor(range, command) {
    Object.assign(this, { range, command });
  }
}
export class TreeItem {
  /** @param {string} label @param {number} fold */
  constructor(label, fold) {
    Object.assign(this, { label, fold });
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1 };
export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };
export const OverviewRulerLane = { Left: 1, Full: 7 };
export const Uri = { joinPath: (/** @type {string[]} */ ...parts) => parts.join("/"), from: (/** @type {object} */ parts) => parts };
export class MarkdownString {}
