// What the program printed, line by line: each leads to the call that printed it.

import { signal, useSignalEffect } from "@preact/signals";

import type { OutputRow, Printed } from "./api";
import { go, place } from "./place";
import { Rows } from "./rows";
import { count } from "./signs";
import { saved } from "./saved";
import { api, busy, session, tell, wrongLine } from "./store";
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

/** The line as it is pointed at; a part of it that is marked is meant instead of the whole. */
function pointer({ stream, line, row }: OutputRow): string {
  const marked = window.getSelection();
  const element = marked?.anchorNode?.parentElement?.closest("[data-printed]");
  const part = element?.getAttribute("data-printed") === String(row) ? (marked?.toString().trim() ?? "") : "";
  return `${stream ?? "output"}:${line ?? 0}${part === "" ? "" : `:${part}`}`;
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
  const isHere = by?.node !== undefined && by.node === place.value.node;
  return (
    <div class={`printed ${row.stream ?? ""} ${isHere ? "selected" : ""}`} role="listitem" data-printed={row.row}>
      <span
        class="row-text"
        title={`${text}\n${by?.routine === undefined ? "" : `printed by ${by.routine} (${place_ ?? ""})`}`}
        onClick={() => {
          // Who marks a part of it wants to say something of that part.
          if (window.getSelection()?.isCollapsed !== false) void goTo(row);
        }}
      >
        {text}
      </span>
      {place_ !== undefined && (
        <button class="link quiet below" title="Go to what printed it" aria-current={isHere} onClick={() => void goTo(row)}>
          {place_}
        </button>
      )}
      {saved === null && row.line !== undefined && (
        <button
          class="small no"
          title={`Line ${row.line} is wrong, or the part of it that is marked`}
          aria-label={`Line ${row.line} is wrong`}
          disabled={busy.value}
          // What is marked stays marked.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => void wrongLine(pointer(row))}
        >
          ✗
        </button>
      )}
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
      role="list"
    />
  );
}
