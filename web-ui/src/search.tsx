// The search among all calls, by name or by value.

import { signal } from "@preact/signals";

import type { Row } from "./api";
import { go } from "./place";
import { Rows } from "./rows";
import { count } from "./signs";
import { api, info, tell } from "./store";
import { CallLine } from "./tree";

/** A search stops here until somebody wants more. */
const AT_ONCE = 500;

interface Hits {
  rows: Row[];
  next: number | null;
  text: string;
  values: boolean;
}

const sought = signal("");
const hits = signal<Hits | null>(null);
/** Whether values are searched instead of names. */
const inValues = signal(false);
/** Counts searches: a newer one ends the others. */
let searches = 0;
/** The call that a search has come to, while it goes on. */
const searching = signal<number | null>(null);

/** Looks for what was typed, and goes to a call that was named by its number. */
function begin(): void {
  const text = sought.value.trim();
  const node = /^#?(\d+)$/.exec(text);
  if (node?.[1] !== undefined && !inValues.value) {
    go({ node: Number(node[1]), event: null });
  } else if (text === "") {
    close();
  } else {
    hits.value = { rows: [], next: 0, text, values: inValues.value };
    void goOn();
  }
}

/** Goes on until there are many more hits, or no more calls; what was found is shown meanwhile. */
async function goOn(): Promise<void> {
  searches += 1;
  const mine = searches;
  const enough = (hits.value?.rows.length ?? 0) + AT_ONCE;
  try {
    for (;;) {
      const known = hits.value;
      if (known?.next == null || known.rows.length >= enough) break;
      searching.value = known.next;
      const found = await api.search(known.text, known.values, known.next);
      if (mine !== searches) return;
      hits.value = { ...known, rows: [...known.rows, ...found.rows], next: found.next };
    }
  } catch (error) {
    tell(error);
  }
  if (mine === searches) searching.value = null;
}

/** Ends a search that is going on. */
function stop(): void {
  searches += 1;
  searching.value = null;
}

function close(): void {
  stop();
  hits.value = null;
}

/** How far it is, in words. */
function told({ rows, next, text, values }: Hits): string {
  if (rows.length === 0 && next === null) return `No call ${values ? "with" : "of"} “${text}”`;
  const calls = info.value?.calls ?? 0;
  const part = next === null || calls === 0 ? "" : `, ${Math.floor((100 * next) / calls)} % of the run searched`;
  return `${count(rows.length, "call", "calls")}${part}`;
}

export function SearchHits() {
  const found = hits.value;
  if (found === null) return null;
  const { rows, next } = found;
  const part = searching.value === null ? null : searching.value / Math.max(1, info.value?.calls ?? 1);
  return (
    <div class={`hits ${rows.length === 0 ? "none" : ""}`} data-testid="hits">
      <div class="hits-head">
        <span role="status">{told(found)}</span>
        {part !== null && <progress aria-label="Search" value={part} />}
        {part !== null && (
          <button class="small" onClick={stop}>
            stop
          </button>
        )}
        {part === null && next !== null && (
          <button class="small" onClick={() => void goOn()}>
            go on
          </button>
        )}
        <button class="small" onClick={close}>
          close
        </button>
      </div>
      {rows.length > 0 && (
        <Rows
          count={rows.length}
          row={(index) => <Hit row={rows[index]} />}
          wanted={null}
          wish={null}
          label="Calls found"
          role="list"
        />
      )}
    </div>
  );
}

function Hit({ row }: { row: Row | undefined }) {
  if (row === undefined) return null;
  return (
    <div role="listitem">
      <button class={`hit ${row.judgement}`} title={row.text} onClick={() => go({ node: row.node, event: null })}>
        <span class="quiet">#{row.node}</span> <CallLine text={row.text} />
      </button>
    </div>
  );
}

export function SearchField() {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <input
        type="search"
        placeholder={inValues.value ? "value, e.g. 42 or \"Ann\"" : "name or #number"}
        aria-label="Search calls"
        value={sought.value}
        onInput={(event) => (sought.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
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
  );
}
