// Where the page is: a run, a call, an event of it, and what is shown beside it. All of that has a form for the
// address, so that reloading, going back and passing the address to another tab work (`address.ts`).

import { signal } from "@preact/signals";

export type Panel = "events" | "history" | "why" | "output" | "suspects";

const PANELS: readonly string[] = ["events", "history", "why", "output", "suspects"] satisfies Panel[];

/** The part of the run that the overview shows; `null` is as far as there is anything. */
export interface Sight {
  top: number | null;
  from: number | null;
  to: number | null;
}

export interface Place {
  run: number;
  node: number | null;
  /** `null` is the end of the call. */
  event: number | null;
  panel: Panel;
  /** The variable whose history, origin or changes are shown, as a path in `variableOf`. */
  variable: string | null;
  variableOf: number | null;
  report: boolean;
  /** `null` if the overview is closed. */
  overview: Sight | null;
  /** The SQL that was asked last; `null` if the query panel is closed. */
  query: string | null;
}

export const NOWHERE: Place = {
  run: 0,
  node: null,
  event: null,
  panel: "events",
  variable: null,
  variableOf: null,
  report: false,
  overview: null,
  query: null,
};

function number(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** `top.from.to`, each of which may be missing. */
function sight(text: string | null): Sight | null {
  if (text === null) return null;
  const [top, from, to] = text.split(".");
  return { top: number(top ?? null), from: number(from ?? null), to: number(to ?? null) };
}

export function parse(hash: string): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const panel = words.get("panel");
  return {
    run: number(words.get("run")) ?? 0,
    node: number(words.get("node")),
    event: number(words.get("event")),
    panel: panel !== null && PANELS.includes(panel) ? (panel as Panel) : "events",
    variable: words.get("variable"),
    variableOf: number(words.get("of")),
    report: words.has("report"),
    overview: sight(words.get("overview")),
    query: words.get("query"),
  };
}

export function format(place: Place): string {
  const words = new URLSearchParams();
  if (place.run !== 0) words.set("run", String(place.run));
  if (place.node !== null) words.set("node", String(place.node));
  if (place.event !== null) words.set("event", String(place.event));
  if (place.panel !== "events") words.set("panel", place.panel);
  if (place.variable !== null) words.set("variable", place.variable);
  if (place.variableOf !== null) words.set("of", String(place.variableOf));
  if (place.report) words.set("report", "");
  if (place.overview !== null) {
    const { top, from, to } = place.overview;
    words.set("overview", [top, from, to].map((part) => part ?? "").join("."));
  }
  if (place.query !== null) words.set("query", place.query);
  return `#${words.toString()}`;
}

export const place = signal<Place>(NOWHERE);

/** Takes note of a change of place before it happens; `isStep` if somebody goes there, and may want to come back. */
type Noted = (change: Partial<Place>, isStep: boolean) => void;

let noted: Noted = () => undefined;

/** Says what is to take note of places. */
export function notedBy(takes: Noted): void {
  noted = takes;
}

function move(change: Partial<Place>, isStep: boolean): void {
  noted(change, isStep);
  const next = { ...place.value, ...change };
  if (format(next) !== format(place.value)) place.value = next;
}

/** Goes somewhere; the browser's back button comes back. */
export function go(change: Partial<Place>): void {
  move(change, true);
}

/** Corrects the place without a step in the history. */
export function settle(change: Partial<Place>): void {
  move(change, false);
}
