// The page: everything in its place, and the keys.

import { useEffect } from "preact/hooks";

import { AliveMenu } from "./alive";
import { Answers } from "./answers";
import { AppearanceSwitch } from "./appearance";
import { Beside } from "./beside";
import { Connection } from "./connection";
import { FindingPanel } from "./finding";
import { Help, HelpButton, toggleHelp } from "./help";
import { sessionKey } from "./keys";
import { Recording, Waiting } from "./live";
import { NodeView } from "./node";
import { Overview, toggleOverview } from "./overview";
import { runList, switchRun } from "./page";
import { Splitter, paneSize } from "./panes";
import { place } from "./place";
import { QueryPanel, toggleQuery } from "./query";
import { QuestionPanel } from "./question";
import { Report } from "./report";
import { saved } from "./saved";
import { count, shortCommand } from "./signs";
import { SourceView } from "./source";
import { info, message, progress, session, step } from "./store";
import { Tour, Welcome } from "./tour";
import { Tree } from "./tree";

const ALWAYS: Record<string, () => unknown> = {
  o: () => toggleOverview(),
  q: () => toggleQuery(),
  "?": () => toggleHelp(),
  "]": () => step("next"),
  "[": () => step("back"),
  "}": () => step("into"),
  "{": () => step("out"),
};

/** Keys that go on while they are held. */
const REPEATING = new Set(["]", "[", "}", "{"]);

function pressed(event: KeyboardEvent): void {
  if (event.repeat && !REPEATING.has(event.key)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest("input, select, textarea")) return;
  if (saved !== null && !REPEATING.has(event.key)) return;
  const action = ALWAYS[event.key] ?? sessionKey(event.key);
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function Header() {
  const run = info.value;
  return (
    <header>
      {saved === null && <img src={new URL("./icon.svg", import.meta.url).href} alt="" width="20" height="20" />}
      <h1>Askance</h1>
      {runList.value.length > 1 ? (
        <select
          aria-label="Run"
          value={String(place.value.run)}
          onChange={(event) => switchRun(Number(event.currentTarget.value))}
        >
          {runList.value.map(({ run: number, name }) => (
            <option value={String(number)}>{name}</option>
          ))}
        </select>
      ) : (
        <span class="run-name">{run?.name}</span>
      )}
      <span class="quiet grow clip" title={run?.command ?? ""}>
        {run !== null && count(run.calls, "call", "calls")}
        {run?.command != null && ` · ${shortCommand(run.command)}`}
      </span>
      <Recording />
      {saved === null && (
        <>
          <button class="small" aria-pressed={place.value.overview !== null} title="A picture of the whole run (o)" onClick={toggleOverview}>
            Overview <kbd>o</kbd>
          </button>
          {run?.recorded === true && (
            <button class="small" aria-pressed={place.value.query !== null} title="Ask the whole run by SQL (q)" onClick={toggleQuery}>
              Query <kbd>q</kbd>
            </button>
          )}
          <HelpButton />
        </>
      )}
      <AppearanceSwitch />
      <span class="message" role="alert" hidden={message.value === null} title={message.value ?? ""}>
        {message.value}
      </span>
    </header>
  );
}

/** How much of its column the upper pane has, if somebody has chosen it. */
const chosen = (pane: string) => {
  const size = paneSize(pane);
  return size === undefined ? {} : { "--upper": `${size * 100}%` };
};

function Panes() {
  // What stands above the columns has the whole width.
  const above = [place.value.overview === null ? "" : "with-overview", place.value.query === null ? "" : "with-query"].join(" ").trim();
  const [left, right] = [paneSize("left") ?? 0.27, paneSize("right") ?? 0.33];
  return (
    <main class={above} style={{ "--left": left, "--right": right }}>
      {saved === null && place.value.overview !== null && <Overview />}
      {saved === null && place.value.query !== null && info.value?.recorded === true && <QueryPanel />}
      <div class={`column calls-column ${paneSize("tree") === undefined ? "" : "chosen"}`} style={chosen("tree")}>
        <Tree />
        <Splitter pane="tree" between="rows" label="Height of the tree" />
        <Answers />
      </div>
      <Splitter pane="left" between="columns" label="Width of the tree" />
      <div class={`column asking ${paneSize("question") === undefined ? "" : "chosen"}`} style={chosen("question")}>
        {saved === null ? <QuestionPanel /> : <FindingPanel />}
        <Splitter pane="question" between="rows" label="Height of the question" />
        <SourceView />
      </div>
      <Splitter pane="right" between="columns" label="Width of the call" after />
      <div class={`column ${paneSize("call") === undefined ? "" : "chosen"}`} style={chosen("call")}>
        <NodeView />
        <Splitter pane="call" between="rows" label="Height of the call" />
        <Beside />
      </div>
    </main>
  );
}

export function App() {
  useEffect(() => {
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  const isReport = place.value.report && session.value !== null && "done" in session.value.step;
  return (
    <>
      <Header />
      <Connection />
      {saved === null && <Welcome />}
      {info.value === null && progress.value !== null ? (
        <Waiting />
      ) : isReport ? (
        <Report />
      ) : (
        <Panes />
      )}
      <AliveMenu />
      <Help />
      {saved === null && <Tour />}
    </>
  );
}
