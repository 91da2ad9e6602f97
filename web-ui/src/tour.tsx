// For whoever is here for the first time: one line below the head, and from there a walk past the panes. Nothing is in
// the way of somebody who would rather begin.

import { effect, signal } from "@preact/signals";

import { recall, remember } from "./cookie";

const NAME = "askance-seen";

const isNew = signal(recall(NAME) === undefined);
/** The stop of the tour, if it goes on. */
const at = signal<number | null>(null);

const STOPS: { panel: string; title: string; text: string }[] = [
  {
    panel: "Question",
    title: "The question",
    text: "A call of your program: what it was given, what came out. Is that right? Answer with a click or with y and n. Any value can be clicked.",
  },
  {
    panel: "Computation tree",
    title: "The tree of calls",
    text: "Every call of the run, below the one that made it. What is ruled out turns pale. Click a call to look at it; the question stays.",
  },
  { panel: "Source", title: "The source", text: "Lines that this call executed are marked, with the values that they left. Click a line to go there in time." },
  { panel: "Node view", title: "The call you look at", text: "Its values before and after; red is what changed. Step through it with [ and ]." },
  {
    panel: "Events and histories",
    title: "Events, histories, output",
    text: "What happened inside the call, every write of a variable, where a value came from, and what the program printed.",
  },
];

export function beginTour(): void {
  seen();
  at.value = 0;
}

function seen(): void {
  isNew.value = false;
  remember(NAME, "yes");
}

effect(() => {
  const stop = at.value === null ? undefined : STOPS[at.value];
  for (const marked of document.querySelectorAll(".toured")) marked.classList.remove("toured");
  if (stop !== undefined) document.querySelector(`section[aria-label="${stop.panel}"]`)?.classList.add("toured");
});

export function Welcome() {
  if (!isNew.value) return null;
  return (
    <p class="welcome" data-testid="welcome">
      <span>
        <strong>New here?</strong> Askance shows what single calls of your program did. Say whether each was right, and it names the one with
        the bug.
      </span>
      <button class="small" onClick={beginTour}>
        Show me around
      </button>
      <button class="small" aria-label="Not now" title="Do not show this again" onClick={seen}>
        ✕
      </button>
    </p>
  );
}

export function Tour() {
  const stop = at.value === null ? undefined : STOPS[at.value];
  if (at.value === null || stop === undefined) return null;
  const number = at.value;
  const isLast = number === STOPS.length - 1;
  return (
    <div class="tour" role="dialog" aria-label={stop.title} data-testid="tour">
      <h2>{stop.title}</h2>
      <p aria-live="polite">{stop.text}</p>
      <p class="tour-buttons">
        <span class="quiet">
          {number + 1} of {STOPS.length}
        </span>
        <button onClick={() => (at.value = null)}>End</button>
        <button class="main" onClick={() => (at.value = isLast ? null : number + 1)}>
          {isLast ? "Begin" : "Next"}
        </button>
      </p>
    </div>
  );
}
