// A run that is being recorded: how far it is, and what the program says.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Progress } from "./api";
import { count } from "./signs";
import { api, progress, stopProgram } from "./store";

/** No more of the program's output is kept in the page. */
const MOST_OUTPUT = 200_000;

export function bytes(number: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let size = number;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit] ?? ""}`;
}

function words(now: Progress): string {
  const known = now.calls === 0 ? "" : `, ${count(now.calls, "call", "calls")} to ask about`;
  switch (now.phase) {
    case "recording":
      return `recording for ${now.seconds} s, ${bytes(now.bytes)}${known}`;
    case "indexing":
      return `indexing${now.indexed === null ? "" : ` ${Math.round(now.indexed * 100)} %`}, ${bytes(now.bytes)}`;
    case "complete":
      return now.sentence ?? "the program has ended";
    case "failed":
      return now.sentence ?? "nothing was recorded";
  }
}

/** In the head of the page, while the program runs and after. */
export function Recording() {
  const now = progress.value;
  if (now === null) return null;
  return (
    <span class={`recording ${now.phase}`} data-testid="recording" data-phase={now.phase}>
      <span class="light" aria-hidden="true" />
      <span class="clip">{words(now)}</span>
      {now.phase === "recording" && (
        <button class="small" title="End the program; what was recorded stays" onClick={() => void stopProgram()}>
          Stop
        </button>
      )}
    </span>
  );
}

/** Instead of everything else, while there is nothing to ask about. */
export function Waiting() {
  const now = progress.value;
  if (now === null) return <main class="report" />;
  const part = now.phase === "indexing" ? now.indexed : null;
  return (
    <main class="report waiting" data-testid="waiting">
      <article>
        <h2>{now.phase === "failed" ? "There is nothing to ask about" : now.phase === "indexing" ? "Indexing" : "Recording"}</h2>
        <p>{words(now)}</p>
        {now.phase !== "failed" && (part === null ? <progress aria-label="Progress" /> : <progress aria-label="Progress" value={part} />)}
        {now.phase === "recording" && (
          <>
            <p class="quiet">Questions come as soon as there is a call to ask about.</p>
            <p>
              <button class="main" onClick={() => void stopProgram()}>
                Stop the program
              </button>
            </p>
          </>
        )}
        <h3>What the program says</h3>
        <Output />
      </article>
    </main>
  );
}

/** What the program says. */
export function Output() {
  const said = useSignal("");
  const isLeftOut = useSignal(false);
  const trouble = useSignal<string | null>(null);
  const next = useRef<number | null>(null);
  const box = useRef<HTMLPreElement>(null);
  const now = progress.value;
  useEffect(() => {
    let isGone = false;
    const read = (): Promise<void> =>
      api.output(next.current).then(
        (piece) => {
          if (isGone) return undefined;
          if (next.current === null && piece.from > 0) isLeftOut.value = true;
          next.current = piece.next;
          const text = said.value + piece.text;
          if (text.length > MOST_OUTPUT) isLeftOut.value = true;
          const element = box.current;
          const atEnd = element === null || element.scrollTop + element.clientHeight >= element.scrollHeight - 30;
          said.value = text.slice(-MOST_OUTPUT);
          if (atEnd) requestAnimationFrame(() => box.current?.scrollTo(0, box.current.scrollHeight));
          return piece.more ? read() : undefined;
        },
        (error: unknown) => {
          trouble.value = error instanceof Error ? error.message : String(error);
        },
      );
    void read();
    return () => {
      isGone = true;
    };
  }, [now?.seconds, now?.phase]);
  if (trouble.value !== null) return <p class="quiet note">{trouble.value}</p>;
  return (
    <pre class="output scroll" ref={box} data-testid="output" tabIndex={0} aria-label="What the program says">
      {isLeftOut.value && <span class="quiet">… the beginning is in output.txt{"\n"}</span>}
      {said.value === "" ? <span class="quiet">nothing so far</span> : said.value}
    </pre>
  );
}
