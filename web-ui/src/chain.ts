// Where a value came from, as a chain that can be read: from each step to the one that gave the value itself. What only
// chose the place (an index, an array that was passed on) and steps that copy a value unchanged are folded.

import type { Why, WhyStep } from "./api";

/** A step of the chain. */
export interface Link {
  step: WhyStep;
  /** Steps before it that only passed the same value on. */
  copies: WhyStep[];
  /** What else had a part in it. */
  others: WhyStep[];
}

const COPIES = new Set(["argument", "returned"]);

/** Of the steps that one took from: the one that gave the value. */
function giver(step: WhyStep, sources: WhyStep[]): WhyStep | undefined {
  // The same value was passed on; a sum or a result of something else has no single giver.
  const same = sources.filter((source) => source.value !== null && source.value === step.value);
  return same[0] ?? (sources.length === 1 ? sources[0] : undefined);
}

/** The chain from the value itself backwards. */
export function chainOf(why: Why): Link[] {
  const byNumber = new Map(why.steps.map((step) => [step.step, step]));
  const chain: Link[] = [];
  const seen = new Set<number>();
  let now = why.steps[0];
  while (now !== undefined && !seen.has(now.step)) {
    const copies: WhyStep[] = [];
    let sources = sourcesOf(now, byNumber);
    let next = giver(now, sources);
    // A value that is handed through calls is the same value.
    while (next !== undefined && COPIES.has(now.kind) && next.value === now.value && !seen.has(next.step) && chain.length > 0) {
      copies.push(now);
      seen.add(now.step);
      now = next;
      sources = sourcesOf(now, byNumber);
      next = giver(now, sources);
    }
    seen.add(now.step);
    const others = sources.filter((source) => source !== next);
    chain.push({ step: now, copies, others });
    now = next;
  }
  return chain;
}

function sourcesOf(step: WhyStep, byNumber: Map<number, WhyStep>): WhyStep[] {
  return step.from.flatMap((number) => byNumber.get(number) ?? []);
}
