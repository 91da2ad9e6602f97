// What the program printed, line by line: each leads to the call that printed it.

import { signal, useSignalEffect } from "@preact/signals";

import type { OutputRow, Printed } from "./api";
import { go, place } from "./place";
import { Rows } from "./rows";
import { count } from "./signs";
import { api, session, tell } from "./store";
import { visible } from "./visible";

const PAGE = 200;

interface Lines {
  rows: OutputRow[];
  next: number | null;
  isRecorded: boolean;
}

const lines = signal<Lines | null>(null);
const isLoading = signal(false);

function load(): void {
  const known = lines.peek();
  if (isLoading.peek() || (known !== null && known.next === null)) return;
  isLoading.value = true;
  api.printed(known?.next ?? 0, PAGE).then(
    (found: Printed) => {
      lines.value = { rows: [...(known?.rows ?? []), ...found.rows], next: found.next, isRecorded: found.recorded };
      isLoading.value = false;
    },
    (error: unknown) => {
      lines.value = { rows: known?.rows ?? [], next: null, isRecorded: true };
      isLoading.value = false;
      tell(error);
    },
  );
}

/** Goes to the line of source that printed it. */
async function goTo({ from }: OutputRow): Promise<void> {
  const by = from[0];
  if (by?.node === undefined) return;
  const { node } = by;
  try {
    const found = by.line === undefined ? undefined : (await api.lines(node, null, by.line)).executions?.at(-1);
    go({ node, event: found?.event ?? null });
  } catch (error) {
    tell(error);
  }
}

function PrintedLine({ row }: { row: OutputRow | undefined }) {
  if (row === undefined) {
    load();
    return <div class="printed quiet">…</div>;
  }
  const by = row.from[0];
  const text = row.kind === "line" ? visible(row.text ?? "") : `(${row.kind}: ${count(row.bytes ?? 0, "byte", "bytes")})`;
  const place_ = by?.file === undefined ? by?.routine : `${by.file}${by.line === undefined ? "" : `:${by.line}`}`;
  return (
    <div
      class={`printed ${row.stream ?? ""} ${by?.node !== undefined && by.node === place.value.node ? "selected" : ""}`}
      role="option"
      aria-selected={by?.node !== undefined && by.node === place.value.node}
      title={`${text}\n${by?.routine === undefined ? "" : `printed by ${by.routine} (${place_ ?? ""})`}`}
      data-printed={row.row}
      onClick={() => void goTo(row)}
    >
      <span class="row-text">{text}</span>
      {place_ !== undefined && <span class="quiet below">{place_}</span>}
    </div>
  );
}

export function PrintedPane() {
  useSignalEffect(() => {
    // Another snapshot of a growing run has more of it.
    if (session.value?.snapshot === undefined) return;
    lines.value = null;
    load();
  });
  const known = lines.value;
  if (known === null) return null;
  if (!known.isRecorded) return <p class="empty-state">What the program printed was not recorded.</p>;
  if (known.rows.length === 0 && known.next === null) return <p class="empty-state">The program printed nothing.</p>;
  return (
    <Rows
      count={known.rows.length + (known.next === null ? 0 : 1)}
      row={(index) => <PrintedLine row={known.rows[index]} />}
      wanted={null}
      wish={null}
      label="What the program printed"
    />
  );
}
