// Signs for judgements: what the colours say, for those who do not see them.

import type { Judgement } from "./api";

export const SIGNS: Record<Judgement, { sign: string; word: string }> = {
  undefined: { sign: "", word: "not judged" },
  correct: { sign: "✓", word: "right" },
  wrong: { sign: "✗", word: "wrong" },
  trusted: { sign: "◇", word: "trusted" },
  inadmissible: { sign: "⊘", word: "inadmissible" },
  unknown: { sign: "?", word: "don’t know" },
};

/** A command without the folders of what it names. */
export function shortCommand(command: string): string {
  return command.replaceAll(/\S*\/(?=\S)/g, "");
}

export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
