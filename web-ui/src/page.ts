// What only the page does: it goes with its address, follows the calls that are looked at, and may switch runs.

import { effect, signal } from "@preact/signals";

import { keepInAddress } from "./address";
import { Http, runs } from "./http";
import { place, settle } from "./place";
import { saved } from "./saved";
import { SavedFile } from "./saved-file";
import { api, info, listen, progress, reach, session, shown, source, take, tell, tree } from "./store";

export const runList = signal<{ run: number; name: string }[]>([]);

/** Loads what belongs to the place; answers that come too late are dropped. */
function follow(): void {
  let asked = "";
  effect(() => {
    const { node, event } = place.value;
    const bounds = reach.value;
    const revisionNow = session.value?.revision;
    if (node === null || revisionNow === undefined) return;
    const key = `${node}/${event ?? ""}/${bounds?.width ?? ""}/${revisionNow}`;
    if (key === asked) return;
    asked = key;
    api.node(node, event, bounds?.width, bounds?.depth).then(
      (found) => {
        if (asked === key) shown.value = found;
      },
      (error: unknown) => {
        if (asked !== key) return;
        // What is not in the file has no view, and another call's would be taken for it.
        if (saved !== null) shown.value = null;
        tell(error);
      },
    );
  });
  let sourceOf: number | null = null;
  effect(() => {
    const { node } = place.value;
    if (node === null || node === sourceOf) return;
    sourceOf = node;
    api.source(node).then(
      (found) => {
        if (sourceOf === node) source.value = found;
      },
      (error: unknown) => {
        if (saved !== null && sourceOf === node) source.value = null;
        tell(error);
      },
    );
  });
  let revealed: number | null = null;
  effect(() => {
    const { node } = place.value;
    if (node === null || node === revealed) return;
    revealed = node;
    reach.value = null;
    tree.reveal(node).catch(tell);
  });
}

export async function start(): Promise<void> {
  keepInAddress();
  api.connect(saved === null ? new Http(place.value.run) : new SavedFile());
  try {
    runList.value = saved === null ? await runs() : [];
    progress.value = await api.live();
    const hasCome = saved === null ? listen() : Promise.resolve();
    if (progress.value !== null && progress.value.calls === 0) await hasCome;
    info.value = await api.info();
    document.title = `${info.value.name} – Askance`;
    await tree.start();
    const first = saved?.finding.calls.find(({ node }) => node !== null);
    if (first !== undefined && place.value.node === null) settle({ node: first.node });
    take(await api.session(), false);
    follow();
  } catch (error) {
    tell(error);
  }
}

/** Another of the runs that are served. */
export function switchRun(run: number): void {
  location.hash = `#run=${run}`;
  location.reload();
}
