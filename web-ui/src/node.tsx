// The node view: a call from its entry to its exit, or to an event of it.

import type { NodeShown } from "./api";
import { go, place } from "./place";
import { saved } from "./saved";
import { SIGNS, count } from "./signs";
import { askAbout, info, question, shown, step } from "./store";
import { Group, StateRows, ValueRows } from "./values";

const MOST_CALLERS = 6;

function Callers({ view }: { view: NodeShown }) {
  if (view.callers.length === 0) return <span class="quiet">nothing recorded called this</span>;
  const left = view.callers.length - MOST_CALLERS;
  return (
    <span class="clip">
      <span class="quiet">
        {view.submitted === undefined ? "called by " : `in thread ${view.submitted.thread}, submitted by `}
      </span>
      {view.callers.slice(0, MOST_CALLERS).map((caller, index) => (
        <>
          {index > 0 && <span class="quiet"> ← </span>}
          <button class="link" onClick={() => go({ node: caller.node, event: null })}>
            {caller.routine}
          </button>
        </>
      ))}
      {left > 0 && <span class="quiet"> ← {left} more</span>}
    </span>
  );
}

function Outcome({ view }: { view: NodeShown }) {
  const { outcome, node } = view;
  if (view.event !== null) return null;
  if (typeof outcome === "string") {
    const text = { void: "returns nothing", open: "has not ended", "program-ended": "the program ended in it" }[outcome];
    return (
      <tr class="value-row">
        <th scope="row">
          <span class="fold" />→
        </th>
        <td colSpan={3} class="quiet">
          {text}
        </td>
      </tr>
    );
  }
  const [name, value] = "returned" in outcome ? ["return", outcome.returned] : ["throws", outcome.thrown];
  return <ValueRows name={name} path={name} before={undefined} after={value} depth={0} variable={false} node={node} />;
}

function Stepping() {
  if (info.value?.recorded !== true) return null;
  return (
    <span class="stepping" role="group" aria-label="Step in time">
      <button class="small" title="To the line before ([)" onClick={() => void step("back")}>
        ◂ back
      </button>
      <button class="small" title="To the next line (])" onClick={() => void step("next")}>
        next ▸
      </button>
      <button class="small" title="Into the next call of this line (})" onClick={() => void step("into")}>
        into
      </button>
      <button class="small" title="To the caller, after this call ({)" onClick={() => void step("out")}>
        out
      </button>
    </span>
  );
}

/** The first row can be reached by Tab; the arrow keys go on from there. */
function focusable(table: HTMLTableElement | null): void {
  if (table === null || table.querySelector(".value-row[tabindex='0']") !== null) return;
  table.querySelector(".value-row")?.setAttribute("tabindex", "0");
}

function walk(event: KeyboardEvent): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const { currentTarget, target } = event;
  if (by === 0 || !(currentTarget instanceof HTMLElement) || !(target instanceof Element)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(".value-row[data-path]")];
  const at = rows.findIndex((row) => row.contains(target));
  const next = rows[at + by];
  if (next === undefined) return;
  for (const row of rows) row.tabIndex = row === next ? 0 : -1;
  next.focus();
  event.preventDefault();
}

export function NodeView() {
  const view = shown.value;
  const isAsked = view !== null && question.value?.node === view.node;
  return (
    <section class="panel grow" aria-label="Node view">
      <h2>
        Call
        <Stepping />
      </h2>
      {view !== null && (
        <>
          <div class="node-head" data-testid="node" data-node={view.node}>
            <div class="node-title">
              <span class={`sign ${view.judgement}`} title={SIGNS[view.judgement].word}>
                {SIGNS[view.judgement].sign}
              </span>
              <strong>
                #{view.node} {view.routine}
              </strong>
              <span class="quiet">
                {view.file !== null && `${view.file}${view.line === null ? "" : `:${view.line}`}`} ·{" "}
                {count(view.below, "call", "calls")} below
              </span>
              {!isAsked && view.complete && saved === null && (
                <button class="small" onClick={() => void askAbout(view.node)}>
                  ask about this
                </button>
              )}
            </div>
            <div class="node-callers">
              <Callers view={view} />
            </div>
            <div class="node-moment">
              {view.event === null ? (
                <span>
                  <b>
                    {view.began_before_kept ? "what is kept" : "entry"} →{" "}
                    {view.complete || (view.began_before_kept && view.outcome !== "open")
                      ? "exit"
                      : "end of the recording"}
                  </b>
                  {view.unreadable !== undefined && (
                    <span class="quiet" data-testid="unreadable">
                      {" "}
                      {view.unreadable}
                    </span>
                  )}
                  {view.began_before_kept && (
                    <span class="quiet" data-testid="began-before-kept">
                      {" "}
                      its beginning was given up to keep the trace’s size
                    </span>
                  )}
                </span>
              ) : (
                <>
                  <b>entry → event {view.event.event}</b>
                  <code class="clip">{view.event.text}</code>
                  <button class="small" onClick={() => go({ event: null })}>
                    to the exit
                  </button>
                </>
              )}
            </div>
          </div>
          <div class="panel-body scroll">
            <table class="values" role="treegrid" aria-label="Values" ref={focusable} onKeyDown={walk}>
              <colgroup>
                <col class="col-name" />
                <col />
                <col class="col-mark" />
                <col />
              </colgroup>
              <thead>
                <tr>
                  <th scope="col">variable</th>
                  <th scope="col">before</th>
                  <th />
                  <th scope="col">{place.value.event === null ? "after" : "then"}</th>
                </tr>
              </thead>
              <Group title={view.this === null ? "arguments" : "this and arguments"}>
                {view.this !== null && <StateRows name="this" state={view.this} node={view.node} variable={false} />}
                {view.arguments.map((argument) => (
                  <StateRows key={argument.name} name={argument.name} state={argument} node={view.node} />
                ))}
                <Outcome view={view} />
              </Group>
              {view.locals.length > 0 && (
                <Group title={view.event === null ? "local variables, as they were last" : "local variables"}>
                  {view.locals.map(({ name, value }) => (
                    <ValueRows key={name} name={name} path={name} before={undefined} after={value} depth={0} variable node={view.node} />
                  ))}
                </Group>
              )}
              {view.statics.length > 0 && (
                <Group title="statics">
                  {view.statics.map((state) => (
                    <StateRows key={state.name} name={state.name} state={state} node={view.node} />
                  ))}
                </Group>
              )}
              {view.elsewhere !== undefined && (
                <Group title="changed elsewhere">
                  {view.elsewhere.map((state) => (
                    <StateRows key={state.name} name={state.name} state={state} node={view.node} />
                  ))}
                </Group>
              )}
            </table>
            {view.note !== null && <p class="quiet note">{view.note}</p>}
          </div>
        </>
      )}
    </section>
  );
}
