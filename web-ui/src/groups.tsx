// Nodes of the transformed tree that are not calls: which calls each of them takes together.

import { computed } from "@preact/signals";

import type { Judgement, Row } from "./api";
import { SIGNS } from "./signs";
import { question, session } from "./store";

/** Calls that are taken together: one node of the transformed tree. */
interface Group {
  first: number;
  last: number;
  parent: number | null;
  word: string;
  judgement: Judgement;
}

const KINDS: Record<string, string> = { projection: "together", collapse: "collapsed", loop: "loop", iteration: "iteration" };

const askedGroup = computed<Group | null>(() => {
  const asked = question.value;
  if (asked === null || "node" in asked.target) return null;
  const { first, last } = "range" in asked.target ? asked.target.range : asked.target.piece;
  return { first, last, parent: asked.parent, word: KINDS[asked.kind] ?? asked.kind, judgement: "undefined" };
});

/** Groups that were judged and not taken back, the latest first. */
const judgedGroups = computed<Group[]>(() => {
  const answers = session.value?.answers ?? [];
  const groups = answers.flatMap(({ node, last, parent, judgement, overruled }) =>
    node === null || last === null || overruled ? [] : [{ first: node, last, parent, word: "together", judgement }],
  );
  return groups.reverse();
});

const isIn = (group: Group, row: Row) => row.node >= group.first && row.node <= group.last && row.parent === group.parent;

/** The group of calls that a call is asked about or was judged with. */
export function groupOf(row: Row): Group | undefined {
  const asked = askedGroup.value;
  return asked !== null && isIn(asked, row) ? asked : judgedGroups.value.find((group) => isIn(group, row));
}

/** The bracket that holds a group together. */
export function Bracket({ group, row }: { group: Group; row: Row }) {
  const { sign, word } = SIGNS[group.judgement];
  const isFirst = row.node === group.first;
  const ends = `${isFirst ? "first" : ""} ${row.node + row.subtree > group.last ? "last" : ""}`;
  return (
    <span class={`bracket ${group.judgement} ${ends}`} title={`${group.word}, #${group.first} to #${group.last}: ${word}`}>
      {isFirst && <span class="tag synthetic">{`${sign} ${group.word}`.trim()}</span>}
    </span>
  );
}

/** Whether the open question is about this call, alone or taken together with its neighbours. */
export function isInQuestion(row: Row): boolean {
  const asked = question.value;
  if (asked === null) return false;
  if ("node" in asked.target) return row.node === asked.target.node;
  return askedGroup.value !== null && isIn(askedGroup.value, row);
}
