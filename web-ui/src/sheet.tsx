// What is asked about, laid out: the calls, what was given, what changed.

import type { ComponentChildren } from "preact";

import { Alive } from "./alive";
import type { Sheet } from "./api";
import { go } from "./place";
import { Other } from "./values";

/** A longer value stands below its name instead of beside it. */
const LONG = 48;

/** A value that can be pointed at, if it belongs to a single call. */
function Pointable({ node, path, children }: { node: number | null; path: string; children: ComponentChildren }) {
  return node === null ? (
    <>{children}</>
  ) : (
    <Alive node={node} path={path}>
      {children}
    </Alive>
  );
}

function Given({ name, text, node, path = name, kind = "" }: { name: string; text: string; node: number | null; path?: string; kind?: string }) {
  return (
    <div class={`pair ${kind} ${text.length > LONG ? "long" : ""}`}>
      <dt>{name}</dt>
      <dd>
        <Pointable node={node} path={path}>
          <code class="value">{text}</code>
        </Pointable>
      </dd>
    </div>
  );
}

export function Values({ sheet, node }: { sheet: Sheet; node: number | null }) {
  const isThrown = sheet.outcome?.startsWith("throws ") === true;
  return (
    <dl class="asked">
      {sheet.given.map(({ name, text }) => (
        <Given key={name} name={name} text={text} node={node} />
      ))}
      {sheet.given_left_out !== undefined && (
        <div class="pair">
          <dt />
          <dd class="quiet">… {sheet.given_left_out.toLocaleString("en")} more</dd>
        </div>
      )}
      {sheet.outcome !== null && (
        <Given name="→" text={sheet.outcome} node={isThrown ? null : node} path="return" kind={isThrown ? "result thrown" : "result"} />
      )}
    </dl>
  );
}

/** The calls that are taken together, each of which can be looked at. */
export function Calls({ sheet }: { sheet: Sheet }) {
  const calls = sheet.calls ?? [];
  if (calls.length === 0) return null;
  const half = Math.ceil(calls.length / 2);
  const left = sheet.calls_left_out ?? 0;
  return (
    <ol class="calls">
      {calls.map((call, index) => (
        <>
          {index === half && left > 0 && <li class="quiet">… {left.toLocaleString("en")} more</li>}
          <li>
            <button class="link" onClick={() => go({ node: call.node, event: null })}>
              #{call.node}
            </button>{" "}
            <code>{call.text}</code>
          </li>
        </>
      ))}
    </ol>
  );
}

export function Changes({ sheet, node }: { sheet: Sheet; node: number | null }) {
  if (sheet.changes.length === 0) return <p class="quiet">nothing changed</p>;
  return (
    <dl class="changes" aria-label="What it changed">
      {sheet.changes.map((change) => {
        const isLong = change.path.length + change.before.length + change.after.length > LONG;
        return (
          <div class={`pair ${isLong ? "long" : ""}`}>
            <dt>{change.path}</dt>
            <dd>
              <del>{change.before}</del>
              <span class="arrow"> → </span>
              <Pointable node={node} path={change.path}>
                <ins>{change.after}</ins>
              </Pointable>
              <Other meanwhile={change.meanwhile} />
            </dd>
          </div>
        );
      })}
      {sheet.changes_left_out !== undefined && <p class="quiet">… {sheet.changes_left_out.toLocaleString("en")} more, in the view of the call</p>}
    </dl>
  );
}
