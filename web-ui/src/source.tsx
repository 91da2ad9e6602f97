// The source: what the call executed, and the line where it stands.

import { java } from "@codemirror/lang-java";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, lineNumbers } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Source } from "./api";
import { diagnosis } from "./culprit";
import { lineTexts } from "./line-texts";
import { answering, chosenLine, linesExecuted, setLineValues } from "./line-values";
import { origin } from "./origin";
import { go, place } from "./place";
import { inside, shown, source } from "./store";
import { setUntaken, told, untakenBranches } from "./untaken";
import type { Untaken } from "./untaken";

interface Marks {
  executed: number[];
  /** Lines that had a part in the value whose origin is shown. */
  slice: number[];
  /** Lines of the piece of the call that is asked about or was found. */
  piece: number[];
  isFound: boolean;
  /** Of what was found, the lines that made the wrong value; the others had a part in it. */
  made: number[];
  current: number | null;
}

const setMarks = StateEffect.define<Marks>();
const executedLine = Decoration.line({ class: "line-executed" });
const sliceLine = Decoration.line({ class: "line-slice" });
const pieceLine = Decoration.line({ class: "line-piece" });
const partLine = Decoration.line({ class: "line-part" });
const blamedLine = Decoration.line({ class: "line-blamed" });
const currentLine = Decoration.line({ class: "line-current" });
const headLine = Decoration.line({ class: "line-head" });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const change of transaction.effects) {
      if (change.is(setMarks)) return decorated(transaction.state, change.value);
    }
    return old;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorated(state: EditorState, { executed, slice, piece, isFound, made, current }: Marks): DecorationSet {
  const { doc } = state;
  const isLine = (line: number) => line >= 1 && line <= doc.lines;
  const ranges = executed.filter(isLine).map((line) => executedLine.range(doc.line(line).from));
  ranges.push(...slice.filter(isLine).map((line) => sliceLine.range(doc.line(line).from)));
  const blamed = (line: number) => (made.length === 0 || made.includes(line) ? blamedLine : partLine);
  ranges.push(...piece.filter(isLine).map((line) => (isFound ? blamed(line) : pieceLine).range(doc.line(line).from)));
  if (current !== null && isLine(current)) ranges.push(currentLine.range(doc.line(current).from));
  return Decoration.set(ranges, true);
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.className], color: "var(--code-type)" },
  { tag: [tags.string, tags.character], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--quiet)", fontStyle: "italic" },
]);

const setup = [
  marks,
  untakenBranches,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Source" }),
];

/** The lines of the piece that is asked about or was found inside a call, or that made the wrong value of the call. */
function pieceOf(node: number | undefined): number[] {
  const now = inside.value;
  if (now === null) {
    const culprit = diagnosis.value?.culprit;
    // Without a wrong value nearly all lines that ran are left, and marking them tells nothing.
    return culprit?.wrong !== undefined && culprit.node === node ? culprit.lines : [];
  }
  if (now.node !== node) return [];
  return "ask" in now.step ? now.step.ask.lines : now.step.done.lines;
}

/** The line of a call that made the value that is wrong. */
function madeIn(node: number | undefined): number[] {
  const wrong = inside.value === null ? diagnosis.value?.culprit?.wrong : undefined;
  return wrong?.line !== undefined && wrong.node === node ? [wrong.line] : [];
}

/** The lines of a file that the origin of a value leads through, while it is shown. */
function sliced(file: string | null): number[] {
  if (place.value.panel !== "why" || file === null) return [];
  const routines = origin.value?.lines ?? [];
  return routines.filter((routine) => routine.file === file).flatMap((routine) => routine.lines);
}

type Listing = NonNullable<Source["listing"]>;

/** What the pane shows: the text, or rows about lines. */
function opened(found: Source): EditorState {
  const { listing } = found;
  if (listing === undefined) {
    return EditorState.create({ doc: found.text ?? "", extensions: [lineNumbers(), java(), syntaxHighlighting(colours), setup, answering((row) => row)] });
  }
  const widest = listing.lines.reduce<number>((most, line) => Math.max(most, line ?? 0), 0);
  const formatNumber = (row: number) => String((row > listing.lines.length ? widest : listing.lines[row - 1]) ?? "");
  return EditorState.create({ doc: listing.text, extensions: [lineNumbers({ formatNumber }), heads, setup, answering((row) => listing.lines[row - 1] ?? null)] });
}

/** Rows about no line name what follows: they are no code. */
const heads = EditorView.decorations.compute(["doc"], (state) => {
  const ranges = [];
  for (let row = 1; row <= state.doc.lines; row += 1) {
    const line = state.doc.line(row);
    if (line.length > 0 && !line.text.startsWith("      ")) ranges.push(headLine.range(line.from));
  }
  return Decoration.set(ranges);
});

/** Where lines of the file stand in the pane. The same line may belong to several methods: a lambda, an initialiser. */
function rowsOf(listing: Listing | undefined, lines: number[], isOfCall: boolean): number[] {
  if (listing === undefined) return lines;
  const wanted = new Set(lines);
  const [from, to] = isOfCall ? listing.method : [0, listing.lines.length];
  const rows = [];
  for (let row = from; row < to; row += 1) {
    const line = listing.lines[row];
    if (line != null && wanted.has(line)) rows.push(row + 1);
  }
  return rows;
}

/** Of the line that was clicked: which of its executions this is, and the way to the others. */
function Executions() {
  const chosen = chosenLine.value;
  const { node, event } = place.value;
  if (chosen === null || chosen.node !== node || chosen.executions.length < 2) return null;
  const at = chosen.executions.findIndex((one) => one.event === event);
  if (at < 0) return null;
  const goTo = (to: number) => go({ node, event: chosen.executions[to]?.event ?? null });
  return (
    <p class="note missing executions" data-testid="executions">
      <span>
        Line {chosen.line}, execution {at + 1} of {chosen.executions.length}
      </span>
      <button class="small" disabled={at === 0} onClick={() => goTo(at - 1)}>
        ‹ before
      </button>
      <button class="small" disabled={at === chosen.executions.length - 1} onClick={() => goTo(at + 1)}>
        after ›
      </button>
      <code class="quiet clip">{chosen.executions[at]?.values.join(", ")}</code>
    </p>
  );
}

export function SourceView() {
  const box = useRef<HTMLDivElement>(null);
  const hasText = useSignal(false);
  useEffect(() => {
    if (box.current === null) return;
    const view = new EditorView({ parent: box.current });
    let text: string | null = null;
    let stood = "";
    const stop = effect(() => {
      const found = source.value;
      const call = shown.value;
      const listing = found?.listing;
      const wanted = found?.text ?? listing?.text ?? null;
      hasText.value = wanted !== null;
      if (found === null || wanted === null) return;
      if (wanted !== text) {
        text = wanted;
        view.setState(opened(found));
        stood = "";
      }
      const ofCall = (lines: number[]) => rowsOf(listing, lines, true);
      const line = call?.event?.line ?? null;
      const current = line === null ? null : (ofCall([line])[0] ?? null);
      const piece = ofCall(pieceOf(call?.node));
      const isFound = inside.value === null || "done" in inside.value.step;
      const made = ofCall(madeIn(call?.node));
      const slice = rowsOf(listing, sliced(found.file), false);
      const effects: StateEffect<unknown>[] = [setMarks.of({ executed: ofCall(found.executed), slice, piece, isFound, made, current })];
      // Values of another call than the one that is shown would be false.
      const known = linesExecuted.value?.node === call?.node ? linesExecuted.value : null;
      const texts = [...lineTexts(known)].flatMap(([at, told]) => ofCall([at]).map((place): [number, string] => [place, told]));
      effects.push(setLineValues.of(new Map(texts)));
      const isOfCall = found.node === call?.node;
      const branches = (isOfCall ? found.untaken : []).flatMap(({ line: at, lines }): Untaken[] => {
        // Code that ran in part, as the head of a loop does, is not marked as code that did not.
        const rows = ofCall(lines.filter((other) => !found.executed.includes(other)));
        return ofCall([at]).map((condition) => ({ row: condition, rows, text: told(at, lines) }));
      });
      effects.push(setUntaken.of(branches));
      const begins = listing === undefined ? found.method[0] : listing.method[0] + 1;
      const row = current ?? made[0] ?? piece[0] ?? begins ?? 1;
      const stands = `${call?.node ?? ""}/${row}`;
      if (stands !== stood && row <= view.state.doc.lines) {
        stood = stands;
        const y = current === null && piece.length === 0 ? "start" : "nearest";
        effects.push(EditorView.scrollIntoView(view.state.doc.line(row).from, { y, yMargin: 40 }));
      }
      view.dispatch({ effects });
    });
    return () => {
      stop();
      view.destroy();
    };
  }, []);
  return (
    <section class="panel grow" aria-label="Source">
      <h2>
        Source <span class="quiet file">{source.value?.file}</span>
        <span class="legend quiet">
          <span class="swatch line-executed" /> executed{" "}
          {(source.value?.untaken.length ?? 0) > 0 && (
            <>
              <span class="swatch line-not-run" /> not taken{" "}
            </>
          )}
          {place.value.panel === "why" && (
            <>
              <span class="swatch line-slice" /> gave the value{" "}
            </>
          )}
          {(inside.value !== null || diagnosis.value?.culprit?.wrong !== undefined) && (
            <>
              {inside.value !== null && "ask" in inside.value.step ? (
                <>
                  <span class="swatch line-piece" /> in question{" "}
                </>
              ) : (
                <>
                  {madeIn(shown.value?.node).length > 0 ? (
                    <>
                      <span class="swatch line-blamed" /> made it <span class="swatch line-part" /> had a part{" "}
                    </>
                  ) : (
                    <>
                      <span class="swatch line-blamed" /> to blame{" "}
                    </>
                  )}
                </>
              )}
            </>
          )}
          <span class="swatch line-current" /> here
        </span>
      </h2>
      {source.value?.note != null && (
        <p class="note quiet missing" data-testid="missing">
          {source.value.note}
        </p>
      )}
      <Executions />
      <div class="editor" ref={box} hidden={!hasText.value} data-testid="source" />
    </section>
  );
}
