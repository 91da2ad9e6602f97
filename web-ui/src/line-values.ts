// The source answers: at the end of each line what the call left there, up to the moment looked at; the value of the
// word under the mouse; and a click on a line leads to its executions.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { EditorState, Extension } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, hoverTooltip } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import { effect, signal } from "@preact/signals";

import type { LinesExecuted, NodeShown, Value } from "./api";
import { go, place } from "./place";
import { api, info, session, shown, tell } from "./store";
import { brief } from "./values";

/** A longer text would push the code out of sight. */
const LONGEST = 60;

/** What is known of the lines of the call that is looked at. */
export const linesExecuted = signal<LinesExecuted | null>(null);

/** A line that was clicked, with its executions. */
export const chosenLine = signal<{ node: number; line: number; executions: NonNullable<LinesExecuted["executions"]> } | null>(null);

let wanted = "";
effect(() => {
  const { node, event } = place.value;
  if (node === null || session.value === null || info.value?.recorded !== true) return;
  const key = `${node}/${event ?? ""}/${session.value.snapshot}`;
  if (key === wanted) return;
  wanted = key;
  if (chosenLine.peek()?.node !== node) chosenLine.value = null;
  api.lines(node, event).then(
    (found) => {
      if (wanted === key) linesExecuted.value = found;
    },
    () => {
      // The lines stay without values: the call's pane tells why it cannot be read.
      if (wanted === key) linesExecuted.value = null;
    },
  );
});

class Values extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: Values): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "line-values";
    element.textContent = this.text.length > LONGEST ? `${this.text.slice(0, LONGEST)}…` : this.text;
    element.title = this.text;
    return element;
  }
}

export const setLineValues = StateEffect.define<Map<number, string>>();

const valueField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const change of transaction.effects) {
      if (change.is(setLineValues)) return decorated(transaction.state, change.value);
    }
    return old;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorated({ doc }: EditorState, texts: Map<number, string>): DecorationSet {
  const ranges = [...texts]
    .filter(([row]) => row >= 1 && row <= doc.lines)
    .map(([row, text]) => Decoration.widget({ widget: new Values(text), side: 1 }).range(doc.line(row).to));
  return RangeSet.of(ranges, true);
}

/** Goes to an execution of a line: the last one up to the moment looked at. */
export async function goToLine(line: number): Promise<void> {
  const { node, event } = place.value;
  if (node === null) return;
  try {
    const { executions = [] } = await api.lines(node, null, line);
    const there = executions.filter((one) => event === null || one.event <= event).at(-1) ?? executions[0];
    if (there === undefined) return;
    chosenLine.value = { node, line, executions };
    go({ node, event: there.event });
  } catch (error) {
    tell(error);
  }
}

/** A variable by its name, as the call that is looked at has it. */
function named(call: NodeShown, name: string): Value | undefined {
  const local = call.locals.find((one) => one.name === name);
  if (local !== undefined) return local.value;
  const given = call.arguments.find((one) => one.name === name) ?? call.statics.find((one) => one.name === name || one.name.endsWith(`.${name}`));
  if (given !== undefined) return given.after ?? given.before;
  const me = call.this?.after ?? call.this?.before;
  return me?.children?.find(({ label }) => "field" in label && label.field === name)?.value;
}

/** `numberOf` tells the line of the file that a row is about. */
export function answering(numberOf: (row: number) => number | null): Extension {
  return [
    valueField,
    EditorView.domEventHandlers({
      click(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null || !view.state.selection.main.empty) return;
        const line = numberOf(view.state.doc.lineAt(at).number);
        if (line !== null && linesExecuted.value?.lines.some((one) => one.line === line) === true) void goToLine(line);
      },
    }),
    hoverTooltip((view, at) => {
      const word = view.state.wordAt(at);
      const call = shown.value;
      if (word === null || call === null) return null;
      const name = view.state.sliceDoc(word.from, word.to);
      const value = named(call, name);
      if (value === undefined) return null;
      return {
        pos: word.from,
        end: word.to,
        above: true,
        create: () => {
          const dom = document.createElement("div");
          dom.className = "hovered-value";
          dom.textContent = `${name} = ${brief(value, 3)}`;
          return { dom };
        },
      };
    }),
  ];
}
