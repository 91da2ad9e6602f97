// The server's JSON interface, as typed functions. Types follow `crates/askance/src/web/api`.

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
  kind: "primitive" | "string" | "null" | "object" | "array" | "map" | "entry" | "opaque";
  id?: number;
  class?: string;
  children?: { label: Label; value: Value }[];
  truncated?: number;
  changed?: Changed;
  meanwhile?: Meanwhile;
}

export interface State {
  before: Value;
  after: Value | null;
}

export type Named = State & { name: string };

export type Outcome = "void" | "open" | { returned: Value } | { thrown: Value };

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
  /** Where it ran, if another call handed it over. */
  submitted?: { thread: string; by: number; routine: string };
  /** Something that it handed over ended after it. */
  outlived?: boolean;
}

/** What stands on each line of a question. */
export interface Sheet {
  numbers: string;
  title: string;
  notes?: string[];
  calls?: { node: number; text: string }[];
  calls_left_out?: number;
  given: { name: string; text: string }[];
  given_left_out?: number;
  outcome: string | null;
  changes: { path: string; before: string; after: string; meanwhile?: Meanwhile }[];
  changes_left_out?: number;
}

export interface Row {
  node: number;
  parent: number | null;
  class: string;
  method: string;
  text: string;
  complete: boolean;
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
  writes: Write[];
  more: boolean;
  several_threads: boolean;
  note: string | null;
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
  reason: "strategy" | "requested" | "confirmation";
  prompt: string;
  line: string;
  sheet: Sheet;
  /** Where in a recursion it is. */
  level: string | null;
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
  outcome: "found" | "suspects" | "none";
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

export interface Session {
  revision: number;
  /** Numbers of calls are those of this snapshot of a growing run. */
  snapshot: number;
  step: { ask: Question } | { done: Ended };
  answers: AnswerGiven[];
  can_undo: boolean;
  strategy: string;
  transform: string;
  suspects: number;
}

export interface Diagnosis {
  outcome: Ended["outcome"];
  culprit: {
    node: number;
    routine: string;
    file: string | null;
    line: string;
    text: string;
    lines: number[];
    executed: number[];
    slice: number[];
    source: string | null;
  } | null;
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

/** What the server could not or would not do, in one sentence. */
export class Refusal extends Error {
  constructor(readonly status: number, sentence: string) {
    super(sentence);
  }
}

async function answered<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  let sentence = `The server answered with status ${response.status}.`;
  try {
    const told = (await response.json()) as { error: string; hint?: string };
    sentence = told.hint === undefined ? told.error : `${told.error}; ${told.hint}`;
  } catch {
    // Not ours: the status has to do.
  }
  throw new Refusal(response.status, sentence);
}

type Parameters = Record<string, string | number | boolean | null | undefined>;

/** Everything that can be asked about one run. */
export class Api {
  constructor(private readonly run: number) {}

  private address(what: string, parameters: Parameters = {}): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== null && value !== undefined) search.set(name, String(value));
    }
    const question = search.size > 0 ? `?${search.toString()}` : "";
    return `api/runs/${this.run}${what}${question}`;
  }

  private async get<T>(what: string, parameters: Parameters = {}): Promise<T> {
    return answered<T>(await fetch(this.address(what, parameters)));
  }

  private async post<T = Session>(what: string, body: object): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return answered<T>(await fetch(this.address(what), request));
  }

  info = () => this.get<RunInfo>("");
  children = (of: number | null, from: number, most: number) =>
    this.get<ChildPage>("/children", { of, from, most });
  path = (node: number) => this.get<Way>("/path", { node });
  search = (text: string, values: boolean, from: number) =>
    this.get<{ rows: Row[]; next: number | null }>("/search", { text, values, from, most: 50 });
  node = (node: number, event: number | null, width?: number, depth?: number) =>
    this.get<NodeShown>("/node", { node, event, width, depth });
  step = (node: number, event: number | null, to: Direction) =>
    this.get<{ node: number; event: number }>("/step", { node, event, to });
  events = (node: number, from: number, changes: string | null) =>
    this.get<EventPage>("/events", { node, from, most: 200, changes });
  history = (variable: string, node: number | null, from: number) =>
    this.get<History>("/history", { variable, node, from });
  why = (node: number, path: string, control: boolean) => this.get<Why>("/why", { node, path, control });
  event = (node: number, instruction: number) => this.get<{ event: number | null }>("/event", { node, instruction });
  source = (node: number) => this.get<Source>("/source", { node });
  overview = (top: number | null, from: number, to: number, columns: number, rows: number) =>
    this.get<Overview>("/overview", { top, from, to, columns, rows });
  diagnosis = () => this.get<Diagnosis>("/diagnosis");
  live = () => this.get<Progress | null>("/live");
  output = (from: number | null) => this.get<Output>("/live/output", { from });
  stop = () => this.post<null>("/live/stop", {});
  moved = (node: number, snapshot: number) => this.get<number | null>("/moved", { node, snapshot });
  session = () => this.get<Session>("/session");

  answer = (revision: number, answer: Said, more: { path?: string; node?: number } = {}) =>
    this.post("/session/answer", { revision, answer, ...more });
  undo = (revision: number, place?: number) =>
    this.post("/session/undo", place === undefined ? { revision } : { revision, place });
  ask = (node: number) => this.post("/session/ask", { node });
  revise = (revision: number) => this.post("/session/revise", { revision });
  strategy = (name: string) => this.post("/session/strategy", { name });
  transform = (list: string) => this.post("/session/transform", { list });
  restart = () => this.post("/session/restart", {});

  /** Calls back with the session's revision and with how far the recording is, now and after each change. */
  updates(heard: (revision: number) => void, grown: (progress: Progress) => void): EventSource {
    const source = new EventSource(this.address("/updates"));
    source.onmessage = (message: MessageEvent<string>) => heard(Number(message.data));
    source.addEventListener("progress", (message: MessageEvent<string>) => grown(JSON.parse(message.data) as Progress));
    return source;
  }
}

export async function runs(): Promise<{ run: number; name: string }[]> {
  return answered(await fetch("api/runs"));
}
