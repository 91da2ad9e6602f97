// Beside the tree: the event list of the call, the history of a variable, or where a value came from.

import { signal, useSignalEffect } from "@preact/signals";

import type { History, Why, WhyStep } from "./api";
import { EventList, FindEvent, useEvents } from "./events";
import { Output } from "./live";
import { go, place } from "./place";
import type { Panel } from "./place";
import { api, info, progress, tell } from "./store";

const variableHistory = signal<History | null>(null);
/** Writes that are left out before the ones that are shown. */
const historyFrom = signal(0);
const HISTORY_PAGE = 100;
export const origin = signal<Why | null>(null);
/** Whether decisions are followed as well as values. */
const withDecisions = signal(false);

/** The variable that the page of writes belongs to. */
let historyOf = "";

/** Follows the place: another variable. */
function useFollowing(): void {
  useSignalEffect(() => {
    const { panel, variable, variableOf } = place.value;
    if (variable === null || panel === "events" || panel === "output") return;
    const isStill = () => place.value.variable === variable && place.value.variableOf === variableOf;
    const key = `${variable}/${variableOf ?? ""}`;
    if (key !== historyOf) {
      historyOf = key;
      historyFrom.value = 0;
    }
    if (panel === "history") {
      api.history(variable, variableOf, historyFrom.value).then((found) => {
        if (isStill()) variableHistory.value = found;
      }, (error: unknown) => {
        variableHistory.value = null;
        tell(error);
      });
    } else if (variableOf !== null) {
      api.why(variableOf, variable, withDecisions.value).then((found) => {
        if (isStill()) origin.value = found;
      }, (error: unknown) => {
        origin.value = null;
        tell(error);
      });
    }
  });
}

function Writes() {
  const found = variableHistory.value;
  if (place.value.variable === null) return <p class="quiet note">Choose “history” at a value of the call.</p>;
  if (found === null) return <p class="quiet note">There is no history of {place.value.variable}.</p>;
  return (
    <div class="scroll">
      <table class="list" data-testid="history">
        <caption>
          Every write of <code>{found.variable}</code> in the whole run
        </caption>
        <thead>
          <tr>
            <th>value</th>
            <th>line</th>
            <th>by</th>
          </tr>
        </thead>
        <tbody>
          {found.initially !== null && historyFrom.value === 0 && (
            <tr class="quiet">
              <td>
                <code>{found.initially}</code>
              </td>
              <td />
              <td>at first</td>
            </tr>
          )}
          {found.writes.map((write) => {
            const isHere = write.node === place.value.node && write.event !== null && write.event === place.value.event;
            return (
              <tr
                key={write.write}
                class={`${write.node === null ? "" : "goes"} ${isHere ? "selected" : ""}`}
                data-write={write.write}
                onClick={() => write.node !== null && go({ node: write.node, event: write.event })}
              >
                <td>
                  <code>{write.after}</code>
                </td>
                <td>{write.line}</td>
                <td>
                  {write.routine ?? "outside"}
                  {write.node !== null && <span class="quiet"> #{write.node}</span>}
                  {write.by === "library" && <span class="quiet"> (library code)</span>}
                  {write.by === "outside" && write.node !== null && (
                    <span class="quiet"> (read first; written outside recorded code)</span>
                  )}
                  {found.several_threads && <span class="quiet"> in {write.thread}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {(found.more || historyFrom.value > 0) && (
        <p class="note pages">
          <button class="small" disabled={historyFrom.value === 0} onClick={() => (historyFrom.value = Math.max(0, historyFrom.value - HISTORY_PAGE))}>
            ‹ earlier
          </button>
          <span class="quiet">
            writes {(historyFrom.value + 1).toLocaleString("en")} to {(historyFrom.value + found.writes.length).toLocaleString("en")}
          </span>
          <button class="small" disabled={!found.more} onClick={() => (historyFrom.value += HISTORY_PAGE)}>
            later ›
          </button>
        </p>
      )}
      {found.note !== null && <p class="quiet note">{found.note}</p>}
    </div>
  );
}

/** Goes to what a step did. */
function goToStep({ node, instruction }: WhyStep): void {
  if (node === null) return;
  if (instruction === null) go({ node, event: null });
  else api.event(node, instruction).then(({ event }) => go({ node, event }), tell);
}

function Origin() {
  const found = origin.value;
  if (place.value.variable === null) return <p class="quiet note">Choose “where from” at a value of the call.</p>;
  if (found === null) return <p class="quiet note">It is not known where {place.value.variable} came from.</p>;
  return (
    <div class="scroll">
      <label class="switch note">
        <input type="checkbox" checked={withDecisions.value} onChange={(event) => (withDecisions.value = event.currentTarget.checked)} />
        <span>also the decisions that led there</span>
      </label>
      <table class="list" data-testid="why">
        <caption>
          Where <code>{found.path}</code>
          {found.value !== null && (
            <>
              {" "}
              = <code>{found.value}</code>
            </>
          )}{" "}
          came from, backwards
        </caption>
        <thead>
          <tr>
            <th />
            <th>step</th>
            <th>line</th>
            <th>in</th>
          </tr>
        </thead>
        <tbody>
          {found.steps.map((step) => {
            const { node } = step;
            return (
              <tr key={step.step} class={node === null ? "" : "goes"} onClick={() => goToStep(step)}>
                <td class="quiet">{step.step}</td>
                <td>
                  <code>{step.what}</code>
                  {step.from.length > 0 && <span class="quiet"> ← {step.from.join(", ")}</span>}
                </td>
                <td>{step.line}</td>
                <td>
                  {step.routine}
                  {node !== null && <span class="quiet"> #{node}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {found.notes.map((note) => (
        <p class="quiet note">{note}</p>
      ))}
    </div>
  );
}

const TABS: { panel: Panel; word: string }[] = [
  { panel: "events", word: "Events" },
  { panel: "history", word: "History" },
  { panel: "why", word: "Where from" },
];

const OUTPUT: { panel: Panel; word: string } = { panel: "output", word: "Output" };

export function Beside() {
  useEvents();
  useFollowing();
  const { panel, variable } = place.value;
  const isRecorded = info.value?.recorded !== false;
  return (
    <section class="panel grow" aria-label="Events and histories">
      <div class="head tabs" role="tablist" aria-label="Beside the tree">
        {[...TABS, ...(progress.value === null ? [] : [OUTPUT])].map((tab) => (
          <button
            role="tab"
            aria-selected={panel === tab.panel}
            class={panel === tab.panel ? "selected" : ""}
            onClick={() => go({ panel: tab.panel })}
          >
            {tab.word}
          </button>
        ))}
        {variable !== null && <code class="clip variable">{variable}</code>}
        {isRecorded && panel === "events" && <FindEvent />}
      </div>
      {!isRecorded && <p class="quiet note">This call tree was imported: what happened inside its calls was not recorded.</p>}
      {isRecorded && panel === "events" && <EventList />}
      {isRecorded && panel === "history" && <Writes />}
      {isRecorded && panel === "why" && <Origin />}
      {panel === "output" && <Output />}
    </section>
  );
}
