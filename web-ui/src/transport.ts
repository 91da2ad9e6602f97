// How a request gets to whoever can answer it: the page asks by HTTP, a view inside an editor asks the editor.

import type { Progress, Standing } from "./api-types";

export type Parameters = Record<string, string | number | boolean | null | undefined>;

/** Whoever answers about one run. Addresses are those of the server's JSON interface below `runs/N`. */
export interface Transport {
  /** What is not wanted any more is given up by the signal, and then refused by an error of its own. */
  get<T>(what: string, parameters: Parameters, signal?: AbortSignal): Promise<T>;
  post<T>(what: string, body: object): Promise<T>;
  /** Calls back with where the session stands and with how far the recording is, now and after each change. */
  updates(heard: (standing: Standing) => void, grown: (progress: Progress) => void): void;
}

/** There is nobody any more who could answer, which is told elsewhere. */
export class Gone extends Error {}

/** What could or would not be done, in one sentence. */
export class Refusal extends Error {
  constructor(readonly status: number, sentence: string) {
    super(sentence);
  }
}
