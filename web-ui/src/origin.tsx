// Where a value came from: a chain of the steps that gave it, each with its code, and all steps as a table.

import { signal, useSignalEffect } from "@preact/signals";

import type { Why, WhyStep } from "./api";
import { chainOf } from "./chain";
import type { Link } from "./chain";
import { Flow } from "./flow";
import { go, place } from "./place";
import { api, source, tell } from "./store";

export const origin = signal<Why | null>(null);
/** Whether decisions are followed as well as values. */
const withDecisions = signal(false);
/** How the steps are shown: those that gave the value, all of them, or a picture. */
type Form = "chain" | "picture" | "steps";
const form = signal<Form>("chain");
const FORMS: { form: Form; word: string; title: string }[] = [
  { form: "chain", word: "chain", title: "From each step to the one that gave the value" },
  { form: "picture", word: "picture", title: "All that the value was made of, drawn" },
  { form: "steps", word: "every step", title: "Every step in a table" },
];

function useOrigin(): void {
  useSignalEffect(() => {
    const { variable, variableOf } = place.value;
    if (variable === null || variableOf === null) return;
    const isStill = () => place.value.variable === variable && place.value.variableOf === variableOf;
    api.why(variableOf, variable, withDecisions.value).then(
      (found) => {
        if (isStill()) origin.value = found;
      },
      (error: unknown) => {
        origin.value = null;
        tell(error);
      },
    );
  });
}

/** Goes to what a step did. */
function goToStep({ node, instruction }: WhyStep): void {
  if (node === null) return;
  if (instruction === null) go({ node, event: null });
  else api.event(node, instruction).then(({ event }) => go({ node, event }), tell);
}

/** The line's text, where it is in the file that is shown. */
function codeOf({ file, line }: WhyStep): string | undefined {
  const found = source.value;
  if (found === null || found.text === null || line === null || found.file !== file) return undefined;
  return found.text.split("\n")[line - 1]?.trim();
}

const WORDS: Partial<Record<string, string>> = {
  constant: "a constant",
  outside: "from outside",
  initial: "from the start",
  unknown: "not known",
};

function StepLine({ step }: { step: WhyStep }) {
  const code = codeOf(step);
  return (
    <button class="chain-step" disabled={step.node === null} title="Go there" data-step={step.step} onClick={() => goToStep(step)}>
      <span class="what">
        <code>
          {step.what}
          {step.value !== null && (
            <>
              {" = "}
              <strong>{step.value}</strong>
            </>
          )}
        </code>
        {WORDS[step.kind] !== undefined && <span class="quiet">{WORDS[step.kind]}</span>}
      </span>
      <span class="quiet">
        {step.routine ?? "outside recorded code"}
        {step.line !== null && `, line ${step.line}`}
        {step.node !== null && ` · #${step.node}`}
      </span>
      {code !== undefined && <code class="code">{code}</code>}
    </button>
  );
}

function ChainLink({ link, isEnd }: { link: Link; isEnd: boolean }) {
  return (
    <>
      {link.copies.length > 0 && (
        <li class="folded-steps">
          <details class="chain-others">
            <summary class="quiet">handed on {link.copies.length === 1 ? "once" : `${link.copies.length} times`}</summary>
            {link.copies.map((step) => (
              <StepLine step={step} />
            ))}
          </details>
        </li>
      )}
      <li class={isEnd ? "end" : ""}>
        <StepLine step={link.step} />
        {link.others.length > 0 && (
          <details class="chain-others">
            <summary class="quiet">
              {isEnd ? "made of" : "with"} {link.others.length === 1 ? "one other value" : `${link.others.length} other values`}
              {isEnd ? "" : ": indexes, conditions, what was passed along"}
            </summary>
            {link.others.map((step) => (
              <StepLine step={step} />
            ))}
          </details>
        )}
      </li>
    </>
  );
}

function AllSteps({ found }: { found: Why }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th />
          <th>step</th>
          <th>line</th>
          <th>in</th>
        </tr>
      </thead>
      <tbody>
        {found.steps.map((step) => (
          <tr key={step.step} class={step.node === null ? "" : "goes"} onClick={() => goToStep(step)}>
            <td class="quiet">{step.step}</td>
            <td>
              <button onClick={() => goToStep(step)}>
                <code>
                  {step.what}
                  {step.value !== null && ` = ${step.value}`}
                </code>
              </button>
              {step.from.length > 0 && <span class="quiet"> ← {step.from.join(", ")}</span>}
            </td>
            <td>{step.line}</td>
            <td>
              {step.routine}
              {step.node !== null && <span class="quiet"> #{step.node}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function OriginPane() {
  useOrigin();
  const { variable } = place.value;
  if (variable === null) {
    return <p class="empty-state">The way back from a value to what it was made of. Choose a value in the question or of the call.</p>;
  }
  const found = origin.value;
  if (found === null) return <p class="empty-state">It is not known where {variable} came from.</p>;
  const chain = chainOf(found);
  return (
    <div class="scroll" data-testid="why" tabIndex={0} role="region" aria-label="Where from">
      <p class="note">
        Where <code>{variable}</code>
        {found.value !== null && (
          <>
            {" = "}
            <code>{found.value}</code>
          </>
        )}{" "}
        came from, backwards
      </p>
      <label class="switch note">
        <input type="checkbox" checked={withDecisions.value} onChange={(event) => (withDecisions.value = event.currentTarget.checked)} />
        <span>also the decisions that led there</span>
      </label>
      <p class="note forms" role="group" aria-label="How it is shown">
        {FORMS.map(({ form: one, word, title }) => (
          <button class="small" aria-pressed={form.value === one} title={title} onClick={() => (form.value = one)}>
            {word}
          </button>
        ))}
      </p>
      {form.value === "steps" && <AllSteps found={found} />}
      {form.value === "picture" && <Flow why={found} go={goToStep} />}
      {form.value === "chain" && (
        <ol class="chain">
          {chain.map((link, number) => (
            <ChainLink key={link.step.step} link={link} isEnd={number === chain.length - 1} />
          ))}
        </ol>
      )}
      {found.notes.map((note) => (
        <p class="quiet note">{note}</p>
      ))}
    </div>
  );
}
