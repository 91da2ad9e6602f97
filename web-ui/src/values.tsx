// Values: in one line, and as a tree of what they hold before and after.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import type { Label, Meanwhile, State, Value } from "./api";
import { go, place } from "./place";
import { saved } from "./saved";
import { callWrong, info, reach, shown } from "./store";
import { visible } from "./visible";

const MOST_BRIEF = 12;

function simple(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function title(value: Value): string {
  const name = value.class === undefined ? "" : simple(value.class);
  return value.id === undefined ? name : `${name}#${value.id}`;
}

/** A value as text in one line. */
export function brief(value: Value, depth = 2): string {
  const children = value.children ?? [];
  const more = value.truncated ?? 0;
  const name = value.shared === true ? title(value) : "";
  if (children.length === 0) {
    if (value.kind === "unreadable") return `unreadable (${value.text})`;
    if (value.text !== "") return visible(value.text);
    if (value.kind === "array") return more > 0 ? `${name}[… ${more}]` : `${name}[]`;
    if (value.kind === "map") return more > 0 ? `${name}{… ${more}}` : `${name}{}`;
    return title(value);
  }
  if (depth === 0) {
    // A name instead of what it holds is shorter, or it is no help.
    const isFlat = more === 0 && children.length <= MOST_BRIEF && children.every(({ value: part }) => part.children === undefined);
    const whole = isFlat ? written(value, name, 1) : "";
    const called = title(value);
    return isFlat && whole.length <= called.length ? whole : called;
  }
  return written(value, name, depth);
}

/** What a value holds, in one line. */
function written(value: Value, name: string, depth: number): string {
  const children = value.children ?? [];
  const parts = children.map(({ label, value: part }, place) => {
    // What is left out is told in fewer signs than it has, or not left out.
    if (place > MOST_BRIEF) return "";
    const text = brief(part, depth - 1);
    return "index" in label ? text : `${"field" in label ? label.field : visible(label.key)}=${text}`;
  });
  const left = Math.max(0, children.length - MOST_BRIEF - 1) + (value.truncated ?? 0);
  const shown = left > 0 ? parts.slice(0, MOST_BRIEF) : parts;
  if (left > 0) shown.push(`… ${left + (children.length > MOST_BRIEF ? 1 : 0)} more`);
  const inside = shown.join(", ");
  switch (value.kind) {
    case "array":
      return `${name}[${inside}]`;
    case "entry":
      return inside;
    case "map":
      return `${name}{${inside}}`;
    case "constant":
      return `${value.text}{${inside}}`;
    default:
      return `${title(value)}{${inside}}`;
  }
}

export function Brief({ value, depth = 2 }: { value: Value; depth?: number }) {
  const text = brief(value, depth);
  return (
    <code class={`value ${value.kind}`} title={text}>
      {text}
    </code>
  );
}

/** Which other thread wrote it while the call ran, leading to where it did. */
export function Other({ meanwhile }: { meanwhile: Meanwhile | undefined }) {
  if (meanwhile === undefined) return null;
  const { thread, node, routine } = meanwhile;
  return (
    <span class="meanwhile">
      thread {thread} wrote it meanwhile
      {node !== undefined && (
        <>
          {", in "}
          <button
            class="link"
            onClick={(event) => {
              event.stopPropagation();
              go({ node, event: null });
            }}
          >
            #{node} {routine}
          </button>
        </>
      )}
    </span>
  );
}

/** What is open, by path; what is not named here is open where something inside has changed. */
const opened = signal<Record<string, boolean>>({});

function joined(path: string, label: Label): string {
  return "field" in label ? `${path}.${label.field}` : `${path}${named(label)}`;
}

function named(label: Label): string {
  if ("field" in label) return label.field;
  return "index" in label ? `[${label.index}]` : `[${label.key}]`;
}

interface Part {
  label: Label;
  before: Value | undefined;
  after: Value | undefined;
}

/** The parts of both states side by side. */
function parts(before: Value | undefined, after: Value | undefined): Part[] {
  const found = new Map<string, Part>();
  for (const { label, value } of before?.children ?? []) {
    found.set(named(label), { label, before: value, after: undefined });
  }
  for (const { label, value } of after?.children ?? []) {
    const known = found.get(named(label));
    if (known === undefined) found.set(named(label), { label, before: undefined, after: value });
    else known.after = value;
  }
  return [...found.values()];
}

interface RowProps {
  name: string;
  path: string;
  before: Value | undefined;
  after: Value | undefined;
  depth: number;
  /** Whether it is a variable that has a history. */
  variable: boolean;
  node: number;
}

function Actions({ path, node, variable }: { path: string; node: number; variable: boolean }) {
  const isRecorded = info.value?.recorded === true;
  const show = (panel: "history" | "why") => go({ panel, variable: path, variableOf: node });
  return (
    <span class="actions">
      {saved === null && (
        <button class="small" title="This part is wrong" aria-label="This part is wrong" onClick={() => void callWrong(node, path)}>
          ✗
        </button>
      )}
      {isRecorded && variable && (
        <button class="small" title="History: every write of it in the whole run" aria-label="history" onClick={() => show("history")}>
          ≡
        </button>
      )}
      {isRecorded && (
        <button class="small" title="Where the value came from" aria-label="where from" onClick={() => show("why")}>
          ←
        </button>
      )}
    </span>
  );
}

const MARKS = { none: "", changed: "●", inside: "◌" } as const;

export function ValueRows({ name, path, before, after, depth, variable, node }: RowProps) {
  const inner = parts(before, after);
  const now = after ?? before;
  const changed = after?.changed ?? (before === undefined && after !== undefined && depth > 0 ? "changed" : undefined);
  const isOpen = opened.value[path] ?? (depth === 0 && changed === "inside");
  const more = now?.truncated ?? 0;
  const isSelected = place.value.variable === path && place.value.variableOf === node;
  return (
    <>
      <tr
        class={`value-row ${changed ?? ""} ${isSelected ? "selected" : ""}`}
        data-path={path}
        aria-level={depth + 1}
        tabIndex={isSelected ? 0 : -1}
        aria-expanded={inner.length === 0 && more === 0 ? undefined : isOpen}
        onClick={() => go({ variable: path, variableOf: node })}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          const opens = event.key === "ArrowRight" && !isOpen && inner.length > 0;
          const closes = event.key === "ArrowLeft" && isOpen;
          if (opens || closes) opened.value = { ...opened.value, [path]: opens };
          else if (event.key === "Enter") go({ variable: path, variableOf: node });
          else return;
          event.preventDefault();
        }}
      >
        <th scope="row">
          <span class="indent" style={{ width: `${depth * 14}px` }} />
          <button
            class="fold"
            tabIndex={-1}
            aria-label={isOpen ? "Close" : "Open"}
            disabled={inner.length === 0 && more === 0}
            onClick={(event) => {
              event.stopPropagation();
              opened.value = { ...opened.value, [path]: !isOpen };
            }}
          >
            {inner.length === 0 && more === 0 ? "" : isOpen ? "▾" : "▸"}
          </button>
          <span class="name">{name}</span>
        </th>
        <td>{before !== undefined && <Brief value={before} />}</td>
        <td class="mark" title={changed === "inside" ? "something inside has changed" : (changed ?? "")}>
          {changed === undefined ? "" : MARKS[changed]}
        </td>
        <td class="after">
          {after !== undefined && <Brief value={after} />}
          <Other meanwhile={after?.meanwhile} />
          <Actions path={path} node={node} variable={variable} />
        </td>
      </tr>
      {isOpen &&
        inner.map((part) => (
          <ValueRows
            key={named(part.label)}
            name={named(part.label)}
            path={joined(path, part.label)}
            before={part.before}
            after={after === undefined ? undefined : part.after}
            depth={depth + 1}
            variable
            node={node}
          />
        ))}
      {isOpen && more > 0 && (
        <tr>
          <td colSpan={4}>
            <button class="link" style={{ marginLeft: `${depth * 14 + 34}px` }} onClick={widen}>
              {more.toLocaleString("en")} more…
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

function widen(): void {
  const view = shown.value;
  if (view !== null) reach.value = { width: view.width * 4, depth: view.depth + 2 };
}

export function Group({ title: heading, children }: { title: string; children: ComponentChildren }) {
  return (
    <tbody>
      <tr class="group">
        <th colSpan={4} scope="rowgroup">
          {heading}
        </th>
      </tr>
      {children}
    </tbody>
  );
}

/** A variable at the call's entry and exit. */
export function StateRows({ name, state, node, variable = true }: { name: string; state: State; node: number; variable?: boolean }) {
  return (
    <ValueRows
      name={name}
      path={name}
      before={state.before}
      after={state.after ?? undefined}
      depth={0}
      variable={variable}
      node={node}
    />
  );
}
