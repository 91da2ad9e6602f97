// Borders between panes that can be moved, by mouse or by keyboard. Where they were left is remembered.

import { signal } from "@preact/signals";

import { recall, remember } from "./cookie";

const NAME = "askance-panes";
/** No pane becomes smaller than this part of the room. */
const SMALLEST = 0.12;
const LARGEST = 0.8;
/** How far an arrow key goes. */
const STEP = 0.02;

function remembered(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const pair of (recall(NAME) ?? "").split(",")) {
    const [name, size] = pair.split(":");
    const part = Number(size);
    if (name !== undefined && part >= SMALLEST && part <= LARGEST) found[name] = part;
  }
  return found;
}

const sizes = signal<Record<string, number>>(remembered());

/** The part of the room that a pane has, if somebody has chosen it. */
export function paneSize(name: string): number | undefined {
  return sizes.value[name];
}

function resize(name: string, part: number | null): void {
  const others = Object.entries(sizes.value).filter(([pane]) => pane !== name);
  const next = part === null ? others : [...others, [name, Math.min(Math.max(part, SMALLEST), LARGEST)] as const];
  sizes.value = Object.fromEntries(next);
  const words = next.map(([pane, size]) => `${pane}:${size.toFixed(3)}`);
  remember(NAME, words.length === 0 ? null : words.join(","));
}

interface Props {
  /** The pane whose size it is. */
  pane: string;
  label: string;
  /** What lies beside it: columns, or rows above each other. */
  between: "columns" | "rows";
  /** Whether the pane stands after the border. */
  after?: boolean;
}

/** A border. A double click lets the page choose again. */
export function Splitter({ pane, label, between, after = false }: Props) {
  const isColumns = between === "columns";
  const partAt = (border: HTMLElement, x: number, y: number) => {
    const room = border.parentElement?.getBoundingClientRect();
    if (room === undefined) return SMALLEST;
    const part = isColumns ? (x - room.left) / room.width : (y - room.top) / room.height;
    return after ? 1 - part : part;
  };
  const now = (border: HTMLElement) => {
    const { left, right, top, bottom } = border.getBoundingClientRect();
    return partAt(border, (left + right) / 2, (top + bottom) / 2);
  };
  const [less, more] = isColumns ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  return (
    <div
      class={`splitter between-${between}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isColumns ? "vertical" : "horizontal"}
      aria-valuemin={SMALLEST * 100}
      aria-valuemax={LARGEST * 100}
      aria-valuenow={Math.round((paneSize(pane) ?? 0.3) * 100)}
      title={`${label}: drag, or use the arrow keys; a double click puts it back`}
      data-pane={pane}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        resize(pane, partAt(event.currentTarget, event.clientX, event.clientY));
      }}
      onDblClick={() => resize(pane, null)}
      onKeyDown={(event) => {
        const by = event.key === less ? -STEP : event.key === more ? STEP : 0;
        if (by === 0) return;
        event.preventDefault();
        resize(pane, now(event.currentTarget) + (after ? -by : by));
      }}
    />
  );
}
