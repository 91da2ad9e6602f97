// What can be asked about one run, as typed functions.

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
import { Gone } from "./transport";
import type { Parameters, Transport } from "./transport";

export type * from "./api-types";

export class Api {
  private transport: Transport | null = null;

  /** Says who answers. */
  connect(transport: Transport): void {
    this.transport = transport;
  }

  private async get<T>(what: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
    if (this.transport === null) throw new Gone();
    return this.transport.get<T>(what, parameters, signal);
  }

  private async post<T = Session>(what: string, body: object): Promise<T> {
    if (this.transport === null) throw new Gone();
    return this.transport.post<T>(what, body);
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
  library = (of: number, after: number | null, until: number | null) => this.get<schema.LibraryPage>("/library", { of, after, until, most: 200 });
  lines = (node: number, event: number | null, line?: number) =>
    this.get<LinesExecuted>("/lines", { node, event, line });
  printed = (from: number, most: number) => this.get<Printed>("/output", { from, most });
  why = (node: number, path: string, control: boolean) => this.get<Why>("/why", { node, path, control });
  event = (node: number, instruction: number) => this.get<schema.InList>("/event", { node, instruction });
  /** Where in the event list something happened that a query tells of. */
  moment = (node: number, time: number) => this.get<schema.InList>("/moment", { node, time });
  query = (sql: string, most: number, signal: AbortSignal) => this.get<schema.QueryAnswer>("/query", { sql, most }, signal);
  catalogue = () => this.get<schema.QueryCatalogue>("/query/catalogue");
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

  updates(heard: (standing: Standing) => void, grown: (progress: Progress) => void): void {
    this.transport?.updates(heard, grown);
  }
}
