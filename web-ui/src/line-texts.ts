// What lines of a call left behind, in words.

import type { LinesExecuted } from "./api-types";
import { visible } from "./visible";

/** What stands at the ends of lines: what was assigned there last, and how often the line ran. */
export function lineTexts(found: LinesExecuted | null): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { line, times, values } of found?.lines ?? []) {
    const often = times > 1 ? `${times}×` : "";
    const text = [often, values.map(visible).join(", ")].filter((part) => part !== "").join("  ");
    if (text !== "") texts.set(line, text);
  }
  return texts;
}
