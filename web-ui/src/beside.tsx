// Beside the call: its events, the history of a variable, where a value came from, what the program printed, who is
// suspected.

import { EventList, FindEvent, useEvents } from "./events";
import { HistoryPane } from "./history";
import { Output } from "./live";
import { OriginPane } from "./origin";
import { go, place } from "./place";
import type { Panel } from "./place";
import { PrintedPane } from "./printed";
import { info, progress } from "./store";
import { SuspectsPane } from "./suspects";

const TABS: { panel: Panel; word: string }[] = [
  { panel: "events", word: "Events" },
  { panel: "history", word: "History" },
  { panel: "why", word: "Where from" },
  { panel: "output", word: "Output" },
  { panel: "suspects", word: "Suspects" },
];

/** What stands in the pane. */
function Body({ panel }: { panel: Panel }) {
  const isRunning = progress.value?.phase === "recording" || progress.value?.phase === "indexing";
  if (panel === "output" && isRunning) return <Output />;
  if (panel === "suspects") return <SuspectsPane />;
  if (info.value?.recorded === false) return <p class="empty-state">This call tree was imported: what happened inside its calls was not recorded.</p>;
  switch (panel) {
    case "events":
      return (
        <>
          <FindEvent />
          <EventList />
        </>
      );
    case "history":
      return <HistoryPane />;
    case "why":
      return <OriginPane />;
    case "output":
      return <PrintedPane />;
  }
}

/** Left and right go from tab to tab. */
function turned(event: KeyboardEvent, panel: Panel): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const at = TABS.findIndex((tab) => tab.panel === panel);
  const next = TABS[(at + by + TABS.length) % TABS.length];
  if (by === 0 || next === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  go({ panel: next.panel });
  event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[TABS.indexOf(next)]?.focus();
}

export function Beside() {
  useEvents();
  const { panel, variable } = place.value;
  return (
    <section class="panel grow" aria-label="Events and histories">
      <div class="head tabs">
        <div role="tablist" aria-label="Beside the call" onKeyDown={(event) => turned(event, panel)}>
          {TABS.map((tab) => (
            <button
              role="tab"
              aria-selected={panel === tab.panel}
              tabIndex={panel === tab.panel ? 0 : -1}
              class={panel === tab.panel ? "selected" : ""}
              onClick={() => go({ panel: tab.panel })}
            >
              {tab.word}
            </button>
          ))}
        </div>
        {variable !== null && panel !== "output" && panel !== "suspects" && (
          <code class="clip variable" title={variable}>
            {variable}
          </code>
        )}
      </div>
      <Body panel={panel} />
    </section>
  );
}
