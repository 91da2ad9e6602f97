// Conditions that always went one way in the call that is looked at, and what therefore never ran.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { EditorState } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";

/** A condition and the lines on the way that was never taken, as rows of the pane. */
export interface Untaken {
  row: number;
  rows: number[];
  /** In words. */
  text: string;
}

/** `38`, `38 and 40`, `38–41 and 50`. */
function ranges(lines: number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] ?? 0;
    let last = first;
    while (lines[at + 1] === last + 1) {
      at += 1;
      last += 1;
    }
    at += 1;
    parts.push(first === last ? String(first) : `${first}–${last}`);
  }
  const end = parts.pop() ?? "";
  return parts.length === 0 ? end : `${parts.join(", ")} and ${end}`;
}

/** What never ran, in words. */
export function told(line: number, lines: number[]): string {
  const others = lines.filter((other) => other !== line);
  if (others.length === 0) return "a part of this line never ran";
  return `${others.length === 1 ? "line" : "lines"} ${ranges(others)} never ran`;
}

class Words extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: Words): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "line-untaken-words";
    element.textContent = this.text;
    element.title = `This always went one way in this call: ${this.text}`;
    return element;
  }
}

export const setUntaken = StateEffect.define<Untaken[]>();
const notRun = Decoration.line({ class: "line-not-run" });

function decorated({ doc }: EditorState, branches: Untaken[]): DecorationSet {
  const isRow = (row: number) => row >= 1 && row <= doc.lines;
  const words = branches
    .filter(({ row }) => isRow(row))
    // Behind the values that the line left.
    .map(({ row, text }) => Decoration.widget({ widget: new Words(text), side: 2 }).range(doc.line(row).to));
  const conditions = new Set(branches.map(({ row }) => row));
  const rows = new Set(branches.flatMap((branch) => branch.rows).filter((row) => isRow(row) && !conditions.has(row)));
  return RangeSet.of([...words, ...[...rows].map((row) => notRun.range(doc.line(row).from))], true);
}

export const untakenBranches = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const change of transaction.effects) {
      if (change.is(setUntaken)) return decorated(transaction.state, change.value);
    }
    return old;
  },
  provide: (field) => EditorView.decorations.from(field),
});
