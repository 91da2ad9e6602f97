// What the server's JSON interface speaks of, as `crates/askance-api` has it.

export type Judgement = "undefined" | "correct" | "wrong" | "trusted" | "inadmissible" | "unknown";
export type Changed = "changed" | "inside";
export type Label = { field: string } | { index: number } | { key: string };

/** A write during a call that does not belong to it. */
export interface Meanwhile {
  thread: string;
  node?: number;
  routine?: string;
}

export interface Value {
  text: string;
  kind: "primitive" | "string" | "null" | "object" | "array" | "map" | "entry" | "constant" | "opaque" | "unknown" | "unreadable";
  id?: number;
  class?: string;
  children?: { label: Label; value: Value }[];
  truncated?: number;
  changed?: Changed;
  meanwhile?: Meanwhile;
  /** The same object, which can change, stands in another place as well. */
  shared?: boolean;
}

export interface State {
  before: Value;
  after: Value | null;
}

export type Named = State & { name: string };

export type Outcome = "void" | "open" | "program-ended" | { returned: Value } | { thrown: Value };

export interface Call {
  node: number;
  routine: string;
  class: string;
  method: string;
  file: string | null;
  line: number | null;
  this: State | null;
  arguments: Named[];
  outcome: Outcome;
  statics: Named[];
  /** Objects that it changed and that none of the others has in it. */
  elsewhere?: Named[];
  /** Where it ran, if another call handed it over. */
  submitted?: { thread: string; by: number; routine: string };
  /** Something that it handed over ended after it. */
  outlived?: boolean;
  /** The recording of its beginning was given up. */
  began_before_kept?: boolean;
}

/** What stands on each line of a question. */
export interface Sheet {
  numbers: string;
  title: string;
  notes?: string[];
  calls?: { node: number; text: string }[];
  calls_left_out?: number;
  given: { name: string; text: string; changed?: Changed }[];
  given_left_out?: number;
  outcome: string | null;
  changes: { path: string; before: string; after: string; meanwhile?: Meanwhile }[];
  changes_left_out?: number;
  /** What whoever judges it should think of. */
  guidance?: string;
}

export interface Row {
  node: number;
  parent: number | null;
  class: string;
  method: string;
  text: string;
  complete: boolean;
  /** The recording of its beginning was given up. */
  began_before_kept?: boolean;
  /** The thread that it was handed over to by the call above. */
  thread?: string;
  subtree: number;
  judgement: Judgement;
  suspect: boolean;
  suspects: number;
}

/** The way from a root to a node, or the last part of it. */
export interface Way {
  /** Calls above the first step. */
  above: number;
  /** The caller of the first step. */
  below: number | null;
  steps: { node: number; place: number }[];
}

export interface ChildPage {
  of: number | null;
  from: number;
  count: number;
  rows: Row[];
}

export interface EventRow {
  event: number;
  line: number | null;
  kind: string;
  text: string;
  calls: number | null;
  changes?: "directly" | "below";
}

export interface EventPage {
  node: number;
  events: EventRow[];
  more: boolean;
  note: string | null;
}

export interface NodeShown extends Call {
  judgement: Judgement;
  suspect: boolean;
  descriptor: string;
  callers: { node: number; routine: string }[];
  below: number;
  complete: boolean;
  event: EventRow | null;
  locals: { name: string; value: Value }[];
  note: string | null;
  width: number;
  depth: number;
}

export interface Write {
  write: number;
  before: string | null;
  after: string;
  by: "code" | "library" | "outside";
  thread: string;
  node: number | null;
  routine: string | null;
  file: string | null;
  line: number | null;
  event: number | null;
}

export interface History {
  variable: string;
  initially: string | null;
  /** Writes that are left out before these. */
  from: number;
  /** The last write up to the moment that was named, by its number. */
  last?: number;
  writes: Write[];
  more: boolean;
  several_threads: boolean;
  note: string | null;
}

/** The lines that a call executed up to a moment. */
export interface LinesExecuted {
  node: number;
  lines: { line: number; times: number; event: number; values: string[] }[];
  /** Every execution of the line that was asked for. */
  executions?: { event: number; values: string[] }[];
  complete: boolean;
}

/** A line that was printed, or what stands in the place of some. */
export interface OutputRow {
  row: number;
  kind: "line" | "binary" | "left out";
  stream?: "output" | "error";
  line?: number;
  text?: string;
  cut?: boolean;
  bytes?: number;
  from: { node?: number; routine?: string; file?: string; line?: number; thread?: string }[];
  others?: number;
}

/** A page of what was printed. */
export interface Printed {
  recorded: boolean;
  output_bytes: number;
  error_bytes: number;
  rows: OutputRow[];
  next: number | null;
}

export interface WhyStep {
  step: number;
  node: number | null;
  routine: string | null;
  file: string | null;
  line: number | null;
  instruction: number | null;
  kind: string;
  what: string;
  value: string | null;
  from: number[];
}

export interface Why {
  path: string;
  value: string | null;
  steps: WhyStep[];
  lines: { routine: string; file: string | null; lines: number[] }[];
  complete: boolean;
  notes: string[];
}

export interface Source {
  file: string | null;
  routine: string;
  text: string | null;
  /** What the class files tell of the file if its text was not found: rows of text, each about a line or none. */
  listing?: {
    text: string;
    lines: (number | null)[];
    /** The first row of the call's method, and the one behind its last. */
    method: [number, number];
  };
  method: number[];
  executed: number[];
  note: string | null;
}

/** Calls that follow each other, first and last; as a piece, with the code of the loop that made them. */
export interface Stretch {
  first: number;
  last: number;
}

export interface Question {
  node: number;
  target: { node: number } | { range: Stretch } | { piece: Stretch };
  /** The call that made what is asked about. */
  parent: number | null;
  kind: string;
  suspects_left: number;
  suspects_after_yes: number;
  suspects_after_no: number;
  questions_left_estimate: number;
  reason: "strategy" | "requested" | "presumed" | "set-up" | "confirmation";
  prompt: string;
  line: string;
  /** Where the question is about several calls, each for itself. */
  list?: { node: number; line: string }[];
  /** Why it is asked, if more than the number of suspects decided. */
  why?: string;
  /** What calls weigh to a strategy that halves weights; of many calls, those nearest to half. */
  weights?: { all: string; calls: { node: number; weight: string; line: string }[] };
  sheet: Sheet;
  /** Where in a recursion it is. */
  level: string | null;
}

/** A method that may be to blame; nothing of it is proven. */
export interface Suspect {
  class: string;
  method: string;
  file: string | null;
  lines: number[];
  likelihood: number;
  /** The likeliest of its calls, and what that did. */
  node: number;
  call: string;
  calls: number;
  reasons: string[];
}

export interface AnswerGiven {
  place: number;
  node: number | null;
  last: number | null;
  /** The call that made them. */
  parent: number | null;
  judgement: Judgement;
  word: string;
  source: string;
  by_person: boolean;
  line: string;
  overruled: boolean;
}

export interface Ended {
  outcome: "found" | "found_method" | "suspects" | "none";
  node: number | null;
  line: string;
}

/** How far recording and indexing are. */
export interface Progress {
  phase: "recording" | "indexing" | "complete" | "failed";
  calls: number;
  bytes: number;
  seconds: number;
  indexed: number | null;
  sentence: string | null;
}

export interface Output {
  from: number;
  next: number;
  more: boolean;
  text: string;
}

/** What can be said about a piece of the call that was found. */
export type SaidInside = "begin" | "yes" | "no" | "unknown" | "undo" | "leave";

/** The search inside the call that was found. */
export interface Inside {
  node: number;
  step: { ask: InsideQuestion } | { done: { title: string; lines: number[] } };
  answers: { judgement: Judgement; word: string; line: string }[];
}

export interface InsideQuestion {
  prompt: string;
  sheet: Sheet;
  lines: number[];
  suspects_left: number;
  questions_left_estimate: number;
}

/** How far a session is. */
export interface Standing {
  revision: number;
  /** Those who answer before a person (what is remembered, a reference, a command) are being heard. */
  thinking: boolean;
}

export interface Session extends Standing {
  /** What went wrong while they were heard. */
  trouble?: string;
  /** Numbers of calls are those of this snapshot of a growing run. */
  snapshot: number;
  step: { ask: Question } | { done: Ended };
  answers: AnswerGiven[];
  can_undo: boolean;
  /** Answers that were forgotten just now and can be brought back. */
  forgotten?: number;
  strategy: string;
  transform: string;
  suspects: number;
  inside?: Inside;
}

export interface Culprit {
  /** None if it is a method of which no single call is to blame. */
  node: number | null;
  routine: string;
  file: string | null;
  line: string;
  text: string;
  lines: number[];
  /** The piece of the call that was found after it. */
  piece?: string;
  executed: number[];
  slice: number[];
  /** The value that was called wrong, and the write that made it. */
  wrong?: { path: string; value?: string; node?: number; routine?: string; line?: number; instruction?: number };
  source: string | null;
}

export interface Diagnosis {
  outcome: Ended["outcome"];
  culprit: Culprit | null;
  suspects: { node: number; line: string }[];
  suspects_left: number;
  markdown: string;
}

/** A block of the overview: first call, calls, suspects, what was said (`null`: several calls), name. */
export type Block = [number, number, number, Judgement | null, number | null];

export interface Overview {
  top: number | null;
  from: number;
  to: number;
  callers: { node: number; routine: string }[];
  rows: Block[][];
  names: string[];
  marks: { node: number; judgement: Judgement }[];
}

export interface Choice {
  name: string;
  explanation: string;
}

export interface RunInfo {
  name: string;
  calls: number;
  command: string | null;
  exit_code: number | null;
  recorded: boolean;
  knows_state: boolean;
  strategies: Choice[];
  transformations: Choice[];
}

export type Said =
  | "yes" | "no" | "unknown" | "trust" | "trust-class" | "trust-package" | "inadmissible" | "wrong";
export type Direction = "next" | "back" | "into" | "out";
