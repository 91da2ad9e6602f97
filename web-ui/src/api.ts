// The server's JSON interface, as typed functions.

import type {
  ChildPage,
  Diagnosis,
  Direction,
  EventPage,
  History,
  LinesExecuted,
  NodeShown,
  Output,
  Overview,
  Printed,
  Progress,
  RunInfo,
  Said,
  SaidInside,
  Session,
  Source,
  Standing,
  Way,
  Why,
} from "./api-types";

import type * as schema from "./api-schema";
import { isGone } from "./connection";
import { isFurtherPage, saved, savedAnswer } from "./saved";

export type * from "./api-types";

/** There is no server any more, which the page tells by itself. */
export class Gone extends Error {}

/** What the server could not or would not do, in one sentence. */
export class Refusal extends Error {
  constructor(readonly status: number, sentence: string) {
    super(sentence);
  }
}

/** Asks the server; that it does not answer at all is told for as long as it is so. */
async function asked(address: string, request?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch {
    isGone.value = true;
    throw new Gone();
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

const NO_SERVER = "This file has only what is round the finding; `askance serve` shows the whole trace.";

/** What the file has. Further pages of a list never come: asking for them again would not bring them. */
async function inFile<T>(what: string, parameters: Parameters): Promise<T> {
  const answer = savedAnswer(what, parameters);
  if (answer !== undefined) return answer as T;
  if (isFurtherPage(what, parameters)) return new Promise<T>(() => undefined);
  throw new Refusal(404, NO_SERVER);
}

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
    if (saved !== null) return inFile<T>(what, parameters);
    return answered<T>(await asked(this.address(what, parameters)));
  }

  private async post<T = Session>(what: string, body: object): Promise<T> {
    if (saved !== null) throw new Refusal(403, NO_SERVER);
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return answered<T>(await asked(this.address(what), request));
  }

  info = () => this.get<RunInfo>("");
  children = (of: number | null, from: number, most: number) =>
    this.get<ChildPage>("/children", { of, from, most });
  path = (node: number) => this.get<Way>("/path", { node });
  search = (text: string, values: boolean, from: number) =>
    this.get<schema.SearchHits>("/search", { text, values, from, most: 50 });
  node = (node: number, event: number | null, width?: number, depth?: number) =>
    this.get<NodeShown>("/node", { node, event, width, depth });
  step = (node: number, event: number | null, to: Direction) =>
    this.get<schema.Stands>("/step", { node, event, to });
  events = (node: number, from: number, most: number, changes: string | null) =>
    this.get<EventPage>("/events", { node, from, most, changes });
  findEvent = (node: number, text: string, from: number) =>
    this.get<schema.FoundEvent>("/events/find", { node, text, from });
  history = (variable: string, node: number | null, moment: { from?: number; at?: number | null; at_event?: number | null }) =>
    this.get<History>("/history", { variable, node, ...moment });
  lines = (node: number, event: number | null, line?: number) =>
    this.get<LinesExecuted>("/lines", { node, event, line });
  printed = (from: number, most: number) => this.get<Printed>("/output", { from, most });
  why = (node: number, path: string, control: boolean) => this.get<Why>("/why", { node, path, control });
  event = (node: number, instruction: number) => this.get<schema.InList>("/event", { node, instruction });
  source = (node: number) => this.get<Source>("/source", { node });
  overview = (top: number | null, from: number, to: number, columns: number, rows: number) =>
    this.get<Overview>("/overview", { top, from, to, columns, rows });
  suspects = (most: number) => this.get<schema.SuspectList>("/suspects", { most });
  diagnosis = () => this.get<Diagnosis>("/diagnosis");
  live = () => this.get<Progress | null>("/live");
  output = (from: number | null) => this.get<Output>("/live/output", { from });
  stop = () => this.post<null>("/live/stop", {} satisfies schema.StopRequest);
  moved = (node: number, snapshot: number) => this.get<number | null>("/moved", { node, snapshot });
  session = () => this.get<Session>("/session");

  answer = (revision: number, answer: Said, more: { path?: string; node?: number } = {}) =>
    this.post("/session/answer", { revision, answer, ...more } satisfies schema.Saying);
  undo = (revision: number, place?: number) =>
    this.post("/session/undo", (place === undefined ? { revision } : { revision, place }) satisfies schema.TakingBack);
  ask = (node: number) => this.post("/session/ask", { node } satisfies schema.About);
  inside = (revision: number, said: SaidInside) => this.post("/session/inside", { revision, said } satisfies schema.SaidInside);
  revise = (revision: number) => this.post("/session/revise", { revision } satisfies schema.Doubt);
  strategy = (name: string) => this.post("/session/strategy", { name } satisfies schema.Named);
  transform = (list: string) => this.post("/session/transform", { list } satisfies schema.Switched);
  restart = () => this.post("/session/restart", {} satisfies schema.Restart);
  bringBack = () => this.post("/session/bring-back", {} satisfies schema.Restart);

  /** Calls back with where the session stands and with how far the recording is, now and after each change. */
  updates(heard: (standing: Standing) => void, grown: (progress: Progress) => void): EventSource {
    const source = new EventSource(this.address("/updates"));
    source.onopen = () => (isGone.value = false);
    source.onerror = () => (isGone.value = true);
    source.onmessage = (message: MessageEvent<string>) => heard(JSON.parse(message.data) as Standing);
    source.addEventListener("progress", (message: MessageEvent<string>) => grown(JSON.parse(message.data) as Progress));
    return source;
  }
}

export async function runs(): Promise<schema.RunName[]> {
  if (saved !== null) return [];
  return answered(await asked("api/runs"));
}
