// What a key says to the session: answers to what is asked, and what can be done about what was found.

import { wrongPart } from "./question";
import { answer, answerAbout, found, inside, lookInside, question, undo } from "./store";

const ANSWERS: Record<string, () => unknown> = {
  y: () => answer("yes"),
  n: () => answer("no"),
  d: () => answer("unknown"),
  t: () => answer("trust"),
  i: () => answer("inadmissible"),
};
const INSIDE: Record<string, () => unknown> = {
  y: () => lookInside("yes"),
  n: () => lookInside("no"),
  d: () => lookInside("unknown"),
  u: () => lookInside("undo"),
  z: () => lookInside("leave"),
};

/** What a key does as the session stands. */
export function sessionKey(key: string): (() => unknown) | undefined {
  if (inside.value !== null) return INSIDE[key];
  if (key === "u") return () => undo();
  const asked = question.value;
  if (asked === null) return key === "z" && found.value ? () => lookInside("begin") : undefined;
  const listed = asked.list?.[Number(key) - 1];
  if (listed !== undefined) return () => answerAbout(listed.node, "no");
  if (key === "w" && asked.list === undefined) return () => (wrongPart.value = true);
  return ANSWERS[key];
}
