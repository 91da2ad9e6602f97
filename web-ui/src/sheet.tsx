// What is asked about, laid out: the calls, what was given, what changed.

import type { Sheet } from "./api";
import { go } from "./place";
import { Other } from "./values";

export function Values({ sheet }: { sheet: Sheet }) {
  return (
    <dl class="asked">
      {sheet.given.map(({ name, text }) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code class="value">{text}</code>
          </dd>
        </>
      ))}
      {sheet.given_left_out !== undefined && (
        <>
          <dt />
          <dd class="quiet">… {sheet.given_left_out.toLocaleString("en")} more</dd>
        </>
      )}
      {sheet.outcome !== null && (
        <>
          <dt class="result">→</dt>
          <dd class="result">
            <code class="value">{sheet.outcome}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The calls that are taken together, each of which can be looked at. */
export function Calls({ sheet }: { sheet: Sheet }) {
  const calls = sheet.calls ?? [];
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

export function Changes({ sheet }: { sheet: Sheet }) {
  if (sheet.changes.length === 0) return <p class="quiet">nothing changed</p>;
  return (
    <table class="changes">
      <caption>changed</caption>
      <tbody>
        {sheet.changes.map((change) => (
          <tr>
            <th scope="row">{change.path}</th>
            <td>
              <del>{change.before}</del>
              <span class="arrow"> → </span>
              <ins>{change.after}</ins>
              <Other meanwhile={change.meanwhile} />
            </td>
          </tr>
        ))}
        {sheet.changes_left_out !== undefined && (
          <tr>
            <td class="quiet" colSpan={2}>
              … {sheet.changes_left_out.toLocaleString("en")} more, in the node view
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
