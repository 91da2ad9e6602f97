// The query panel: the whole run asked by SQL. A row leads to the call it is about, at the moment it is about; a row
// about a variable leads to its history.

import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { QueryAnswer, QueryCatalogue } from "./api";
import { Folded } from "./menu";
import { go, place } from "./place";
import { count } from "./signs";
import { api, info, tell } from "./store";
import { Refusal } from "./transport";
import { visible } from "./visible";

/** Rows that are shown at first, and at most. */
const FIRST = 200;
const MOST = 1000;

type Cell = unknown;

/** What is typed. */
const text = signal("");
const answer = signal<QueryAnswer | null>(null);
/** Why there is no answer. */
const refusal = signal<string | null>(null);
/** What is being asked, if something is. */
const asking = signal<AbortController | null>(null);
const catalogue = signal<QueryCatalogue | null>(null);
/** Why nothing can be asked at all. */
const missing = signal<string | null>(null);

export function toggleQuery(): void {
  go({ query: place.value.query === null ? text.value.trim() : null });
}

function stop(): void {
  asking.value?.abort();
  asking.value = null;
}

/** Asks; a query that is still being answered is given up. */
async function ask(sql: string, most: number): Promise<void> {
  stop();
  const mine = new AbortController();
  asking.value = mine;
  refusal.value = null;
  try {
    const found = await api.query(sql, most, mine.signal);
    if (asking.value === mine) answer.value = found;
  } catch (error) {
    if (asking.value === mine) {
      answer.value = null;
      if (error instanceof Refusal) refusal.value = error.message;
      else tell(error);
    }
  } finally {
    if (asking.value === mine) asking.value = null;
  }
}

/** Asks what is typed, and keeps it in the address. */
function run(): void {
  const sql = text.value.trim();
  if (sql === "") return;
  if (place.value.query === sql) void ask(sql, FIRST);
  else go({ query: sql });
}

function choose(sql: string): void {
  text.value = sql;
  run();
}

function useQuery(): void {
  useEffect(() => {
    if (catalogue.value !== null) return;
    api.catalogue().then(
      (found) => (catalogue.value = found),
      (error: unknown) => {
        if (error instanceof Refusal) missing.value = error.message;
        else tell(error);
      },
    );
  }, []);
  let asked: string | null = null;
  useSignalEffect(() => {
    const { query } = place.value;
    // Without a run there is nothing to ask yet.
    if (query === null || query === "" || info.value === null || query === asked) return;
    asked = query;
    text.value = query;
    void ask(query, FIRST);
  });
  useEffect(() => stop, []);
}

/** Columns that hold the number of a call. */
const isCall = (column: string) => column === "node" || column === "parent" || column.endsWith("_node");

const integer = (cell: Cell): number | null => (typeof cell === "number" && Number.isInteger(cell) ? cell : null);
const word = (cell: Cell): string | null => (typeof cell === "string" ? cell : null);

/** What a row is about, by the names of its columns. */
interface Subject {
  node: number | null;
  time: number | null;
  /** The variable, as histories take it. */
  variable: string | null;
}

function subjectOf(columns: string[], row: Cell[]): Subject {
  const of = (column: string) => row[columns.indexOf(column)];
  const [object, index] = [integer(of("object")), integer(of("index"))];
  const [owner, field] = [word(of("owner")), word(of("field"))];
  const has = object !== null || columns.includes("object");
  let variable: string | null = null;
  if (object !== null && field !== null) variable = `#${object}.${field}`;
  else if (object !== null && index !== null) variable = `#${object}[${index}]`;
  else if (has && object === null && owner !== null && field !== null) variable = `${owner}.${field}`;
  return { node: integer(of("node")), time: integer(of("time")), variable };
}

/** Goes to the call of a row, at its time. */
async function jump({ node, time }: Subject): Promise<void> {
  if (node === null) return;
  try {
    const event = time === null ? null : (await api.moment(node, time)).event;
    go({ node, event });
  } catch (error) {
    tell(error);
  }
}

function shownCell(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "string" ? visible(cell) : JSON.stringify(cell);
}

function CellOf({ column, cell, subject }: { column: string; cell: Cell; subject: Subject }) {
  const number = isCall(column) ? integer(cell) : null;
  if (number !== null) {
    const isMoment = column === "node" && subject.time !== null;
    return (
      <td class="number">
        <button
          class="link"
          title={isMoment ? `To call ${number}, at this moment` : `To call ${number}`}
          onClick={(event) => {
            event.stopPropagation();
            void jump(column === "node" ? subject : { node: number, time: null, variable: null });
          }}
        >
          #{number}
        </button>
      </td>
    );
  }
  const told = shownCell(cell);
  return (
    <td class={typeof cell === "number" ? "number" : ""} title={told.length > 40 ? told : undefined}>
      {told}
    </td>
  );
}

function RowOf({ columns, row }: { columns: string[]; row: Cell[] }) {
  const subject = subjectOf(columns, row);
  const { node, variable } = subject;
  const isHere = node !== null && node === place.value.node;
  return (
    <tr class={`${node === null ? "" : "goes"} ${isHere ? "selected" : ""}`} onClick={() => void jump(subject)}>
      {row.map((cell, at) => (
        <CellOf column={columns[at] ?? ""} cell={cell} subject={subject} />
      ))}
      {variable !== null && (
        <td>
          <button
            class="small"
            title={`Every write of ${variable}`}
            onClick={(event) => {
              event.stopPropagation();
              void jump(subject).then(() => go({ panel: "history", variable, variableOf: null }));
            }}
          >
            history
          </button>
        </td>
      )}
    </tr>
  );
}

/** Up and down go from row to row, by the call that each leads to. */
function moved(event: KeyboardEvent): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0 || !(event.currentTarget instanceof HTMLElement) || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll("tbody tr")];
  const at = rows.indexOf(event.target.closest("tr") ?? document.body);
  const next = rows[at + by]?.querySelector("button");
  if (at < 0 || next == null) return;
  event.preventDefault();
  next.focus();
}

function Answer({ found }: { found: QueryAnswer }) {
  const { columns, rows, more } = found;
  if (rows.length === 0) return null;
  const variables = rows.some((row) => subjectOf(columns, row).variable !== null);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Rows found" onKeyDown={moved}>
      <table class="list found-rows" data-testid="rows">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th scope="col" class={typeof rows[0]?.[at] === "number" ? "number" : ""}>
                {column}
              </th>
            ))}
            {variables && <th scope="col">variable</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <RowOf columns={columns} row={row} />
          ))}
        </tbody>
      </table>
      {more && rows.length < MOST && (
        <p class="note">
          <button class="small" onClick={() => void ask(place.value.query ?? "", MOST)}>
            up to {MOST.toLocaleString("en")} rows
          </button>
        </p>
      )}
    </div>
  );
}

/** What happened to the query, in words. */
function Told() {
  const found = answer.value;
  if (asking.value !== null) {
    return (
      <p class="note query-told" role="status">
        asking… <progress aria-label="The query is being answered" />{" "}
        <button class="small" onClick={stop}>
          stop <kbd>Esc</kbd>
        </button>
      </p>
    );
  }
  if (refusal.value !== null) {
    return (
      <p class="note query-told refused" role="alert">
        {refusal.value}
      </p>
    );
  }
  if (found === null) return null;
  if (found.rows.length === 0) return <p class="note query-told quiet" role="status">Nothing was found.</p>;
  const leads = found.columns.includes("node") ? "; click one to go there" : "";
  return (
    <p class="note query-told quiet" role="status">
      {found.more ? `the first ${count(found.rows.length, "row", "rows")}` : count(found.rows.length, "row", "rows")}
      {leads}
    </p>
  );
}

function Choices() {
  const known = catalogue.value;
  if (known === null) return null;
  return (
    <>
      <select
        aria-label="Questions that come with Askance"
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = "";
          if (value !== "") choose(`SELECT * FROM ${value} LIMIT 1000`);
        }}
      >
        <option value="">choose a question…</option>
        <optgroup label="Questions">
          {known.views.map(({ name, about }) => (
            <option value={name}>{about}</option>
          ))}
        </optgroup>
        <optgroup label="Tables">
          {known.tables.map(({ name, about }) => (
            <option value={name}>
              {name}: {about}
            </option>
          ))}
        </optgroup>
      </select>
      <Folded class="menu columns-menu" label="The tables and their columns" head="columns">
        <dl>
          {known.tables.map(({ name, about, columns }) => (
            <div>
              <dt>
                <code>{name}</code> <span class="quiet">{about}</span>
              </dt>
              <dd>
                {columns.map((column, at) => (
                  <>
                    {at > 0 && ", "}
                    <code title={`${column.kind}: ${column.about}`}>{column.name}</code>
                  </>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Folded>
    </>
  );
}

export function QueryPanel() {
  const field = useRef<HTMLTextAreaElement>(null);
  useQuery();
  useEffect(() => field.current?.focus(), []);
  return (
    <section
      class="panel query"
      aria-label="Query"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        if (asking.value !== null) stop();
        else go({ query: null });
      }}
    >
      <h2>
        Query
        <Choices />
        <button class="small" title="Close the query (Esc)" aria-label="Close the query" onClick={() => go({ query: null })}>
          ×
        </button>
      </h2>
      {missing.value !== null ? (
        <p class="empty-state" data-testid="no-queries">
          Queries are answered by a program of its own. {missing.value}.
        </p>
      ) : (
        <>
          <form
            class="query-form"
            onSubmit={(event) => {
              event.preventDefault();
              run();
            }}
          >
            <textarea
              ref={field}
              rows={Math.min(6, Math.max(2, text.value.split("\n").length))}
              aria-label="SQL"
              placeholder="SELECT node, method, old, new FROM write WHERE new_number < 0"
              spellcheck={false}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey) return;
                event.preventDefault();
                run();
              }}
            />
            <button class="main" title="Shift and Enter begin a new line">
              Ask <kbd>Enter</kbd>
            </button>
          </form>
          <Told />
          {answer.value !== null && refusal.value === null && <Answer found={answer.value} />}
        </>
      )}
    </section>
  );
}
