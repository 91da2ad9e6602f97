// The event list of a call, of which only the pages in sight are there, and the search in it.

import { signal, useSignalEffect } from "@preact/signals";

import type { EventRow } from "./api";
import { go, place } from "./place";
import { Rows } from "./rows";
import { api, info, tell } from "./store";

const PAGE = 200;

interface Events {
  node: number;
  changes: string | null;
  pages: Map<number, EventRow[]>;
  loading: Set<number>;
  count: number;
  note: string | null;
}

const events = signal<Events | null>(null);
const eventVersion = signal(0);

function load(list: Events, page: number): void {
  if (list.loading.has(page) || list.pages.has(page)) return;
  list.loading.add(page);
  loadRows(list, page)
    .catch((error: unknown) => {
      if (list.changes === null) tell(error);
    })
    .finally(() => {
      list.loading.delete(page);
      eventVersion.value += 1;
    });
}

/** Asks until the page is full: where values are large, its rows come in parts. */
async function loadRows(list: Events, page: number): Promise<void> {
  const rows: EventRow[] = [];
  for (let more = true; more && rows.length < PAGE; eventVersion.value += 1) {
    const start = page * PAGE + rows.length;
    const found = await api.events(list.node, start, PAGE - rows.length, list.changes);
    more = found.more && found.events.length > 0;
    rows.push(...found.events);
    list.pages.set(page, rows);
    list.count = Math.max(list.count, page * PAGE + rows.length + (more ? 1 : 0));
    list.note = found.note;
    if (events.value !== list) return;
  }
}

/** Follows the place: another call, another variable. */
export function useEvents(): void {
  useSignalEffect(() => {
    const { node, variable, variableOf, event } = place.value;
    if (node === null || info.value?.recorded !== true) return;
    const changes = variableOf === node ? variable : null;
    const known = events.peek();
    if (known?.node !== node || known.changes !== changes) {
      events.value = { node, changes, pages: new Map(), loading: new Set(), count: known?.node === node ? known.count : 0, note: null };
    }
    const list = events.peek();
    if (list !== null) {
      load(list, 0);
      if (event !== null) load(list, Math.floor(event / PAGE));
    }
  });
}

const MARKS = { directly: "●", below: "◌" } as const;

/** A row; `version` changes when pages have come. */
function EventLine({ index }: { index: number; version: number }) {
  const list = events.value;
  const page = Math.floor(index / PAGE);
  const row = list?.pages.get(page)?.[index % PAGE];
  if (list === null) return null;
  if (row === undefined) {
    load(list, page);
    return <div class="event quiet">…</div>;
  }
  const isSelected = place.value.event === row.event;
  const { calls } = row;
  return (
    <div
      class={`event ${row.kind} ${isSelected ? "selected" : ""} ${row.changes ?? ""}`}
      role="option"
      aria-selected={isSelected}
      id={`event-${row.event}`}
      data-event={row.event}
      onClick={() => go({ event: row.event })}
      onDblClick={() => calls !== null && go({ node: calls, event: null })}
    >
      <span class="event-number">{row.event}</span>
      <span class="mark">{row.changes === undefined ? "" : MARKS[row.changes]}</span>
      <span class="event-line">{row.kind === "line" ? row.line : ""}</span>
      <span class="row-text" title={row.text}>{row.text}</span>
      {calls !== null && (
        <button
          class="small"
          title="Go into this call"
          onClick={(event) => {
            event.stopPropagation();
            go({ node: calls, event: null });
          }}
        >
          into
        </button>
      )}
    </div>
  );
}

export function EventList() {
  const list = events.value;
  const { event } = place.value;
  const version = eventVersion.value;
  const count = list?.count ?? 0;
  const move = (by: number) => {
    const to = event === null ? count - 1 : Math.min(Math.max(event + by, 0), count - 1);
    go({ event: to });
  };
  return (
    <>
      {list?.note != null && <p class="quiet note">{list.note}</p>}
      <Rows
        count={count}
        row={(index) => <EventLine index={index} version={version} />}
        wanted={event}
        wish={`${list?.node ?? ""}/${event ?? ""}`}
        label="Events"
        onKeyDown={(pressed) => {
          if (pressed.key === "ArrowDown") move(1);
          else if (pressed.key === "ArrowUp") move(-1);
          else return;
          pressed.preventDefault();
        }}
        active={event === null ? undefined : `event-${event}`}
      />
    </>
  );
}

const sought = signal("");
/** Counts searches: a newer one ends the others. */
let searches = 0;
const said = signal<string | null>(null);

/** Goes to the next event that says this, from the beginning again after the last. */
async function find(): Promise<void> {
  const { node, event } = place.value;
  const text = sought.value.trim();
  if (node === null || text === "") return;
  searches += 1;
  const mine = searches;
  const start = event === null ? 0 : event + 1;
  said.value = null;
  try {
    for (const from of start === 0 ? [0] : [start, 0]) {
      for (let next: number | null = from; next !== null; ) {
        const found: { event: number | null; next: number | null } = await api.findEvent(node, text, next);
        if (mine !== searches) return;
        if (found.event !== null) {
          go({ node, event: found.event });
          return;
        }
        next = found.next;
        said.value = next === null ? null : `… ${next.toLocaleString("en")}`;
      }
    }
    said.value = "not found";
  } catch (error) {
    tell(error);
  }
}

export function FindEvent() {
  return (
    <form
      class="search find"
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <span class="quiet" role="status">
        {said.value}
      </span>
      <input
        type="search"
        placeholder="find, e.g. i = 3"
        aria-label="Find an event"
        value={sought.value}
        onInput={(event) => {
          sought.value = event.currentTarget.value;
          said.value = null;
          searches += 1;
        }}
      />
    </form>
  );
}
