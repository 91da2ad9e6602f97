// The answers so far, each of which can be taken back. Folded away while there are none.

import { go, place } from "./place";
import { saved } from "./saved";
import { SIGNS, count } from "./signs";
import { bringBack, forgotten, restart, session, undo } from "./store";

/** All answers were forgotten just now: that can be taken back as well. */
function Forgotten() {
  const kept = forgotten.value;
  if (kept === 0) return null;
  return (
    <p class="forgotten" role="status">
      {count(kept, "answer was", "answers were")} forgotten.{" "}
      <button class="link" onClick={() => void bringBack()}>
        Bring them back
      </button>
    </p>
  );
}

export function Answers() {
  const answers = session.value?.answers ?? [];
  return (
    <section class={`panel answers ${answers.length === 0 ? "folded-away" : ""}`} aria-label="Answers">
      <h2>
        Answers {answers.length === 0 && <span class="quiet">none yet</span>}
        {answers.length > 0 && saved === null && (
          <button class="small" onClick={() => void restart()} title="Forget all answers; they can be brought back">
            start anew
          </button>
        )}
      </h2>
      <Forgotten />
      <ol class="panel-body scroll" data-testid="answers" aria-label="Answers so far" tabIndex={answers.length === 0 ? -1 : 0}>
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
            {!given.overruled && saved === null && (
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
