// The diagnosis: what was found, and what led there.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

import type { Diagnosis } from "./api";
import { Excerpt, ExpectedLine, WrongValueLine, diagnosis, lineWords } from "./culprit";
import { go } from "./place";
import { save, standalone } from "./saved-report";
import { SIGNS, count, shortCommand } from "./signs";
import { info, session, tell } from "./store";

function Found({ culprit }: { culprit: NonNullable<Diagnosis["culprit"]> }) {
  const place = culprit.file === null ? "" : `${culprit.file}, `;
  return (
    <>
      <h2>
        The bug is in <code>{culprit.routine}</code>
      </h2>
      <p class="quiet">
        {place}
        {lineWords(culprit.lines)}
        {culprit.piece !== undefined && ` (${culprit.piece})`}
      </p>
      {culprit.wrong !== undefined && <WrongValueLine wrong={culprit.wrong} />}
      {culprit.expected !== undefined && <ExpectedLine expected={culprit.expected} />}
      <pre class="call" tabIndex={0} aria-label="The call">
        {culprit.text}
      </pre>
      {culprit.source !== null && (
        <>
          <Excerpt source={culprit.source} />
          <p class="quiet">
            {culprit.node === null ? "The calls of this method cannot be told apart by what is known." : culprit.piece === undefined ? culprit.wrong === undefined
                ? "Marked lines ran and had a part in what the call did. Which value is wrong? Naming it leaves the lines that made it."
                : "Marked lines ran and had a part in the wrong value." : "Marked lines are the piece of the call that is wrong."}
          </p>
        </>
      )}
      {culprit.node !== null && (
        <p class="page-only">
          <button class="main" onClick={() => go({ report: false, node: culprit.node, event: null })}>
            Look at the call
          </button>
        </p>
      )}
    </>
  );
}

export function Report() {
  const copied = useSignal(false);
  const article = useRef<HTMLElement>(null);
  const found = diagnosis.value;
  if (found === null) return <main class="report" />;
  const copy = () => {
    navigator.clipboard.writeText(found.markdown ?? "").then(() => (copied.value = true), tell);
  };
  const keep = () => {
    if (article.current === null) return;
    const name = info.value?.name ?? "run";
    const title = found.culprit === null ? `Diagnosis of ${name}` : `The bug is in ${found.culprit.routine}`;
    save(`${name.replace(/\.askance$/, "")}-diagnosis.html`, standalone(article.current, title));
  };
  return (
    <main class="report scroll" data-testid="report">
      <article ref={article}>
        <p class="report-bar">
          <button onClick={() => go({ report: false })}>‹ Back to the calls</button>
          <span class="buttons">
            <button onClick={copy}>{copied.value ? "Copied" : "Copy as Markdown"}</button>
            <button onClick={keep}>Save as HTML</button>
          </span>
        </p>
        {found.culprit !== null && <Found culprit={found.culprit} />}
        {found.outcome === "none" && (
          <>
            <h2>No bug found</h2>
            <p>By these answers no call can be to blame.</p>
          </>
        )}
        {(found.outcome === "suspects" || found.outcome === "found_method") && (
          <>
            <h2>{count(found.suspects_left, "suspect is", "suspects are")} left</h2>
            <p>The answers do not tell them apart: what was answered with “don’t know” stands between.</p>
            <ul class="suspects">
              {found.suspects.map((suspect) => (
                <li>
                  <button class="link" onClick={() => go({ report: false, node: suspect.node, event: null })}>
                    #{suspect.node}
                  </button>{" "}
                  <code>{suspect.line}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        <h3>{count(session.value?.answers.length ?? 0, "answer", "answers")} led here</h3>
        <table class="list">
          <tbody>
            {(session.value?.answers ?? []).map((given) => (
              <tr class={given.overruled ? "overruled" : ""}>
                <td>
                  <span class={`sign ${given.judgement}`}>{SIGNS[given.judgement].sign || "–"}</span> {given.word}
                </td>
                <td>
                  <code>{given.line}</code>
                </td>
                <td class="quiet">{given.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="quiet">{shortCommand(info.value?.command ?? "")}</p>
      </article>
    </main>
  );
}
