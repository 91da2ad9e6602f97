// A page that was written into one file, as the one who answers.

import { isFurtherPage, savedAnswer } from "./saved";
import { Refusal } from "./transport";
import type { Parameters, Transport } from "./transport";

const NO_SERVER = "This file has only what is round the finding; `askance serve` shows the whole trace.";

export class SavedFile implements Transport {
  /** What the file has. Further pages of a list never come: asking for them again would not bring them. */
  async get<T>(what: string, parameters: Parameters): Promise<T> {
    const answer = savedAnswer(what, parameters);
    if (answer !== undefined) return answer as T;
    if (isFurtherPage(what, parameters)) return new Promise<T>(() => undefined);
    throw new Refusal(404, NO_SERVER);
  }

  post<T>(): Promise<T> {
    return Promise.reject(new Refusal(403, NO_SERVER));
  }

  /** Nothing changes any more. */
  updates(): void {
    return;
  }
}
