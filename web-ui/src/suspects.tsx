// The methods that are likeliest to be to blame as the answers stand, with what speaks against each.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Suspect } from "./api";
import { go, place } from "./place";
import { api, session, tell } from "./store";

/** So many methods are listed. */
const MOST = 8;

const suspects = signal<Suspect[]>([]);

export function SuspectsPane() {
  const revision = session.value?.revision;
  useEffect(() => {
    if (revision === undefined) return;
    let isCurrent = true;
    api.suspects(MOST).then((told) => {
      if (isCurrent) suspects.value = told.suspects;
    }, tell);
    return () => {
      isCurrent = false;
    };
  }, [revision]);
  if (suspects.value.length === 0) return <p class="empty-state">Nothing is known that would make one call likelier to be wrong than another.</p>;
  return (
    <ol class="panel-body scroll suspects" data-testid="suspects">
      {suspects.value.map((suspect) => (
        <li class={suspect.node === place.value.node ? "selected" : ""} key={suspect.node}>
          <b>{Math.round(100 * suspect.likelihood)} %</b>{" "}
          <button class="link" title={suspect.call} onClick={() => go({ node: suspect.node, event: null })}>
            {suspect.class.split(".").pop()}.{suspect.method}
          </button>
          {suspect.reasons[0] !== undefined && <span class="quiet"> {suspect.reasons[0]}</span>}
        </li>
      ))}
    </ol>
  );
}
