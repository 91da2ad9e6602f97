// What was found, in the place of the question on a page that has nobody to ask.

import { go, place } from "./place";
import type { Blamed } from "./saved";
import { saved } from "./saved";

function BlamedCall({ blamed }: { blamed: Blamed }) {
  const { node, name, call, reasons } = blamed;
  return (
    <li class={node !== null && node === place.value.node ? "selected" : ""}>
      {node === null ? (
        <code>{name}</code>
      ) : (
        <button class="link" onClick={() => go({ node, event: null })}>
          #{node} {name}
        </button>
      )}{" "}
      <span class="quiet">{blamed.place}</span>
      {call !== undefined && (
        <div>
          <code>{call}</code>
        </div>
      )}
      {reasons.map((reason) => (
        <div class="quiet">{reason}</div>
      ))}
    </li>
  );
}

export function FindingPanel() {
  if (saved === null) return null;
  const { finding, whole } = saved;
  return (
    <section class="panel question" aria-label="Finding">
      <h2>Finding</h2>
      <div class="panel-body scroll question-body" data-testid="finding" tabIndex={0} role="region" aria-label="What was found">
        <p class="prompt">{finding.title}</p>
        {finding.sentences.map((sentence) => (
          <p>{sentence}</p>
        ))}
        <ol class="suspects" data-testid="blamed">
          {finding.calls.map((blamed) => (
            <BlamedCall blamed={blamed} />
          ))}
        </ol>
        <p class="quiet">
          This file has the calls round the finding, {whole ? "" : "as far as there was room for them, "}and needs no server. <code>askance serve</code> shows the whole trace.
        </p>
      </div>
    </section>
  );
}
