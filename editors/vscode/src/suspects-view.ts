// The methods that are likeliest to be to blame as the answers stand; a click leads to the call.

import * as vscode from "vscode";

import type { Suspect } from "../../../web-ui/src/api-types";
import type { Sessions } from "./sessions";

/** So many methods are listed. */
const MOST = 12;

type Entry = { suspect: Suspect } | { reason: string };

/** A method without its package. */
export function simpleName({ class: name, method }: Pick<Suspect, "class" | "method">): string {
  const simple = name.slice(name.lastIndexOf(".") + 1);
  if (method === "<init>") return `new ${simple}`;
  return method === "<clinit>" ? `static { } of ${simple}` : `${simple}.${method}`;
}

export class SuspectsView implements vscode.TreeDataProvider<Entry> {
  static readonly id = "askance.suspects";
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly sessions: Sessions) {
    sessions.onSwitched(() => this.refresh());
    sessions.onChanged(() => this.refresh());
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(entry?: Entry): Promise<Entry[]> {
    if (entry !== undefined) return "suspect" in entry ? entry.suspect.reasons.map((reason) => ({ reason })) : [];
    if (this.sessions.active === null) return [];
    try {
      const { suspects } = await this.sessions.ask<{ suspects: Suspect[] }>("suspects", { most: MOST });
      if (suspects.length > 0) return suspects.map((suspect) => ({ suspect }));
      return [{ reason: "Nothing is known that would make one call likelier to be wrong than another." }];
    } catch {
      // The session has ended meanwhile.
      return [];
    }
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    if ("reason" in entry) {
      const item = new vscode.TreeItem(entry.reason);
      item.tooltip = entry.reason;
      return item;
    }
    const { suspect } = entry;
    const fold = suspect.reasons.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(simpleName(suspect), fold);
    item.id = `${suspect.class}.${suspect.method}/${suspect.node}`;
    item.description = [`${Math.round(100 * suspect.likelihood)} %`, ...suspect.reasons.slice(0, 1)].join("  ");
    item.tooltip = `${suspect.call}\n${suspect.reasons.join("\n")}`;
    item.iconPath = new vscode.ThemeIcon("symbol-method");
    item.command = { title: "Go to the Call", command: "askance.goToCall", arguments: [suspect.node] };
    return item;
  }
}
