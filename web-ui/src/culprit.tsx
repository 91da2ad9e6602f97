// What was found, in the panel of the question and in the report: the call, the wrong value with the write that made
// it, and the lines.

import { effect, signal } from "@preact/signals";

import type { Culprit, Diagnosis } from "./api";
import { go } from "./place";
import { api, session, tell } from "./store";

/** What was found, if nothing is left to ask. */
export const diagnosis = signal<Diagnosis | null>(null);

let asked = -1;
effect(() => {
  const now = session.value;
  if (now === null || "ask" in now.step) {
    diagnosis.value = null;
    asked = -1;
    return;
  }
  const { revision } = now;
  if (revision === asked) return;
  asked = revision;
  api.diagnosis().then((found) => {
    if (asked === revision) diagnosis.value = found;
  }, tell);
});

/** More stretches of lines than this are told by their number: the source marks them. */
const MOST_STRETCHES = 3;

/** `lines 3 to 6, 9`, however many there are. */
export function lineWords(lines: number[]): string {
  const runs: [number, number][] = [];
  for (const line of [...lines].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && line <= last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  const [first, last] = [runs[0]?.[0], runs.at(-1)?.[1]];
  if (runs.length > MOST_STRETCHES) return `${lines.length} lines between ${first} and ${last}`;
  const words = runs.map(([first, last]) => (first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first} to ${last}`));
  return `${lines.length === 1 ? "line" : "lines"} ${words.join(", ")}`;
}

/** The value that was called wrong, and what made it. */
export function WrongValueLine({ wrong }: { wrong: NonNullable<Culprit["wrong"]> }) {
  const { node, instruction } = wrong;
  const look = () => {
    if (node === undefined) return;
    if (instruction === undefined) go({ report: false, node, event: null });
    else api.event(node, instruction).then(({ event }) => go({ report: false, node, event }), tell);
  };
  return (
    <p class="wrong-value" data-testid="wrong-value">
      <span class="sign wrong">✗</span>
      <code>
        {wrong.path}
        {wrong.value !== undefined && ` = ${wrong.value}`}
      </code>{" "}
      is wrong
      {wrong.line !== undefined && (
        <>
          , made in{" "}
          <button class="link" onClick={look}>
            {wrong.routine}, line {wrong.line}
          </button>
        </>
      )}
    </p>
  );
}

/** What the failed assertion says that the call should have returned. */
export function ExpectedLine({ expected }: { expected: string }) {
  return (
    <p class="wrong-value" data-testid="expected">
      <span class="sign correct">✓</span>
      <code>{expected}</code> was expected
    </p>
  );
}

export function Excerpt({ source }: { source: string }) {
  return (
    <pre class="excerpt" tabIndex={0} aria-label="The method, with the lines to blame marked">
      {source.split("\n").map((line) => (
        <div class={line.startsWith(">") ? "blamed" : ""}>{line}</div>
      ))}
    </pre>
  );
}
