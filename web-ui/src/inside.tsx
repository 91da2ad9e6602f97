// The search inside the call that was found, down to a statement.

import type { Inside, InsideQuestion } from "./api";
import { go } from "./place";
import { Calls, Changes, Values } from "./sheet";
import { SIGNS, count } from "./signs";
import { busy, lookInside } from "./store";

const BUTTONS = [
  { said: "yes", key: "y", word: "Yes", title: "This piece is right", kind: "yes" },
  { said: "no", key: "n", word: "No", title: "This piece is wrong", kind: "no" },
  { said: "unknown", key: "d", word: "Don’t know", title: "Ask about another piece", kind: "" },
] as const;

function Asking({ asked }: { asked: InsideQuestion }) {
  return (
    <>
      <p class="prompt">{asked.prompt}</p>
      <p class="call-title">
        <strong>{asked.sheet.title}</strong>
      </p>
      <Calls sheet={asked.sheet} />
      <Values sheet={asked.sheet} node={null} />
      <Changes sheet={asked.sheet} node={null} />
    </>
  );
}

function Said({ now }: { now: Inside }) {
  if (now.answers.length === 0) return null;
  return (
    <ul class="said-inside">
      {now.answers.map((given) => (
        <li class="quiet">
          <span class={`sign ${given.judgement}`} title={given.word}>
            {SIGNS[given.judgement].sign || "–"}
          </span>{" "}
          {given.line}
        </li>
      ))}
    </ul>
  );
}

export function InsidePanel({ now }: { now: Inside }) {
  const { step } = now;
  return (
    <>
      <div class="panel-body scroll question-body" data-testid="inside" data-node={now.node} tabIndex={0} role="region" aria-label="What is asked" aria-live="polite">
        <p class="quiet">
          Inside call{" "}
          <button class="link" onClick={() => go({ node: now.node, event: null })}>
            #{now.node}
          </button>
        </p>
        {"ask" in step ? <Asking asked={step.ask} /> : <p class="prompt">The bug is in {step.done.title}.</p>}
        <Said now={now} />
      </div>
      <div class="answering">
        <div class="buttons">
          {"ask" in step &&
            BUTTONS.map(({ said, key, word, title, kind }) => (
              <button class={kind} title={title} disabled={busy.value} data-inside={said} onClick={() => void lookInside(said)}>
                {word} <kbd>{key}</kbd>
              </button>
            ))}
          {"done" in step && (
            <button class="main" onClick={() => go({ report: true })}>
              Report
            </button>
          )}
          <button title="Take back the last answer" disabled={busy.value || now.answers.length === 0} onClick={() => void lookInside("undo")}>
            Undo <kbd>u</kbd>
          </button>
          <button title="Back to the call as it was found" disabled={busy.value} onClick={() => void lookInside("leave")}>
            Leave <kbd>z</kbd>
          </button>
        </div>
        <p class="quiet left">
          {"ask" in step
            ? `${count(step.ask.suspects_left, "piece", "pieces")} left, about ${count(Math.max(1, step.ask.questions_left_estimate), "question", "questions")}`
            : "no questions left"}
        </p>
      </div>
    </>
  );
}
