// The page: everything in its place, and the keys.

import { useEffect } from "preact/hooks";

import { Answers } from "./answers";
import { AppearanceSwitch } from "./appearance";
import { Beside } from "./beside";
import { Recording, Waiting } from "./live";
import { NodeView } from "./node";
import { Overview, toggleOverview } from "./overview";
import { place } from "./place";
import { QuestionPanel, wrongPart } from "./question";
import { Report } from "./report";
import { count, shortCommand } from "./signs";
import { SourceView } from "./source";
import { answer, answerAbout, found, info, inside, lookInside, message, progress, question, runList, session, step, switchRun, undo } from "./store";
import { Tree } from "./tree";

const KEYS: Record<string, () => unknown> = {
  y: () => answer("yes"),
  n: () => answer("no"),
  d: () => answer("unknown"),
  t: () => answer("trust"),
  i: () => answer("inadmissible"),
};
const INSIDE: Record<string, () => unknown> = {
  y: () => lookInside("yes"),
  n: () => lookInside("no"),
  d: () => lookInside("unknown"),
  u: () => lookInside("undo"),
  z: () => lookInside("leave"),
};
const ALWAYS: Record<string, () => unknown> = {
  u: () => undo(),
  o: () => toggleOverview(),
  "]": () => step("next"),
  "[": () => step("back"),
  "}": () => step("into"),
  "{": () => step("out"),
};

function pressed(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest("input, select, textarea, .cm-content")) return;
  let action = ALWAYS[event.key];
  if (inside.value !== null) {
    action = INSIDE[event.key] ?? action;
  } else if (question.value !== null && !place.value.report) {
    const listed = question.value.list?.[Number(event.key) - 1];
    if (listed !== undefined) action = () => answerAbout(listed.node, "no");
    else if (event.key === "w" && question.value.list === undefined) action = () => (wrongPart.value = true);
    else action ??= KEYS[event.key];
  } else if (event.key === "z" && found.value) {
    action = () => lookInside("begin");
  }
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function Header() {
  const run = info.value;
  return (
    <header>
      <img src={new URL("./icon.svg", import.meta.url).href} alt="" width="20" height="20" />
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
      <button class="small" aria-pressed={place.value.overview !== null} title="A picture of the whole run (o)" onClick={toggleOverview}>
        Overview <kbd>o</kbd>
      </button>
      <AppearanceSwitch />
      {message.value !== null && (
        <span class="message" role="alert">
          {message.value}
        </span>
      )}
    </header>
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
      {info.value === null && progress.value !== null ? (
        <Waiting />
      ) : isReport ? (
        <Report />
      ) : (
        <main class={place.value.overview === null ? "" : "with-overview"}>
          {place.value.overview !== null && <Overview />}
          <div class="column asking">
            <QuestionPanel />
            <Answers />
          </div>
          <div class="column">
            <Tree />
            <Beside />
          </div>
          <div class="column">
            <NodeView />
            <SourceView />
          </div>
        </main>
      )}
    </>
  );
}
