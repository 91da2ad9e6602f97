// The question panel: what is asked, what changed, and everything that can be said to it.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import type { Ended, Question, Said } from "./api";
import { ExpectedLine, WrongValueLine, diagnosis, lineWords } from "./culprit";
import { InsidePanel } from "./inside";
import { Folded } from "./menu";
import { go, place } from "./place";
import { Settings } from "./settings";
import { Calls, Changes, Values } from "./sheet";
import { count } from "./signs";
import { answer, answerAbout, busy, callWrong, found, inside, lookInside, progress, question, revise, session, undo } from "./store";
import { Symptom } from "./symptom";

/** Whether "this part is wrong" is being said. */
export const wrongPart = signal(false);

const BUTTONS: { said: Said; key: string; word: string; title: string; kind?: string }[] = [
  { said: "yes", key: "y", word: "Yes", title: "This is right", kind: "yes" },
  { said: "no", key: "n", word: "No", title: "This is wrong", kind: "no" },
  { said: "unknown", key: "d", word: "Don’t know", title: "Ask about something else" },
  { said: "trust", key: "t", word: "Trust", title: "Never ask about this method" },
  { said: "inadmissible", key: "i", word: "Inadmissible", title: "It should never have been called like this" },
];

function WrongPart({ asked }: { asked: Question }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const paths = asked.sheet.changes.map((change) => change.path);
  return (
    <form
      class="wrong-part"
      onSubmit={(event) => {
        event.preventDefault();
        const path = input.current?.value.trim() ?? "";
        if (path === "") return;
        wrongPart.value = false;
        void callWrong(asked.node, path);
      }}
    >
      <label for="wrong-path">Which value is wrong?</label>
      <input
        id="wrong-path"
        ref={input}
        list="changed-paths"
        defaultValue={paths[0] ?? "return"}
        onKeyDown={(event) => {
          if (event.key === "Escape") wrongPart.value = false;
        }}
      />
      <datalist id="changed-paths">
        {[...paths, "return"].map((path) => (
          <option value={path} />
        ))}
      </datalist>
      <button type="submit">Say so</button>
    </form>
  );
}

/** Trust that reaches beyond the method in question. */
function TrustMore() {
  return (
    <Folded class="menu" label="Trust more than this method" head="▾" closes>
      <button disabled={busy.value} data-answer="trust-class" onClick={() => void answer("trust-class")}>
        Trust the whole class
      </button>
      <button disabled={busy.value} data-answer="trust-package" onClick={() => void answer("trust-package")}>
        Trust the whole package
      </button>
    </Folded>
  );
}

/** Several calls to be looked over: the one that is wrong is clicked. */
function ListOfCalls({ asked }: { asked: Question }) {
  return (
    <ol class="listed-calls" aria-label="Calls in question">
      {(asked.list ?? []).map(({ node, line }, place) => (
        <li data-node={node}>
          <button
            class="no"
            title="This one is wrong"
            disabled={busy.value}
            data-wrong={node}
            onClick={() => void answerAbout(node, "no")}
          >
            wrong <kbd>{place + 1}</kbd>
          </button>{" "}
          <button class="link listed-call" title="Look at this call" onClick={() => go({ node, event: null })}>
            {line}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** What a question about single calls, or several taken together, shows. */
function CallInQuestion({ asked }: { asked: Question }) {
  // Values of several calls taken together belong to none of them.
  const single = "node" in asked.target ? asked.target.node : null;
  return (
    <>
      <p class="call-title">
        <button class="link" onClick={() => go({ node: asked.node, event: null })}>
          {asked.sheet.numbers}
        </button>{" "}
        <strong>{asked.sheet.title}</strong>
      </p>
      {asked.sheet.notes?.map((note) => <p class="doc">{note}</p>)}
      <Calls sheet={asked.sheet} />
      <Values sheet={asked.sheet} node={single} />
      <Changes sheet={asked.sheet} node={single} />
      {asked.sheet.guidance !== undefined && <p>{asked.sheet.guidance}</p>}
      {asked.level !== null && <p class="quiet">{asked.level}</p>}
    </>
  );
}

/** Of several calls it can be said that all are right, but not that all should never have been made. */
const FOR_LISTS: Partial<Record<Said, string>> = { yes: "All are right", no: "One is wrong", unknown: "Don’t know", trust: "Trust them" };

/** What the strategy weighs the calls by. */
function Weights({ weights }: { weights: NonNullable<Question["weights"]> }) {
  return (
    <details class="quiet" data-testid="weights">
      <summary>What calls weigh, {weights.all} in all</summary>
      <ul class="weights">
        {weights.calls.map(({ node, weight, line }) => (
          <li>
            <b>{weight}</b>{" "}
            <button class="link" onClick={() => go({ node, event: null })}>
              {line}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Asking({ asked }: { asked: Question }) {
  const isList = asked.list !== undefined;
  const buttons = isList ? BUTTONS.filter(({ said }) => said in FOR_LISTS) : BUTTONS;
  const body = useRef<HTMLDivElement>(null);
  const since = session.value?.asked_since;
  useLayoutEffect(() => body.current?.scrollTo(0, 0), [since]);
  const about = asked.questions_left_estimate <= 1 ? "about one question" : `about ${asked.questions_left_estimate} questions`;
  return (
    <>
      <Symptom />
      <div class="panel-body scroll question-body" ref={body} data-testid="question" data-node={asked.node} tabIndex={0} role="region" aria-label="What is asked" aria-live="polite">
        <p class="prompt">{asked.prompt}</p>
        {isList ? <ListOfCalls asked={asked} /> : <CallInQuestion asked={asked} />}
        {asked.why !== undefined && <p class="quiet">Asked because {asked.why}.</p>}
        {asked.weights !== undefined && <Weights weights={asked.weights} />}
      </div>
      <div class="answering">
        {wrongPart.value && !isList && <WrongPart asked={asked} />}
        <div class="buttons">
          {buttons.map(({ said, key, word, title: hint, kind }) => (
            <>
              <button
                class={kind ?? ""}
                title={hint}
                disabled={busy.value}
                data-answer={said}
                onClick={() => void answer(said)}
              >
                {(isList && FOR_LISTS[said]) || word} <kbd>{key}</kbd>
              </button>
              {said === "trust" && <TrustMore />}
            </>
          ))}
          {!isList && (
            <button title="Point at the value that is wrong" onClick={() => (wrongPart.value = !wrongPart.value)}>
              Wrong value… <kbd>w</kbd>
            </button>
          )}
          <button title="Take back the last answer" disabled={session.value?.can_undo !== true} onClick={() => void undo()}>
            Undo <kbd>u</kbd>
          </button>
        </div>
        <p class="quiet left">
          {count(asked.suspects_left, "suspect", "suspects")} left, {about}
          <span class="split">
            {" "}
            · yes leaves {asked.suspects_after_yes.toLocaleString("en")}, no {asked.suspects_after_no.toLocaleString("en")}
          </span>
        </p>
      </div>
    </>
  );
}

/** The call with the bug, as far as it is told without the report. */
function FoundCall({ ended }: { ended: Ended }) {
  const culprit = diagnosis.value?.culprit ?? null;
  return (
    <>
      <p class="prompt">
        The bug is in this call
        {culprit !== null && (
          <>
            {" of "}
            <code>{culprit.routine}</code>, {lineWords(culprit.lines)}
          </>
        )}
        .
      </p>
      <p class="call-title">
        <button class="link" onClick={() => go({ node: ended.node, event: null })}>
          #{ended.node}
        </button>{" "}
        <code>{ended.line}</code>
      </p>
      {culprit?.wrong !== undefined && <WrongValueLine wrong={culprit.wrong} />}
      {culprit?.expected !== undefined && <ExpectedLine expected={culprit.expected} />}
      <p class="quiet">
        It was given the right things, all that it called did right, and what came out is wrong.
        {culprit !== null && culprit.wrong === undefined && culprit.lines.length > 1 && " Say which of its values is wrong, and only the lines are left that made it."}
      </p>
    </>
  );
}

function Done({ ended }: { ended: Ended }) {
  return (
    <>
      <div class="panel-body scroll question-body" data-testid="done" tabIndex={0} role="region" aria-label="What was found" aria-live="polite">
        {ended.outcome === "found" && <FoundCall ended={ended} />}
        {ended.outcome !== "found" && progress.value?.phase === "recording" && (
          <p class="quiet">Nothing to ask about so far: questions come when the program has done more.</p>
        )}
        {ended.outcome === "found_method" && (
          <p class="prompt" data-testid="found-method">
            The bug is in this method: <code>{ended.line}</code>
          </p>
        )}
        {ended.outcome === "suspects" && (
          <p class="prompt">No question is left that could tell the remaining suspects apart.</p>
        )}
        {ended.outcome === "none" && <p class="prompt">By these answers no call can be to blame.</p>}
      </div>
      <div class="answering">
        <div class="buttons">
          <button class="main" onClick={() => go({ report: true })}>
            Report
          </button>
          {found.value && (
            <button title="Go on inside this call, down to a statement" disabled={busy.value} onClick={() => void lookInside("begin")}>
              Which line? <kbd>z</kbd>
            </button>
          )}
          <button title="Ask the least certain answer again" onClick={() => void revise()}>
            That is not it
          </button>
          <button disabled={session.value?.can_undo !== true} onClick={() => void undo()}>
            Undo <kbd>u</kbd>
          </button>
        </div>
        <p class="quiet left">no questions left</p>
      </div>
    </>
  );
}

export function QuestionPanel() {
  const now = session.value;
  const asked = question.value;
  return (
    <section class="panel question" aria-label="Question">
      <h2>
        Question
        {asked !== null && place.value.node !== asked.node && (
          <button class="small" onClick={() => go({ node: asked.node, event: null })}>
            go to it
          </button>
        )}
        {now?.thinking === true && (
          <span
            class="thinking"
            role="status"
            title="What is remembered, the reference and the oracle command are asked before you are. You can answer meanwhile."
          >
            asking the oracles …
          </span>
        )}
      </h2>
      {now !== null && (inside.value !== null ? <InsidePanel now={inside.value} /> : "ask" in now.step ? <Asking asked={now.step.ask} /> : <Done ended={now.step.done} />)}
      <Settings />
    </section>
  );
}
