// The debug session that the views are about: the active one of this debugger, once it has stopped for the first time.

import * as vscode from "vscode";

import type { Session } from "../../../web-ui/src/api-types";

export const DEBUG_TYPE = "askance";

/** What the adapter will not do, in its own sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export class Sessions implements vscode.Disposable {
  private readonly stopped = new Set<string>();
  private known: vscode.DebugSession | null = null;
  private standing: Session | null = null;
  private readonly switched = new vscode.EventEmitter<void>();
  private readonly changed = new vscode.EventEmitter<Session>();
  private readonly disposables: vscode.Disposable[];

  /** Another session is looked at, or none. */
  readonly onSwitched = this.switched.event;
  /** There is another question, or the first. */
  readonly onChanged = this.changed.event;

  constructor() {
    this.disposables = [
      this.switched,
      this.changed,
      vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, {
        createDebugAdapterTracker: (session) => ({
          onDidSendMessage: (message: { type?: string; event?: string }) => {
            if (message.type === "event" && message.event === "stopped") this.hasStopped(session);
          },
        }),
      }),
      vscode.debug.onDidChangeActiveDebugSession((session) => this.look(session)),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.stopped.delete(session.id);
        if (session.id === this.known?.id) this.look(vscode.debug.activeDebugSession);
      }),
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event }) => {
        if (event === "askance/changed" && session.id === this.known?.id) void this.refresh();
      }),
    ];
  }

  /** The session that is looked at. */
  get active(): vscode.DebugSession | null {
    return this.known;
  }

  /** Where its questions stand. */
  get session(): Session | null {
    return this.standing;
  }

  /** Asks the adapter; refusals come as errors with its sentence. */
  async ask<T>(name: string, given: Record<string, unknown> = {}): Promise<T> {
    if (this.known === null) throw new Error("No recorded run is being debugged.");
    return (await this.known.customRequest(`askance/${name}`, given)) as T;
  }

  private hasStopped(session: vscode.DebugSession): void {
    const isFirst = !this.stopped.has(session.id);
    this.stopped.add(session.id);
    if (isFirst) this.look(session);
  }

  private look(session: vscode.DebugSession | undefined): void {
    const next = session?.type === DEBUG_TYPE && this.stopped.has(session.id) ? session : null;
    if (next?.id === this.known?.id) return;
    this.known = next;
    this.standing = null;
    void vscode.commands.executeCommand("setContext", "askance.isDebugging", next !== null);
    this.switched.fire();
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const asked = this.known;
    if (asked === null) return;
    try {
      const next = await this.ask<Session>("question");
      if (asked.id !== this.known?.id) return;
      this.standing = next;
      this.changed.fire(next);
    } catch {
      // The session has ended meanwhile, which is told by its own event.
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
