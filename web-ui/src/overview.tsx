// The overview: the whole run as an icicle. The picture is a canvas, as coarse as the screen; the keys do
// what the mouse does, and what is drawn can be read out.

import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Overview as Picture } from "./api";
import { appearance } from "./appearance";
import { blockAt, draw, readColours, ROW, STRIP } from "./overview-picture";
import type { Colours, Hit, View } from "./overview-picture";
import { go, place, settle } from "./place";
import type { Sight } from "./place";
import { SIGNS, count } from "./signs";
import { api, info, question, session, shown, tell } from "./store";

/** Narrower than this, neighbours are drawn together. */
const NARROWEST_BLOCK = 3;
/** Between two pictures that follow a movement. */
const PAUSE = 60;

const picture = signal<Picture | null>(null);
const pointed = signal<Hit | null>(null);

/** What is in sight, in calls. */
function viewOf(sight: Sight): View {
  const calls = info.value?.calls ?? 1;
  return { top: sight.top, from: sight.from ?? 0, to: sight.to ?? calls };
}

function clamp(view: View, change: Partial<View>, limit: View): View {
  const width = Math.max(4, Math.min((change.to ?? view.to) - (change.from ?? view.from), limit.to - limit.from));
  const from = Math.max(limit.from, Math.min(change.from ?? view.from, limit.to - width));
  return { top: view.top, from, to: from + width };
}

/** The part of the run that the picture may show: the call at its top, or everything. */
function limits(view: View): View {
  const first = picture.value?.rows[0]?.[0];
  if (view.top !== null && first !== undefined && first[0] === view.top) {
    return { top: view.top, from: first[0], to: first[0] + first[1] };
  }
  return { top: null, from: 0, to: Math.max(1, info.value?.calls ?? 1) };
}

function move(view: View, lasting: boolean): void {
  const all = view.top === null && view.from <= 0 && view.to >= (info.value?.calls ?? 0);
  const overview = all ? WHOLE : { top: view.top, from: Math.floor(view.from), to: Math.ceil(view.to) };
  if (lasting) go({ overview });
  else settle({ overview });
}

const WHOLE: Sight = { top: null, from: null, to: null };

function zoom(by: number, around?: number): void {
  const { overview } = place.value;
  if (overview === null) return;
  const view = viewOf(overview);
  const centre = around ?? (view.from + view.to) / 2;
  const change = { from: centre - (centre - view.from) * by, to: centre + (view.to - centre) * by };
  move(clamp(view, change, limits(view)), false);
}

function pan(part: number): void {
  const { overview } = place.value;
  if (overview === null) return;
  const view = viewOf(overview);
  const by = (view.to - view.from) * part;
  move(clamp(view, { from: view.from + by, to: view.to + by }, limits(view)), false);
}

/** Makes a call, or a block of calls, as wide as the picture. */
function fit(hit: Hit): void {
  const { first, calls, isOne } = hit;
  if (isOne) move({ top: first, from: first, to: first + calls }, true);
  else move({ ...viewOf(place.value.overview ?? WHOLE), from: first, to: first + Math.max(calls, 4) }, true);
}

/** Brings the chosen call into sight, with some of its callers above it. */
function showChosen(rows: number): void {
  const call = shown.value;
  if (call === null) return;
  const above = Math.min(call.callers.length, Math.max(1, Math.floor(rows / 3)));
  const top = call.callers.length > above ? (call.callers[above - 1]?.node ?? null) : null;
  const width = Math.max(12, (call.below + 1) * 3);
  const from = Math.max(top ?? 0, call.node - width / 3);
  move({ top, from, to: from + width }, true);
}

function up(): void {
  const caller = picture.value?.callers[0];
  const { overview } = place.value;
  if (overview === null || overview.top === null) return;
  const view = viewOf(overview);
  const width = view.to - view.from;
  move({ top: caller?.node ?? null, from: Math.max(caller?.node ?? 0, view.from - width / 2), to: view.to + width / 2 }, true);
}

/** Asks for the picture of what is in sight, one at a time. */
function useFollowing(size: () => { width: number; height: number }): void {
  useEffect(() => {
    let wanted = "";
    let timer = 0;
    let isWaiting = false;
    const ask = () => {
      const { overview } = place.value;
      if (overview === null || isWaiting) return;
      const { width, height } = size();
      const columns = Math.max(10, Math.floor(width / NARROWEST_BLOCK));
      const rows = Math.max(1, Math.floor((height - STRIP) / ROW));
      const view = viewOf(overview);
      const key = `${view.top ?? ""}/${Math.floor(view.from)}/${Math.ceil(view.to)}/${columns}/${rows}/${session.value?.revision ?? ""}/${info.value?.calls ?? ""}`;
      if (key === wanted) return;
      wanted = key;
      isWaiting = true;
      api
        .overview(view.top, Math.max(0, Math.floor(view.from)), Math.ceil(view.to), columns, rows)
        .then((found) => (picture.value = found), tell)
        .finally(() => {
          isWaiting = false;
          timer = window.setTimeout(ask, PAUSE);
        });
    };
    const stop = [place, session, info].map((source) => source.subscribe(ask));
    const observer = new ResizeObserver(ask);
    const element = document.querySelector(".overview-canvas");
    if (element !== null) observer.observe(element);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      for (const end of stop) end();
    };
  }, []);
}

/** The block that the chosen call is drawn as. */
function chosenBlock(): { row: number; index: number } | null {
  const now = picture.value;
  const { node } = place.value;
  if (now === null || node === null) return null;
  for (const [row, blocks] of now.rows.entries()) {
    const index = blocks.findIndex(([first, , , judgement]) => first === node && judgement !== null);
    if (index >= 0) return { row, index };
  }
  return null;
}

function choose(row: number, index: number): void {
  const block = picture.value?.rows[row]?.[index];
  if (block !== undefined) go({ node: block[0], event: null });
}

function keyed(event: KeyboardEvent, rows: number): void {
  const here = chosenBlock();
  const blocks = here === null ? undefined : picture.value?.rows[here.row];
  const block = here === null ? undefined : blocks?.[here.index];
  switch (event.key) {
    case "ArrowLeft":
      if (event.shiftKey) pan(-0.2);
      else if (here !== null) choose(here.row, here.index - 1);
      break;
    case "ArrowRight":
      if (event.shiftKey) pan(0.2);
      else if (here !== null) choose(here.row, here.index + 1);
      break;
    case "ArrowUp": {
      const caller = shown.value?.callers[0];
      if (caller !== undefined) go({ node: caller.node, event: null });
      break;
    }
    case "ArrowDown":
      if (here === null || block === undefined) choose(0, 0);
      else {
        // The widest of what it called.
        const below = picture.value?.rows[here.row + 1] ?? [];
        const end = block[0] + block[1];
        const inside = below.map((other, index) => ({ other, index })).filter(({ other }) => other[0] > block[0] && other[0] < end);
        const widest = inside.reduce<{ calls: number; index: number } | null>(
          (best, { other, index }) => (best === null || other[1] > best.calls ? { calls: other[1], index } : best),
          null,
        );
        if (widest !== null) choose(here.row + 1, widest.index);
      }
      break;
    case "Enter":
      if (block !== undefined) fit({ first: block[0], calls: block[1], suspects: block[2], isOne: block[3] !== null, name: null });
      else showChosen(rows);
      break;
    case "Backspace":
      up();
      break;
    case "+":
    case "=":
      zoom(0.5, block === undefined ? undefined : block[0] + block[1] / 2);
      break;
    case "-":
      zoom(2, block === undefined ? undefined : block[0] + block[1] / 2);
      break;
    case "0":
    case "Home":
      go({ overview: WHOLE });
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function Canvas({ element }: { element: { current: HTMLCanvasElement | null } }) {
  const colours = useSignal<Colours | null>(null);
  const size = useSignal({ width: 0, height: 0 });
  const held = useRef<{ x: number; view: View; moved: boolean } | null>(null);

  useEffect(() => {
    const canvas = element.current;
    if (canvas === null) return;
    const look = () => (colours.value = readColours(canvas));
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const stop = appearance.subscribe(look);
    dark.addEventListener("change", look);
    const observer = new ResizeObserver(() => (size.value = { width: canvas.clientWidth, height: canvas.clientHeight }));
    observer.observe(canvas);
    // Preact listens passively, and the page must not scroll while the picture zooms.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) pan((event.deltaX || event.deltaY) / 1000);
      else zoom(Math.exp(event.deltaY / 400), at(event));
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
    return () => {
      stop();
      dark.removeEventListener("change", look);
      observer.disconnect();
      canvas.removeEventListener("wheel", wheel);
    };
  }, []);

  useSignalEffect(() => {
    const canvas = element.current;
    const now = picture.value;
    const { overview, node } = place.value;
    const { width, height } = size.value;
    if (canvas === null || now === null || overview === null || colours.value === null || width === 0) return;
    const scene = { view: viewOf(overview), chosen: node, asked: question.value?.node ?? null, pointed: pointed.value?.first ?? null };
    draw(canvas, { width, height }, now, scene, colours.value);
  });

  /** The call at the pointer. */
  function at(event: MouseEvent): number {
    const box = element.current?.getBoundingClientRect();
    const view = viewOf(place.value.overview ?? WHOLE);
    if (box === undefined) return view.from;
    return view.from + ((event.clientX - box.left) / box.width) * (view.to - view.from);
  }

  function under(event: MouseEvent): Hit | null {
    const box = element.current?.getBoundingClientRect();
    const now = picture.value;
    if (box === undefined || now === null) return null;
    return blockAt(now, at(event), event.clientY - box.top);
  }

  return (
    <canvas
      ref={element}
      class="overview-canvas"
      data-testid="overview"
      data-blocks={picture.value?.rows.reduce((sum, row) => sum + row.length, 0) ?? 0}
      tabIndex={0}
      role="application"
      aria-label="Overview of the run: arrows choose calls, plus and minus zoom, Enter fits the chosen call, Backspace goes to its caller, 0 shows everything"
      onKeyDown={(event) => keyed(event, Math.floor(size.value.height / ROW))}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, view: viewOf(place.value.overview ?? WHOLE), moved: false };
      }}
      onPointerMove={(event) => {
        const hold = held.current;
        if (hold === null) {
          pointed.value = under(event);
          return;
        }
        const by = ((hold.x - event.clientX) / event.currentTarget.clientWidth) * (hold.view.to - hold.view.from);
        if (Math.abs(hold.x - event.clientX) > 3) hold.moved = true;
        if (hold.moved) move(clamp(hold.view, { from: hold.view.from + by, to: hold.view.to + by }, limits(hold.view)), false);
      }}
      onPointerUp={(event) => {
        const moved = held.current?.moved === true;
        held.current = null;
        const hit = moved ? null : under(event);
        if (hit === null) return;
        if (hit.isOne) go({ node: hit.first, event: null });
        else fit(hit);
      }}
      onPointerLeave={() => (pointed.value = null)}
      onDblClick={(event) => {
        const hit = under(event);
        if (hit?.isOne === true) fit(hit);
      }}
    />
  );
}

function Words() {
  const hit = pointed.value;
  if (hit === null) {
    return <span class="quiet clip">each call is as wide as the calls below it; wheel or + − zooms, drag moves, a double click fits</span>;
  }
  const what = hit.isOne ? `#${hit.first}${hit.name === null ? "" : ` ${hit.name}`}` : "calls side by side, too narrow to be drawn";
  return (
    <span class="clip">
      <code>{what}</code>{" "}
      <span class="quiet">
        {count(hit.calls, "call", "calls")}, {hit.suspects === 0 ? "ruled out" : count(hit.suspects, "suspect", "suspects")}
      </span>
    </span>
  );
}

export function Overview() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useFollowing(() => ({ width: canvas.current?.clientWidth ?? 0, height: canvas.current?.clientHeight ?? 0 }));
  const now = picture.value;
  return (
    <section class="panel overview" aria-label="Overview">
      <h2>
        Overview
        <span class="overview-words">
          <Words />
        </span>
        <span class="overview-legend quiet">
          <span class="swatch suspect" /> suspect
          <span class="swatch ruled-out" /> ruled out
          {(["correct", "wrong", "trusted"] as const).map((judgement) => (
            <>
              <span class={`sign ${judgement}`}>{SIGNS[judgement].sign}</span>
              {SIGNS[judgement].word}
            </>
          ))}
        </span>
        <span class="stepping" role="group" aria-label="Zoom">
          {now?.top != null && (
            <button class="small" title="To the caller (Backspace)" onClick={up}>
              ↑ {now.callers[0]?.routine ?? "all"}
            </button>
          )}
          <button class="small" title="Zoom out (−)" aria-label="Zoom out" onClick={() => zoom(2)}>
            −
          </button>
          <button class="small" title="Zoom in (+)" aria-label="Zoom in" onClick={() => zoom(0.5)}>
            +
          </button>
          <button class="small" title="Bring the chosen call into sight" onClick={() => showChosen(Math.floor((canvas.current?.clientHeight ?? 0) / ROW))}>
            chosen call
          </button>
          <button class="small" title="Everything (0)" onClick={() => go({ overview: WHOLE })}>
            whole run
          </button>
          <button class="small" title="Close the overview (o)" aria-label="Close the overview" onClick={() => go({ overview: null })}>
            ×
          </button>
        </span>
      </h2>
      <Canvas element={canvas} />
    </section>
  );
}

/** Opens the overview, or closes it. */
export function toggleOverview(): void {
  go({ overview: place.value.overview === null ? WHOLE : null });
}
