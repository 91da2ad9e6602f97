// What is known of the run and its session, and what changes it. The page and the view inside an editor share it.

import { computed, signal } from "@preact/signals";

import { Api } from "./api";
import type { Direction, Inside, NodeShown, Progress, Question, RunInfo, Said, SaidInside, Session, Source } from "./api";
import { go, place, settle } from "./place";
import { Gone, Refusal } from "./transport";
import { TreeModel } from "./tree-model";

export const info = signal<RunInfo | null>(null);
export const session = signal<Session | null>(null);
/** How far the recording is, if it is made for this page. */
export const progress = signal<Progress | null>(null);
export const shown = signal<NodeShown | null>(null);
export const source = signal<Source | null>(null);
/** What went wrong last, in a sentence. */
export const message = signal<string | null>(null);
/** Whether the server is being waited for. */
export const busy = signal(false);
/** How far values are followed; "show more" widens it. */
export const reach = signal<{ width: number; depth: number } | null>(null);

export const question = computed<Question | null>(() => {
  const step = session.value?.step;
  return step !== undefined && "ask" in step ? step.ask : null;
});

/** How many answers were forgotten just now and can be brought back. */
export const forgotten = computed(() => session.value?.forgotten ?? 0);

/** Whether a single call was found. */
export const found = computed(() => {
  const step = session.value?.step;
  return step !== undefined && "done" in step && step.done.outcome === "found" && info.value?.recorded === true;
});

/** The search inside the call that was found, while it goes on. */
export const inside = computed<Inside | null>(() => session.value?.inside ?? null);

export const api = new Api();
export const tree = new TreeModel(api);

let messageTimer = 0;

export function tell(error: unknown): void {
  if (error instanceof Gone) return;
  message.value = error instanceof Error ? error.message : String(error);
  window.clearTimeout(messageTimer);
  messageTimer = window.setTimeout(() => (message.value = null), 6000);
}

/** Takes a new state of the session, and goes to the new question if the page stood at the old one. */
export function take(next: Session, follow: boolean): void {
  const before = session.value;
  const asked = before !== null && "ask" in before.step ? before.step.ask.node : null;
  if (before !== null && next.revision < before.revision) return;
  if (before !== null && before.snapshot !== next.snapshot) {
    moveOver(before.snapshot, next, follow);
    return;
  }
  session.value = next;
  if (next.trouble !== undefined && next.trouble !== before?.trouble) tell(next.trouble);
  tree.refresh();
  const target = "ask" in next.step ? next.step.ask.node : next.step.done.node;
  const stoodThere = place.value.node === null || place.value.node === asked;
  const isNew = before !== null && before.revision !== next.revision;
  if (target !== null && (place.value.node === null || (isNew && (follow || stoodThere)))) {
    const there = { node: target, event: null, variable: null, variableOf: null, panel: "events" } as const;
    if (place.value.node === null) settle(there);
    else go(there);
  }
}

/** More of the run is known: calls may have other numbers now. */
function moveOver(snapshot: number, next: Session, follow: boolean): void {
  const { node, variableOf } = place.value;
  const target = "ask" in next.step ? next.step.ask.node : next.step.done.node;
  const moved = (call: number | null) => (call === null ? Promise.resolve(null) : api.moved(call, snapshot));
  const stays = follow || node === null ? Promise.resolve(null) : moved(node);
  Promise.all([stays, moved(variableOf), api.info(), tree.restart(moved)]).then(
    ([there, of, about]) => {
      session.value = next;
      info.value = about;
      // Who looks at a call goes on looking at it, at the same event.
      if (there !== null) {
        settle({ node: there, variableOf: of });
        return;
      }
      if (target === null) return;
      (follow ? go : settle)({ node: target, event: null, variable: null, variableOf: null });
      tree.reveal(target).catch(tell);
    },
    tell,
  );
}

export const stopProgram = () => api.stop().then(() => undefined, tell);

async function change(work: () => Promise<Session>): Promise<void> {
  if (busy.value) return;
  busy.value = true;
  try {
    take(await work(), true);
  } catch (error) {
    tell(error);
    // Another tab was faster: show what is asked now.
    if (error instanceof Refusal && error.status === 409) take(await api.session(), false);
  } finally {
    busy.value = false;
  }
}

const revision = () => session.value?.revision ?? 0;

export const answer = (said: Said) => change(() => api.answer(revision(), said));
export const answerAbout = (node: number, said: Said) => change(() => api.answer(revision(), said, { node }));
export const callWrong = (node: number, path: string) =>
  change(() => api.answer(revision(), "wrong", node === question.value?.node ? { path } : { path, node }));
/** What was printed in a line, such as `output:3`, is wrong. */
export const wrongLine = (path: string) => change(() => api.answer(revision(), "wrong", { path }));
export const undo = (answerPlace?: number) => change(() => api.undo(revision(), answerPlace));
export const askAbout = (node: number) => change(() => api.ask(node));
export const lookInside = (said: SaidInside) => change(() => api.inside(revision(), said));
export const revise = () => change(() => api.revise(revision()));
export const setStrategy = (name: string) => change(() => api.strategy(name));
export const transform = (list: string) => change(() => api.transform(list));
export const restart = () => change(() => api.restart());
export const bringBack = () => change(() => api.bringBack());

/** Steps in time, from where the page is. */
export async function step(to: Direction): Promise<void> {
  const { node, event } = place.value;
  if (node === null) return;
  // A call that was just chosen is seen from its end; who goes on from there means its beginning.
  const isForwards = to === "next" || to === "into";
  try {
    const there = await api.step(node, event ?? (isForwards ? 0 : null), to);
    go({ node: there.node, event: there.event });
  } catch (error) {
    tell(error);
  }
}

/** Listens to whoever answers; settles as soon as there is a run to ask about. */
export function listen(): Promise<void> {
  return new Promise((hasCome) => {
    api.updates(
      (heard) => {
        hasCome();
        const known = session.value;
        if (known !== null && (heard.revision !== known.revision || heard.thinking !== known.thinking)) api.session().then((next) => take(next, false), tell);
      },
      (grown) => (progress.value = grown),
    );
  });
}
