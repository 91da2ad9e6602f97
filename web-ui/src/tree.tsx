// The computation tree.

import { signal } from "@preact/signals";

import type { Row, Said } from "./api";
import { Bracket, groupOf, isInQuestion } from "./groups";
import { go, place } from "./place";
import { Rows } from "./rows";
import { saved } from "./saved";
import { SearchField, SearchHits } from "./search";
import { SIGNS, count } from "./signs";
import { answerAbout, askAbout, busy, info, tell, tree } from "./store";
import type { Leaf, Line } from "./tree-model";
import { visible } from "./visible";

/** The row that the keys stand on. */
const cursor = signal<number | null>(null);

/** Deeper calls stand below each other, with their depth in front. */
const DEEPEST_INDENT = 10;
/** Rows that the keys for pages go. */
const SCREENFUL = 15;

function select(line: Line, index: number): void {
  cursor.value = index;
  if (line.row !== undefined) go({ node: line.row.node, event: null });
  else if (line.leaf !== undefined) go({ node: line.leaf.caller, event: line.leaf.event, panel: "events" });
}

/** The row of the chosen call: where the keys stand, unless it was chosen elsewhere since. */
function chosenRow(): number | null {
  const at = cursor.value;
  const line = at === null ? undefined : tree.line(at);
  const isThere = line?.leaf === undefined ? line?.row?.node === place.value.node : line.leaf.caller === place.value.node && line.leaf.event === place.value.event;
  return isThere ? at : tree.wanted.value;
}

function keyed(event: KeyboardEvent): void {
  const index = chosenRow() ?? 0;
  const line = tree.line(index);
  if (line === undefined) return;
  const move = (to: number) => {
    tree.loaded(to).then((there) => there !== undefined && select(there, to), tell);
  };
  switch (event.key) {
    case "ArrowDown":
      move(index + 1);
      break;
    case "ArrowUp":
      if (index > 0) move(index - 1);
      break;
    case "ArrowRight":
      if (line.isOpen) move(index + 1);
      else tree.toggle(line).catch(tell);
      break;
    case "ArrowLeft":
      if (line.isOpen) tree.toggle(line).catch(tell);
      else if (line.row?.parent != null) {
        cursor.value = null;
        go({ node: line.row.parent, event: null });
      }
      break;
    case "PageDown":
      move(Math.min(index + SCREENFUL, tree.height() - 1));
      break;
    case "PageUp":
      move(Math.max(index - SCREENFUL, 0));
      break;
    case "Home":
      move(0);
      break;
    case "End":
      move(tree.height() - 1);
      break;
    case "Enter":
      if (line.row !== undefined) void askAbout(line.row.node);
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** A call in one line: what it was given, and quieter what came out. */
export function CallLine({ text }: { text: string }) {
  const end = text.indexOf(" → ");
  return (
    <span class="row-text">
      {end < 0 ? text : text.slice(0, end)}
      {end >= 0 && <span class="quiet">{text.slice(end)}</span>}
    </span>
  );
}

/** What is to be known of a call that cannot be asked about. */
function unfinished(row: Row): string {
  if (row.complete) return "";
  return row.began_before_kept ? ", its beginning was given up" : ", has not ended";
}

/** Any call can be judged where it stands, asked about or not. */
function Judging({ node }: { node: number }) {
  const judge = (said: Said) => (event: MouseEvent) => {
    event.stopPropagation();
    void answerAbout(node, said);
  };
  return (
    <span class="judging">
      <button class="small yes" tabIndex={-1} disabled={busy.value} title="This call is right" aria-label={`Call ${node} is right`} onClick={judge("yes")}>
        ✓
      </button>
      <button class="small no" tabIndex={-1} disabled={busy.value} title="This call is wrong" aria-label={`Call ${node} is wrong`} onClick={judge("no")}>
        ✗
      </button>
    </span>
  );
}

/** A call of a library: trusted, so nobody is asked about it. */
function LeafRow({ line, leaf, index, indent }: { line: Line; leaf: Leaf; index: number; indent: number }) {
  const isSelected = leaf.caller === place.value.node && leaf.event === place.value.event;
  const where = leaf.line === null ? "" : ` (line ${leaf.line})`;
  return (
    <div
      class={`tree-row leaf ${isSelected ? "selected" : ""}`}
      role="treeitem"
      aria-level={line.depth + 1}
      aria-selected={isSelected}
      title={leaf.text === "…" ? "More calls of libraries: the events of the call have them" : `${leaf.text}${where}\nNot recorded, and trusted: a library or the JDK`}
      onClick={() => select(line, index)}
    >
      <span class="indent" style={{ width: `${Math.min(indent, DEEPEST_INDENT) * 14 + 16}px` }} />
      <span class="sign trusted">·</span>
      <CallLine text={visible(leaf.text)} />
    </div>
  );
}

/** A row; `version` is the model's, so that it is drawn again when that changes. */
function TreeRow({ index }: { index: number; version: number }) {
  const line = tree.line(index);
  if (line === undefined) return null;
  const { row, depth, isOpen } = line;
  const indent = depth - tree.above.value;
  if (line.leaf !== undefined) return <LeafRow line={line} leaf={line.leaf} index={index} indent={indent} />;
  if (row === undefined) return <div class="tree-row quiet">…</div>;
  const isSelected = row.node === place.value.node;
  const isAsked = isInQuestion(row);
  const group = groupOf(row);
  const { sign, word } = SIGNS[row.judgement];
  const classes = ["tree-row", row.judgement, row.suspects > 0 ? "" : "out", isSelected ? "selected" : "", isAsked ? "is-asked" : ""];
  return (
    <div
      id={`node-${row.node}`}
      class={classes.join(" ")}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(tree.canOpen(row) ? { "aria-expanded": isOpen } : {})}
      data-node={row.node}
      title={`#${row.node} ${row.class}.${row.method}: ${word}${unfinished(row)}\n${row.text}`}
      onClick={() => select(line, index)}
      onDblClick={() => void tree.toggle(line).catch(tell)}
    >
      <span class="indent" style={{ width: `${Math.min(indent, DEEPEST_INDENT) * 14}px` }} />
      {indent > DEEPEST_INDENT && <span class="depth">⋯{depth}</span>}
      <button
        class="fold"
        tabIndex={-1}
        aria-label={isOpen ? "Close" : "Open"}
        disabled={!tree.canOpen(row)}
        onClick={(event) => {
          event.stopPropagation();
          tree.toggle(line).catch(tell);
        }}
      >
        {!tree.canOpen(row) ? "" : isOpen ? "▾" : "▸"}
      </button>
      <span class={`sign ${row.judgement}`}>{sign}</span>
      {group !== undefined && <Bracket group={group} row={row} />}
      {row.thread !== undefined && (
        <span class="tag synthetic" title={`Ran in thread ${row.thread}, which the call above handed it over to`}>
          ⇄ {row.thread}
        </span>
      )}
      <CallLine text={row.text} />
      {isAsked && <span class="tag">asked</span>}
      {!row.complete && <span class="tag">{row.began_before_kept ? "cut" : "open"}</span>}
      {row.complete && <Judging node={row.node} />}
      {row.subtree > 1 && !isOpen && <span class="below">{(row.subtree - 1).toLocaleString("en")}</span>}
    </div>
  );
}

export function Tree() {
  const { node } = place.value;
  // Drawn again whenever the model changes.
  const version = tree.version.value;
  return (
    <section class="panel grow" aria-label="Computation tree">
      <h2>
        Calls
        {saved === null && <SearchField />}
        {saved === null && info.value?.recorded === true && (
          <button
            class="small"
            aria-pressed={tree.hasLibrary.value}
            title="Show calls of libraries and the JDK as well: they are trusted, and never asked about"
            onClick={() => tree.setLibrary(!tree.hasLibrary.value)}
          >
            library
          </button>
        )}
      </h2>
      <SearchHits />
      {tree.above.value > 0 && (
        <p class="above quiet">
          ⋯ {count(tree.above.value, "call", "calls")} above
          <button class="small" onClick={() => void tree.restart().catch(tell)}>
            to the top
          </button>
        </p>
      )}
      <Rows
        count={tree.height()}
        row={(index) => <TreeRow index={index} version={version} />}
        wanted={chosenRow()}
        wish={`${node ?? ""}/${tree.wishes.value}`}
        label="Calls"
        role="tree"
        onKeyDown={keyed}
        active={node === null ? undefined : `node-${node}`}
      />
    </section>
  );
}
