// The answers so far, each of which can be taken back.

import { go, place } from "./place";
import { SIGNS } from "./signs";
import { restart, session, undo } from "./store";

export function Answers() {
  const answers = session.value?.answers ?? [];
  return (
    <section class="panel answers" aria-label="Answers">
      <h2>
        Answers
        {answers.length > 0 && (
          <button class="small" onClick={() => void restart()} title="Forget all answers">
            start anew
          </button>
        )}
      </h2>
      <ol class="panel-body scroll" data-testid="answers">
        {answers.length === 0 && <li class="quiet empty">none yet</li>}
        {answers.map((given) => (
          <li class={`answer ${given.overruled ? "overruled" : ""} ${given.node === place.value.node ? "selected" : ""}`} key={given.place}>
            <span class={`sign ${given.judgement}`} title={given.word}>
              {SIGNS[given.judgement].sign || "–"}
            </span>
            <button
              class="row-text"
              title={`${given.word} (${given.source}): ${given.line}`}
              onClick={() => given.node !== null && go({ node: given.node, event: null })}
            >
              {given.line}
            </button>
            {!given.overruled && (
              <button class="small" title="Take this answer back" aria-label="Take this answer back" onClick={() => void undo(given.place)}>
                undo
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
