// The extension as the one who answers: what the page asks by HTTP is asked here by messages.

import type { Session, Standing } from "../../../../web-ui/src/api-types";
import { Refusal } from "../../../../web-ui/src/transport";
import type { Parameters, Transport } from "../../../../web-ui/src/transport";
import type { FromView, ToView } from "../requests";

/** What VS Code gives to a view. */
interface Host {
  postMessage(message: FromView): void;
}

/** While those who answer before a person are heard, the session is asked for again this often. */
const IMPATIENCE = 400;

/** Who has said that the adapter will not do it. */
const BY_ADAPTER = 400;

export class Messages implements Transport {
  private next = 0;
  private readonly open = new Map<number, { done: (value: unknown) => void; failed: (why: Error) => void }>();
  private heard: ((standing: Standing) => void) | null = null;

  constructor(private readonly host: Host) {}

  private ask(what: string, given: Record<string, unknown>): Promise<unknown> {
    const id = (this.next += 1);
    return new Promise((done, failed) => {
      this.open.set(id, { done, failed });
      this.host.postMessage({ kind: "request", id, what, given });
    });
  }

  async get<T>(what: string, parameters: Parameters): Promise<T> {
    const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
    const answer = (await this.ask(what, given)) as T;
    if (what === "/session") this.lookAgain(answer as Session);
    return answer;
  }

  async post<T>(what: string, body: object): Promise<T> {
    const answer = (await this.ask(what, { ...body })) as T;
    if (what.startsWith("/session")) this.lookAgain(answer as Session);
    return answer;
  }

  updates(heard: (standing: Standing) => void): void {
    this.heard = heard;
  }

  /** No event tells that the others have been heard. */
  private lookAgain({ thinking, revision }: Session): void {
    if (thinking) setTimeout(() => this.heard?.({ revision, thinking: false }), IMPATIENCE);
  }

  /** Takes what the extension says, if it is an answer or news. */
  take(message: ToView): void {
    if (message.kind === "changed") {
      this.heard?.({ revision: message.revision, thinking: false });
      return;
    }
    if (message.kind !== "answer" && message.kind !== "refusal") return;
    const asked = this.open.get(message.id);
    this.open.delete(message.id);
    if (message.kind === "answer") asked?.done(message.value);
    else asked?.failed(new Refusal(BY_ADAPTER, message.sentence));
  }
}
