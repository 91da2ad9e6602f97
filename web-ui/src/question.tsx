// The question panel: what is asked, what changed, and everything that can be said to it.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Ended, Question, Said, Sheet } from "./api";
import { go, place } from "./place";
import { count } from "./signs";
import { answer, busy, callWrong, info, progress, question, revise, session, setStrategy, transform, undo } from "./store";
import { Other } from "./values";

/** Whether "this part is wrong" is being said. */
export const wrongPart = signal(false);

const BUTTONS: { said: Said; key: string; word: string; title: string; kind?: string }[] = [
  { said: "yes", key: "y", word: "Yes", title: "This is right", kind: "yes" },
  { said: "no", key: "n", word: "No", title: "This is wrong", kind: "no" },
  { said: "unknown", key: "d", word: "Don’t know", title: "Ask about something else" },
  { said: "trust", key: "t", word: "Trust", title: "Never ask about this method" },
  { said: "inadmissible", key: "i", word: "Inadmissible", title: "It should never have been called like this" },
];

function Values({ sheet }: { sheet: Sheet }) {
  return (
    <dl class="asked">
      {sheet.given.map(({ name, text }) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code class="value">{text}</code>
          </dd>
        </>
      ))}
      {sheet.given_left_out !== undefined && (
        <>
          <dt />
          <dd class="quiet">… {sheet.given_left_out.toLocaleString("en")} more</dd>
        </>
      )}
      {sheet.outcome !== null && (
        <>
          <dt class="result">→</dt>
          <dd class="result">
            <code class="value">{sheet.outcome}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The calls that are taken together, each of which can be looked at. */
function Calls({ sheet }: { sheet: Sheet }) {
  const calls = sheet.calls ?? [];
  const half = Math.ceil(calls.length / 2);
  const left = sheet.calls_left_out ?? 0;
  return (
    <ol class="calls">
      {calls.map((call, index) => (
        <>
          {index === half && left > 0 && <li class="quiet">… {left.toLocaleString("en")} more</li>}
          <li>
            <button class="link" onClick={() => go({ node: call.node, event: null })}>
              #{call.node}
            </button>{" "}
            <code>{call.text}</code>
          </li>
        </>
      ))}
    </ol>
  );
}

function Changes({ sheet }: { sheet: Sheet }) {
  if (sheet.changes.length === 0) return <p class="quiet">nothing changed</p>;
  return (
    <table class="changes">
      <caption>changed</caption>
      <tbody>
        {sheet.changes.map((change) => (
          <tr>
            <th scope="row">{change.path}</th>
            <td>
              <del>{change.before}</del>
              <span class="arrow"> → </span>
              <ins>{change.after}</ins>
              <Other meanwhile={change.meanwhile} />
            </td>
          </tr>
        ))}
        {sheet.changes_left_out !== undefined && (
          <tr>
            <td class="quiet" colSpan={2}>
              … {sheet.changes_left_out.toLocaleString("en")} more, in the node view
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

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

function Asking({ asked }: { asked: Question }) {
  const about = asked.questions_left_estimate <= 1 ? "about one question" : `about ${asked.questions_left_estimate} questions`;
  return (
    <>
      <div class="panel-body scroll question-body" data-testid="question" data-node={asked.node}>
        <p class="prompt">{asked.prompt}</p>
        <p class="call-title">
          <button class="link" onClick={() => go({ node: asked.node, event: null })}>
            {asked.sheet.numbers}
          </button>{" "}
          <strong>{asked.sheet.title}</strong>
        </p>
        {asked.sheet.notes?.map((note) => <p class="quiet">{note}</p>)}
        <Calls sheet={asked.sheet} />
        <Values sheet={asked.sheet} />
        <Changes sheet={asked.sheet} />
        {asked.level !== null && <p class="quiet">{asked.level}</p>}
      </div>
      <div class="answering">
        {wrongPart.value && <WrongPart asked={asked} />}
        <div class="buttons">
          {BUTTONS.map(({ said, key, word, title: hint, kind }) => (
            <button
              class={kind ?? ""}
              title={hint}
              disabled={busy.value}
              data-answer={said}
              onClick={() => void answer(said)}
            >
              {word} <kbd>{key}</kbd>
            </button>
          ))}
          <button title="Point at the value that is wrong" onClick={() => (wrongPart.value = !wrongPart.value)}>
            Wrong value… <kbd>w</kbd>
          </button>
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

function Done({ ended }: { ended: Ended }) {
  return (
    <>
      <div class="panel-body scroll question-body" data-testid="done">
        {ended.outcome === "found" && (
          <>
            <p class="prompt">The bug is in this call.</p>
            <p class="call-title">
              <button class="link" onClick={() => go({ node: ended.node, event: null })}>
                #{ended.node}
              </button>{" "}
              <code>{ended.line}</code>
            </p>
            <p>Everything else that it could be is ruled out by the answers.</p>
          </>
        )}
        {ended.outcome !== "found" && progress.value?.phase === "recording" && (
          <p class="quiet">Nothing to ask about so far: questions come when the program has done more.</p>
        )}
        {ended.outcome === "suspects" && (
          <p class="prompt">No question is left that could tell the remaining suspects apart.</p>
        )}
        {ended.outcome === "none" && <p class="prompt">By these answers every call is right.</p>}
      </div>
      <div class="answering">
        <div class="buttons">
          <button class="main" onClick={() => go({ report: true })}>
            Report
          </button>
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

function Settings() {
  const run = info.value;
  const now = session.value;
  if (run === null || now === null) return null;
  const on = now.transform.split(",").filter((name) => name !== "");
  const chosen = run.strategies.find((choice) => choice.name === now.strategy);
  return (
    <details class="settings">
      <summary>How the next question is chosen: {now.strategy}</summary>
      <div class="sheet">
        <select aria-label="Strategy" value={now.strategy} onChange={(event) => void setStrategy(event.currentTarget.value)}>
          {run.strategies.map((choice) => (
            <option value={choice.name}>{choice.name}</option>
          ))}
        </select>
        <p class="quiet">{chosen?.explanation}</p>
        {run.transformations
          .filter((choice) => !choice.name.includes("="))
          .map((choice) => (
            <label class="switch">
              <input
                type="checkbox"
                checked={on.includes(choice.name)}
                onChange={(event) => void transform(event.currentTarget.checked ? choice.name : `-${choice.name}`)}
              />
              <span>
                {choice.name} <span class="quiet">{choice.explanation}</span>
              </span>
            </label>
          ))}
      </div>
    </details>
  );
}

export function QuestionPanel() {
  const now = session.value;
  const asked = question.value;
  return (
    <section class="panel grow question" aria-label="Question">
      <h2>
        Question
        {asked !== null && place.value.node !== asked.node && (
          <button class="small" onClick={() => go({ node: asked.node, event: null })}>
            go to it
          </button>
        )}
      </h2>
      {now !== null && ("ask" in now.step ? <Asking asked={now.step.ask} /> : <Done ended={now.step.done} />)}
      <Settings />
    </section>
  );
}
