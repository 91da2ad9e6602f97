// The computation tree.

import { signal } from "@preact/signals";

import type { Row } from "./api";
import { Bracket, groupOf, isInQuestion } from "./groups";
import { go, place } from "./place";
import { Rows } from "./rows";
import { SIGNS, count } from "./signs";
import { api, askAbout, tell, tree } from "./store";
import type { Line } from "./tree-model";

const sought = signal("");
const hits = signal<{ rows: Row[]; next: number | null; text: string; values: boolean } | null>(null);
/** Whether values are searched instead of names. */
const inValues = signal(false);
/** Counts searches: a newer one ends the others. */
let searches = 0;
/** A search in values goes on by itself until it has found something. */
const searching = signal<number | null>(null);
/** The row that the keys stand on. */
const cursor = signal<number | null>(null);

/** Deeper calls stand below each other, with their depth in front. */
const DEEPEST_INDENT = 10;
/** Rows that the keys for pages go. */
const SCREENFUL = 15;

function select(line: Line, index: number): void {
  cursor.value = index;
  if (line.row !== undefined) go({ node: line.row.node, event: null });
}

/** The row of the chosen call: where the keys stand, unless it was chosen elsewhere since. */
function chosenRow(): number | null {
  const at = cursor.value;
  return at !== null && tree.line(at)?.row?.node === place.value.node ? at : tree.wanted.value;
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

function Text({ row }: { row: Row }) {
  const end = row.text.indexOf(" → ");
  return (
    <span class="row-text">
      {end < 0 ? row.text : row.text.slice(0, end)}
      {end >= 0 && <span class="quiet">{row.text.slice(end)}</span>}
    </span>
  );
}

/** A row; `version` is the model's, so that it is drawn again when that changes. */
/** What is to be known of a call that cannot be asked about. */
function unfinished(row: Row): string {
  if (row.complete) return "";
  return row.began_before_kept ? ", its beginning was given up" : ", has not ended";
}

function TreeRow({ index }: { index: number; version: number }) {
  const line = tree.line(index);
  if (line === undefined) return null;
  const { row, depth, isOpen } = line;
  const indent = depth - tree.above.value;
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
      {...(row.subtree > 1 ? { "aria-expanded": isOpen } : {})}
      data-node={row.node}
      title={`#${row.node} ${row.class}.${row.method}: ${word}${unfinished(row)}`}
      onClick={() => select(line, index)}
      onDblClick={() => void tree.toggle(line).catch(tell)}
    >
      <span class="indent" style={{ width: `${Math.min(indent, DEEPEST_INDENT) * 14}px` }} />
      {indent > DEEPEST_INDENT && <span class="depth">⋯{depth}</span>}
      <button
        class="fold"
        tabIndex={-1}
        aria-label={isOpen ? "Close" : "Open"}
        disabled={row.subtree < 2}
        onClick={(event) => {
          event.stopPropagation();
          tree.toggle(line).catch(tell);
        }}
      >
        {row.subtree < 2 ? "" : isOpen ? "▾" : "▸"}
      </button>
      <span class={`sign ${row.judgement}`}>{sign}</span>
      {group !== undefined && <Bracket group={group} row={row} />}
      {row.thread !== undefined && (
        <span class="tag synthetic" title={`Ran in thread ${row.thread}, which the call above handed it over to`}>
          ⇄ {row.thread}
        </span>
      )}
      <Text row={row} />
      {isAsked && <span class="tag">asked</span>}
      {!row.complete && <span class="tag">{row.began_before_kept ? "cut" : "open"}</span>}
      {row.subtree > 1 && !isOpen && <span class="below">{(row.subtree - 1).toLocaleString("en")}</span>}
    </div>
  );
}

async function search(from: number): Promise<void> {
  const text = sought.value.trim();
  const node = /^#?(\d+)$/.exec(text);
  if (node?.[1] !== undefined) {
    go({ node: Number(node[1]), event: null });
    return;
  }
  if (text === "") {
    hits.value = null;
    return;
  }
  const values = inValues.value;
  searches += 1;
  const mine = searches;
  try {
    for (let next: number | null = from; next !== null; ) {
      searching.value = next;
      const found: { rows: Row[]; next: number | null } = await api.search(text, values, next);
      if (mine !== searches) return;
      hits.value = { ...found, text, values };
      next = found.rows.length > 0 ? null : found.next;
    }
  } catch (error) {
    tell(error);
  }
  if (mine === searches) searching.value = null;
}

/** Ends a search that is going on. */
function stopSearch(): void {
  searches += 1;
  searching.value = null;
}

function Hits() {
  const found = hits.value;
  if (found === null) return null;
  return (
    <div class="hits">
      <div class="hits-head">
        {found.rows.length === 0
          ? `No call ${found.values ? "with" : "of"} “${found.text}”${found.next === null ? "" : ` up to #${found.next.toLocaleString("en")}`}`
          : count(found.rows.length, "call", "calls")}
        {searching.value !== null && (
          <button class="small" onClick={stopSearch}>
            stop
          </button>
        )}
        {found.next !== null && searching.value === null && (
          <button class="small" onClick={() => void search(found.next ?? 0)}>
            go on
          </button>
        )}
        <button
          class="small"
          onClick={() => {
            stopSearch();
            hits.value = null;
          }}
        >
          close
        </button>
      </div>
      <div class="scroll">
        {found.rows.map((row) => (
          <button class={`hit ${row.judgement}`} onClick={() => go({ node: row.node, event: null })}>
            <span class="quiet">#{row.node}</span> <Text row={row} />
          </button>
        ))}
      </div>
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
        Computation tree
        <form
          class="search"
          onSubmit={(event) => {
            event.preventDefault();
            void search(0);
          }}
        >
          <input
            type="search"
            placeholder={inValues.value ? "value, e.g. 42 or \"Ann\"" : "name or #number"}
            aria-label="Search calls"
            value={sought.value}
            onInput={(event) => (sought.value = event.currentTarget.value)}
          />
          <button
            type="button"
            class="small"
            aria-pressed={inValues.value}
            title="Search in arguments, results and changes instead of names"
            onClick={() => (inValues.value = !inValues.value)}
          >
            values
          </button>
        </form>
      </h2>
      <Hits />
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
