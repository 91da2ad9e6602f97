// A page that was written into one file has no server: what was asked for it beforehand stands in the file.

/** A call that is or may be to blame. */
export interface Blamed {
  node: number | null;
  name: string;
  place: string;
  call?: string;
  reasons: string[];
}

/** What was found, in words. */
export interface Finding {
  title: string;
  sentences: string[];
  calls: Blamed[];
}

interface Saved {
  finding: Finding;
  /** By the address, with what is wanted in the order of the alphabet. */
  answers: Record<string, unknown>;
  /** Whether all round the finding found room. */
  whole: boolean;
}

const element = document.getElementById("askance-saved");

/** What stands in the file; `null` if this page has a server. */
export const saved: Saved | null = element === null ? null : (JSON.parse(element.textContent) as Saved);

export type Wanted = Record<string, string | number | boolean | null | undefined>;

/** What an answer is found by. Page sizes, marks and moments are left out of lists of which the file has one page. */
const NAMED: Record<string, readonly string[]> = {
  "/children": ["of", "from"],
  "/events": ["node"],
  "/history": ["variable", "node"],
  "/output": [],
};

function key(what: string, wanted: Wanted): string {
  const names = NAMED[what] ?? Object.keys(wanted);
  const words = names.filter((name) => wanted[name] !== null && wanted[name] !== undefined).map((name) => `${name}=${String(wanted[name])}`);
  return words.length === 0 ? what : `${what}?${words.sort().join("&")}`;
}

/** The answer that stands in the file, or `undefined`. */
export function savedAnswer(what: string, wanted: Wanted): unknown {
  if (saved === null) return undefined;
  if (what === "/live") return null;
  return saved.answers[key(what === "" ? "/" : what, wanted)];
}

/** Whether this is another page of a list that the file has the beginning of. */
export function isFurtherPage(what: string, wanted: Wanted): boolean {
  const from = Number(wanted.from ?? 0);
  if (from === 0) return false;
  return what === "/events" || savedAnswer(what, { ...wanted, from: 0 }) !== undefined;
}
