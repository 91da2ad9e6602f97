// The server's JSON interface, spoken to by HTTP.

import { isGone } from "./connection";
import type { Progress, RunName, Standing } from "./api-types";
import { Gone, Refusal } from "./transport";
import type { Parameters, Transport } from "./transport";

/** Asks the server; that it does not answer at all is told for as long as it is so. */
async function asked(address: string, request?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch {
    request?.signal?.throwIfAborted();
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

/** The server that the page came from, about one of its runs. */
export class Http implements Transport {
  constructor(private readonly run: number) {}

  private address(what: string, parameters: Parameters = {}): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== null && value !== undefined) search.set(name, String(value));
    }
    const question = search.size > 0 ? `?${search.toString()}` : "";
    return `api/runs/${this.run}${what}${question}`;
  }

  async get<T>(what: string, parameters: Parameters, signal?: AbortSignal): Promise<T> {
    return answered<T>(await asked(this.address(what, parameters), signal === undefined ? {} : { signal }));
  }

  async post<T>(what: string, body: object): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return answered<T>(await asked(this.address(what), request));
  }

  updates(heard: (standing: Standing) => void, grown: (progress: Progress) => void): void {
    const source = new EventSource(this.address("/updates"));
    source.onopen = () => (isGone.value = false);
    source.onerror = () => (isGone.value = true);
    source.onmessage = (message: MessageEvent<string>) => heard(JSON.parse(message.data) as Standing);
    source.addEventListener("progress", (message: MessageEvent<string>) => grown(JSON.parse(message.data) as Progress));
  }
}

export async function runs(): Promise<RunName[]> {
  return answered(await asked("api/runs"));
}
