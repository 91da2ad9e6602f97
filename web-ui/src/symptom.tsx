// Before the first answer, if the run shows nothing that is wrong: what the program printed, and what is wrong with it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { OutputRow } from "./api";
import { api, busy, info, session, tell, wrongLine } from "./store";
import { visible } from "./visible";

/** Of a longer output the beginning is shown. */
const MOST_LINES = 200;

const rows = signal<OutputRow[]>([]);
const isSkipped = signal(false);

export function Symptom() {
  const isFirst = session.value !== null && session.value.answers.length === 0 && !isSkipped.value;
  const calls = info.value?.calls;
  useEffect(() => {
    if (!isFirst) return;
    api.printed(0, MOST_LINES).then((page) => {
      rows.value = page.rows.filter((row) => row.line !== undefined);
    }, tell);
  }, [isFirst, calls]);
  if (!isFirst || rows.value.length === 0) return null;
  return (
    <section class="symptom" aria-label="Output" data-testid="symptom">
      <p class="prompt">
        The program printed this. What is wrong with it?{" "}
        <button class="small" onClick={() => (isSkipped.value = true)}>
          Skip
        </button>
      </p>
      <ol>
        {rows.value.map((row) => (
          <li key={row.row}>
            <button class="link" title="This line is wrong" disabled={busy.value} onClick={() => void wrongLine(`${row.stream}:${row.line}`)}>
              <code>{row.text ? visible(row.text) : "\u00a0"}</code>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
