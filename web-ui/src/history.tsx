// The history of a variable: every write of it in the whole run, beginning at the moment looked at, both ways.

import { signal, useSignalEffect } from "@preact/signals";

import type { History, Write } from "./api";
import { go, place } from "./place";
import { api, tell } from "./store";

const PAGE = 100;

const shownHistory = signal<{ of: string; found: History | null } | null>(null);
/** Writes that are left out before the ones that are shown; `null` is where the moment looked at wants it. */
const from = signal<number | null>(null);
/** The variable that the page of writes belongs to. */
let historyOf = "";

/** Follows the place: another variable, another page. */
function useHistory(): void {
  useSignalEffect(() => {
    const { variable, variableOf, node, event } = place.value;
    if (variable === null) return;
    const key = `${variable}/${variableOf ?? ""}`;
    if (key !== historyOf) {
      historyOf = key;
      from.value = null;
    }
    const known = shownHistory.peek();
    const isListed = (write: Write) => write.node === node && write.event === event;
    // Going to one of the writes that are shown turns no page.
    if (from.value === null && known?.of === key && known.found?.writes.some(isListed) === true) return;
    const moment = from.value === null ? { at: node, at_event: event } : { from: from.value };
    const isStill = () => historyOf === key;
    api.history(variable, variableOf, moment).then(
      (found) => {
        if (isStill()) shownHistory.value = { of: key, found };
      },
      (error: unknown) => {
        if (isStill()) shownHistory.value = { of: key, found: null };
        tell(error);
      },
    );
  });
}

/** Who wrote it, as far as that is more than its line tells. */
function Writer({ write, severalThreads }: { write: Write; severalThreads: boolean }) {
  return (
    <>
      {write.routine ?? "outside"}
      {write.node !== null && <span class="quiet"> #{write.node}</span>}
      {write.by === "library" && <span class="quiet"> (library code)</span>}
      {write.by === "outside" && write.node !== null && <span class="quiet"> (read first; written outside recorded code)</span>}
      {severalThreads && <span class="quiet"> in {write.thread}</span>}
    </>
  );
}

function WriteRow({ write, isLast, severalThreads }: { write: Write; isLast: boolean; severalThreads: boolean }) {
  const { node, event } = write;
  const isHere = node === place.value.node && event !== null && event === place.value.event;
  return (
    <tr
      class={`${node === null ? "" : "goes"} ${isHere ? "selected" : ""} ${isLast ? "last-write" : ""}`}
      data-write={write.write}
      onClick={() => node !== null && go({ node, event })}
    >
      <td>
        {node === null ? (
          <code>{write.after}</code>
        ) : (
          <button title="Go to this write" onClick={() => go({ node, event })}>
            <code>{write.after}</code>
          </button>
        )}
        {isLast && <span class="quiet"> held here</span>}
      </td>
      <td>{write.line}</td>
      <td>
        <Writer write={write} severalThreads={severalThreads} />
      </td>
    </tr>
  );
}

function Pages({ found }: { found: History }) {
  const first = found.from;
  if (!found.more && first === 0) return null;
  return (
    <p class="note pages">
      <button class="small" disabled={first === 0} onClick={() => (from.value = 0)}>
        « first
      </button>
      <button class="small" disabled={first === 0} onClick={() => (from.value = Math.max(0, first - PAGE))}>
        ‹ earlier
      </button>
      <span class="quiet">
        writes {(first + 1).toLocaleString("en")} to {(first + found.writes.length).toLocaleString("en")}
      </span>
      <button class="small" disabled={!found.more} onClick={() => (from.value = first + PAGE)}>
        later ›
      </button>
      <button class="small" onClick={() => (from.value = null)}>
        where I am
      </button>
    </p>
  );
}

/** Brings the write that holds at the moment looked at into sight. */
function inSight(table: HTMLTableElement | null): void {
  table?.querySelector(".selected, .last-write")?.scrollIntoView({ block: "nearest" });
}

export function HistoryPane() {
  useHistory();
  const { variable } = place.value;
  if (variable === null) {
    return <p class="empty-state">Every write of one variable in the whole run. Choose a value in the question or of the call.</p>;
  }
  const now = shownHistory.value;
  if (now === null) return null;
  const { found } = now;
  if (found === null) return <p class="empty-state">There is no history of {variable}: choose a variable, a field or an element.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="History">
      <table class="list" data-testid="history" key={`${now.of}/${found.from}`} ref={inSight}>
        <caption>
          Every write of <code title={found.variable}>{variable}</code> in the whole run
        </caption>
        <thead>
          <tr>
            <th>value</th>
            <th>line</th>
            <th>by</th>
          </tr>
        </thead>
        <tbody>
          {found.initially !== null && found.from === 0 && (
            <tr class="quiet">
              <td>
                <code>{found.initially}</code>
              </td>
              <td />
              <td>at first</td>
            </tr>
          )}
          {found.writes.map((write) => (
            <WriteRow key={write.write} write={write} isLast={write.write === found.last} severalThreads={found.several_threads} />
          ))}
        </tbody>
      </table>
      <Pages found={found} />
      {found.note !== null && <p class="quiet note">{found.note}</p>}
    </div>
  );
}
